"""An evaluation for people, for programs, and in files."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rich.text import Text

from matchmaker.cli import output

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matchmaker.cli.evaluation_source import Notes
    from matchmaker.dispute import Felt
    from matchmaker.evaluation.fitting import Fit
    from matchmaker.evaluation.trial import Evaluation


def show(evaluation: "Evaluation", fit: "Fit | None", disputes: "Mapping[Felt, int]") -> None:
    """Writes all tables to stdout."""
    from matchmaker.evaluation.sheets import sheets

    for place, sheet in enumerate(sheets(evaluation, fit, disputes)):
        table = output.table(*sheet.columns, right=sheet.columns[1:])
        for first, *rest in sheet.rows:
            table.add_row(Text(output.visible(first)), *map(Text, rest))
        if place:
            print()
        output.show(Text(output.visible(sheet.title), style="bold"))
        output.show(table)


def document(
    evaluation: "Evaluation", fit: "Fit | None", disputes: "Mapping[Felt, int]", notes: "Notes"
) -> dict[str, Any]:
    """All of it, for programs."""
    return {
        **asdict(evaluation),
        "fit": asdict(fit) if fit else None,
        "disputes": dict(disputes),
        "duplicates": notes.duplicates,
        "rejected": notes.tally.rejected,
        "out_of_order": notes.out_of_order,
    }


def write_picture(file: Path, evaluation: "Evaluation") -> None:
    """Draws it, as .svg or .png."""
    from matchmaker.evaluation.plots import picture

    format_: Literal["svg", "png"] = "svg" if file.suffix == ".svg" else "png"
    _write(file, picture(evaluation, format_))


def write_page(
    file: Path, subject: str, evaluation: "Evaluation", fit: "Fit | None", disputes: "Mapping[Felt, int]"
) -> None:
    """Writes one page with all tables, and the picture."""
    from matchmaker.evaluation.page import page
    from matchmaker.evaluation.plots import picture
    from matchmaker.evaluation.sheets import sheets

    title = f"{Path(subject).name}: is the rating any good?"
    tables = sheets(evaluation, fit, disputes)
    _write(file, page(title, picture(evaluation, "svg"), tables).encode())


def _write(file: Path, content: bytes) -> None:
    from matchmaker.transfer.exporting import replacing

    with replacing(file) as opened:
        opened.write(content)

"""An evaluation for people, for programs, and in files."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matchmaker.cli.report_output import show_sheets, write_page, write_picture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matchmaker.cli.evaluation_source import Notes
    from matchmaker.dispute import Felt
    from matchmaker.evaluation.fitting import Fit
    from matchmaker.evaluation.trial import Evaluation


def show(evaluation: "Evaluation", fit: "Fit | None", disputes: "Mapping[Felt, int]") -> None:
    """Writes all tables to stdout."""
    from matchmaker.evaluation.sheets import sheets

    show_sheets(sheets(evaluation, fit, disputes))


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


def write_files(
    plot: Path | None,
    html: Path | None,
    subject: str,
    evaluation: "Evaluation",
    fit: "Fit | None",
    disputes: "Mapping[Felt, int]",
) -> None:
    """Draws it, and writes one page with all tables, where somebody wants that."""
    from matchmaker.evaluation.plots import picture
    from matchmaker.evaluation.sheets import sheets

    if plot:
        write_picture(plot, partial(picture, evaluation))
    if html:
        title = f"{Path(subject).name}: is the rating any good?"
        write_page(html, title, partial(picture, evaluation), sheets(evaluation, fit, disputes))

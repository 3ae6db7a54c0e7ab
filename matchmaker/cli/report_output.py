"""Reports with tables and a picture: on the terminal, and in files."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.text import Text

from matchmaker.cli import output

if TYPE_CHECKING:
    from matchmaker.report.picture import Format
    from matchmaker.report.sheet import Sheet

Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write all of it as one page as well.")
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw it as well: .svg or .png.")]
Draw = Callable[["Format"], bytes]


def demand_pictures(plot: Path | None, html: Path | None) -> None:
    """Raises typer.BadParameter for a picture of an unknown format, and EngineMissingError."""
    from matchmaker.report import picture

    if plot and plot.suffix not in (".svg", ".png"):
        raise typer.BadParameter("the name must end in .svg or .png", param_hint="--plot")
    if plot or html:
        picture.demand()


def show_sheets(sheets: "Iterable[Sheet]") -> None:
    """Writes tables to stdout."""
    for place, sheet in enumerate(sheets):
        numbers = [each for at, each in enumerate(sheet.columns) if at and at not in sheet.words]
        table = output.table(*sheet.columns, right=numbers)
        for row in sheet.rows:
            table.add_row(*(Text(output.visible(cell)) for cell in row))
        if place:
            print()
        output.show(Text(output.visible(sheet.title), style="bold"))
        output.show(table)


def write_picture(file: Path, draw: Draw) -> None:
    """Draws it, as .svg or .png."""
    format_: Literal["svg", "png"] = "svg" if file.suffix == ".svg" else "png"
    _write(file, draw(format_))


def write_page(file: Path, title: str, draw: Draw, sheets: "Iterable[Sheet]") -> None:
    """Writes one page with the picture and all tables."""
    from matchmaker.report.page import page

    _write(file, page(title, draw("svg"), sheets).encode())


def _write(file: Path, content: bytes) -> None:
    from matchmaker.transfer.exporting import replacing

    with replacing(file) as opened:
        opened.write(content)

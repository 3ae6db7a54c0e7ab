"""A report as one page of HTML that needs nothing beside itself."""

from collections.abc import Iterable
from html import escape

from matchmaker.report.sheet import Sheet

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem;
       color: #1c1e21; background: #fff; }
figure { margin: 0; } svg { width: 100%; min-width: 60rem; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin-bottom: 1.5rem; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; white-space: nowrap; }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; white-space: nowrap; }
th:first-child, .words { text-align: left; font-weight: 400; }
tbody tr { border-top: 1px solid #ddd; }
"""


def page(title: str, svg: bytes, sheets: Iterable[Sheet]) -> str:
    """The document, with the picture (as matplotlib writes it) above the tables."""
    drawing = svg.decode()
    drawing = drawing[drawing.index("<svg") :]  # an XML declaration may not stand inside HTML
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{escape(title)}</h1>\n<figure class="scroll">{drawing}</figure>\n'
        f"{''.join(map(_table, sheets))}</body>\n</html>\n"
    )


def _table(sheet: Sheet) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in sheet.columns)
    rows = "\n".join(_row(row, sheet.words) for row in sheet.rows)
    return (
        f'<div class="scroll"><table>\n<caption>{escape(sheet.title)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>\n"
    )


def _row(cells: tuple[str, ...], words: tuple[int, ...]) -> str:
    first, *rest = map(escape, cells)
    data = (
        f'<td class="words">{cell}</td>' if place in words else f"<td>{cell}</td>"
        for place, cell in enumerate(rest, 1)
    )
    return f'<tr><th scope="row">{first}</th>{"".join(data)}</tr>'

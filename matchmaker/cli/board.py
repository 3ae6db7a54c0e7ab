"""`matchmaker board`."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId


def board(
    ladder: LadderId,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Players to show.")] = 100,
    offset: Annotated[int, typer.Option(min=0, help="Players to pass over first.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Show the board, best players first."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import boards

    with open_store() as store:
        page = store.on(ladder, lambda edition: boards.page(edition, offset, limit))
    if as_json:
        output.write_json(
            {
                "ladder": ladder,
                "version": page.version,
                "total": page.total,
                "entries": [asdict(row) for row in page.entries],
                "viewer": None,
            }
        )
        return
    table = output.table(
        "Rank", "Player", "Name", "Rating", "Games", "Tier", right=("Rank", "Rating", "Games")
    )
    for row in page.entries:
        table.add_row(
            output.number(row.rank),
            output.name(row.player),
            output.name(row.name or ""),
            output.rating(row.rating),
            output.number(row.games),
            output.name(row.tier or ""),
        )
    output.show(table)
    output.show(Text(f"{len(page.entries):,} of {output.counted(page.total, 'player')}"))

"""`matchmaker standing`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId, PlayerId

if TYPE_CHECKING:
    from matchmaker.standing import Standing


def standing(
    ladder: LadderId,
    player: PlayerId,
    as_json: AsJson = False,
) -> None:
    """Show where a player stands."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import players

    with open_store() as store:
        found = store.on(ladder, lambda edition: players.standing(edition, player))
    show_standing(found, as_json=as_json)


def show_standing(found: "Standing", *, as_json: bool) -> None:
    """Writes it, for programs or for people."""
    if as_json:
        output.write_json(output.as_answered(found))
    else:
        output.show(output.pairs(_lines(found)))


def _lines(found: "Standing") -> list[tuple[str, Text]]:
    rating = Text(f"{found.rating:.1f}" + " (provisional)" * found.provisional)
    place = Text(found.status)
    if found.rank is not None and found.percentile is not None:
        place = Text(f"{found.rank:,} of {found.of:,}, better than {found.percentile:.1f} % of the others")
    return [
        ("player", output.name(found.player)),
        ("name", output.name(found.name or "-")),
        ("owner", output.name(found.owner or "-")),
        ("rank", place),
        ("rating", rating),
        ("tier", output.name(found.tier or "-")),
        (
            "games",
            Text(f"{found.games:,} ({found.wins:,} won, {found.draws:,} drawn, {found.losses:,} lost)"),
        ),
        *_uncertain(found),
        ("peak", output.rating(found.peak)),
        ("experience", output.number(found.experience)),
    ]


def _uncertain(found: "Standing") -> Iterator[tuple[str, Text]]:
    """What the next result will move the rating by."""
    if found.k is not None:
        yield "next K", Text(f"{found.k:g}")
    if found.mu is not None and found.sigma is not None:
        yield "mu", output.rating(found.mu)
        yield "sigma", output.rating(found.sigma)

"""A comparison as tables."""

from collections.abc import Iterator, Sequence

from matchmaker.evaluation.distribution import titled
from matchmaker.replay.comparison import PERCENTILES, Comparison, Mover, Side
from matchmaker.report.sheet import Sheet, percent


def sheets(comparison: Comparison) -> Iterator[Sheet]:
    """All tables of it."""
    yield _agreement(comparison)
    yield _spread((comparison.before, comparison.after))
    if comparison.tiers:
        yield _tiers(comparison)
    for title, movers in (
        ("Up the most ranks", comparison.risers),
        ("Down the most ranks", comparison.fallers),
        ("Up the most points", comparison.gainers),
        ("Down the most points", comparison.losers),
    ):
        if movers:
            yield _movers(title, movers)
    yield _top(comparison)


def _agreement(comparison: Comparison) -> Sheet:
    players = comparison.players
    kendall = "(needs scipy)" if comparison.kendall is None else f"{comparison.kendall:.4f}"
    return Sheet(
        f"{comparison.before.label} | {comparison.after.label}: "
        f"{comparison.results:,} results, {players:,} players on the board",
        ("", "agreement"),
        (
            ("rank correlation (Spearman)", f"{comparison.spearman:.4f}"),
            ("rank correlation (Kendall)", kendall),
            ("players with another rank", f"{comparison.moved:,} ({percent(comparison.moved / players)})"),
            (
                "players with another rating",
                f"{comparison.rerated:,} ({percent(comparison.rerated / players)})",
            ),
        ),
    )


def _spread(sides: Sequence[Side]) -> Sheet:
    rows: list[tuple[str, list[float]]] = [
        ("initial rating", [side.initial_rating for side in sides]),
        ("mean", [side.ratings.mean for side in sides]),
        ("deviation", [side.ratings.deviation for side in sides]),
        ("points created", [side.created for side in sides]),
        ("points created per player", [side.ratings.inflation for side in sides]),
        ("lowest", [side.ratings.lowest for side in sides]),
        *(
            (f"{share} % are below", [side.percentiles[place] for side in sides])
            for place, share in enumerate(PERCENTILES)
        ),
        ("highest", [side.ratings.highest for side in sides]),
    ]
    return Sheet(
        titled(f"Ratings of the {sides[0].ratings.players:,} who have played", (side.rule for side in sides)),
        ("", *(side.label for side in sides), "change"),
        tuple((name, f"{one:.1f}", f"{other:.1f}", f"{other - one:+.1f}") for name, (one, other) in rows),
    )


def _tiers(comparison: Comparison) -> Sheet:
    return Sheet(
        "Players in each tier",
        ("", "before", "after", "change"),
        tuple(
            (each.name, f"{each.before:,}", f"{each.after:,}", f"{each.after - each.before:+,}")
            for each in reversed(comparison.tiers)
        ),
    )


def _movers(title: str, movers: Sequence[Mover]) -> Sheet:
    return Sheet(
        title,
        ("player", "rank before", "rank after", "ranks", "rating before", "rating after", "points"),
        tuple(
            (
                *(each.player, f"{each.rank_before:,}", f"{each.rank_after:,}", f"{each.up:+,}"),
                *(f"{each.rating_before:.1f}", f"{each.rating_after:.1f}", f"{each.gain:+.1f}"),
            )
            for each in movers
        ),
    )


def _top(comparison: Comparison) -> Sheet:
    return Sheet(
        f"The top {len(comparison.top)} side by side",
        ("", "rank before", "player before", "rating before", "rank after", "player after", "rating after"),
        tuple(
            (
                *(str(number), str(one.rank), one.player, f"{one.rating:.1f}"),
                *(str(other.rank), other.player, f"{other.rating:.1f}"),
            )
            for number, (one, other) in enumerate(comparison.top, 1)
        ),
        words=(2, 5),
    )

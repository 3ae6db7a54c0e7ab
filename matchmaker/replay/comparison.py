"""Two boards that came of the same results, side by side."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Any, Final

from matchmaker.correlation import kendall, rank_correlation
from matchmaker.errors import InvalidInputError
from matchmaker.evaluation.distribution import Distribution, Milestone, describe
from matchmaker.ladder import Tier
from matchmaker.rating.rule import PlayerState
from matchmaker.replay.rerun import Run

TOP: Final = 20
MOVERS: Final = 10
PERCENTILES: Final = (1, 5, 10, 25, 50, 75, 90, 95, 99)
BELOW_ALL: Final = "(below all tiers)"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player stands on one of the boards. `rank` is 1 + the number of strictly better players."""

    player: str
    rank: int
    rating: float


@dataclass(frozen=True, slots=True)
class Mover:
    """A player on both boards."""

    player: str
    rank_before: int
    rank_after: int
    rating_before: float
    rating_after: float

    @property
    def up(self) -> int:
        """By how many ranks it stands higher after."""
        return self.rank_before - self.rank_after

    @property
    def gain(self) -> float:
        """By how many points it is rated higher after."""
        return self.rating_after - self.rating_before


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two. `ratings` are those of all who have played (where the rule has a sigma, their
    strengths), `percentiles` theirs, `created` the points that were there in no start rating."""

    label: str
    rule: dict[str, Any]
    initial_rating: float
    ratings: Distribution
    percentiles: tuple[float, ...]
    created: float
    course: tuple[Milestone, ...]


@dataclass(frozen=True, slots=True)
class TierCount:
    """How many players of the board are in a tier."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changes. Everything but `ratings` and what belongs to it is about the players on the board.

    `spearman` and `kendall` say how well the two orders agree: 1 for the same, -1 for the reverse; the latter
    is None without the package scipy. `moved` players have another rank, `rerated` ones another rating.
    `pairs` are the ratings of each, before and after.
    """

    results: int
    players: int
    before: Side
    after: Side
    spearman: float
    kendall: float | None
    moved: int
    rerated: int
    risers: tuple[Mover, ...]
    fallers: tuple[Mover, ...]
    gainers: tuple[Mover, ...]
    losers: tuple[Mover, ...]
    tiers: tuple[TierCount, ...]
    top: tuple[tuple[Place, Place], ...]
    pairs: tuple[tuple[float, float], ...]


def compare(
    before: Run, after: Run, *, results: int, off_board: Collection[str], tiers: Sequence[Tier]
) -> Comparison:
    """Raises InvalidInputError if fewer than two players have played, or two are left on the board."""
    one, other = board(before.states, off_board), board(after.states, off_board)
    if len(one) < 2 or min(len(run.ratings) for run in (before, after)) < 2:
        raise InvalidInputError("there is nothing to compare: fewer than two players have played")
    places = {place.player: place for place in other}
    movers = [
        Mover(was.player, was.rank, now.rank, was.rating, now.rating)
        for was, now in ((was, places[was.player]) for was in one)
    ]
    pairs = tuple((each.rating_before, each.rating_after) for each in movers)
    return Comparison(
        results=results,
        players=len(one),
        before=_side(before),
        after=_side(after),
        spearman=rank_correlation(*zip(*pairs, strict=True)),
        kendall=kendall(*zip(*pairs, strict=True)),
        moved=sum(each.up != 0 for each in movers),
        rerated=sum(each.gain != 0 for each in movers),
        risers=_most(each for each in movers if each.up > 0),
        fallers=_most(each for each in movers if each.up < 0),
        gainers=_most_rerated(each for each in movers if each.gain > 0),
        losers=_most_rerated(each for each in movers if each.gain < 0),
        tiers=_tier_counts(one, other, tiers),
        top=tuple(zip(one[:TOP], other[:TOP], strict=True)),
        pairs=pairs,
    )


def board(states: Mapping[str, PlayerState], off_board: Collection[str]) -> list[Place]:
    """The board of these players, without those who are off it, in its order."""
    order = sorted(
        (
            (state.rating, player.encode(), player)
            for player, state in states.items()
            if player not in off_board
        ),
        reverse=True,
    )
    places: list[Place] = []
    for number, (rating, _, player) in enumerate(order, 1):
        is_tied = places and places[-1].rating == rating
        places.append(Place(player, places[-1].rank if is_tied else number, rating))
    return places


def _side(run: Run) -> Side:
    cuts = quantiles(run.ratings, n=100, method="inclusive")
    return Side(
        label=run.contender.label,
        rule=run.contender.rule.model_dump(mode="json"),
        initial_rating=run.contender.initial_rating,
        ratings=describe(run.ratings, run.created),
        percentiles=tuple(cuts[each - 1] for each in PERCENTILES),
        created=run.created,
        course=run.course,
    )


def _most(movers: Iterable[Mover]) -> tuple[Mover, ...]:
    return tuple(sorted(movers, key=lambda each: (abs(each.up), abs(each.gain)), reverse=True)[:MOVERS])


def _most_rerated(movers: Iterable[Mover]) -> tuple[Mover, ...]:
    return tuple(sorted(movers, key=lambda each: abs(each.gain), reverse=True)[:MOVERS])


def _tier_counts(
    one: Sequence[Place], other: Sequence[Place], tiers: Sequence[Tier]
) -> tuple[TierCount, ...]:
    if not tiers:
        return ()
    counts = []
    borders = [*(tier.from_rating for tier in tiers), float("inf")]
    names = [tier.name for tier in tiers]
    for name, low, high in zip((BELOW_ALL, *names), (float("-inf"), *borders), borders, strict=False):
        counts.append(
            TierCount(
                name, *(sum(low <= each.rating < high for each in each_board) for each_board in (one, other))
            )
        )
    return tuple(each for each in counts if each.name != BELOW_ALL or each.before or each.after)

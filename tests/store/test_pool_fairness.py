"""Every candidate of a side is equally likely: chi-square tests over many draws with fixed seeds."""

import json
from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from matchmaker.store.battles import Battle
from matchmaker.store.client import Store
from tests.stage import Stage

DRAWS = 1_500
SIDE = 6_000
# Critical values of the chi-square distribution at 0.1 %, by degrees of freedom: one seed in a thousand fails
# a fair draw, and the seeds are fixed.
CRITICAL = {4: 18.47, 9: 27.88, 19: 43.82, 24: 51.18, 39: 72.05}


def _draws(
    stage: Stage,
    challenger: str,
    exclude: tuple[str, ...] = (),
    recent: tuple[str, ...] = (),
    *,
    draws: int = DRAWS,
) -> list[Battle]:
    """Many draws of one challenger, each as if `recent` had been its last opponents."""
    random, battles = Random(20_240_601), []
    for _ in range(draws):
        if recent:
            stage.store.client.execute_command("HSET", stage.keys.recent, challenger, json.dumps(recent))
        battle = stage.battle(challenger, exclude, seed=random.getrandbits(31))
        stage.cancel(battle.id)
        battles.append(battle)
    return battles


def _assert_even(counts: Counter[str], names: Iterable[str], *, drawn: int) -> None:
    """Asserts that sets of `drawn` out of `names`, drawn DRAWS times, favour nobody."""
    names = list(names)
    assert counts.keys() <= set(names)
    share = drawn / len(names)
    # Members of one draw exclude each other, which makes their counts a little more even than free ones.
    spread = DRAWS * share * (1 - share) * len(names) / (len(names) - 1)
    chi_square = sum((counts[name] - DRAWS * share) ** 2 for name in names) / spread
    assert chi_square < CRITICAL[len(names) - 1]


def _members(battles: Iterable[Battle]) -> Counter[str]:
    return Counter(player for battle in battles for player, _ in battle.pool.opponents)


@pytest.fixture
def street(store: Store) -> Stage:
    """`me` in the middle of twenty on either side, pools of five and five."""
    stage = Stage(store, pool={"size": 10, "avoid_recent": 0})
    stage.join("me", rating=1500.0)
    for n in range(1, 21):
        stage.join(f"low {n}", rating=1500.0 - n)
        stage.join(f"high {n}", rating=1500.0 + n)
    return stage


def test_each_candidate_of_a_side_is_equally_likely_to_be_in_the_pool(street: Stage) -> None:
    battles = _draws(street, "me")
    assert all((battle.pool.below, battle.pool.above) == (5, 5) for battle in battles)
    members = _members(battles)
    for side in ("low", "high"):
        names = [f"{side} {n}" for n in range(1, 21)]
        _assert_even(Counter({name: members[name] for name in names}), names, drawn=5)


def test_each_member_of_the_pool_is_equally_likely_to_be_the_opponent(street: Stage) -> None:
    battles = _draws(street, "me")
    everybody = [f"{side} {n}" for side in ("low", "high") for n in range(1, 21)]
    _assert_even(Counter(battle.opponent.player for battle in battles), everybody, drawn=1)
    places = Counter(
        str([player for player, _ in battle.pool.opponents].index(battle.opponent.player))
        for battle in battles
    )
    _assert_even(places, map(str, range(10)), drawn=1)


def test_exclusion_favours_nobody_among_those_who_are_left(street: Stage) -> None:
    battles = _draws(street, "me", tuple(f"low {n}" for n in range(1, 21) if n % 2))
    names = [f"low {n}" for n in range(1, 21) if not n % 2]
    members = _members(battles)
    _assert_even(Counter({name: members[name] for name in members if name in names}), names, drawn=5)
    assert not any(members[f"low {n}"] for n in range(1, 21) if n % 2)


def test_backfill_favours_nobody_of_the_side_that_it_takes_from(store: Store) -> None:
    stage = Stage(store, pool={"size": 10, "avoid_recent": 0})
    stage.join("me", rating=1500.0)
    names = [f"high {n}" for n in range(1, 26)]
    for n, name in enumerate(names, 1):
        stage.join(name, rating=1500.0 + n)
    _assert_even(_members(_draws(stage, "me")), names, drawn=10)


def test_nobody_is_favoured_among_equals(store: Store) -> None:
    stage = Stage(store, pool={"size": 10, "avoid_recent": 0})
    names = [f"p{n}" for n in range(40)]
    stage.join("me", *names)
    battles = _draws(stage, "me")
    _assert_even(_members(battles), names, drawn=10)
    _assert_even(Counter(battle.opponent.player for battle in battles), names, drawn=1)


def test_nobody_is_favoured_when_only_recent_opponents_are_left(store: Store) -> None:
    stage = Stage(store, pool={"size": 2, "avoid_recent": 5})
    stage.join("me", rating=1500.0)
    names = tuple(f"high {n}" for n in range(1, 6))
    for n, name in enumerate(names, 1):
        stage.join(name, rating=1500.0 + n)
    _assert_even(_members(_draws(stage, "me", recent=names)), names, drawn=2)


def test_level_players_are_not_favoured_by_their_ids_when_a_side_is_short(store: Store) -> None:
    stage = Stage(store, pool={"size": 10, "avoid_recent": 0})
    level = [f"level {n:02}" for n in range(20)]
    stage.join("me", *level, rating=1500.0)
    stage.join(*(f"high {n}" for n in range(20)), rating=1510.0)
    battles = _draws(stage, "me")
    assert all((battle.pool.below, battle.pool.above) == (5, 5) for battle in battles)
    below = Counter(
        player for battle in battles for player, rating in battle.pool.opponents if rating == 1500
    )
    spread = max(below[name] for name in level) / min(below[name] for name in level)
    assert spread < 1.5, below


def _throng(store: Store, size: int) -> Stage:
    """`me` between SIDE players below, 0 and following, and as many above: so many that neighbours are drawn
    together."""
    stage = Stage(store, pool={"size": size, "avoid_recent": 0})
    stage.join("me", rating=1500.0)
    ratings = {f"{n:05}": 1500.0 + (n - SIDE + 0.5) / 64 for n in range(2 * SIDE)}
    words = [word for player, rating in ratings.items() for word in (rating, player)]
    store.client.execute_command("ZADD", stage.keys.ratings, *words)
    return stage


def test_in_a_crowd_where_neighbours_are_drawn_together_each_is_as_likely(store: Store) -> None:
    battles = _draws(_throng(store, 10), "me")
    assert all((battle.pool.below, battle.pool.above) == (5, 5) for battle in battles)
    drawn = [dict(battle.pool.opponents) for battle in battles]
    assert all(len(ratings) == 10 for ratings in drawn)
    assert [(battle.pool.low, battle.pool.high) for battle in battles] == [
        (min(ratings.values()), max(ratings.values())) for ratings in drawn
    ]
    tenths = Counter(str(int(player) * 5 // SIDE) for player in _members(battles).elements())
    # 1,500 of each, five at a time: a standard deviation is 5 * sqrt(1,500 * 0.2 * 0.8), some 77.
    assert all(abs(count - DRAWS) < 3.5 * 77 for count in tenths.values()), tenths
    # Of eight neighbours five are drawn: none is favoured by its place among them.
    eighths = Counter(int(player) % 8 for player in _members(battles).elements())
    share = DRAWS * 10 / 8
    assert all(abs(count - share) < 3.5 * share**0.5 for count in eighths.values()), eighths
    opponents = Counter(str(int(battle.opponent.player) * 5 // SIDE) for battle in battles)
    _assert_even(opponents, map(str, range(10)), drawn=1)


def test_in_a_crowd_those_at_the_ends_of_a_side_are_as_likely_as_those_amid_it(store: Store) -> None:
    draws, size, group = 250, 500, 120
    battles = _draws(_throng(store, size), "me", draws=draws)
    members = _members(battles)
    expected = draws * (size / 2) / SIDE * group
    # They come in eights, of which some are cut: a variance is at most eight times that of single draws.
    deviation = (8 * expected) ** 0.5
    for first in (0, SIDE // 2, SIDE - group, SIDE, 3 * SIDE // 2, 2 * SIDE - group):
        count = sum(members[f"{n:05}"] for n in range(first, first + group))
        assert abs(count - expected) < 3.5 * deviation, (first, count, expected)

"""The opponent pool: who may be in it, and how it is filled."""

from typing import Any, NamedTuple

import pytest
import redis
from hypothesis import event, given, settings
from hypothesis import strategies as st

from matchmaker.errors import ConflictError, NotFoundError
from matchmaker.ladder import PoolSettings
from matchmaker.store.client import Store
from tests.stage import Stage
from tests.store.pool_rules import PoolRules

POINTS = st.sampled_from([-150.0, -100.0, -99.5, -50.0, -1.0, 0.0, 0.25, 1.0, 50.0, 99.5, 100.0, 250.0])


class Draw(NamedTuple):
    challenger: int
    exclude: set[int]
    seed: int


class Scene(NamedTuple):
    pool: dict[str, Any]
    players: list[tuple[float, str | None]]
    draws: list[Draw]


SCENES = st.builds(
    Scene,
    st.fixed_dictionaries(
        {
            "size": st.integers(1, 9),
            "deviation": st.sampled_from([1.0, 50.0, 100.0, 125.0]),
            "shortfall": st.sampled_from(["backfill", "strict"]),
            "widen": st.lists(st.sampled_from([150.0, 200.0, 400.0]), unique=True, max_size=2).map(sorted),
            "avoid_recent": st.integers(0, 3),
        }
    ),
    st.lists(st.tuples(POINTS, st.sampled_from([None, None, None, "red", "blue"])), min_size=1, max_size=20),
    st.lists(
        st.builds(
            Draw, st.integers(0, 19), st.sets(st.integers(0, 20), max_size=4), st.integers(0, 2**31 - 1)
        ),
        min_size=1,
        max_size=6,
    ),
)


@given(SCENES)
@settings(max_examples=400)
def test_every_draw_is_one_that_the_rules_allow(store: Store, scene: Scene) -> None:
    stage = Stage(store, pool=scene.pool)
    names = [f"p{n}" for n in range(len(scene.players))]
    for name, (rating, owner) in zip(names, scene.players, strict=True):
        stage.join(name, rating=rating, owner=owner)
    rules = PoolRules(
        PoolSettings.model_validate(scene.pool),
        {name: rating for name, (rating, _) in zip(names, scene.players, strict=True)},
        {name: owner for name, (_, owner) in zip(names, scene.players, strict=True) if owner},
    )
    met: dict[str, list[str]] = {name: [] for name in names}
    for draw in scene.draws:
        challenger = names[draw.challenger % len(names)]
        exclude = [f"p{n}" for n in draw.exclude]
        try:
            battle = stage.battle(challenger, exclude, seed=draw.seed)
        except ConflictError as refusal:
            nearest = rules.check_none(challenger, exclude)
            _check_refusal(refusal, nearest)
            event("no opponent")
        else:
            recent = met[challenger][: rules.settings.avoid_recent]
            rules.check(battle, challenger, exclude, recent)
            met[challenger].insert(0, battle.opponent.player)
            event(f"a pool of {battle.pool.size}")
            stage.cancel(battle.id)


def _check_refusal(refusal: ConflictError, nearest: float | None) -> None:
    assert refusal.code == "no_opponent"
    assert refusal.detail.endswith(
        "there is no candidate at all."
        if nearest is None
        else f"the nearest candidate is {nearest:g} points away."
    )


def _opponents(stage: Stage, challenger: str, *exclude: str) -> set[str]:
    """The drawn pool; the battle is cancelled again."""
    battle = stage.battle(challenger, exclude)
    stage.cancel(battle.id)
    return {player for player, _ in battle.pool.opponents}


@pytest.fixture
def crowd(store: Store) -> Stage:
    """Around `me` at 1500: `low` and `high` at the ends of the window, one step beyond them nobody's."""
    stage = Stage(store, pool={"size": 4, "avoid_recent": 0})
    step = 2.0**-16
    for name, rating in [("me", 1500.0), ("low", 1400.0), ("high", 1600.0)]:
        stage.join(name, rating=rating)
    stage.join("too low", rating=1400.0 - step)
    stage.join("too high", rating=1600.0 + step)
    return stage


def test_both_ends_of_the_window_belong_to_it_and_nothing_beyond(crowd: Stage) -> None:
    battle = crowd.battle("me")
    assert dict(battle.pool.opponents) == {"low": 1400.0, "high": 1600.0}
    assert (battle.pool.below, battle.pool.above, battle.pool.deviation) == (1, 1, 100.0)


def test_a_suspended_player_is_in_no_pool_and_may_not_ask_for_one(crowd: Stage) -> None:
    crowd.store.client.execute_command("ZREM", crowd.keys.ratings, "low")
    assert _opponents(crowd, "me") == {"high"}
    with pytest.raises(ConflictError) as refused:
        crowd.issue("low")
    assert refused.value.code == "suspended"


def test_a_player_who_is_not_in_the_ladder_gets_no_opponent(crowd: Stage) -> None:
    with pytest.raises(NotFoundError) as refused:
        crowd.issue("joe")
    assert refused.value.code == "unknown_player"


def test_an_excluded_player_is_in_no_pool(crowd: Stage) -> None:
    assert _opponents(crowd, "me", "low", "joe") == {"high"}


def test_players_of_one_owner_never_meet_and_players_without_an_owner_do(crowd: Stage) -> None:
    crowd.join("me", "low", owner="red")
    assert _opponents(crowd, "me") == {"high"}
    crowd.join("me", "low")
    assert _opponents(crowd, "me") == {"low", "high"}


def test_the_last_opponent_is_avoided_while_somebody_else_is_left(store: Store) -> None:
    stage = Stage(store)
    stage.join("me", "ann", "bob")
    battle = stage.battle("me")
    stage.cancel(battle.id)
    first, other = battle.opponent.player, {"ann": "bob", "bob": "ann"}[battle.opponent.player]
    assert _opponents(stage, "me") == {other}
    assert _opponents(stage, "me") == {first}
    assert _opponents(stage, "me", other) == {first}


def test_no_more_recent_opponents_are_avoided_or_remembered_than_the_ladder_says(
    store: Store, redis_client: redis.Redis
) -> None:
    stage = Stage(store, pool={"avoid_recent": 2})
    stage.join("me", "a", "b", "c")
    for exclude in (("b", "c"), ("a", "c"), ("a", "b")):
        stage.cancel(stage.battle("me", exclude).id)
    assert redis_client.hget(stage.keys.recent, "me") == b'["c","b"]'
    stage.put(pool={"avoid_recent": 1})
    assert _opponents(stage, "me") == {"a", "b"}


def test_recent_opponents_fill_the_pool_by_the_same_rules_when_nobody_else_is_left(store: Store) -> None:
    stage = Stage(store, pool={"size": 2, "shortfall": "strict", "avoid_recent": 3})
    stage.join("me")
    for name, rating in [("a", 1490.0), ("b", 1495.0), ("c", 1505.0)]:
        stage.join(name, rating=rating)
    for exclude in (("b", "c"), ("a", "c"), ("a", "b")):
        stage.cancel(stage.battle("me", exclude).id)
    battle = stage.battle("me")
    assert (battle.pool.below, battle.pool.above) == (1, 1)


@pytest.mark.parametrize(("shortfall", "size"), [("backfill", 4), ("strict", 2)])
def test_a_short_side_is_topped_up_or_left_short(store: Store, shortfall: str, size: int) -> None:
    stage = Stage(store, pool={"size": 4, "shortfall": shortfall})
    stage.join("me", rating=1500.0)
    for n in range(1, 6):
        stage.join(f"p{n}", rating=1500.0 + n)
    battle = stage.battle("me")
    assert (battle.pool.size, battle.pool.below, battle.pool.above) == (size, 0, size)


def test_players_at_the_challengers_rating_stand_on_whichever_side_is_short(store: Store) -> None:
    stage = Stage(store, pool={"size": 4, "shortfall": "strict"})
    stage.join("me", "a", "b")
    stage.join("better", rating=1510.0)
    stage.join("best", rating=1520.0)
    battle = stage.battle("me")
    assert (battle.pool.below, battle.pool.above) == (2, 2)
    assert {player for player, _ in battle.pool.opponents} == {"a", "b", "better", "best"}


def test_an_empty_pool_tries_wider_deviations_in_turn(store: Store) -> None:
    stage = Stage(store, pool={"deviation": 10, "widen": [20, 40, 80]})
    stage.join("me", rating=0.0)
    stage.join("far", rating=-40.0)
    stage.join("farther", rating=80.0)
    battle = stage.battle("me")
    assert (battle.pool.deviation, battle.pool.opponents) == (40.0, [("far", -40.0)])


def test_without_an_opponent_the_answer_says_how_far_off_the_nearest_is(crowd: Stage) -> None:
    with pytest.raises(ConflictError) as refused:
        crowd.issue("me", ["low", "high"])
    assert refused.value.code == "no_opponent"
    assert refused.value.detail == (
        "There is no opponent within 100 points of 'me': the nearest candidate is 100 points away."
    )


def test_the_nearest_candidate_is_found_behind_hundreds_who_may_not_be_met(store: Store) -> None:
    stage = Stage(store, pool={"deviation": 1})
    stage.join("me", rating=0.0, owner="red")
    for n in range(150):
        stage.join(f"up {n}", rating=2.0 + n, owner="red")
        stage.join(f"down {n}", rating=-2.0 - n, owner="red")
    stage.join("up", rating=300.0)
    stage.join("down", rating=-299.5)
    with pytest.raises(ConflictError, match=r"the nearest candidate is 299\.5 points away"):
        stage.issue("me")


def test_the_nearest_candidate_may_be_a_recent_opponent(store: Store) -> None:
    stage = Stage(store, pool={"deviation": 10})
    stage.join("me", rating=1500.0)
    stage.join("ann", rating=1722.5)
    stage.store.client.execute_command("HSET", stage.keys.recent, "me", '["ann"]')
    with pytest.raises(ConflictError, match=r"the nearest candidate is 222\.5 points away"):
        stage.issue("me")


def test_an_owner_of_nearly_the_whole_window_does_not_hold_the_store_up(
    store: Store, redis_client: redis.Redis
) -> None:
    stage = Stage(store, pool={"widen": [200, 300]})
    hoard = [f"mine {n}" for n in range(5_000)]
    stage.join("me", owner="red")
    redis_client.zadd(stage.keys.ratings, dict.fromkeys(hoard, 1500.0))
    redis_client.hset(stage.keys.owners, mapping=dict.fromkeys(hoard, "red"))
    redis_client.config_resetstat()
    with pytest.raises(ConflictError):
        stage.issue("me")
    calls = redis_client.info("commandstats")["cmdstat_zrange"]["calls"]
    assert calls < 5_400, "at most 800 from either side, for each of three deviations, and the nearest"


def test_a_challenger_alone_on_the_board_is_told_so(stage: Stage) -> None:
    stage.join("me")
    with pytest.raises(ConflictError, match="there is no candidate at all"):
        stage.issue("me")


def test_a_request_that_finds_nobody_leaves_nothing_behind(stage: Stage) -> None:
    stage.join("me")
    with pytest.raises(ConflictError):
        stage.issue("me")
    stage.join("ann")
    assert stage.battle("me").opponent.player == "ann"


def test_the_same_seed_draws_the_same_pool(store: Store) -> None:
    stage = Stage(store, pool={"size": 5, "avoid_recent": 0})
    stage.join(*(f"p{n}" for n in range(50)))
    pools = []
    for seed in (7, 7, 8):
        battle = stage.battle("p0", seed=seed)
        stage.cancel(battle.id)
        pools.append((battle.pool, battle.opponent))
    assert pools[0] == pools[1] != pools[2]

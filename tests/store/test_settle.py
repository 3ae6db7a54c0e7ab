"""The result of a battle, and the battle's life."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Barrier

import pytest
import redis

from matchmaker.errors import BattleClosedError, ConflictError, NotFoundError
from matchmaker.results import Result
from matchmaker.store import battles, players
from matchmaker.store.battles import KEPT_MS, Battle
from matchmaker.store.reports import Receipt
from tests.stage import NOW, Stage

TTL = 3600 * 1000


@pytest.fixture
def pair(stage: Stage) -> Stage:
    stage.join("ann", "bob")
    return stage


def test_a_battle_is_open_then_reported_then_rated(pair: Stage) -> None:
    battle = pair.battle("ann")
    assert (battle.status, pair.status(battle.id)) == ("open", "open")
    pair.settle(battle)
    assert pair.status(battle.id) == "reported"
    pair.fold()
    assert pair.status(battle.id) == "rated"
    assert pair.ratings() == {"ann": 1520.0, "bob": 1480.0}


def test_a_battle_that_is_never_reported_expires(pair: Stage) -> None:
    battle = pair.battle("ann")
    assert battle.expires_at == NOW + TTL
    assert pair.status(battle.id, now=NOW + TTL - 1) == "open"
    assert pair.status(battle.id, now=NOW + TTL) == "expired"


def test_the_last_moment_of_a_battle_is_the_one_before_it_expires(pair: Stage) -> None:
    battle = pair.battle("ann")
    pair.settle(battle, now=NOW + TTL - 1)
    assert pair.status(battle.id, now=NOW + 2 * TTL) == "reported"


def test_an_expired_battle_takes_no_result(pair: Stage) -> None:
    battle = pair.battle("ann")
    (refusal,) = pair.settle(battle, now=NOW + TTL).outcomes
    assert isinstance(refusal, BattleClosedError)
    assert refusal.code == "battle_expired"
    assert pair.fold() == 2


def test_a_cancelled_battle_takes_no_result(pair: Stage) -> None:
    battle = pair.battle("ann")
    pair.cancel(battle.id)
    (refusal,) = pair.settle(battle).outcomes
    assert isinstance(refusal, BattleClosedError)
    assert refusal.code == "battle_cancelled"
    assert pair.fold() == 2


def test_a_result_again_is_a_duplicate_even_when_the_battle_is_over_or_forgotten(
    pair: Stage, redis_client: redis.Redis
) -> None:
    battle = pair.battle("ann")
    (first,) = pair.settle(battle).outcomes
    assert isinstance(first, Receipt)
    for now in (NOW, NOW + 2 * TTL):
        assert pair.settle(battle, now=now).outcomes == [replace(first, duplicate=True)]
    redis_client.delete(pair.keys.battle(battle.id))
    assert pair.settle(battle).outcomes == [replace(first, duplicate=True)]


def test_another_outcome_after_the_first_is_a_conflict(pair: Stage) -> None:
    battle = pair.battle("ann")
    pair.settle(battle, "win")
    (refusal,) = pair.settle(battle, "loss").outcomes
    assert isinstance(refusal, ConflictError)
    assert refusal.code == "result_conflict"


def test_a_result_from_outside_with_the_battles_id_settles_the_battle(pair: Stage) -> None:
    battle = pair.battle("ann")
    pair.join("eve")
    words = pair.report(
        Result.duel(battle.id, "eve", "bob", "win", {}),
        Result.duel(battle.id, "bob", "ann", "win", {}),
        Result.duel(battle.id, "ann", "bob", "win", {}),
        Result.duel(battle.id, "ann", "bob", "win", {}),
    )
    assert [getattr(word, "code", "receipt") for word in words] == ["result_conflict"] * 2 + ["receipt"] * 2
    assert pair.status(battle.id) == "reported"
    assert isinstance(pair.issue("ann"), Battle)
    pair.fold()
    assert pair.standing("ann").games == 1


def test_asking_again_gives_the_open_battle(pair: Stage) -> None:
    pair.join("eve")
    battle = pair.battle("ann")
    assert pair.issue("ann", seed=2) == battle.id
    assert pair.issue("ann", ["bob", "eve"], now=NOW + TTL - 1) == battle.id


@pytest.mark.parametrize("end", ["reported", "cancelled", "expired"])
def test_a_challenger_may_ask_again_once_its_battle_is_over(pair: Stage, end: str) -> None:
    battle, now = pair.battle("ann"), NOW
    if end == "reported":
        pair.settle(battle)
    elif end == "cancelled":
        pair.cancel(battle.id)
    else:
        now += TTL
    following = pair.issue("ann", now=now)
    assert isinstance(following, Battle)
    assert following.id != battle.id


def test_an_opponent_may_be_in_many_battles_and_ask_for_its_own(pair: Stage) -> None:
    pair.join("eve")
    opponents = {challenger: pair.battle(challenger).opponent.player for challenger in ("ann", "bob", "eve")}
    assert all(challenger != opponent for challenger, opponent in opponents.items())


@pytest.mark.parametrize("end", ["reported", "cancelled"])
def test_closing_an_old_battle_leaves_the_newer_one_open(pair: Stage, end: str) -> None:
    old = pair.battle("ann")
    new = pair.battle("ann", now=NOW + TTL)
    if end == "reported":  # both by a clock that lags behind
        pair.settle(old, now=NOW)
    else:
        pair.cancel(old.id, now=NOW)
    assert pair.issue("ann", now=NOW + TTL) == new.id


def test_two_simultaneous_requests_of_one_challenger_make_one_battle(pair: Stage) -> None:
    pair.join("eve", "joe")
    barrier = Barrier(2)

    def ask(seed: int) -> str:
        barrier.wait()
        issued = pair.issue("ann", seed=seed)
        return issued.id if isinstance(issued, Battle) else issued

    with ThreadPoolExecutor(2) as threads:
        assert len(set(threads.map(ask, range(2)))) == 1


def test_a_changed_owner_or_name_between_battle_and_result_changes_nothing(pair: Stage) -> None:
    battle = pair.battle("ann")
    for player in ("ann", "bob"):
        pair.on(partial(players.join, player=player, name="New", owner="one"))
    pair.settle(battle)
    pair.fold()
    assert pair.ratings() == {"ann": 1520.0, "bob": 1480.0}
    found, _ = pair.store.run(battles.find(pair.keys, battle.id))
    assert (found.challenger, found.opponent) == (battle.challenger, battle.opponent)


def test_a_battle_shows_both_sides_as_they_were_when_it_was_issued(pair: Stage) -> None:
    pair.on(lambda edition: players.join(edition, "bob", name="Bob"))
    battle = pair.battle("ann")
    pair.settle(battle)
    pair.fold()
    found, _ = pair.store.run(battles.find(pair.keys, battle.id))
    assert (found.challenger.rating, found.opponent.rating, found.opponent.name) == (1500.0, 1500.0, "Bob")


@pytest.mark.parametrize("end", ["reported", "cancelled"])
def test_the_drawn_pool_is_kept_with_the_battle_while_it_is_open(pair: Stage, end: str) -> None:
    battle = pair.battle("ann")
    assert battle.pool.opponents == [("bob", 1500.0)]
    found, _ = pair.store.run(battles.find(pair.keys, battle.id))
    assert found == battle
    if end == "reported":
        pair.settle(battle)
    else:
        pair.cancel(battle.id)
    found, _ = pair.store.run(battles.find(pair.keys, battle.id))
    assert (found.pool.opponents, found.pool.size) == ([], 1)


def test_a_battle_that_was_stored_in_the_earlier_shape_is_settled_all_the_same(
    pair: Stage, redis_client: redis.Redis
) -> None:
    battle = pair.battle("ann")
    key = pair.keys.battle(battle.id)
    redis_client.hdel(key, "figures")
    ratings = {"challenger_rating": "1500", "opponent_rating": "1500", "low": "1500", "high": "1500"}
    others = {"created": str(NOW), "below": "0", "above": "1", "deviation": "100", "pool": '["bob","1500"]'}
    redis_client.hset(key, items=[word for pair in (ratings | others).items() for word in pair])
    found, _ = pair.store.run(battles.find(pair.keys, battle.id))
    assert found == replace(battle, pool=replace(battle.pool, lines=found.pool.lines))
    assert found.pool.opponents == []
    pair.settle(found)
    assert pair.status(battle.id) == "reported"


def test_a_battle_is_forgotten_a_day_after_it_expired(pair: Stage, redis_client: redis.Redis) -> None:
    battle = pair.battle("ann")
    left = redis_client.pttl(pair.keys.battle(battle.id))
    assert TTL + KEPT_MS - 60_000 < left <= TTL + KEPT_MS
    redis_client.delete(pair.keys.battle(battle.id))
    with pytest.raises(NotFoundError):
        pair.status(battle.id)

"""Devices of a ladder's players, and what becomes of battles and results between linked accounts."""

from typing import Any

import pytest
import redis

from matchmaker.devices import MOST_TAGS, TAG_SIZE, split, tag_of
from matchmaker.errors import ConflictError, MatchmakerError
from matchmaker.store import devices, reports
from matchmaker.store.client import Store
from matchmaker.store.reports import Receipt
from tests.stage import NOW, Stage, wins

PHONE, TABLET = tag_of("phone", b"key"), tag_of("tablet", b"key")


def _seen(stage: Stage, tag: bytes, *players: str) -> None:
    for player in players:
        stage.store.run(devices.note(stage.keys, player, tag))


def _codes(outcomes: list[Receipt | MatchmakerError]) -> list[str]:
    return ["taken" if isinstance(each, Receipt) else each.code for each in outcomes]


@pytest.fixture(params=["owner", "device"])
def linked(request: pytest.FixtureRequest, store: Store) -> Stage:
    """Ann and bob are linked by either; eve is a stranger to both."""
    stage = Stage(store)
    stage.join("ann", "bob", owner="studio" if request.param == "owner" else None)
    stage.join("eve")
    if request.param == "device":
        _seen(stage, PHONE, "ann", "bob")
    return stage


def test_a_result_between_linked_accounts_is_refused(linked: Stage, redis_client: redis.Redis) -> None:
    entries = redis_client.xlen(linked.keys.log)
    outcomes = linked.report(*wins(("ann", "bob"), ("bob", "ann"), ("ann", "eve"), ("eve", "bob")))
    assert _codes(outcomes) == ["linked_accounts", "linked_accounts", "taken", "taken"]
    assert redis_client.xlen(linked.keys.log) == entries + 2


def test_the_refusal_says_what_the_two_share(store: Store) -> None:
    stage = Stage(store)
    stage.join("ann", "bob", owner="studio")
    stage.join("eve", "joe")
    _seen(stage, PHONE, "eve", "joe")
    owners, device = stage.report(*wins(("ann", "bob"), ("eve", "joe")))
    assert "'ann' and 'bob' have the same owner" in str(owners)
    assert "'eve' and 'joe' were seen on the same device" in str(device)


def test_a_ladder_that_flags_takes_results_between_linked_accounts(linked: Stage) -> None:
    linked.put(linked_accounts="flag")
    assert _codes(linked.report(*wins(("ann", "bob")))) == ["taken"]


def test_a_result_stays_a_duplicate_when_the_link_becomes_known_later(store: Store) -> None:
    stage = Stage(store)
    stage.join("ann", "bob")
    results = list(wins(("ann", "bob")))
    stage.report(*results)
    _seen(stage, PHONE, "ann", "bob")
    (again,) = stage.report(*results)
    assert isinstance(again, Receipt)
    assert again.duplicate


def test_an_issued_battle_may_be_reported_when_the_link_becomes_known_later(store: Store) -> None:
    stage = Stage(store)
    stage.join("ann", "bob")
    battle = stage.battle("ann")
    _seen(stage, PHONE, "ann", "bob")
    assert _codes(stage.settle(battle).outcomes) == ["taken"]


def test_a_judgement_beforehand_knows_linked_accounts(linked: Stage) -> None:
    results = list(wins(("ann", "bob"), ("ann", "eve"), ("ann", "newcomer")))
    refusals = linked.on(lambda edition: reports.judge(edition, results, NOW))
    assert [each and each.code for each in refusals] == ["linked_accounts", None, None]


def test_the_longest_list_is_judged_among_players_with_devices(store: Store) -> None:
    stage = Stage(store)
    stage.join("ann", "bob", "eve")
    _seen(stage, PHONE, "ann", "bob")
    outcomes = stage.report(*wins(*[("ann", "bob"), ("ann", "eve")] * 500))
    assert _codes(outcomes) == ["linked_accounts", "taken"] * 500


def test_an_empty_list_is_fine_among_players_with_owners(linked: Stage) -> None:
    assert linked.report() == []


def _pool(stage: Stage, challenger: str, **settings: Any) -> set[str]:
    stage.put(pool={"avoid_recent": 0}, **settings)
    battle = stage.battle(challenger)
    stage.cancel(battle.id)
    return {player for player, _ in battle.pool.opponents}


def test_accounts_on_one_device_are_in_no_pool_of_each_other(store: Store) -> None:
    stage = Stage(store)
    stage.join("ann", "bob", "cid", "eve")
    _seen(stage, PHONE, "ann", "bob", "cid")
    _seen(stage, TABLET, "cid", "eve")
    assert _pool(stage, "ann") == {"eve"}
    assert _pool(stage, "eve") == {"ann", "bob"}


def test_a_ladder_that_flags_lets_accounts_on_one_device_meet_but_never_those_of_one_owner(
    store: Store,
) -> None:
    stage = Stage(store)
    stage.join("ann", "bob", owner="studio")
    stage.join("eve")
    _seen(stage, PHONE, "ann", "eve")
    assert _pool(stage, "ann", linked_accounts="flag") == {"eve"}


def test_whoever_is_linked_does_not_count_as_the_nearest_candidate(store: Store) -> None:
    stage = Stage(store, pool={"deviation": 10})
    stage.join("ann", rating=1500.0)
    stage.join("bob", rating=1501.0)
    stage.join("eve", rating=1600.0)
    _seen(stage, PHONE, "ann", "bob")
    with pytest.raises(ConflictError, match="the nearest candidate is 100 points away"):
        stage.issue("ann")


def test_only_the_last_devices_of_a_player_are_remembered(store: Store, redis_client: redis.Redis) -> None:
    stage = Stage(store)
    tags = [tag_of(f"device {n}", b"key") for n in range(MOST_TAGS + 2)]
    for tag in (*tags, tags[-1]):
        _seen(stage, tag, "ann")
    kept = redis_client.hget(stage.keys.devices, "ann")
    assert isinstance(kept, bytes)
    assert len(kept) == MOST_TAGS * TAG_SIZE
    assert split(kept) == set(tags[2:])


def test_only_sightings_that_are_news_of_players_who_are_here_are_unseen(stage: Stage) -> None:
    stage.join("ann", "bob")
    _seen(stage, PHONE, "ann")
    sightings = [("ann", PHONE), ("ann", TABLET), ("bob", PHONE), ("stranger", PHONE)]
    assert stage.store.run(devices.unseen(stage.keys, sightings)) == [("ann", TABLET), ("bob", PHONE)]


def test_links_tell_owner_before_device_and_nothing_of_strangers(stage: Stage) -> None:
    stage.join("ann", "twin", owner="studio")
    stage.join("bob", owner="other")
    stage.join("eve", "joe")
    _seen(stage, PHONE, "ann", "twin", "bob", "eve")
    _seen(stage, TABLET, "joe")
    others = ["twin", "bob", "eve", "joe", "nobody"]
    assert stage.store.run(devices.links(stage.keys, "ann", others)) == {
        "twin": "owner",
        "bob": "device",
        "eve": "device",
    }
    assert stage.store.run(devices.links(stage.keys, "joe", others[:3])) == {}


def test_a_store_knows_whether_a_secret_is_the_one_that_devices_are_hashed_under(store: Store) -> None:
    assert store.run(devices.claim_key(b"one"))
    assert store.run(devices.claim_key(b"one"))
    assert not store.run(devices.claim_key(b"other"))

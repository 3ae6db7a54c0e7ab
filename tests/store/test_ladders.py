"""Ladders in the store: created, changed, listed; and readers with outdated settings."""

import json

import pytest
import redis

from matchmaker.errors import ConflictError, NotFoundError
from matchmaker.ladder import Ladder
from matchmaker.presets import PRESETS
from matchmaker.store import boards, ladders
from matchmaker.store.client import Store
from tests.stage import Stage, wins


def test_a_ladder_is_created_then_the_same_then_changed(store: Store) -> None:
    ladder = Ladder.model_validate({"id": "nft", "rule": {"name": "initiator_k"}})
    renamed = ladder.model_copy(update={"title": "Ranked"})
    words = [store.run(ladders.put(each))[0] for each in (ladder, ladder, renamed, renamed, ladder)]
    assert words == ["created", "same", "changed", "same", "changed"]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_a_ladder_is_read_as_it_was_put(store: Store, preset: Ladder) -> None:
    store.run(ladders.put(preset))
    assert store.edition(preset.id).ladder == preset


def test_an_unknown_ladder_is_not_found(store: Store) -> None:
    with pytest.raises(NotFoundError) as refused:
        store.edition("nft")
    assert refused.value.code == "unknown_ladder"


def test_ladders_are_listed_in_alphabetical_order(store: Store) -> None:
    for name in ("nft", "cards", "backgammon"):
        store.run(ladders.announce(name))
    assert store.run(ladders.index()) == ["backgammon", "cards", "nft"]


def test_the_rule_may_change_while_there_are_no_results(stage: Stage) -> None:
    stage.join("ann", "bob")
    assert stage.put(rule={"name": "match_length"}) == "changed"


def test_the_rule_may_not_change_once_there_are_results(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    with pytest.raises(ConflictError) as refused:
        stage.put(rule={"name": "initiator_k", "scale": 200})
    assert refused.value.code == "rule_in_use"
    assert Stage.put(stage) == "same"


def _forget(client: redis.Redis, stage: Stage, *path: str) -> None:
    """Takes a setting out of what is stored, as if it had been written before there was such a setting."""
    body = json.loads(client.hget(stage.keys.ladder, "body") or "")
    group = body
    for name in path[:-1]:
        group = group[name]
    del group[path[-1]]
    client.hset(stage.keys.ladder, "body", json.dumps(body))


FORGOTTEN = [("rule", "initiator_advantage"), ("rule", "k", "master"), ("pool", "avoid_recent")]


@pytest.mark.parametrize("path", FORGOTTEN, ids=".".join)
def test_a_setting_that_is_new_to_the_program_changes_no_ladder(
    stage: Stage, redis_client: redis.Redis, path: tuple[str, ...]
) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    _forget(redis_client, stage, *path)
    assert Stage.put(stage) == "same"
    assert stage.put(title="Ranked") == "changed"


def test_a_new_coefficient_may_not_leave_its_default_once_there_are_results(
    stage: Stage, redis_client: redis.Redis
) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    _forget(redis_client, stage, "rule", "initiator_advantage")
    with pytest.raises(ConflictError) as refused:
        stage.put(rule={"name": "initiator_k", "initiator_advantage": 50})
    assert refused.value.code == "rule_in_use"


def test_a_list_of_settings_is_compared_as_a_whole(store: Store) -> None:
    """A shorter list is not filled up from the default one."""
    bands = [{"below": 1200, "k": 40}, {"below": 1800, "k": 32}, {"below": 2200, "k": 24}]
    stage = Stage(store, rule={"name": "performance", "bands": bands[:1]})
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    with pytest.raises(ConflictError):
        stage.put(rule={"name": "performance", "bands": bands})
    assert stage.put(rule={"name": "performance", "bands": bands[:1]}) == "same"


def test_everything_but_the_rule_may_change_at_any_time(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    assert stage.put(title="Ranked", pool={"size": 2}, initial_rating=1000) == "changed"
    stage.join("eve")
    assert stage.standing("eve").rating == 1000


def test_a_reader_with_outdated_settings_reads_them_again(stage: Stage, store: Store) -> None:
    stage.join("ann")
    elsewhere = Store(store.client)
    elsewhere.edition(stage.id)
    stage.put(tiers=[{"name": "everybody", "from": 0}])
    stage.store = elsewhere
    assert stage.standing("ann").tier == "everybody"
    assert stage.page().entries[0].tier == "everybody"


def test_settings_that_were_lost_and_made_anew_differently_are_not_taken_for_the_old_ones(
    stage: Stage, store: Store, redis_client: redis.Redis
) -> None:
    """As after a failover that has lost a change of the settings."""
    before = redis_client.dump(stage.keys.ladder)
    assert isinstance(before, bytes)
    stage.put(title="lost")
    elsewhere = Store(store.client)
    assert elsewhere.edition(stage.id).ladder.title == "lost"
    redis_client.restore(stage.keys.ladder, 0, before, replace=True)
    stage.put(title="new", tiers=[{"name": "everybody", "from": 0}])
    stage.join("ann")
    (row,) = elsewhere.on(stage.id, lambda edition: boards.page(edition, 0, 1)).entries
    assert row.tier == "everybody"

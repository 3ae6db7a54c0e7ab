"""Ladders in the store: created, changed, listed; and readers with outdated settings."""

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

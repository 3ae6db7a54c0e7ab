"""Cancelling battles."""

import pytest

from matchmaker.errors import BattleClosedError, ConflictError, NotFoundError
from matchmaker.store.battles import Battle
from tests.stage import NOW, Stage


@pytest.fixture
def battle(stage: Stage) -> Battle:
    stage.join("ann", "bob")
    return stage.battle("ann")


def test_an_open_battle_is_cancelled_for_good(stage: Stage, battle: Battle) -> None:
    stage.cancel(battle.id)
    assert stage.status(battle.id) == stage.status(battle.id, now=battle.expires_at) == "cancelled"


def test_cancelling_again_is_fine_even_after_the_time_is_up(stage: Stage, battle: Battle) -> None:
    stage.cancel(battle.id)
    stage.cancel(battle.id)
    stage.cancel(battle.id, now=battle.expires_at)


def test_cancelling_again_leaves_the_next_battle_open(stage: Stage, battle: Battle) -> None:
    stage.cancel(battle.id)
    following = stage.battle("ann")
    stage.cancel(battle.id)
    assert stage.issue("ann") == following.id


def test_an_unknown_battle_cannot_be_cancelled(stage: Stage) -> None:
    with pytest.raises(NotFoundError) as refused:
        stage.cancel("never-issued")
    assert refused.value.code == "unknown_battle"


def test_an_expired_battle_cannot_be_cancelled(stage: Stage, battle: Battle) -> None:
    with pytest.raises(BattleClosedError) as refused:
        stage.cancel(battle.id, now=battle.expires_at)
    assert refused.value.code == "battle_expired"


@pytest.mark.parametrize("rated", [False, True])
def test_a_reported_battle_cannot_be_cancelled(stage: Stage, battle: Battle, rated: bool) -> None:
    stage.settle(battle)
    if rated:
        stage.fold()
    with pytest.raises(ConflictError) as refused:
        stage.cancel(battle.id, now=NOW)
    assert refused.value.code == "battle_reported"
    assert stage.status(battle.id) == ("rated" if rated else "reported")

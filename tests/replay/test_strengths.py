"""A ladder that goes over to a rule with a sigma, and back."""

import pytest

from matchmaker.rating import InitiatorK, OpenSkill
from matchmaker.store.client import Store
from tests.replay.takeover import rebuild, take_back
from tests.stage import Stage, wins

WIDE = {"deviation": 1000}


def _play(stage: Stage) -> None:
    stage.join("ann", "bob", "cid")
    stage.join("dee", rating=1700.0)
    stage.report(*wins(("ann", "bob"), ("ann", "cid"), ("dee", "ann")))
    stage.suspend("cid")
    stage.fold()
    stage.annul("r1")
    stage.suspend("bob")
    stage.reinstate("bob")
    stage.join("eve")


def _on_the_board(stage: Stage) -> dict[str, float]:
    return {player: stage.standing(player).state.strength for player in stage.ratings()}


@pytest.fixture
def elo(store: Store) -> Stage:
    stage = Stage(store, pool=WIDE)
    _play(stage)
    return stage


@pytest.fixture
def skill(store: Store) -> Stage:
    stage = Stage(store, rule={"name": "openskill"}, pool=WIDE)
    _play(stage)
    return stage


def test_a_ladder_that_goes_over_is_as_if_it_had_always_had_the_rule(elo: Stage, skill: Stage) -> None:
    rebuild(elo, OpenSkill())
    for stage in (elo, skill):
        stage.join("fay")
        stage.report(*wins(("fay", "eve"), prefix="late"))
        stage.fold()
    assert elo.ratings() == skill.ratings()
    assert elo.strengths() == skill.strengths() == _on_the_board(elo)
    assert elo.standing("cid").sigma == skill.standing("cid").sigma
    assert elo.battle("fay").pool.low == skill.battle("fay").pool.low == min(elo.strengths().values())


def test_taken_back_it_draws_from_ratings_again(elo: Stage) -> None:
    before = elo.ratings()
    rebuild(elo, OpenSkill())
    take_back(elo)
    elo.fold()
    assert elo.strengths() == {}
    assert elo.ratings().keys() == before.keys()
    assert elo.standing("ann").sigma is None


def test_a_ladder_that_leaves_the_rule_keeps_no_strengths(elo: Stage, skill: Stage) -> None:
    rebuild(skill, InitiatorK())
    for stage in (elo, skill):
        stage.fold()
    assert skill.ratings() == elo.ratings()
    assert skill.strengths() == {}
    take_back(skill)
    assert skill.strengths() == _on_the_board(skill)


def test_a_rating_that_was_set_is_the_strength_after(elo: Stage) -> None:
    elo.adjust("bob", "set", 1650.0)
    elo.fold()
    rebuild(elo, OpenSkill())
    assert elo.standing("bob").mu == 1650.0


def test_other_coefficients_begin_with_another_sigma(skill: Stage, store: Store) -> None:
    always = Stage(store, rule={"name": "openskill", "sigma": 300.0})
    always.join("ann", "bob")
    always.report(*wins(("ann", "bob")))
    stage = Stage(store, rule={"name": "openskill"})
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    stage.fold()
    always.fold()
    rebuild(stage, OpenSkill(sigma=300.0))
    assert stage.ratings() == always.ratings()
    assert stage.strengths() == always.strengths()

"""A rebuilt ladder in the place of the live one."""

import pytest
import redis

from matchmaker.errors import ConflictError, InvalidInputError
from matchmaker.fold import Change
from matchmaker.folding import fold_all
from matchmaker.rating import InitiatorK, MatchLength, OpenSkill, Performance
from matchmaker.rebuilding import apply
from matchmaker.results import Result
from matchmaker.store import generations, reports
from matchmaker.store.client import Store
from matchmaker.store.reports import Receipt
from tests.replay.takeover import K60, rebuild, take_back
from tests.stage import Stage, wins


def rated(stage: Stage, result: str) -> Change:
    """What the result did to its initiator."""
    changes = stage.store.run(reports.find(stage.keys, result)).changes
    assert changes
    return changes[0]


@pytest.fixture
def stage(store: Store) -> Stage:
    """Three players, two results that are rated, one that waits."""
    stage = Stage(store)
    stage.join("ann", "bob", "cid")
    stage.report(*wins(("ann", "bob"), ("ann", "cid")))
    stage.fold()
    stage.report(*wins(("cid", "bob"), prefix="waits"))
    return stage


def test_the_board_is_as_if_it_had_always_had_the_new_coefficients(stage: Stage) -> None:
    always = Stage(stage.store, rule=K60.model_dump(mode="json"))
    always.join("ann", "bob", "cid")
    always.report(*wins(("ann", "bob"), ("ann", "cid")), *wins(("cid", "bob"), prefix="waits"))
    always.fold()
    rebuild(stage)
    assert stage.ratings() == always.ratings()
    assert [entry.change for entry in stage.history("cid")] == [
        entry.change for entry in always.history("cid")
    ]


def test_what_waited_to_be_rated_is_rated_once_and_under_the_new_settings(stage: Stage) -> None:
    apply(stage.store, stage.id, K60, 1500.0, lambda _: None)
    waiting = stage.store.run(reports.find(stage.keys, "waits0"))
    assert waiting.status == "accepted"
    stage.fold()
    assert rated(stage, "waits0").move.k == 60
    assert stage.standing("cid").games == 2


def test_who_joined_or_left_behind_the_cursor_is_where_it_should_be(stage: Stage) -> None:
    stage.join("dee")
    stage.join("eve", rating=1700.0)
    stage.suspend("ann")
    stage.suspend("bob")
    stage.reinstate("bob")
    rebuild(stage, initial_rating=1000.0)
    assert stage.ratings()["dee"] == 1000.0
    assert stage.ratings()["eve"] == 1200.0
    assert stage.ratings().keys() == {"bob", "cid", "dee", "eve"}
    assert stage.standing("ann").rating > 1000.0


def test_undo_brings_the_old_board_back_with_what_came_since(stage: Stage) -> None:
    stage.fold()
    never = Stage(stage.store)
    never.join("ann", "bob", "cid")
    never.report(*wins(("ann", "bob"), ("ann", "cid")), *wins(("cid", "bob"), prefix="waits"))
    rebuild(stage)
    for each in (stage, never):
        each.join("dee")
        each.report(*wins(("dee", "ann"), ("bob", "ann"), prefix="new"))
        each.suspend("bob")
        each.fold()
    assert stage.ratings() != never.ratings()
    take_back(stage)
    assert stage.ratings() == never.ratings()
    take_back(stage)
    rebuild(never)
    assert stage.ratings() == never.ratings()


def test_generations_are_numbered_and_undo_goes_back_to_the_old_number(stage: Stage) -> None:
    assert stage.store.edition(stage.id).generation == 0
    rebuild(stage)
    assert stage.store.edition(stage.id).generation == 1
    take_back(stage)
    assert stage.store.edition(stage.id).generation == 0
    rebuild(stage, InitiatorK())
    assert stage.store.edition(stage.id).generation == 2
    take_back(stage)
    take_back(stage)
    assert stage.store.edition(stage.id).generation == 2


def test_changed_coefficients_leave_no_eras_behind(stage: Stage) -> None:
    rebuild(stage)
    assert stage.store.edition(stage.id).eras == ()


def test_another_rule_reads_what_was_accepted_before_in_its_own_way(stage: Stage) -> None:
    stage.fold()
    rebuild(stage, Performance(), 1000.0)
    (era,) = stage.store.edition(stage.id).eras
    assert (era.rule, era.shift) == (InitiatorK(), -500.0)
    details = {"initiator": {"won_by_16": 2}}
    stage.report(Result.duel("new", "bob", "ann", "win", details))
    stage.fold()
    assert all(rating == round(rating) for rating in stage.ratings().values())
    take_back(stage)
    always = Stage(stage.store)
    always.join("ann", "bob", "cid")
    always.report(*wins(("ann", "bob"), ("ann", "cid")), *wins(("cid", "bob"), prefix="waits"))
    always.report(*wins(("bob", "ann"), prefix="new"))
    always.fold()
    assert stage.ratings() == always.ratings()


def test_draws_keep_a_rule_without_draws_out(stage: Stage, redis_client: redis.Redis) -> None:
    stage.report(Result.duel("drawn", "ann", "bob", "draw", {}))
    before = {key: redis_client.dump(key) for key in redis_client.scan_iter()}
    with pytest.raises(InvalidInputError, match="'drawn' is one"):
        rebuild(stage, MatchLength())
    assert {key: redis_client.dump(key) for key in redis_client.scan_iter()} == before


def test_a_result_from_before_can_be_annulled_after(stage: Stage) -> None:
    rebuild(stage)
    stage.annul("r0")
    stage.fold()
    assert stage.standing("ann").rating == 1500.0 + rated(stage, "r1").move.delta
    take_back(stage)
    plain = Stage(stage.store)
    plain.join("ann", "bob", "cid")
    plain.report(*wins(("ann", "bob"), ("ann", "cid")), *wins(("cid", "bob"), prefix="waits"))
    plain.annul("r0")
    plain.fold()
    assert plain.ratings() == stage.ratings()


def test_nothing_is_kept_before_there_was_a_change(stage: Stage) -> None:
    with pytest.raises(ConflictError, match="Nothing is kept"):
        take_back(stage)


def test_what_is_forgotten_does_not_come_back(stage: Stage, redis_client: redis.Redis) -> None:
    rebuild(stage)
    assert stage.store.run(generations.forget(stage.keys))
    assert not stage.store.run(generations.forget(stage.keys))
    assert not list(redis_client.scan_iter("*previous*"))
    with pytest.raises(ConflictError, match="Nothing is kept"):
        take_back(stage)


def test_two_cannot_rebuild_a_ladder_at_once(stage: Stage) -> None:
    with pytest.raises(ConflictError, match="being rebuilt right now"):
        apply(stage.store, stage.id, K60, 1500.0, lambda _: rebuild(stage))
    rebuild(stage)


def test_a_worker_that_knows_the_old_rule_rates_what_only_the_new_one_can(stage: Stage) -> None:
    worker = Store(stage.store.client)
    fold_all(worker, stage.id)
    rebuild(stage, OpenSkill())  # and nothing is left to the worker by which it could notice
    (receipt,) = stage.report(Result("all", (("ann",), ("bob",), ("cid",)), (1, 2, 3), {}))
    assert isinstance(receipt, Receipt)
    assert fold_all(worker, stage.id) == 1
    assert stage.standing("ann").games == 3


def test_a_team_keeps_a_rule_without_teams_out(stage: Stage) -> None:
    stage.report(Result("team", (("ann", "bob"), ("cid",)), "win", {}))
    with pytest.raises(InvalidInputError, match="no teams, and result 'team' has one"):
        rebuild(stage, MatchLength())

"""Histories, and results that are looked up."""

import pytest

from matchmaker.errors import NotFoundError
from matchmaker.results import Result
from matchmaker.store import reports
from tests.stage import Stage, wins


def test_a_history_is_newest_first_and_each_entry_as_the_player_saw_it(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(Result.duel("r1", "ann", "bob", "win", {}), Result.duel("r2", "bob", "ann", "win", {}))
    stage.fold()
    newest, oldest = stage.history("ann")
    assert (oldest.result, oldest.opponents, oldest.outcome) == ("r1", ("bob",), "win")
    assert (newest.result, newest.opponents, newest.outcome) == ("r2", ("bob",), "loss")
    assert (oldest.change.before, oldest.change.after, oldest.change.move.k) == (1500.0, 1520.0, 40.0)
    assert newest.change.before == oldest.change.after
    assert newest.change.after == stage.standing("ann").rating
    assert [entry.outcome for entry in stage.history("bob")] == ["win", "loss"]


def test_a_draw_is_a_draw_for_both(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(Result.duel("r1", "ann", "bob", "draw", {}))
    stage.fold()
    assert stage.history("ann")[0].outcome == stage.history("bob")[0].outcome == "draw"


def test_a_history_shows_no_more_than_was_asked_for(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(*[("ann", "bob")] * 5))
    stage.fold()
    assert [[entry.result for entry in stage.history("bob", limit)] for limit in (0, 1, 3)] == [
        [],
        ["r4"],
        ["r4", "r3", "r2"],
    ]


def test_a_result_that_is_not_rated_yet_is_in_no_history(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    assert stage.history("ann") == []


def test_an_unknown_player_has_no_history(stage: Stage) -> None:
    with pytest.raises(NotFoundError) as refused:
        stage.history("ann")
    assert refused.value.code == "unknown_player"


def test_a_result_was_played_when_the_game_says_so_or_else_when_it_was_accepted(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(
        Result.duel("r1", "ann", "bob", "win", {}, played_at=-5), Result.duel("r2", "ann", "bob", "win", {})
    )
    stage.fold()
    second, first = stage.history("ann")
    log_id = stage.store.run(reports.find(stage.keys, "r2")).logged.log_id
    assert (first.at, second.at) == (-5, int(log_id.partition("-")[0]))


def test_a_result_is_accepted_then_rated_with_what_it_changed(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    accepted = stage.store.run(reports.find(stage.keys, "r0"))
    assert (accepted.status, accepted.changes) == ("accepted", None)
    stage.fold()
    rated = stage.store.run(reports.find(stage.keys, "r0"))
    assert rated.status == "rated"
    assert rated.changes is not None
    assert rated.logged == accepted.logged
    assert [(change.player, change.before, change.after) for change in rated.changes] == [
        ("ann", 1500.0, 1520.0),
        ("bob", 1500.0, 1480.0),
    ]
    assert [entry.change for player in ("ann", "bob") for entry in stage.history(player)] == list(
        rated.changes
    )


def test_an_unknown_result_is_not_found(stage: Stage) -> None:
    stage.join("ann")
    stage.report(*wins(("ann", "bob")))
    with pytest.raises(NotFoundError) as refused:
        stage.store.run(reports.find(stage.keys, "r0"))
    assert refused.value.code == "unknown_result"

"""Results on their way into the log."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
import redis

from matchmaker.errors import ConflictError, MatchmakerError, NotFoundError
from matchmaker.results import Result
from matchmaker.store import reports
from matchmaker.store.call import StaleLadderError
from matchmaker.store.reports import Receipt
from tests.stage import NOW, Stage, wins

WIN = Result.duel("r1", "ann", "bob", "win", {})


def _words(outcomes: list[Receipt | MatchmakerError]) -> list[str]:
    """`new`, `duplicate` or the code of the refusal."""
    return [
        ("duplicate" if each.duplicate else "new") if isinstance(each, Receipt) else each.code
        for each in outcomes
    ]


def test_a_result_enters_the_log_and_says_where(stage: Stage) -> None:
    stage.join("ann", "bob")
    (receipt,) = stage.report(WIN)
    assert isinstance(receipt, Receipt)
    report = stage.store.run(reports.find(stage.keys, "r1"))
    assert (report.logged.log_id, report.logged.result) == (receipt.log_id, WIN)


def test_the_same_result_again_is_a_duplicate_with_the_same_place_in_the_log(stage: Stage) -> None:
    stage.join("ann", "bob")
    (first,), (second,) = stage.report(WIN), stage.report(WIN)
    assert second == replace(first, duplicate=True)  # type: ignore[type-var]


def test_a_duplicate_is_one_even_when_the_result_is_rated(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(WIN)
    stage.fold()
    assert _words(stage.report(WIN)) == ["duplicate"]
    assert stage.fold() == 0


def test_the_same_id_with_other_content_is_a_conflict(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(WIN)
    (refusal,) = stage.report(replace(WIN, ending="loss"))
    assert isinstance(refusal, ConflictError)
    assert refusal.code == "result_conflict"


def test_a_result_of_somebody_who_is_not_in_the_ladder_is_refused(stage: Stage) -> None:
    stage.join("ann")
    refusals = stage.report(WIN, replace(WIN, sides=(("joe",), ("ann",))))
    assert all(isinstance(refusal, NotFoundError) for refusal in refusals)
    assert ["'bob'" in str(refusals[0]), "'joe'" in str(refusals[1])] == [True, True]
    assert _words(refusals) == ["unknown_player"] * 2


def test_a_refused_id_may_be_reported_again_once_the_player_has_joined(stage: Stage) -> None:
    stage.join("ann")
    stage.report(WIN)
    stage.join("bob")
    assert _words(stage.report(WIN)) == ["new"]


def test_each_result_of_a_list_has_its_own_outcome(stage: Stage, redis_client: redis.Redis) -> None:
    stage.join("ann", "bob")
    outcomes = stage.report(
        WIN,
        WIN,
        replace(WIN, ending="draw"),
        replace(WIN, id="r2"),
        replace(WIN, id="r3", sides=(("ann",), ("eve",))),
    )
    assert _words(outcomes) == ["new", "duplicate", "result_conflict", "new", "unknown_player"]
    assert redis_client.xlen(stage.keys.log) == 4


def test_the_longest_list_is_accepted_at_once(stage: Stage) -> None:
    stage.join("ann", "bob")
    outcomes = stage.report(*wins(*[("ann", "bob")] * 1_000))
    assert _words(outcomes) == ["new"] * 1_000


def test_four_simultaneous_posts_of_one_result_count_once(stage: Stage) -> None:
    stage.join("ann", "bob")
    barrier = Barrier(4)

    def post(_: int) -> list[Receipt | MatchmakerError]:
        barrier.wait()
        return stage.report(WIN)

    with ThreadPoolExecutor(4) as threads:
        words = [word for outcomes in threads.map(post, range(4)) for word in _words(outcomes)]
    assert sorted(words) == ["duplicate", "duplicate", "duplicate", "new"]
    stage.fold()
    assert stage.standing("ann").games == 1


def test_a_job_is_called_by_the_first_result_and_by_nothing_that_changes_nothing(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.store.client.execute_command("DEL", stage.keys.awake)

    def called(*results: Result) -> bool:
        return stage.on(lambda edition: reports.accept(edition, results, NOW)).call

    assert not called(replace(WIN, sides=(("ann",), ("eve",))))
    assert called(WIN, WIN)
    assert not called(replace(WIN, id="r2"))
    stage.store.client.execute_command("DEL", stage.keys.awake)
    assert not called(WIN)


def test_a_result_under_outdated_settings_is_not_accepted(stage: Stage, redis_client: redis.Redis) -> None:
    stage.join("ann", "bob")
    outdated = stage.store.edition(stage.id)
    stage.put(rule={"name": "match_length"})
    before = redis_client.xlen(stage.keys.log)
    with pytest.raises(StaleLadderError):
        stage.store.run(reports.accept(outdated, [WIN], NOW))
    assert redis_client.xlen(stage.keys.log) == before

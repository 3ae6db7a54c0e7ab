"""Disputes: filed once, closed once."""

from collections.abc import Callable
from typing import Any

import pytest

from matchmaker.dispute import Closing, Dispute, Felt, Status
from matchmaker.errors import MatchmakerError
from matchmaker.store import disputes
from matchmaker.store.call import Plan
from matchmaker.store.keys import LadderKeys
from tests.stage import NOW, Stage, wins

END = Closing("settled", "Annulled.", "admin", NOW)


@pytest.fixture
def played(stage: Stage) -> Stage:
    """Ann has beaten bob, twice; cid has not played."""
    stage.join("ann", "bob", "cid")
    stage.report(*wins(("ann", "bob"), ("ann", "bob")))
    stage.fold()
    return stage


def follow(stage: Stage, plan: Callable[[LadderKeys], Plan[Any]]) -> Any:
    return stage.store.follow(stage.id, lambda edition: plan(edition.keys))


def file(
    stage: Stage, player: str, felt: Felt, result: str = "r0", note: str | None = None, at: int = NOW
) -> Dispute:
    dispute = Dispute(player, result, felt, note, at)
    filed: Dispute = follow(stage, lambda keys: disputes.file(keys, dispute))
    return filed


def listed(stage: Stage, status: Status = "open") -> list[tuple[str, str]]:
    total, found = follow(stage, lambda keys: disputes.page(keys, status, 0, 10))
    assert total == len(found)
    return [(dispute.player, dispute.result) for dispute, _ in found]


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(MatchmakerError) as refused:
        action()
    return refused.value.code


def test_disputes_wait_in_the_order_in_which_they_came(played: Stage) -> None:
    file(played, "bob", "too_much", at=NOW + 2)
    file(played, "ann", "too_little", at=NOW + 1)
    file(played, "bob", "wrong_result", "r1", at=NOW)
    assert listed(played) == [("bob", "r1"), ("ann", "r0"), ("bob", "r0")]
    assert played.store.run(disputes.counts(played.keys)) == {
        "too_much": 1, "too_little": 1, "wrong_result": 1
    }  # fmt: skip


def test_the_same_dispute_again_changes_nothing(played: Stage) -> None:
    first = file(played, "bob", "too_much", note="But why?")
    assert file(played, "bob", "too_much", note="But why?", at=NOW + 1) == first
    assert listed(played) == [("bob", "r0")]
    assert played.store.run(disputes.counts(played.keys))["too_much"] == 1


@pytest.mark.parametrize(("felt", "note"), [("too_little", None), ("too_much", "!")])
def test_a_dispute_in_other_words_is_refused(played: Stage, felt: Felt, note: str | None) -> None:
    file(played, "bob", "too_much")
    assert refusal(lambda: file(played, "bob", felt, note=note)) == "dispute_conflict"


def test_only_rated_results_can_be_disputed_and_by_their_players_alone(played: Stage) -> None:
    played.report(*wins(("ann", "bob"), prefix="new"))
    assert refusal(lambda: file(played, "bob", "too_much", "new0")) == "not_rated"
    played.annul("r1")
    played.fold()
    assert refusal(lambda: file(played, "bob", "too_much", "r1")) == "not_rated"
    assert refusal(lambda: file(played, "bob", "too_much", "none")) == "unknown_result"
    assert refusal(lambda: file(played, "cid", "too_much")) == "invalid"
    assert listed(played) == []


def test_a_dispute_is_closed_once(played: Stage) -> None:
    file(played, "bob", "too_much")
    closed = follow(played, lambda keys: disputes.close(keys, "bob", "r0", END))
    assert (closed.status, closed.closing) == ("settled", END)
    assert (listed(played), listed(played, "settled")) == ([], [("bob", "r0")])
    again = Closing("settled", "Annulled.", "somebody else", NOW + 1)
    assert follow(played, lambda keys: disputes.close(keys, "bob", "r0", again)) == closed
    other = Closing("dismissed", "Annulled.", "admin", NOW)
    assert refusal(lambda: follow(played, lambda keys: disputes.close(keys, "bob", "r0", other))) == (
        "dispute_closed"
    )
    assert file(played, "bob", "too_much") == closed, "who repeats it is told how it ended"


def test_what_nobody_disputes_cannot_be_closed(played: Stage) -> None:
    assert refusal(lambda: follow(played, lambda keys: disputes.close(keys, "bob", "r0", END))) == (
        "unknown_dispute"
    )


def test_the_arithmetic_adds_up_to_the_change(played: Stage) -> None:
    file(played, "bob", "too_much")
    _, ((_, report),) = follow(played, lambda keys: disputes.page(keys, "open", 0, 10))
    explained = report.explained(played.store.edition(played.id))
    assert [change.player for change, _ in explained] == ["ann", "bob"]
    assert [explanation.delta for _, explanation in explained] == [20.0, -20.0]

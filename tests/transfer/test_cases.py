"""What people did beside playing comes with the ladder."""

import json
from collections.abc import Sequence
from functools import partial
from itertools import count

import pytest
import redis

from matchmaker.dispute import Closing, Dispute
from matchmaker.errors import InvalidInputError
from matchmaker.reviewing import review_player
from matchmaker.store import disputes, flags
from matchmaker.store.cases import Dismissed, all_cases
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from tests.stage import NOW, Stage, wins
from tests.transfer.files import bring_in, exported
from tests.transfer.mortal import Mortal

END = Closing("settled", "Annulled; „sorry“.", "admin", NOW + 5)


def review_all(store: Store, ladder: str) -> None:
    for player, seen in store.run(flags.to_review(LadderKeys(ladder), 100)).items():
        store.follow(ladder, partial(review_player, player=player, seen=seen, now=NOW))


@pytest.fixture
def judged(store: Store) -> Stage:
    """Two disputes, one of them closed; bob's flag is dismissed and ann's is raised."""
    stage = Stage(store, linked_accounts="flag")
    stage.join("ann", "bob", owner="red")
    stage.report(*wins(("ann", "bob"), ("bob", "ann")))
    stage.fold()
    for dispute in (
        Dispute("ann", "r1", "too_much", "Ž/{x}", NOW),
        Dispute("bob", "r0", "wrong_result", None, NOW + 1),
    ):
        store.follow(stage.id, lambda edition: disputes.file(edition.keys, dispute))  # noqa: B023
    store.follow(stage.id, lambda edition: disputes.close(edition.keys, "ann", "r1", END))
    review_all(store, stage.id)
    store.run(flags.dismiss(stage.keys, "bob", "linked_accounts", by="admin", note="Known."))
    return stage


def seen(store: Store, ladder: str) -> Sequence[object]:
    """What moderators see of it."""
    keys = LadderKeys(ladder)
    pages = [
        store.follow(ladder, lambda edition: disputes.page(edition.keys, status, 0, 10))  # noqa: B023
        for status in ("open", "settled", "dismissed")
    ]
    return [pages, store.run(disputes.counts(keys)), store.run(flags.dismissals(keys, "bob"))]


def test_disputes_and_dismissals_come_with_the_ladder(judged: Stage) -> None:
    bring_in(judged.store, "copy", exported(judged.store, judged.id))
    assert seen(judged.store, "copy") == seen(judged.store, judged.id)


def test_cases_that_are_written_twice_count_once(judged: Stage, redis_client: redis.Redis) -> None:
    file, keys = exported(judged.store, judged.id), LadderKeys("copy")
    for last in count(1):
        with pytest.raises(redis.ConnectionError):
            bring_in(Store(Mortal(redis_client, last)), "copy", file)
        redis_client.delete(keys.restoring)  # what time does
        if redis_client.exists(keys.dismissals):
            break
    bring_in(judged.store, "copy", file)
    assert seen(judged.store, "copy") == seen(judged.store, judged.id)


def test_flags_are_raised_again_from_the_log_but_those_that_were_dismissed(judged: Stage) -> None:
    bring_in(judged.store, "copy", exported(judged.store, judged.id))
    keys = LadderKeys("copy")
    assert judged.store.run(flags.queue(keys, None, 0, 10)) == (0, [])
    review_all(judged.store, "copy")
    total, (raised,) = judged.store.run(flags.queue(keys, None, 0, 10))
    assert (total, raised.player) == (1, "ann")


def test_cases_about_what_the_ladder_does_not_hold_stay_out(judged: Stage) -> None:
    """They came after the log was read."""
    *lines, end = map(json.loads, exported(judged.store, judged.id).splitlines())
    stranger = {"player": "zed", "flag": "runner", "by": "admin", "at": NOW, "note": "?"}
    lines += [
        {"dispute": {"player": "ann", "result": "later", "felt": "too_much", "note": None, "at": NOW}},
        {"dismissal": stranger},
    ]
    end["end"]["cases"] += 2
    bring_in(judged.store, "copy", "\n".join(map(json.dumps, [*lines, end])).encode())
    cases = list(all_cases(judged.store, LadderKeys("copy")))
    assert sorted(case.player for case in cases) == ["ann", "bob", "bob"]
    assert sum(isinstance(case, Dismissed) for case in cases) == 1


def test_a_file_without_cases_ends_as_it_always_did(store: Store) -> None:
    stage = Stage(store)
    stage.join("ann")
    assert json.loads(exported(store, stage.id).splitlines()[-1]) == {"end": {"entries": 1, "players": 1}}


@pytest.mark.parametrize("lost", ["dispute", "dismissal"])
def test_a_lost_case_is_noticed(judged: Stage, lost: str) -> None:
    lines = [json.loads(line) for line in exported(judged.store, judged.id).splitlines()]
    lines.remove(next(line for line in lines if lost in line))
    with pytest.raises(InvalidInputError, match="2 cases before the end"):
        bring_in(judged.store, "copy", "\n".join(map(json.dumps, lines)).encode())


def test_an_import_that_fails_at_its_cases_leaves_nothing(judged: Stage) -> None:
    lines = [json.loads(line) for line in exported(judged.store, judged.id).splitlines()]
    lines[-2] = {"dismissal": {"player": "bob"}}
    with pytest.raises(InvalidInputError):
        bring_in(judged.store, "copy", "\n".join(map(json.dumps, lines)).encode())
    assert judged.store.client.execute_command("KEYS", "mm:{copy}:*") == []

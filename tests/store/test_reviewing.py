"""Reviews: who is reviewed, what is kept of it, and what a dismissal is good for."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest
import redis

from matchmaker.errors import NotFoundError
from matchmaker.fairplay import Flag
from matchmaker.reviewing import look_at, review_player
from matchmaker.store import flags
from matchmaker.store.call import Call, script
from matchmaker.store.client import Store
from matchmaker.store.flags import Dismissal
from tests.stage import NOW, Stage, wins

OWN = [("ann", "bob")]  # two accounts of one owner


@pytest.fixture
def linked(stage: Stage) -> Stage:
    """Ann has met bob, who belongs to the same owner, and cid, who does not."""
    stage.put(linked_accounts="flag")
    stage.join("ann", "bob", owner="red")
    stage.join("cid")
    play(stage, [*OWN, ("ann", "cid")])
    return stage


def play(stage: Stage, pairs: Iterable[tuple[str, str]], prefix: str = "r") -> None:
    stage.report(*wins(*pairs, prefix=prefix))
    stage.fold()


def waiting(stage: Stage) -> dict[str, bytes]:
    return stage.store.run(flags.to_review(stage.keys, 100))


def review(stage: Stage, player: str, seen: bytes, now: int = NOW) -> bool:
    return stage.store.follow(stage.id, partial(review_player, player=player, seen=seen, now=now))


def keeps(call: Call[Any]) -> bool:
    """Whether this is the last step of a review."""
    return call.script == script("review")


def review_all(stage: Stage, now: int = NOW) -> None:
    for player, seen in waiting(stage).items():
        assert review(stage, player, seen, now)


def queue(stage: Stage, flag: Flag | None = None) -> list[tuple[str, Flag, tuple[str, ...]]]:
    total, entries = stage.store.run(flags.queue(stage.keys, flag, 0, 100))
    assert total == len(entries)
    return [(each.player, each.indication.flag, each.indication.evidence) for each in entries]


def dismiss(stage: Stage, player: str, flag: Flag = "linked_accounts") -> Dismissal:
    return stage.store.run(flags.dismiss(stage.keys, player, flag, by="admin", note="Known."))


def test_who_has_played_is_to_be_reviewed_and_who_has_joined_is_not(linked: Stage) -> None:
    linked.join("dan")
    linked.fold()
    assert waiting(linked).keys() == {"ann", "bob", "cid"}


def test_who_has_played_a_lot_is_reviewed_once(stage: Stage) -> None:
    stage.join("ann", "bob")
    for number in range(3):
        play(stage, [("ann", "bob")] * 5, prefix=f"batch{number}-")
    assert stage.store.run(flags.waiting(stage.keys)) == 2
    review_all(stage)
    assert waiting(stage) == {}


def test_a_ladder_without_histories_reviews_nobody(store: Store) -> None:
    stage = Stage(store, history_limit=0)
    stage.join("ann", "bob")
    play(stage, [("ann", "bob")])
    assert waiting(stage) == {}


def test_a_flag_is_raised_with_its_evidence(linked: Stage) -> None:
    review_all(linked)
    assert sorted(queue(linked)) == [("ann", "linked_accounts", ("r0",)), ("bob", "linked_accounts", ("r0",))]
    assert queue(linked, "runner") == []
    total, (first,) = linked.store.run(flags.queue(linked.keys, "linked_accounts", 0, 1))
    assert total == 2
    assert (first.since, first.name) == (NOW, None)
    assert "1 of the last" in first.indication.sentence


def test_flags_wait_in_the_order_in_which_they_were_raised(linked: Stage) -> None:
    seen = waiting(linked)
    review(linked, "bob", seen["bob"], NOW)
    review(linked, "ann", seen["ann"], NOW + 1)
    play(linked, OWN, prefix="more")
    review_all(linked, NOW + 2)
    assert queue(linked) == [
        ("bob", "linked_accounts", ("r0", "more0")),
        ("ann", "linked_accounts", ("r0", "more0")),
    ]


def test_a_flag_stays_raised_until_it_is_dismissed(store: Store) -> None:
    stage = Stage(store, history_limit=2, linked_accounts="flag")
    stage.join("ann", "bob", owner="red")
    stage.join("cid")
    play(stage, OWN)
    review_all(stage)
    play(stage, [("ann", "cid"), ("cid", "ann")], prefix="fair")
    review_all(stage)
    assert ("ann", "linked_accounts", ("r0",)) in queue(stage)
    dismiss(stage, "ann")
    assert queue(stage) == queue(stage, "linked_accounts") == [("bob", "linked_accounts", ("r0",))]


def test_what_was_dismissed_is_raised_again_by_new_evidence_alone(linked: Stage) -> None:
    review_all(linked)
    dismiss(linked, "ann")
    play(linked, [("ann", "cid")], prefix="fair")
    review_all(linked)
    assert [player for player, *_ in queue(linked)] == ["bob"]
    play(linked, OWN, prefix="again")
    review_all(linked)
    assert ("ann", "linked_accounts", ("again0",)) in queue(linked), "of what is new, and nothing else"


def test_dismissing_again_replaces_the_note_and_takes_the_flag_back(linked: Stage) -> None:
    review_all(linked)
    dismiss(linked, "ann")
    play(linked, OWN, prefix="again")
    review_all(linked)
    last = dismiss(linked, "ann")
    assert linked.store.run(flags.dismissals(linked.keys, "ann")) == {"linked_accounts": last}
    assert [player for player, *_ in queue(linked)] == ["bob"]


@pytest.mark.parametrize(("player", "flag"), [("ann", "runner"), ("zed", "linked_accounts")])
def test_a_flag_that_was_never_raised_cannot_be_dismissed(linked: Stage, player: str, flag: Flag) -> None:
    review_all(linked)
    with pytest.raises(NotFoundError) as refused:
        dismiss(linked, player, flag)
    assert refused.value.code == "unknown_flag"


def test_a_dismissal_during_a_review_holds(linked: Stage) -> None:
    """The review has read the dossier when the moderator decides; what it has found is not raised again."""
    review_all(linked)
    play(linked, [("ann", "cid")], prefix="fair")
    seen = waiting(linked)["ann"]
    plan = review_player(linked.store.edition(linked.id), "ann", seen, NOW)
    result = None
    while not keeps(call := plan.send(result)):
        result = linked.store.run(call)
    dismiss(linked, "ann")
    assert linked.store.run(call)
    assert [player for player, *_ in queue(linked)] == ["bob"]


def test_a_review_that_is_given_up_half_way_is_done_again(linked: Stage, redis_client: redis.Redis) -> None:
    """As a killed job leaves it, after each of its steps."""
    untouched = {key: redis_client.dump(key) for key in redis_client.scan_iter()}
    seen = waiting(linked)["ann"]
    plan, result, steps = review_player(linked.store.edition(linked.id), "ann", seen, NOW), None, 0
    while not keeps(call := plan.send(result)):
        result, steps = linked.store.run(call), steps + 1
        assert {key: redis_client.dump(key) for key in redis_client.scan_iter()} == untouched
    assert steps > 3
    assert review(linked, "ann", seen)
    assert "ann" not in waiting(linked)


def test_a_review_that_comes_second_changes_nothing(linked: Stage) -> None:
    seen = waiting(linked)["ann"]
    assert review(linked, "ann", seen)
    dismiss(linked, "ann")
    assert not review(linked, "ann", seen)
    assert queue(linked) == []


def test_who_plays_during_a_review_is_reviewed_again(linked: Stage) -> None:
    seen = waiting(linked)["ann"]
    play(linked, [("cid", "ann")], prefix="meanwhile")
    assert review(linked, "ann", seen)
    again = waiting(linked)["ann"]
    assert again != seen
    assert review(linked, "ann", again)
    assert "ann" not in waiting(linked)


def test_new_thresholds_count_at_the_next_review(linked: Stage) -> None:
    elsewhere = Stage(linked.store)
    elsewhere.id, elsewhere.store = linked.id, Store(linked.store.client)
    elsewhere.put(fair_play={"linked_accounts": {"results": 1}})
    review_all(linked)
    assert queue(linked) == []


def test_a_player_shows_what_is_raised_and_what_is_not(stage: Stage) -> None:
    stage.put(linked_accounts="flag")
    stage.join("ann", "bob", owner="red")
    stage.join("cid")
    play(stage, [*OWN, *[("ann", "cid")] * 20])
    now = partial(look_at, player="ann", now=NOW)
    _, looks = stage.store.follow(stage.id, now)
    assert {look.indication.flag: look.since for look in looks} == dict.fromkeys(
        ("linked_accounts", "win_trading")
    )
    review_all(stage)
    record, looks = stage.store.follow(stage.id, now)
    assert len(record.encounters) == 21
    since = {look.indication.flag: look.since for look in looks}
    assert since["linked_accounts"] == NOW
    dismissal = dismiss(stage, "ann")
    _, looks = stage.store.follow(stage.id, now)
    linked = next(look for look in looks if look.indication.flag == "linked_accounts")
    assert (linked.since, linked.dismissal) == (None, dismissal)


def test_battles_let_expire_for_weaker_opponents_are_found(stage: Stage) -> None:
    day, now = 24 * 3600 * 1000, NOW
    stage.join("ann", rating=1500.0)
    stage.join(*(f"strong{number}" for number in range(20)), rating=1560.0)
    stage.join(*(f"weak{number}" for number in range(20)), rating=1450.0)
    for seed in range(40):
        battle = stage.battle("ann", seed=seed, now=now)
        if battle.opponent.player.startswith("weak"):
            stage.settle(battle, "draw", now=now)
        now += day
    stage.fold()
    review_all(stage, now)
    ((player, flag, evidence),) = queue(stage)
    assert (player, flag) == ("ann", "declined_battles")
    assert len(evidence) >= 10

"""Blocked devices: who is off the board for their sake, and what is left of it after a kill."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest
import redis

from matchmaker.devices import BY_BLOCK, Block, tag_of
from matchmaker.moderation import Reinstate, Suspend
from matchmaker.store import blocks, devices, moderation
from matchmaker.store.blocks import UNBLOCKED, Account
from matchmaker.store.call import Plan
from matchmaker.store.client import Store
from matchmaker.store.keys import UNFINISHED_BLOCKS
from tests.stage import NOW, Stage

PHONE, TABLET = tag_of("phone", b"key"), tag_of("tablet", b"key")
CHEATS = Block("admin", "trades wins", NOW)

_words = count(1)


def _see(stage: Stage, tag: bytes, *players: str) -> None:
    for player in players:
        if stage.store.run(blocks.see(tag, stage.id, player, NOW)):
            stage.store.carry_out(blocks.settle(tag, stage.id, [player]))
        stage.store.run(devices.note(stage.keys, player, tag))


def _block(store: Store, tag: bytes, block: Block = CHEATS) -> None:
    store.carry_out(blocks.block_device(tag, block, f"word {next(_words)}"))


def _unblock(store: Store, tag: bytes) -> None:
    store.carry_out(blocks.unblock_device(tag, f"word {next(_words)}"))


def _suspended(stage: Stage, players: Iterable[str]) -> set[str]:
    return {player for player in players if stage.standing(player).status == "suspended"}


@pytest.fixture
def pair(store: Store) -> list[Stage]:
    """Two ladders: on each ann and bob were seen on the phone, bob and cid on the tablet, eve on neither."""
    stages = [Stage(store), Stage(store)]
    for stage in stages:
        stage.join("ann", "bob", "cid", "eve")
        _see(stage, PHONE, "ann", "bob")
        _see(stage, TABLET, "bob", "cid")
    return stages


EVERYBODY = ("ann", "bob", "cid", "eve")


def test_a_block_suspends_everybody_who_was_seen_on_the_device_in_every_ladder(
    store: Store, pair: list[Stage]
) -> None:
    _block(store, PHONE)
    assert [_suspended(stage, EVERYBODY) for stage in pair] == [{"ann", "bob"}] * 2
    assert store.run(blocks.find(PHONE)) == CHEATS
    assert store.run(blocks.unfinished()) == {}


def test_unblocking_takes_them_back_at_their_ratings(store: Store, pair: list[Stage]) -> None:
    before = pair[0].ratings()
    _block(store, PHONE)
    _unblock(store, PHONE)
    assert [stage.ratings() for stage in pair] == [before] * 2
    assert store.run(blocks.find(PHONE)) is None


def test_the_log_says_once_who_was_suspended_and_taken_back_and_why(store: Store, pair: list[Stage]) -> None:
    for _ in range(2):
        _block(store, PHONE)
    for _ in range(2):
        _unblock(store, PHONE)
    told = [each.measure for each in store.run(moderation.measures(pair[0].keys, "ann", 10))]
    assert told == [Reinstate("ann", BY_BLOCK, UNBLOCKED), Suspend("ann", BY_BLOCK, "trades wins")]
    before = pair[0].ratings()
    pair[0].fold()
    assert pair[0].ratings() == before


def test_whoever_comes_from_a_blocked_device_later_is_suspended(store: Store, pair: list[Stage]) -> None:
    _block(store, PHONE)
    _see(pair[1], PHONE, "eve")
    assert [_suspended(stage, EVERYBODY) for stage in pair] == [{"ann", "bob"}, {"ann", "bob", "eve"}]
    _unblock(store, PHONE)
    assert _suspended(pair[1], EVERYBODY) == set()


def test_a_player_on_two_blocked_devices_comes_back_with_the_last_of_them(
    store: Store, pair: list[Stage]
) -> None:
    _block(store, PHONE)
    _block(store, TABLET)
    _unblock(store, PHONE)
    assert _suspended(pair[0], EVERYBODY) == {"bob", "cid"}
    _unblock(store, TABLET)
    assert _suspended(pair[0], EVERYBODY) == set()


@pytest.mark.parametrize("first", ["moderator", "block"])
def test_whom_a_moderator_has_suspended_no_unblocking_takes_back(
    store: Store, pair: list[Stage], first: str
) -> None:
    if first == "block":
        _block(store, PHONE)
    ruling = pair[0].on(lambda edition: moderation.take(edition, Suspend("ann", "mod", "insults")))
    assert ruling.taken
    _block(store, PHONE)
    _unblock(store, PHONE)
    assert _suspended(pair[0], EVERYBODY) == {"ann"}


def test_a_moderator_may_take_somebody_back_while_the_device_stays_blocked(
    store: Store, pair: list[Stage]
) -> None:
    _block(store, PHONE)
    pair[0].on(lambda edition: moderation.take(edition, Reinstate("ann", "mod", "a sister")))
    assert _suspended(pair[0], EVERYBODY) == {"bob"}
    _unblock(store, PHONE)
    assert _suspended(pair[0], EVERYBODY) == set()


def test_the_first_block_of_a_device_stands(store: Store, pair: list[Stage]) -> None:
    _block(store, PHONE)
    _block(store, PHONE, Block("other", "something else", NOW + 1))
    assert store.run(blocks.find(PHONE)) == CHEATS


def test_accounts_come_in_the_order_in_which_they_were_first_seen(store: Store, stage: Stage) -> None:
    for player, at in (("zoe", NOW), ("ann", NOW + 1), ("zoe", NOW + 2)):
        store.run(blocks.see(PHONE, stage.id, player, at))
    assert store.run(blocks.accounts(PHONE)) == [
        Account(stage.id, "zoe", NOW),
        Account(stage.id, "ann", NOW + 1),
    ]


def _killed_after(store: Store, plan: Plan[Any], steps: int) -> bool:
    """Follows a plan for so many steps and drops it; whether it was over by then."""
    try:
        step = next(plan)
        for _ in range(steps):
            step = plan.send(store.run(step))
    except StopIteration:
        return True
    return False


@pytest.mark.parametrize("what", ["block", "unblock"])
def test_whatever_a_kill_leaves_of_a_block_is_completed_later(
    store: Store, pair: list[Stage], redis_client: redis.Redis, what: str
) -> None:
    for steps in count():
        (_unblock if what == "block" else _block)(store, PHONE)
        begun = (
            blocks.block_device(PHONE, CHEATS, f"word {next(_words)}")
            if what == "block"
            else blocks.unblock_device(PHONE, f"word {next(_words)}")
        )
        over = _killed_after(store, begun, steps)
        blocked = store.run(blocks.find(PHONE)) is not None
        assert over or not steps or redis_client.hlen(UNFINISHED_BLOCKS) == 1
        for tag, word in store.run(blocks.unfinished()).items():
            store.carry_out(blocks.complete(tag, word))
        expected = {"ann", "bob"} if blocked else set()
        assert [_suspended(stage, EVERYBODY) for stage in pair] == [expected] * 2
        assert redis_client.hlen(UNFINISHED_BLOCKS) == 0
        if over:
            break
    assert steps > 5


def test_a_block_is_not_done_with_when_somebody_else_has_changed_it_meanwhile(store: Store) -> None:
    assert not _killed_after(store, blocks.block_device(PHONE, CHEATS, "slow"), 2)
    assert not _killed_after(store, blocks.unblock_device(PHONE, "killed"), 1)
    store.carry_out(blocks.complete(PHONE, "slow"))
    assert store.run(blocks.unfinished()) == {PHONE: "killed"}
    store.carry_out(blocks.complete(PHONE, "killed"))
    assert store.run(blocks.unfinished()) == {}


@pytest.mark.parametrize("last_word", ["block", "unblock"])
def test_whoever_is_seen_on_a_device_at_the_very_moment_gets_what_the_last_word_says(
    store: Store, last_word: str
) -> None:
    stage = Stage(store)
    players = [f"p{n:02}" for n in range(40)]
    stage.join(*players)
    if last_word == "unblock":
        _block(store, PHONE)
    with ThreadPoolExecutor(4) as threads:
        work = [threads.submit(_see, stage, PHONE, player) for player in players[:20]]
        work.append(threads.submit(_block if last_word == "block" else _unblock, store, PHONE))
        work += [threads.submit(_see, stage, PHONE, player) for player in players[20:]]
    for each in work:
        each.result()
    assert _suspended(stage, players) == (set(players) if last_word == "block" else set())

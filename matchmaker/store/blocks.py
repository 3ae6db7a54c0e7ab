"""Blocked devices: who was seen on a device, and everybody off the board who was seen on a blocked one.

A device and each of its players' ladders live in different slots, so a block takes several steps. Before the
first it is entered as unfinished, and until the last anybody may take over: every step can be repeated.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from matchmaker.devices import BY_BLOCK, Block, split
from matchmaker.moderation import Reinstate, Suspend
from matchmaker.store.call import Call, Plan, script
from matchmaker.store.keys import UNFINISHED_BLOCKS, DeviceKeys, LadderKeys

_PLAYERS: Final = 500
"""That one step takes off a board or back."""

UNBLOCKED: Final = "the device is no longer blocked"
"""Why players are taken back."""


@dataclass(frozen=True, slots=True)
class Account:
    """A player of a ladder; `since` is when it was first seen on the device, in milliseconds since the
    epoch."""

    ladder: str
    player: str
    since: int


def _read(reply: bytes | None) -> Block | None:
    return None if reply is None else Block(**json.loads(reply))


def find(tag: bytes) -> Call[Block | None]:
    """The block of the device, if it is blocked."""
    return Call(("GET", DeviceKeys(tag).block), _read)


def accounts(tag: bytes) -> Call[list[Account]]:
    """Everybody who was ever seen on the device, in the order in which they came."""

    def decode(reply: dict[bytes, bytes]) -> list[Account]:
        found = []
        for account, since in reply.items():
            ladder_id, _, player = account.decode().partition("/")
            found.append(Account(ladder_id, player, int(since)))
        return sorted(found, key=lambda account: (account.since, account.ladder, account.player))

    return Call(("HGETALL", DeviceKeys(tag).accounts), decode)


def see(tag: bytes, ladder_id: str, player: str, now: int) -> Call[Block | None]:
    """Notes that a player of the ladder was seen on the device; its block, if it is blocked."""
    keys = DeviceKeys(tag)
    return Call((f"{ladder_id}/{player}", now), _read, script("see"), (keys.accounts, keys.block))


def is_seen(tag: bytes, ladder_id: str, player: str) -> Call[bool]:
    """Whether the player (still) counts as seen on the device."""
    return Call(("HEXISTS", DeviceKeys(tag).accounts, f"{ladder_id}/{player}"), bool)


def _hold(tag: bytes, keys: LadderKeys, players: Sequence[str], block: Block | None) -> Call[None]:
    """Suspends these players for the sake of the device, or takes back those suspended for its sake alone."""
    measures = [
        Suspend(player, BY_BLOCK, block.reason) if block else Reinstate(player, BY_BLOCK, UNBLOCKED)
        for player in players
    ]
    words = [word for measure in measures for word in (measure.player, measure.encode())]
    return Call(
        ("suspend" if block else "reinstate", tag, *words),
        lambda reply: None,
        script("hold"),
        (
            *(keys.ladder, keys.states, keys.ratings, keys.strengths, keys.held, keys.log),
            *map(keys.measures, players),
        ),
    )


def settle(tag: bytes, ladder_id: str, players: Sequence[str]) -> Plan[None]:
    """Has players of a ladder who were seen on the device off the board if it is blocked, else back.

    Looks again afterwards: whoever blocks or unblocks the device meanwhile is not undone by it.
    """
    keys = LadderKeys(ladder_id)
    block: Block | None = yield find(tag)
    while True:
        yield _hold(tag, keys, players, block)
        latest: Block | None = yield find(tag)
        if (block is None) == (latest is None):
            return
        block = latest


Witnesses = tuple[tuple[str, Call[bool]], ...]
"""Where to look whether a block was written (and still is there): fence keys with reads in their slots."""


def block_device(tag: bytes, block: Block, word: str) -> Plan[Witnesses]:
    """Blocks the device and suspends everybody who was seen on it. A block that it has already stands.

    `word` is one that nobody else uses.
    """
    yield _begin(tag, word)
    written = json.dumps(asdict(block), ensure_ascii=False)
    yield Call(("SET", DeviceKeys(tag).block, written, "NX"), lambda reply: None)
    return (yield from complete(tag, word))


def unblock_device(tag: bytes, word: str) -> Plan[Witnesses]:
    """Unblocks the device and takes back whoever was suspended for its sake alone. See block_device."""
    yield _begin(tag, word)
    yield Call(("DEL", DeviceKeys(tag).block), lambda reply: None)
    return (yield from complete(tag, word))


def _begin(tag: bytes, word: str) -> Call[None]:
    return Call(("HSET", UNFINISHED_BLOCKS, tag, word), lambda reply: None)


def unfinished() -> Call[dict[bytes, str]]:
    """Tags of devices that were blocked or unblocked, and are not done with; each with its word."""

    return Call(
        ("HGETALL", UNFINISHED_BLOCKS), lambda reply: {tag: word.decode() for tag, word in reply.items()}
    )


def complete(tag: bytes, word: str) -> Plan[Witnesses]:
    """Does what is left to do for a device that was blocked or unblocked under this word."""
    block: Block | None = yield find(tag)
    seen: list[Account] = yield accounts(tag)
    players: defaultdict[str, list[str]] = defaultdict(list)
    for account in seen:
        players[account.ladder].append(account.player)
    some = [
        (ladder_id, names[at : at + _PLAYERS])
        for ladder_id, names in players.items()
        for at in range(0, len(names), _PLAYERS)
    ]
    for ladder_id, names in some:
        yield from settle(tag, ladder_id, names)
    yield Call((tag, word), lambda reply: None, script("finish_block"), (UNFINISHED_BLOCKS,))
    return (
        (DeviceKeys(tag).fence, find(tag).then(lambda found: found == block)),
        *((LadderKeys(ladder_id).fence, _settled(tag, ladder_id, names, block)) for ladder_id, names in some),
    )


def _settled(tag: bytes, ladder_id: str, players: Sequence[str], block: Block | None) -> Call[bool]:
    """Whether none of these players is on the board, or none is held for the device's sake."""
    keys = LadderKeys(ladder_id)
    if block:
        return Call(("ZMSCORE", keys.ratings, *players), lambda scores: not any(map(_is_there, scores)))
    return Call(
        ("HMGET", keys.held, *players), lambda held: not any(tag in split(tags or b"") for tags in held)
    )


def _is_there(score: float | None) -> bool:
    return score is not None

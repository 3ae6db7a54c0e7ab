"""Flags of fair play: who is to be reviewed, what reviews have found, what moderators have dismissed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from matchmaker.errors import NotFoundError
from matchmaker.fairplay import FLAGS, Flag, Indication
from matchmaker.store.call import Argument, Call, Plan, script
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition


@dataclass(frozen=True, slots=True)
class Dismissal:
    """Who has dismissed a flag, when (milliseconds since the epoch), and why."""

    by: str
    at: int
    note: str

    def encode(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def decode(cls, text: bytes) -> "Dismissal":
        record = json.loads(text)
        return cls(record["by"], int(record["at"]), record["note"])


@dataclass(frozen=True, slots=True)
class Raised:
    """A flag that waits for a moderator; `since` when, in milliseconds since the epoch. The indication is
    what the last review that raised it found."""

    player: str
    name: str | None
    indication: Indication
    since: int


def _fields(player: str) -> list[str]:
    return [field(flag, player) for flag in FLAGS]


def field(flag: Flag, player: str) -> str:
    """Under which the store keeps a flag of a player. No id has a slash in it."""
    return f"{flag}/{player}"


def _encode(indication: Indication) -> str:
    said = [indication.value, indication.threshold, indication.evidence, indication.sentence]
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def _decode(flag: Flag, text: bytes) -> Indication:
    value, threshold, evidence, sentence = json.loads(text)
    return Indication(flag, value, threshold, tuple(evidence), sentence)


def to_review(keys: LadderKeys, count: int) -> Call[dict[str, bytes]]:
    """Up to `count` of those who have played since their last review, and what is noted of each."""
    return Call(("HRANDFIELD", keys.to_review, count, "WITHVALUES"), _noted)


def _noted(reply: list[Any] | None) -> dict[str, bytes]:
    cells = iter(reply or ())
    return {player.decode(): seen for player, seen in zip(cells, cells, strict=True)}


def waiting(keys: LadderKeys) -> Call[int]:
    """How many players wait for a review."""
    return Call(("HLEN", keys.to_review), int)


def keep(
    edition: Edition,
    player: str,
    seen: bytes,
    raised: Sequence[Indication],
    known: Mapping[Flag, Dismissal],
    now: int,
) -> Call[bool]:
    """Keeps what the review of a player has found; False if another review was faster.

    `seen` is what was noted of the player when the review began, `known` are the dismissals that it went by.
    """
    keys = edition.keys
    words: list[Argument] = []
    for each in raised:
        dismissal = known.get(each.flag)
        words += (field(each.flag, player), _encode(each), dismissal.at if dismissal else "")
    return Call(
        (edition.revision, player, seen, now, *words),
        lambda reply: bool(reply == [b"done"]),
        script("review"),
        (
            *(keys.ladder, keys.to_review, keys.flags, keys.dismissals, keys.counters, keys.queue("flags")),
            *(keys.queue(each.flag) for each in raised),
        ),
    )


def queue(keys: LadderKeys, flag: Flag | None, offset: int, limit: int) -> Call[tuple[int, list[Raised]]]:
    """A page of the flags that wait for a moderator, of one kind or of all, and how many there are; those
    first that were raised first."""

    def decode(reply: list[Any]) -> tuple[int, list[Raised]]:
        total, *rows = reply
        return total, [_raised(*row) for row in rows]

    return Call(
        (offset, limit), decode, script("flags"), (keys.queue(flag or "flags"), keys.flags, keys.names)
    )


def _raised(name: bytes, since: bytes, text: bytes, display_name: bytes | None) -> Raised:
    flag, _, player = name.decode().partition("/")
    indication = _decode(cast(Flag, flag), text)
    return Raised(player, display_name.decode() if display_name else None, indication, int(since))


def raised(keys: LadderKeys, player: str) -> Plan[dict[Flag, tuple[Indication, int]]]:
    """What the player's raised flags say, and since when they are raised."""
    fields = _fields(player)
    texts: list[bytes | None] = yield Call(("HMGET", keys.flags, *fields), list)
    since: list[Any] = yield Call(("ZMSCORE", keys.queue("flags"), *fields), list)
    return {
        flag: (_decode(flag, text), int(float(at)))
        for flag, text, at in zip(FLAGS, texts, since, strict=True)
        if text is not None and at is not None
    }


def dismissals(keys: LadderKeys, player: str) -> Call[dict[Flag, Dismissal]]:
    """The flags of the player that were dismissed."""

    def decode(reply: list[bytes | None]) -> dict[Flag, Dismissal]:
        return {
            flag: Dismissal.decode(text) for flag, text in zip(FLAGS, reply, strict=True) if text is not None
        }

    return Call(("HMGET", keys.dismissals, *_fields(player)), decode)


def dismiss(keys: LadderKeys, player: str, flag: Flag, *, by: str, note: str) -> Call[Dismissal]:
    """Takes a flag out of the queue. Raises NotFoundError `unknown_flag` for one that was never raised."""

    def decode(reply: list[bytes]) -> Dismissal:
        if reply == [b"unknown"]:
            raise NotFoundError("flag", field(flag, player))
        return Dismissal.decode(reply[1])

    return Call(
        (field(flag, player), by, note),
        decode,
        script("dismiss"),
        (keys.flags, keys.dismissals, keys.queue("flags"), keys.queue(flag)),
    )


def dismissed(keys: LadderKeys, player: str, flag: Flag, dismissal: Dismissal) -> Call[bool]:
    """Whether this dismissal is (still) there."""
    return dismissals(keys, player).then(lambda found: found.get(flag) == dismissal)

"""What stands in a ladder's log: players joining, and results. And how it is written down.

An entry of the log is one field whose name is the kind and whose value a JSON array, so that it is compact
and can still be read with the naked eye.
"""

import json
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from matchmaker.rating.rule import Details, Outcome, PlayerState

DIGEST_SIZE = 16


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@dataclass(frozen=True, slots=True)
class Result:
    """What happened in one battle.

    `id` is the idempotency key, `details` are in the rule's normal form, `played_at` is in milliseconds
    since the epoch or None when the game did not say.
    """

    id: str
    initiator: str
    opponent: str
    outcome: Outcome
    details: Details
    played_at: int | None = None

    def encode(self) -> str:
        return _compact([self.id, self.initiator, self.opponent, self.outcome, self.details, self.played_at])

    @property
    def id_digest(self) -> bytes:
        """Under which the id is remembered as long as the ladder exists."""
        return digest(self.id)

    @property
    def content_digest(self) -> bytes:
        """The same for two reports if and only if they say the same."""
        return digest(self.encode())


@dataclass(frozen=True, slots=True)
class Join:
    """A player enters the ladder with what it brings."""

    player: str
    state: PlayerState

    def encode(self) -> str:
        state = self.state
        return _compact([self.player, state.rating, state.games, state.experience, state.peak])


Entry = Result | Join

_KINDS: dict[type[Entry], str] = {Result: "result", Join: "join"}


def digest(text: str) -> bytes:
    """16 bytes of BLAKE2b."""
    return blake2b(text.encode(), digest_size=DIGEST_SIZE).digest()


def kind(entry: Entry) -> str:
    """Name of the field that the entry is written under."""
    return _KINDS[type(entry)]


def decode(kind: str, text: str) -> Entry:
    """The entry that was written as `text` under `kind`. Raises ValueError for a kind it does not know."""
    value = json.loads(text)
    if kind == "result":
        return Result(*value)
    if kind == "join":
        player, rating, games, experience, peak = value
        return Join(player, PlayerState(rating, games=games, experience=experience, peak=peak))
    raise ValueError(f"the log holds an entry of unknown kind {kind!r}")


def log_order(log_id: str) -> tuple[int, int]:
    """What ids of log entries compare by: milliseconds, then a running number."""
    milliseconds, _, sequence = log_id.partition("-")
    return int(milliseconds), int(sequence)

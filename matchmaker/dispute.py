"""Disputes: what players think of a result of theirs."""

import json
from dataclasses import asdict, dataclass
from typing import Final, Literal, get_args

Felt = Literal["too_much", "too_little", "wrong_result"]
"""What a player says of a change: that it was too large, too small, or of another result than it played."""

KINDS: Final[tuple[Felt, ...]] = get_args(Felt)

Verdict = Literal["settled", "dismissed"]
"""How a moderator closes a dispute: something was done about it, or nothing had to be."""

Status = Literal["open", "settled", "dismissed"]

STATUSES: Final[tuple[Status, ...]] = get_args(Status)


@dataclass(frozen=True, slots=True)
class Closing:
    """The end of a dispute: how, why, by whom, and when (milliseconds since the epoch)."""

    verdict: Verdict
    note: str
    by: str
    at: int


@dataclass(frozen=True, slots=True)
class Dispute:
    """What a player thinks of a result of its own; `at` in milliseconds since the epoch."""

    player: str
    result: str
    felt: Felt
    note: str | None
    at: int
    closing: Closing | None = None

    @property
    def status(self) -> Status:
        return self.closing.verdict if self.closing else "open"

    @property
    def name(self) -> str:
        """Under which the store keeps it. No id has a slash in it."""
        return f"{self.player}/{self.result}"

    def encode(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def decode(cls, text: bytes) -> "Dispute":
        record = json.loads(text)
        closing = record.pop("closing")
        return cls(**record, closing=closing and Closing(**closing))

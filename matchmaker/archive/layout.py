"""Where files lie, and what the store keeps of each.

    log/ladder=football/archive=9f…/month=2026-11/1796045942984-0_1796045999000-3_0123456789abcdef.parquet
    changes/ladder=football/archive=9f…/generation=0/month=2026-11/…

The archive's id is drawn at random when a ladder is archived first: another ladder that bears the same name
later, or elsewhere, has another one. A file is named after its content, so whoever writes it again writes the
same.
"""

import json
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final, Literal

from matchmaker.results import log_order, milliseconds

Kind = Literal["log", "changes"]

LAST_MOMENT: Final = 253_402_300_799_999
"""The end of the year 9999, in milliseconds since the epoch: calendars know no later moment."""

_DIGEST_LENGTH: Final = 16


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """A complete file: its path below the archive's root, the first and the last log id in it, how many rows
    and bytes it has."""

    path: str
    first: str
    last: str
    rows: int
    size: int

    @classmethod
    def of(cls, directory: str, first: str, last: str, rows: int, content: bytes) -> "ArchivedFile":
        """The file that holds this content; all its rows are of one month."""
        name = f"{first}_{last}_{sha256(content).hexdigest()[:_DIGEST_LENGTH]}.parquet"
        return cls(f"{directory}/month={month(first)}/{name}", first, last, rows, len(content))

    @classmethod
    def decode(cls, text: bytes) -> "ArchivedFile":
        return cls(*json.loads(text))

    def encode(self) -> str:
        return json.dumps(astuple(self))

    @property
    def kind(self) -> Kind:
        return "log" if self.path.startswith("log/") else "changes"

    def may_hold(self, log_id: str) -> bool:
        """Whether its range comprises that id."""
        return log_order(self.first) <= log_order(log_id) <= log_order(self.last)


def month(log_id: str) -> str:
    """The month in which an entry was written, in UTC: `2026-11`."""
    return f"{datetime.fromtimestamp(min(milliseconds(log_id), LAST_MOMENT) // 1000, UTC):%Y-%m}"

"""A ladder as it was at one moment, so that an export that was broken off can be gone on with later."""

from dataclasses import asdict, dataclass
from typing import Any, Self

from matchmaker.chronicle import Extent, read_entries
from matchmaker.results import Entry, digest, log_order
from matchmaker.store.client import Store
from matchmaker.store.folds import START
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.transfer.unfinished import Mark

_LAST_SEQUENCE = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Under which revision of the settings it was, what was rated, and how far the log went: the id of its
    last entry, that one's trace, and how many there were."""

    revision: str
    cursor: str
    upto: str
    trace: str
    entries: int

    @classmethod
    def of(cls, store: Store, extent: Extent) -> Self:
        """As it is now."""
        edition, cursor, entries, last = extent
        return cls(edition.revision.decode(), cursor, last, _trace_of(store, edition.keys, last), entries)

    def is_of(self, store: Store, edition: Edition, mark: Mark) -> bool:
        """Whether this is the same ladder, which has only grown since: what follows the mark still does."""
        return (
            edition.revision.decode() == self.revision
            and _trace_of(store, edition.keys, self.upto) == self.trace
            and _trace_of(store, edition.keys, mark.after) == mark.trace
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def trace(entry: Entry) -> str:
    """What tells an entry from any other that might stand in its place."""
    return digest(entry.encode()).hex()


def _trace_of(store: Store, keys: LadderKeys, log_id: str) -> str:
    """Of the entry of that id; nothing if there is none (any more)."""
    if log_id == START:
        return ""
    milliseconds, sequence = log_order(log_id)
    before = f"{milliseconds}-{sequence - 1}" if sequence else f"{milliseconds - 1}-{_LAST_SEQUENCE}"
    return "".join(trace(logged.entry) for logged in read_entries(store, keys, before, log_id))

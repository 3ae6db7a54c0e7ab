"""A whole ladder, or its results, into a file, stretch by stretch: what is broken off can be gone on with.

Each stretch is packed by itself, and they end at the same entries of the log however often the work is broken
off: so the file is the same in the end.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, Protocol, TypeVar

from matchmaker import __version__
from matchmaker.chronicle import look_up, read_entries
from matchmaker.store import cases, members
from matchmaker.store.client import Store
from matchmaker.store.folds import START, Logged
from matchmaker.transfer.exporting import packing, read_log, write_results
from matchmaker.transfer.formats import Format
from matchmaker.transfer.ladder_file import (
    Head,
    read_joined,
    read_suspended,
    write_entries,
    write_head,
    write_rest,
)
from matchmaker.transfer.snapshot import Snapshot, trace
from matchmaker.transfer.unfinished import Mark, Unfinished

T = TypeVar("T")

STRETCH: Final = 10_000
"""Entries of the log: about a second's work, which is what is lost when an export is broken off."""


class Track(Protocol):
    """Passes things on, and shows how many of `total` came by, of which some were `completed` before."""

    def __call__(
        self, sequence: Iterable[T], total: int, completed: int = 0, *, description: str
    ) -> Iterable[T]: ...


class Export:
    """Writes a ladder as it was when that began into an unfinished file: `whole`, or its results alone.

    Raises NotFoundError for an unknown ladder.
    """

    def __init__(
        self, store: Store, ladder_id: str, format_: Format, unfinished: Unfinished, *, whole: bool
    ) -> None:
        self._store = store
        self._format = format_
        self._file = unfinished
        self._whole = whole
        extent = look_up(store, ladder_id)
        self._edition = extent.edition
        self._snapshot = Snapshot.of(store, extent)

    @property
    def entries(self) -> int:
        """How many entries of the log go into the file."""
        return self._snapshot.entries

    def begin(self) -> None:
        """Begins at the beginning."""
        self._file.begin({"what": self._what(), "snapshot": self._snapshot.to_json()})

    def _what(self) -> dict[str, object]:
        return {
            "program": __version__,
            "ladder": self._edition.ladder.id,
            "format": [self._format.kind, self._format.packing],
            "whole": self._whole,
        }

    def go_on(self) -> str | None:
        """Goes on with what an earlier attempt has left. If it can't, begins and says why."""
        reason = None
        remains = self._file.remains()
        if remains is None:
            reason = "There is nothing to go on with"
        elif remains.plan["what"] != self._what():
            reason = "What is left there is another export's"
        else:
            snapshot = Snapshot(**remains.plan["snapshot"])
            if snapshot.is_of(self._store, self._edition, remains.mark):
                self._snapshot = snapshot
                self._file.go_on(remains)
            else:
                reason = "The ladder has other settings or another log since"
        if reason:
            self.begin()
        return reason

    def write(self, track: Track) -> dict[str, int]:
        """Writes all that is missing, and puts the file where it belongs; what it holds in numbers."""
        return self._write_ladder(track) if self._whole else self._write_results(track)

    def _write_ladder(self, track: Track) -> dict[str, int]:
        keys, mark = self._edition.keys, self._file.mark
        log = read_entries(self._store, keys, mark.after if mark else START, self._snapshot.upto)
        written = mark.entries if mark else 0
        for stretch in self._stretches(track(log, self.entries, written, description="Writing")):
            with packing(self._file.file, self._format) as text:
                if not written:
                    write_head(text, Head(self._edition.ladder, self._snapshot.cursor, self._edition.eras))
                write_entries(text, stretch)
            written += len(stretch)
            self._keep(stretch, written, 0)
        with self._file.reading() as log_file:
            # As the log ends, not as it is by now: the two must agree in a copy.
            suspended = read_suspended(self._format.reader(log_file))
        with self._file.reading() as log_file, packing(self._file.file, self._format) as text:
            # In the order in which they joined, whatever that of the store is.
            players = read_joined(self._format.reader(log_file))
            people = members.of_players(self._store, keys, players, suspended)
            expected = self._store.run(members.count(keys))
            counts = write_rest(
                text,
                written,
                track(people, expected, description="Writing players"),
                cases.all_cases(self._store, keys),
            )
        self._file.finish()
        return counts

    def _write_results(self, track: Track) -> dict[str, int]:
        keys, mark = self._edition.keys, self._file.mark
        log = read_log(self._store, keys, self._snapshot.upto, mark.after if mark else START)
        written, count = (mark.entries, mark.results) if mark else (0, 0)
        free_for_all = self._edition.ladder.rule.free_for_all
        for stretch in self._stretches(track(log, self.entries, written, description="Writing")):
            # As the rule of now reads them: the file is to come in under that.
            results = [self._edition.present(logged.log_id, result) for logged, result in stretch if result]
            write_results(
                results, self._file.file, self._format, header=not written, free_for_all=free_for_all
            )
            written, count = written + len(stretch), count + len(results)
            self._keep([logged for logged, _ in stretch], written, count)
        if self._format.kind == "parquet":
            self._join(track)
        else:
            self._file.finish()
        return {"results": count}

    def _stretches(self, log: Iterable[T]) -> Iterator[list[T]]:
        """At least one in a file, or there would be no head in it."""
        entries = iter(log)
        is_first = self._file.mark is None
        while (stretch := list(islice(entries, STRETCH))) or is_first:
            yield stretch
            is_first = False

    def _keep(self, stretch: list[Logged], entries: int, results: int) -> None:
        if len(stretch) == STRETCH:
            last = stretch[-1]
            self._file.keep(Mark(last.log_id, trace(last.entry), entries, results))

    def _join(self, track: Track) -> None:
        from matchmaker.transfer.parquet_sheet import join  # here, because it is slow to import

        marked = self._file.mark.ends if self._file.mark else ()
        ends = sorted({*marked, self._file.file.tell()})
        with self._file.joining() as target:
            for _ in track(join(self._file.file, ends, target), len(ends), description="Joining"):
                pass

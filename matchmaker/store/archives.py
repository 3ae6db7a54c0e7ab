"""Which files make a ladder's archive, and how entries get from a stream into it.

What is in the list of files belongs to the ladder, and nothing else does, whatever may lie beside it. A
stream is cut off in the same step in which the list takes up the file: at no moment an entry stands in
neither, or in both.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from matchmaker.archive import Archive, ArchivedFile, Row
from matchmaker.errors import ArchiveUnavailableError
from matchmaker.results import log_order
from matchmaker.store.call import Call, Gap, Shelf, script
from matchmaker.store.keys import ARCHIVE_LOOK, LadderKeys
from matchmaker.store.ladders import Edition


def log_shelf(keys: LadderKeys) -> Shelf:
    """Where the ladder's log goes."""
    return Shelf("log", keys.ladder_id, keys.log, keys.archived_log, keys.archive)


def changes_shelf(keys: LadderKeys) -> Shelf:
    """Where goes what the fold made of it."""
    return Shelf("changes", keys.ladder_id, keys.changes, keys.archived_changes, keys.archive)


Files = tuple[ArchivedFile, ...]
"""The files on a shelf, in the order of their rows."""


class Shelves:
    """The files on each shelf as this process last saw them."""

    def __init__(self) -> None:
        self._known: dict[Shelf, Files] = {}

    def get(self, shelf: Shelf) -> Files:
        return self._known.get(shelf, ())

    def keep(self, shelf: Shelf, files: Files) -> Files:
        self._known[shelf] = files
        return files


def read_files(shelf: Shelf, known: Files) -> Call[Files]:
    """The files on the shelf; only those are sent that are not known."""

    def decode(reply: list[Any]) -> Files:
        first, *texts = reply
        return known[:first] + tuple(map(ArchivedFile.decode, texts))

    return Call((len(known), _last(known)), decode, script("files"), (shelf.files,))


def _last(files: Sequence[ArchivedFile]) -> str:
    """By which a list of files is known: its name tells what stands in a file, and lists only grow."""
    return files[-1].encode() if files else ""


def find_gaps(call: Call[Any], reply: Any) -> Mapping[Shelf, Sequence[Gap]]:
    """What the archive has to add to a reply, by shelf."""
    found: defaultdict[Shelf, list[Gap]] = defaultdict(list)
    if call.gaps and reply != [b"stale"]:
        for gap in call.gaps(reply):
            found[gap.shelf].append(gap)
    return found


def fill(
    reply: list[Any], gaps: Sequence[Gap], files: Sequence[ArchivedFile], archive: Archive | None
) -> None:
    """Puts into the reply what stands in one of these files. Raises ArchiveUnavailableError."""
    if not files:
        return
    if archive is None:
        raise ArchiveUnavailableError(files[0].path, "can't be read: this process knows no archive")
    rows = archive.find(files, {gap.log_id for gap in gaps})
    for gap in gaps:
        if gap.log_id in rows:
            reply[gap.place : gap.place + gap.width] = rows[gap.log_id][-gap.width :]


def name(shelf: Shelf, fresh_id: str) -> Call[str]:
    """The id of the ladder's archive, which is `fresh_id` if it had none."""
    return Call((fresh_id,), lambda reply: reply.decode(), script("claim"), (shelf.archive,))


def rows(shelf: Shelf, before: str, count: int) -> Call[list[Row]]:
    """Up to `count` of the oldest rows of the stream that stand before a log id."""
    return Call(
        ("XRANGE", shelf.stream, "-", f"({before}", "COUNT", count),
        lambda reply: [_row(shelf, *entry) for entry in reply],
    )


def length(shelf: Shelf) -> Call[int]:
    """How many rows the stream holds."""
    return Call(("XLEN", shelf.stream), int)


def behind(shelf: Shelf, after: str, count: int, files: Sequence[ArchivedFile]) -> Call[list[Row] | None]:
    """Up to `count` rows of the stream behind a log id; None if there are not just so many files before
    it."""

    def decode(reply: list[Any]) -> list[Row] | None:
        return (
            None if reply == [b"grown"] else [_row(shelf, log_id, _pairs(cells)) for log_id, cells in reply]
        )

    return Call(
        (after, count, len(files), _last(files)), decode, script("behind"), (shelf.stream, shelf.files)
    )


def _pairs(cells: Sequence[bytes]) -> dict[bytes, bytes]:
    return dict(zip(cells[::2], cells[1::2], strict=True))


def _row(shelf: Shelf, log_id: bytes, fields: Mapping[bytes, bytes]) -> Row:
    ((kind, text),) = fields.items()
    return (log_id, kind, text) if shelf.kind == "log" else (log_id, text)


def shelve(
    edition: Edition,
    shelf: Shelf,
    archive_id: str,
    files: int,
    file: ArchivedFile,
) -> Call[bool]:
    """Takes up a file behind the `files` that there are, and cuts its rows off the stream, in one step.

    False, and nothing has happened, if somebody else was faster, if the stream does not begin with these
    rows, or if not all of them stand before the cursor's entry.
    """
    keys = edition.keys
    written, sequence = log_order(file.last)
    return Call(
        (
            *(edition.revision, archive_id, files, file.first, file.last, f"{written}-{sequence + 1}"),
            *(file.encode(), file.rows),
        ),
        lambda reply: bool(reply == [b"done"]),
        script("shelve"),
        (*(keys.ladder, keys.archive, keys.cursor, keys.log, shelf.stream, shelf.files, keys.counters),),
    )


def stock(keys: LadderKeys) -> tuple[str, ...]:
    """All keys under which the ladder's archive is known."""
    return keys.archive, keys.archived_log, keys.archived_changes, keys.archiving


def take_turn(keys: LadderKeys, milliseconds: int) -> Call[bool]:
    """Takes the turn to archive the ladder; False if somebody has taken it within that time."""
    return Call(("SET", keys.archiving, "1", "NX", "PX", milliseconds), lambda reply: reply is not None)


def take_look(milliseconds: int) -> Call[bool]:
    """Takes the turn to look for ladders to be archived; False if somebody has taken it within that time."""
    return Call(("SET", ARCHIVE_LOOK, "1", "NX", "PX", milliseconds), lambda reply: reply is not None)


def note_success(keys: LadderKeys, now: int) -> Call[None]:
    """Notes that nothing was left to archive at that moment, in milliseconds since the epoch."""
    return Call(("HSET", keys.counters, "archived-at", now), lambda reply: None)


def note_failure(keys: LadderKeys) -> Call[None]:
    """Counts an attempt that failed."""
    return Call(("HINCRBY", keys.counters, "archive-failures", 1), lambda reply: None)

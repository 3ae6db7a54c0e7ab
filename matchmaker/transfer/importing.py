"""Results into a ladder: unknown players join, the log takes the results, and they are rated on the spot."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from matchmaker.errors import ConflictError, MatchmakerError
from matchmaker.folding import fold_all, fold_to_rest
from matchmaker.results import Result
from matchmaker.store import folds, players, reports
from matchmaker.store.call import Call
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.reports import Acceptance, Receipt
from matchmaker.transfer.columns import ReadResult
from matchmaker.transfer.rows import BadRow

T = TypeVar("T")

BATCH = 1000
"""Rows that go into the log in one step."""

_MOST_KNOWN = 100_000


@dataclass(frozen=True, slots=True)
class Step:
    """What became of some rows; those that are new to the ladder are rated."""

    rated: int
    duplicates: int
    rejected: list[BadRow]


def import_results(store: Store, ladder_id: str, rows: Iterable[ReadResult | BadRow]) -> Iterator[Step]:
    """Brings the results into the ladder, in steps; whatever is in it already is a duplicate.

    May be stopped anywhere and done again. Folds in this process, and keeps the ladder awake meanwhile so
    that no worker is called for it. Raises NotFoundError for an unknown ladder.
    """
    edition = store.edition(ladder_id)
    known: set[str] = set()
    for batch in _batches(rows):
        store.run(folds.stay_awake(edition.keys))
        yield _import_batch(store, edition, batch, known)
        fold_all(store, ladder_id)
    fold_to_rest(store, ladder_id)


def _import_batch(
    store: Store, read_under: Edition, batch: Sequence[ReadResult | BadRow], known: set[str]
) -> Step:
    ladder_id = read_under.ladder.id
    rejected = [row for row in batch if isinstance(row, BadRow)]
    reads = [row for row in batch if isinstance(row, ReadResult)]
    results = [read.result for read in reads]
    if not _players(results) <= known:
        # A row that is refused lets nobody in.
        reasons = _reasons(store, ladder_id, results, {})
        taken = [result for result, reason in zip(results, reasons, strict=True) if reason is None]
        _join_unknown(store, ladder_id, _players(taken), known)

    def accept(edition: Edition) -> Call[Acceptance]:
        if edition.ladder.rule != read_under.ladder.rule:
            raise ConflictError(
                "rule_changed", "the ladder's rule was changed meanwhile: import the file again"
            )
        return reports.accept(edition, results, _now())

    acceptance = store.on(ladder_id, accept)
    receipts = [outcome for outcome in acceptance.outcomes if isinstance(outcome, Receipt)]
    if receipts:
        keys = LadderKeys(ladder_id)
        store.confirm(keys.fence, reports.witness(keys, receipts))
    rated = duplicates = 0
    for read, outcome in zip(reads, acceptance.outcomes, strict=True):
        match outcome:
            case Receipt(duplicate=False):
                rated += 1
            case Receipt():
                duplicates += 1
            case MatchmakerError():
                rejected.append(_bad(read, outcome.detail))
    return Step(rated, duplicates, sorted(rejected, key=lambda row: row.number))


def _players(results: Iterable[Result]) -> set[str]:
    return {player for each in results for player in each.players}


def _now() -> int:
    return time.time_ns() // 1_000_000


def _join_unknown(store: Store, ladder_id: str, wanted: set[str], known: set[str]) -> None:
    """Lets those join who are not in the ladder; `known` are players that are, to save asking again."""
    new = sorted(wanted - known)
    if new:
        store.on(ladder_id, lambda edition: players.admit(edition, new))
    if len(known) > _MOST_KNOWN:
        known.clear()
    known.update(new)


def find_bad_rows(
    store: Store, ladder_id: str, rows: Iterable[ReadResult | BadRow], *, own_ids: bool
) -> Iterator[list[BadRow]]:
    """Finds, in steps, every row that an import would reject; writes nothing.

    `own_ids` says that the ids stand in the rows, so that the same one may come up twice. Then some 200 bytes
    are kept for each row.
    """
    store.edition(ladder_id)  # must be there, even for no rows
    contents: dict[bytes, bytes] = {}
    for batch in _batches(rows):
        bad = [row for row in batch if isinstance(row, BadRow)]
        reads = [row for row in batch if isinstance(row, ReadResult)]
        reasons = _reasons(store, ladder_id, [read.result for read in reads], contents if own_ids else {})
        bad += [_bad(read, reason) for read, reason in zip(reads, reasons, strict=True) if reason]
        yield sorted(bad, key=lambda row: row.number)


def _reasons(
    store: Store, ladder_id: str, results: Sequence[Result], contents: dict[bytes, bytes]
) -> list[str | None]:
    """Why the log would refuse results that come in this order; None for each that it would take.

    `contents` are the digests of what comes before them, by those of the ids; theirs are added.
    """
    judged = store.on(ladder_id, lambda edition: reports.judge(edition, results, _now()))
    reasons: list[str | None] = []
    for result, refusal in zip(results, judged, strict=True):
        own = result.content_digest
        if refusal is None and contents.setdefault(result.id_digest, own) != own:
            refusal = reports.conflict(result)
        reasons.append(refusal.detail if refusal else None)
    return reasons


def _bad(read: ReadResult, reason: str) -> BadRow:
    return BadRow(read.row.number, read.row.line, reason)


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, BATCH)):
        yield batch

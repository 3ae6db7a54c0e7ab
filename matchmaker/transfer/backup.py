"""A whole ladder out of the store and into it."""

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from typing import Literal, TypeVar

from matchmaker.errors import ConflictError
from matchmaker.folding import fold_all, fold_once
from matchmaker.results import Result, log_order
from matchmaker.store import folds, ladders, members, restores
from matchmaker.store.call import StaleLadderError
from matchmaker.store.cases import Case
from matchmaker.store.client import Store
from matchmaker.store.connect import UNAVAILABLE
from matchmaker.store.folds import Logged
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.members import Member
from matchmaker.transfer.ladder_file import MOST_HISTORY, Content, Head

T = TypeVar("T")

_BATCH = 1000


@dataclass(frozen=True, slots=True)
class Restored:
    """What a ladder that was brought in holds; `resumed` results came in before an attempt was broken off."""

    entries: int
    results: int
    players: int
    resumed: int


def restore(store: Store, head: Head, contents: Iterable[Content], fingerprint: str) -> Restored:
    """Brings a whole ladder in: its log, its players, then its cases. Everything else follows from the log.

    `fingerprint` tells the file from any other. Nobody else sees the ladder before it is complete. If the
    store is lost meanwhile, or this process, what was written is gone on with by the next for the same file,
    and cleared away by the next for another one; after any other failure nothing of it stays. (If a
    RedisError comes from the very last step, all of it may be there.)
    Raises ConflictError if there is a ladder with players under this id, and InvalidInputError.
    """
    ladder, keys, word = head.ladder, LadderKeys(head.ladder.id), secrets.token_hex(8)
    revision = store.run(restores.begin(keys, fingerprint, word))
    if revision == "unfinished":
        _clear(store, keys)
        revision = store.run(restores.begin(keys, fingerprint, word))
    assert revision != "unfinished"
    # The history's limit may have been another one earlier on. Whatever it was, each player's is cut to what
    # it held in the end.
    generous = ladder.model_copy(update={"history_limit": MOST_HISTORY})
    edition = Edition(generous, revision, keys, eras=head.eras)
    try:
        restored = _write(store, edition, head.cursor, contents)
        store.run(ladders.announce(ladder.id))
        store.run(restores.end(edition, ladder))
    except StaleLadderError:
        raise ConflictError(
            "ladder_restoring", f"Somebody else has begun to import ladder {ladder.id!r} anew."
        ) from None
    except UNAVAILABLE:
        raise
    except BaseException:
        _clear(store, keys)
        raise
    store.confirm(keys.fence, restores.complete(keys, restored.entries))
    while not store.run(folds.rest(keys)):
        fold_all(store, ladder.id)
    return restored


def _write(store: Store, edition: Edition, cursor: str, contents: Iterable[Content]) -> Restored:
    entries = results = players = resumed = 0
    _, last = store.run(folds.extent(edition.keys))
    if log_order(last) <= log_order(cursor):
        _fold(store, edition)
    for part, group in groupby(contents, partial(_part, cursor, last)):
        for batch in _batches(group):
            if part == "players":
                store.run(
                    restores.write_members(edition, [each for each in batch if isinstance(each, Member)])
                )
                players += len(batch)
                continue
            if part == "cases":
                store.run(restores.write_cases(edition, [each for each in batch if isinstance(each, Case)]))
                continue
            logged = [each for each in batch if isinstance(each, Logged)]
            entries += len(logged)
            results += sum(isinstance(each.entry, Result) for each in logged)
            if part == "written":
                resumed = results
                logged = []  # which is a sign of life
            store.run(restores.write_log(edition, logged))
            if part == "rated":
                _fold(store, edition)
    return Restored(entries, results, players, resumed)


def _fold(store: Store, edition: Edition) -> None:
    while fold_once(store, edition):
        pass


def _part(
    cursor: str, last: str, each: Content
) -> Literal["written", "rated", "waiting", "players", "cases"]:
    """Where it stands in the file; `written` are entries of the log up to the `last` one that is there."""
    if isinstance(each, Member):
        return "players"
    if isinstance(each, Case):
        return "cases"
    place = log_order(each.log_id)
    return "written" if place <= log_order(last) else "rated" if place <= log_order(cursor) else "waiting"


def _clear(store: Store, keys: LadderKeys) -> None:
    if not store.run(restores.is_incomplete(keys)):
        return  # it was completed, and only the answer to that was lost
    for players in members.all_players(store, keys):
        store.run(restores.drop_histories(keys, players))
    store.run(restores.drop(keys))


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, _BATCH)):
        yield batch

"""Folding a ladder: read a batch behind the cursor, fold it, commit; again if another job was faster.

The cursor is the only lock. A job may be killed anywhere, run twice or in two places at once: whoever commits
second finds that the cursor has moved, and its work has no effect.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from time import perf_counter, sleep
from typing import NamedTuple

from matchmaker.fold import Effect, Rated, annulled_results, fold
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Entry, Result
from matchmaker.store import folds, ladders, players, reports
from matchmaker.store.call import StaleLadderError
from matchmaker.store.client import Store
from matchmaker.store.folds import Logged
from matchmaker.store.ladders import Edition

BATCH = 1000
"""Entries folded in one commit: enough to make round trips cheap, few enough not to hold the store up."""


Told = Callable[[int], object]
"""Is called with the number of entries that were folded."""

_MOST_PLAYERS = 4
"""That an entry may have on average for a batch to be as long as it may; of large teams it is shorter."""

_STANDSTILL_SECONDS = 0.002
"""Between two attempts to commit, while another generation is about to take the place of the live one."""


def fold_batch(store: Store, ladder_id: str, batch: int = BATCH) -> int:
    """Folds up to `batch` entries of the ladder's log; 0 means that nothing is left.

    Raises NotFoundError for an unknown ladder.
    """
    while True:
        folded = store.under(ladder_id, lambda edition: fold_once(store, edition, batch))
        if folded is not None:
            return folded


def fold_once(store: Store, edition: Edition, batch: int = BATCH) -> int | None:
    """Folds up to `batch` entries under this edition; None if another job was faster.

    Raises StaleLadderError if the ladder has another edition by now.
    """
    start = perf_counter()
    cursor = store.run(folds.cursor(edition.keys))
    read = store.run(folds.after(edition.keys, cursor, batch))
    logged = _beginning(read, most_players=_MOST_PLAYERS * batch)
    if not logged:
        return 0
    try:
        stretch = rate(store, edition, cursor, logged)
    except (LookupError, TypeError, ValueError):
        # A rule that the ladder has no longer can't make sense of everything.
        _check_is_current(store, edition)
        raise
    if stretch is None:
        return None
    commit = folds.commit(
        edition,
        expected=cursor,
        folded=stretch.folded,
        states=stretch.states,
        seconds=perf_counter() - start,
    )
    while (committed := store.run(commit)) is None:
        sleep(_STANDSTILL_SECONDS)
    return len(logged) if committed else None


def _check_is_current(store: Store, edition: Edition) -> None:
    now = store.run(ladders.read(edition.keys.ladder_id))
    if now and now.revision != edition.revision:
        raise StaleLadderError


class Stretch(NamedTuple):
    """Some entries with what the fold has made of each, and the new states of those players that changed."""

    folded: list[tuple[Logged, Effect]]
    states: dict[str, PlayerState]


def rate(store: Store, edition: Edition, cursor: str, logged: Sequence[Logged]) -> Stretch | None:
    """Folds the entries behind the cursor of this generation; None if the cursor has moved meanwhile."""
    entries: Sequence[Entry] = [edition.present(each.log_id, each.entry) for each in logged]
    rated = _rated_before(store, edition, entries)
    playing = (entry.players for entry in (*(each.result for each in rated.values()), *entries))
    involved = dict.fromkeys(chain.from_iterable(playing))
    before = store.run(players.states(edition, involved)) if involved else {}
    if annulled_results(entries) and store.run(folds.cursor(edition.keys)) != cursor:
        # These states are newer than the cursor. Out of them nothing can be taken back: it is, already.
        return None
    after = dict(before)
    effects = fold(after, entries, edition.ladder.rule, rated)
    changed = {player: state for player, state in after.items() if state is not before.get(player)}
    return Stretch(list(zip(logged, effects, strict=True)), changed)


def _beginning(logged: Sequence[Logged], most_players: int) -> Sequence[Logged]:
    """Those entries, at least one, that have no more players, who count as often as they play."""
    played = accumulate(len(each.entry.players) for each in logged)
    return logged[: max(1, sum(total <= most_players for total in played))]


def _rated_before(store: Store, edition: Edition, entries: Sequence[Entry]) -> dict[str, Rated]:
    """The results that these entries annul and that do not stand among them, by their ids."""
    awaited = annulled_results(entries)
    if not awaited:
        return {}
    awaited -= {entry.id for entry in entries if isinstance(entry, Result)}
    found = {result_id: store.run(reports.find(edition.keys, result_id)) for result_id in awaited}
    return {
        result_id: Rated(report.logged.present(edition), report.changes)
        for result_id, report in found.items()
        if report.changes is not None
    }


def fold_all(store: Store, ladder_id: str) -> int:
    """Folds until nothing is left; returns the number of entries."""
    total = 0
    while folded := fold_batch(store, ladder_id):
        total += folded
    return total


def fold_to_rest(store: Store, ladder_id: str) -> None:
    """Folds until nothing is left, and puts the ladder to sleep: for whoever has kept it awake."""
    keys = store.edition(ladder_id).keys
    fold_all(store, ladder_id)
    while not store.run(folds.rest(keys)):
        fold_all(store, ladder_id)

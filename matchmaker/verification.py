"""Whether a ladder is what its log makes of it: every player is held against the fold, while play goes on."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Final

from matchmaker.chronicle import Extent, look_up, read_entries
from matchmaker.eras import dated
from matchmaker.evaluation.trial import Contender
from matchmaker.fold import annulled_results
from matchmaker.folding import Told
from matchmaker.moderation import Annul, Reinstate, Suspend
from matchmaker.rating.rule import PlayerState
from matchmaker.replay.rerun import Rerun
from matchmaker.results import Entry, Join, log_order
from matchmaker.store import folds, members, players
from matchmaker.store.call import StaleLadderError
from matchmaker.store.client import Store

_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Difference:
    """A player that is not as the log makes it: ratings are None off the board."""

    player: str
    rating: float | None
    rating_by_log: float | None
    stored: PlayerState | None
    by_log: PlayerState | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """So many players and results were looked at; `differences` are all that is wrong."""

    players: int
    results: int
    differences: tuple[Difference, ...]


def verify(store: Store, ladder_id: str, told: Told) -> Verdict:
    """Folds the log from its beginning in memory, and compares all of the board with that, bit for bit.

    Begins anew if the ladder's settings change meanwhile, or an older result is annulled. Raises
    NotFoundError for an unknown ladder.
    """
    while True:
        with suppress(StaleLadderError):
            return _Verification(store, look_up(store, ladder_id), told).run()


class _Verification:
    def __init__(self, store: Store, extent: Extent, told: Told) -> None:
        self._store, self._edition, self._told = store, extent.edition, told
        ladder, keys = extent.edition.ladder, extent.edition.keys
        rule = Contender(ladder.id, ladder.rule, ladder.initial_rating)
        self._annulled = annulled_results(each.entry for each in read_entries(store, keys, upto=extent.last))
        self._rerun = Rerun((rule,), rule, self._annulled)
        self._folded = folds.START
        self._looked_at: set[str] = set()
        self._different: dict[str, Difference] = {}
        self._astray: dict[str, Difference] = {}
        """Those who are on the board and should not be, or the other way round."""

    def run(self) -> Verdict:
        for page in members.all_players(self._store, self._edition.keys):
            self._compare(page)
        lost = iter(self._rerun.states[0].keys() - self._looked_at)
        while page := list(islice(lost, _PAGE)):
            self._compare(page)
        # Who left the board or came back did so at once, and the fold is behind: nothing is wrong with those.
        for logged in read_entries(self._store, self._edition.keys, after=self._folded):
            self._excuse(logged.entry)
        return Verdict(
            len(self._looked_at), self._rerun.results, (*self._different.values(), *self._astray.values())
        )

    def _fold_to(self, cursor: str) -> None:
        if log_order(cursor) <= log_order(self._folded):
            return
        for log_id, entry in read_entries(self._store, self._edition.keys, after=self._folded, upto=cursor):
            if isinstance(entry, Annul) and entry.result not in self._annulled:
                raise StaleLadderError  # it was not kept in mind what that result has changed
            self._rerun.take(dated(self._edition.eras, log_id, entry))
            self._excuse(entry)
            self._told(1)
        self._folded = cursor

    def _excuse(self, entry: Entry) -> None:
        if isinstance(entry, Join | Suspend | Reinstate):
            self._astray.pop(entry.player, None)

    def _compare(self, page: Sequence[str]) -> None:
        cursor, found = self._store.run(players.snapshot(self._edition, page))
        self._fold_to(cursor)
        states = self._rerun.states[0]
        for player, (stored, rating) in found.items():
            self._looked_at.add(player)
            due = states.get(player)
            if due is None and stored is not None:
                continue  # its join is still to be folded
            on_board = player not in self._rerun.off_board
            difference = Difference(player, rating, due.rating if due and on_board else None, stored, due)
            if stored != due or (stored is not None and rating not in (None, stored.rating)):
                self._different[player] = difference
            elif (rating is not None) != on_board:
                self._astray[player] = difference

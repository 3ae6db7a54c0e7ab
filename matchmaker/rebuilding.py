"""Rebuilding a ladder under other settings, while it goes on.

The log is folded anew beside the live ladder, and what comes of it takes its place in one step. That may be
killed anywhere: before this step nothing of the live ladder has changed, after it all is done. What was live
before is kept, and can come back in the same way, brought up to date with what happened since.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from time import monotonic, sleep
from typing import Final, Literal

from redis.exceptions import RedisError

from matchmaker import eras
from matchmaker.chronicle import read_batches
from matchmaker.eras import OPEN_END, Era
from matchmaker.errors import ConflictError, MatchmakerError, NotFoundError
from matchmaker.folding import BATCH, Stretch, Told, rate
from matchmaker.rating.rule import PlayerState, Rule
from matchmaker.results import Join, log_order
from matchmaker.store import folds, generations, ladders
from matchmaker.store.call import StaleLadderError
from matchmaker.store.client import Store
from matchmaker.store.folds import Logged
from matchmaker.store.generations import Kept, Swapped, Tail
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition

_CLOSE: Final = 100
"""Entries behind the live generation that are few enough to hold it up for."""

_FAR: Final = BATCH
"""Those for which it is held up only if they will not get fewer."""

_LONGEST_HOLD: Final = 10.0
"""Seconds for which it is held up again and again, because more comes in each time."""


def apply(store: Store, ladder_id: str, rule: Rule, initial_rating: float, told: Told) -> Swapped:
    """Rates all that was ever played under these settings, and lets the ladder go on with that.

    Raises InvalidInputError if the rule cannot rate one of the results, ConflictError `ladder_rebuilding`,
    `ladder_changed` if somebody changes what moves ratings meanwhile, and `ladder_busy` if more players join
    or leave the board at every moment than can be handed over; then nothing has changed.
    """
    edition = _current(store, ladder_id)
    before, shift = edition.ladder, initial_rating - edition.ladder.initial_rating
    return _Rebuild(
        store,
        edition,
        place="rebuilt",
        rule=rule,
        initial_rating=initial_rating,
        known_eras=eras.entered(edition.eras, before.rule, shift, OPEN_END, rule),
        number=None,
    ).run(told)


def undo(store: Store, ladder_id: str, told: Told) -> Swapped:
    """Lets the ladder go on with the generation that was live before; that one is kept in turn.

    Raises ConflictError as `apply`, and `nothing_kept`.
    """
    edition = _current(store, ladder_id)
    kept = store.run(generations.kept(edition.keys))
    if kept is None:
        raise ConflictError("nothing_kept", f"Nothing is kept of ladder {ladder_id!r} that could come back.")
    own = [*kept.eras, Era(upto=kept.upto, rule=kept.rule, shift=0.0)]
    since = Era(upto=OPEN_END, rule=edition.ladder.rule, shift=-kept.raised)
    return _Rebuild(
        store,
        edition,
        place="previous",
        rule=kept.rule,
        initial_rating=kept.initial_rating,
        known_eras=eras.shortened([*own, since], kept.rule),
        number=kept.number,
    ).run(told)


def _current(store: Store, ladder_id: str) -> Edition:
    edition = store.run(ladders.read(ladder_id))
    if edition is None:
        raise NotFoundError("ladder", ladder_id)
    return edition


class _Rebuild:
    """One attempt to let another generation take over; the settings are those that are to come."""

    def __init__(
        self,
        store: Store,
        edition: Edition,
        *,
        place: Literal["rebuilt", "previous"],
        rule: Rule,
        initial_rating: float,
        known_eras: eras.Eras,
        number: int | None,
    ) -> None:
        self._store, self._edition, self._number = store, edition, number
        self._settings = {"rule": rule, "initial_rating": initial_rating}
        self._coming = Edition(
            ladder=edition.ladder.model_copy(update=self._settings),
            revision=edition.revision,
            keys=LadderKeys(edition.keys.ladder_id, place),
            eras=known_eras,
        )
        self._word = secrets.token_hex(8)
        self._forget_tail()

    def _forget_tail(self) -> None:
        self._tail_end = folds.START
        self._carried = ""
        self._joined: dict[str, PlayerState] = {}
        self._placed: dict[str, None] = {}

    def run(self, told: Told) -> Swapped:
        while not self._begin():
            pass
        with self._cleared_on_failure():
            self._come_close(told)
            self._read_tail()
            since = monotonic()
            while not (swapped := self._hold_and_swap(told)):
                if monotonic() > since + _LONGEST_HOLD:
                    raise ConflictError(
                        "ladder_busy",
                        f"So much comes in on ladder {self._edition.ladder.id!r} that it can't go over now; "
                        "nothing is changed. Try again in a calmer hour, or closer to the store.",
                    )
        keys = self._edition.keys
        self._store.confirm(keys.fence, generations.witness(keys.ladder_id, swapped))
        return swapped

    def _hold_and_swap(self, told: Told) -> Swapped | None:
        self._store.run(generations.hold(self._edition.keys, self._word))
        self._catch_up(told)
        self._read_tail()
        return self._swap()

    def _begin(self) -> bool:
        try:
            self._store.run(generations.begin(self._edition, self._word))
        except StaleLadderError:
            self._take_note()
            return False
        return True

    @contextmanager
    def _cleared_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            with suppress(RedisError):
                self._store.run(generations.give_up(self._edition.keys, self._word))
            raise

    def _come_close(self, told: Told) -> None:
        """Catches up until little was left to do, or as little as there will be while so much goes on.

        At first it leaves half of the time to those who rate what comes in.
        """
        folded = self._catch_up(told, is_patient=True)
        while folded > _CLOSE:
            before, folded = folded, self._catch_up(told)
            if before <= folded <= _FAR:
                return

    def _catch_up(self, told: Told, *, is_patient: bool = False) -> int:
        """Folds up to where the live generation is; how many entries that took."""
        store, keys = self._store, self._coming.keys
        live = store.run(folds.cursor(self._edition.keys))
        cursor, total = store.run(folds.cursor(keys)), 0
        for logged in read_batches(store, self._edition.keys, after=cursor, upto=live):
            began = monotonic()
            stretch = self._rate(cursor, logged)
            committed = store.run(
                generations.commit(
                    keys, self._word, expected=cursor, folded=stretch.folded, states=stretch.states
                )
            )
            if not committed:
                return total + self._catch_up(told, is_patient=is_patient)
            cursor, total = logged[-1].log_id, total + len(logged)
            told(len(logged))
            if is_patient and store.run(folds.is_awake(self._edition.keys)):
                sleep(monotonic() - began)
        return total

    def _rate(self, cursor: str, logged: Sequence[Logged]) -> Stretch:
        try:
            stretch = rate(self._store, self._coming, cursor, logged)
        except KeyError as missing:
            # Either somebody else has cleared this generation away, of which this would tell, or:
            self._store.run(generations.hold(self._edition.keys, self._word))
            raise MatchmakerError(f"the log speaks of {missing}, which it does not know") from None
        if stretch is None:
            raise generations.lost(self._edition.keys)
        return stretch

    def _read_tail(self) -> None:
        """Notes what has taken effect already behind the cursor, and looks whether the rule can rate it."""
        after = max(self._tail_end, self._store.run(folds.cursor(self._coming.keys)), key=log_order)
        for logged in read_batches(self._store, self._edition.keys, after=after):
            for each in logged:
                entry = self._coming.present(each.log_id, each.entry)
                if isinstance(entry, Join):
                    self._joined[entry.player] = entry.state
            self._placed |= dict.fromkeys(generations.moved(logged))
            after = logged[-1].log_id
        self._tail_end = after

    def _swap(self) -> Swapped | None:
        """None if the log has gone on with something that must be looked at before, or has lost something."""
        tail = Tail(self._tail_end, self._carried, self._joined, list(self._placed))
        ladder = self._edition.ladder
        going = Kept(
            number=self._edition.generation,
            rule=ladder.rule,
            initial_rating=ladder.initial_rating,
            eras=self._edition.eras,
            upto=OPEN_END,
            raised=self._coming.ladder.initial_rating - ladder.initial_rating,
        )
        try:
            answer = self._store.run(
                generations.swap(self._edition, self._coming, self._word, tail, self._number, going)
            )
        except StaleLadderError:
            self._take_note()
            return None
        if answer == "gone":
            self._forget_tail()
        elif answer == "again":
            # However many join: with a longer and longer list, the time for more to join would grow as well.
            self._carried = self._tail_end
            self._joined, self._placed = {}, {}
        return answer if isinstance(answer, Swapped) else None

    def _take_note(self) -> None:
        """Somebody has changed the ladder's settings."""
        edition = _current(self._store, self._edition.keys.ladder_id)
        if _terms(edition) != _terms(self._edition):
            raise ConflictError(
                "ladder_changed",
                f"The settings of ladder {edition.ladder.id!r} were changed meanwhile; nothing was done.",
            )
        self._edition = edition
        self._coming = replace(self._coming, ladder=edition.ladder.model_copy(update=self._settings))


def _terms(edition: Edition) -> tuple[object, ...]:
    """What the rebuilt generation depends on."""
    return edition.ladder.rule, edition.ladder.initial_rating, edition.generation, edition.eras

"""Rebuilds that are killed, fail, or meet others."""

from collections.abc import Iterator
from itertools import count

import pytest
import redis

from matchmaker.errors import ConflictError, MatchmakerError
from matchmaker.rating import InitiatorK
from matchmaker.rebuilding import apply, undo
from matchmaker.store import folds, generations, ladders
from matchmaker.store.client import Client, Store
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.verification import verify
from tests.replay.takeover import K60, KilledError, Mortal, rebuild, seen, take_back
from tests.stage import Stage, wins

NAMES = ("ann", "bob", "cid", "new")


@pytest.fixture
def stage(store: Store) -> Stage:
    """Some results, of which one is annulled; behind the cursor a player has joined and one was suspended."""
    stage = Stage(store)
    stage.join("ann", "bob", "cid")
    stage.report(*wins(("ann", "bob"), ("ann", "cid"), ("bob", "cid")))
    stage.fold()
    stage.annul("r1")
    stage.join("new")
    stage.suspend("cid")
    return stage


class _Dying:
    """Dies at the command of that number: before it, or when it is done and before its answer comes."""

    def __init__(self, client: Client, number: int, *, done: bool) -> None:
        self._client, self._number, self._done = client, number, done
        self.commands = 0

    def execute_command(self, *words: object) -> object:
        self.commands += 1
        if self.commands < self._number:
            return self._client.execute_command(*words)
        if self.commands == self._number and self._done:
            self._client.execute_command(*words)
        raise KilledError  # and whoever is dead clears nothing away


def _now(stage: Stage) -> Edition:
    edition = stage.store.run(ladders.read(stage.id))
    assert edition
    return edition


def _expire(stage: Stage, redis_client: redis.Redis) -> None:
    """As when nobody has been heard of for a while."""
    redis_client.delete(stage.keys.rebuilding, stage.keys.standstill)


def _deaths(stage: Stage, *, done: bool) -> Iterator[_Dying]:
    for number in count(1):
        dying = _Dying(stage.store.client, number, done=done)
        yield dying
        if dying.commands < number:
            return


@pytest.mark.parametrize("done", [False, True])
def test_a_rebuild_may_be_killed_at_every_step(stage: Stage, redis_client: redis.Redis, done: bool) -> None:
    before, died = seen(stage, *NAMES), 0
    for dying in _deaths(stage, done=done):
        try:
            apply(Store(dying), stage.id, K60, 1500.0, lambda _: None)
        except KilledError:
            died += 1
            _expire(stage, redis_client)
        if stage.store.run(generations.kept(stage.keys)):
            break
        assert seen(stage, *NAMES) == before
    assert died > 10
    stage.fold()
    assert not verify(stage.store, stage.id, lambda _: None).differences
    assert stage.ratings().keys() == {"ann", "bob", "new"}
    assert stage.history("ann")[0].change.move.k == 60
    take_back(stage)
    stage.reinstate("cid")
    always = Stage(stage.store)
    always.join("ann", "bob", "cid", "new")
    always.report(*wins(("ann", "bob"), ("ann", "cid"), ("bob", "cid")))
    always.annul("r1")
    always.fold()
    assert stage.ratings() == always.ratings()


@pytest.mark.parametrize("done", [False, True])
def test_an_undo_may_be_killed_at_every_step(stage: Stage, redis_client: redis.Redis, done: bool) -> None:
    stage.fold()
    rebuild(stage)
    stage.report(*wins(("new", "ann"), prefix="new"))
    stage.fold()
    before, died = seen(stage, *NAMES), 0
    for dying in _deaths(stage, done=done):
        try:
            undo(Store(dying), stage.id, lambda _: None)
        except KilledError:
            died += 1
            _expire(stage, redis_client)
        if _now(stage).generation == 0:
            break
        assert seen(stage, *NAMES) == before
    assert died > 5
    stage.fold()
    assert not verify(stage.store, stage.id, lambda _: None).differences
    assert stage.history("new")[0].change.move.k == InitiatorK().k_by_career.provisional
    take_back(stage)
    assert seen(stage, *NAMES) == before


def test_a_killed_undo_goes_on_alike_when_the_initial_rating_has_changed(
    stage: Stage, redis_client: redis.Redis
) -> None:
    stage.fold()
    rebuild(stage, K60, 1600.0)
    stage.join("dan")
    stage.fold()
    cursor = LadderKeys(stage.id, "previous").cursor
    left_off = redis_client.get(cursor)

    def kill(_: int) -> None:
        if redis_client.get(cursor) != left_off:
            raise KilledError

    with pytest.raises(KilledError):
        undo(Store(Mortal(stage.store.client, kill)), stage.id, lambda _: None)
    _expire(stage, redis_client)
    stage.put(initial_rating=1550.0, rule=K60.model_dump(mode="json"))
    stage.join("eve")
    take_back(stage)
    assert not verify(stage.store, stage.id, lambda _: None).differences
    ratings = stage.ratings()
    assert (ratings["dan"], ratings["eve"]) == (1500.0, 1450.0)
    take_back(stage)
    assert not verify(stage.store, stage.id, lambda _: None).differences
    assert (stage.ratings()["dan"], stage.ratings()["eve"]) == (1600.0, 1550.0)


def test_what_a_killed_rebuild_has_left_goes_with_the_next(stage: Stage, redis_client: redis.Redis) -> None:
    with pytest.raises(KilledError):
        apply(Store(_Dying(stage.store.client, 12, done=True)), stage.id, K60, 1500.0, lambda _: None)
    rebuilt = LadderKeys(stage.id, "rebuilt")
    assert redis_client.exists(*rebuilt.derived)
    with pytest.raises(ConflictError, match="being rebuilt right now"):
        rebuild(stage)
    assert 0 < redis_client.pttl(stage.keys.rebuilding) <= generations.LEASE_MS
    _expire(stage, redis_client)
    rebuild(stage)
    assert not redis_client.exists(*rebuilt.derived, stage.keys.rebuilding, stage.keys.standstill)


@pytest.mark.parametrize("step", range(4, 20))
def test_a_rebuild_that_was_thought_dead_can_do_no_harm(
    stage: Stage, redis_client: redis.Redis, step: int
) -> None:
    def meanwhile(command: int) -> None:
        if command == step:
            _expire(stage, redis_client)
            rebuild(stage, InitiatorK.model_validate({"k": {"provisional": 16}}))

    slow = Mortal(stage.store.client, meanwhile)
    try:
        apply(Store(slow), stage.id, K60, 1500.0, lambda _: None)
    except ConflictError:
        stage.fold()
        assert stage.history("ann")[0].change.move.k == 16
    else:
        assert slow.commands < step, "it was done before"
    stage.fold()
    assert not verify(stage.store, stage.id, lambda _: None).differences


def test_a_log_that_speaks_of_strangers_is_refused(stage: Stage, redis_client: redis.Redis) -> None:
    first = stage.store.run(folds.after(stage.keys, folds.START, 1))[0]
    redis_client.xdel(stage.keys.log, first.log_id)
    with pytest.raises(MatchmakerError, match="the log speaks of 'ann'"):
        apply(stage.store, stage.id, K60, 1500.0, lambda _: None)
    assert not redis_client.exists(stage.keys.rebuilding, stage.keys.standstill)


def test_whatever_happens_meanwhile_is_not_lost(stage: Stage) -> None:
    """Before each command of the rebuild, something else is accepted or folded."""
    numbers = count()

    def meanwhile(_: int) -> None:
        number = next(numbers)
        if number > 60:
            return
        match number % 5:
            case 0:
                stage.join(f"late{number}")
            case 1:
                stage.report(*wins(("ann", f"late{number - 1}"), prefix=f"late{number}-"))
            case 2:
                stage.suspend(f"late{number - 2}")
            case 3:
                stage.annul(f"late{number - 2}-0")
            case 4:
                # The job finds nothing to do while the ladder stands still, and would try until it can.
                if not stage.store.client.execute_command("EXISTS", stage.keys.standstill):
                    stage.fold()

    apply(Store(Mortal(stage.store.client, meanwhile)), stage.id, K60, 1500.0, lambda _: None)
    stage.fold()
    assert next(numbers) > 20
    verdict = verify(stage.store, stage.id, lambda _: None)
    assert not verdict.differences
    assert {entry.change.move.k for entry in stage.history("ann")} == {60.0}


def test_a_ladder_on_which_somebody_joins_at_every_moment_is_not_held_up_for_ever(
    stage: Stage, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matchmaker.rebuilding._LONGEST_HOLD", 0.1)

    def join(command: int) -> None:
        assert command < 10_000, "this has no end"
        stage.join(f"new-{command}")

    with pytest.raises(ConflictError, match="nothing is changed"):
        apply(Store(Mortal(stage.store.client, join)), stage.id, K60, 1500.0, lambda _: None)
    assert not redis_client.exists(stage.keys.standstill, stage.keys.rebuilding)
    rebuild(stage)
    assert not verify(stage.store, stage.id, lambda _: None).differences


def test_settings_that_move_no_rating_may_change_meanwhile(stage: Stage) -> None:
    def rename(command: int) -> None:
        if command == 8:
            Stage.put(stage, title="Renamed")

    apply(Store(Mortal(stage.store.client, rename)), stage.id, K60, 1500.0, lambda _: None)
    assert (_now(stage).ladder.title, _now(stage).ladder.rule) == ("Renamed", K60)


def test_a_rebuild_begins_with_the_settings_of_now(stage: Stage) -> None:
    def rename(command: int) -> None:
        if command == 2:
            Stage.put(stage, title="Renamed")

    apply(Store(Mortal(stage.store.client, rename)), stage.id, K60, 1500.0, lambda _: None)
    assert (_now(stage).ladder.title, _now(stage).ladder.rule) == ("Renamed", K60)


def test_an_initial_rating_that_changes_meanwhile_ends_it(stage: Stage) -> None:
    def change(command: int) -> None:
        if command == 8:
            Stage.put(stage, initial_rating=1000)

    with pytest.raises(ConflictError, match="changed meanwhile"):
        apply(Store(Mortal(stage.store.client, change)), stage.id, K60, 1500.0, lambda _: None)
    assert _now(stage).generation == 0

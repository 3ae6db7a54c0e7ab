"""A ladder that is rebuilt while many play on it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from random import Random
from threading import Event

import redis

from matchmaker.errors import ConflictError
from matchmaker.folding import fold_batch
from matchmaker.rating import InitiatorK, OpenSkill
from matchmaker.rebuilding import apply, undo
from matchmaker.results import Result
from matchmaker.store import reports
from matchmaker.store.call import script
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.keys import LadderKeys
from matchmaker.store.reports import Receipt
from matchmaker.verification import verify
from tests.replay.takeover import K60, folded_from_scratch, pool, strengths
from tests.stage import NOW, Stage
from tests.waiting import wait_until

REPORTERS = 3


def _play(url: str, ladder: str, number: int, stop: Event) -> int:
    """Reports results, and lets players join, until it is told to stop; how many results were accepted."""
    random, accepted = Random(number), 0
    with connect(url) as client:
        stage = Stage.known(Store(client), ladder)
        for turn in count():
            if stop.is_set():
                return accepted
            if turn % 10 == 0:
                stage.join(f"p{number}-{turn}")
            players = [f"p{number}-{10 * random.randrange(turn // 10 + 1)}" for _ in range(8)]
            results = [
                Result.duel(f"{number}-{turn}-{place}", player, "ann", random.choice(["win", "loss"]), {})
                for place, player in enumerate(players)
            ]
            outcomes = stage.on(lambda edition: reports.accept(edition, results, NOW)).outcomes  # noqa: B023
            accepted += sum(isinstance(outcome, Receipt) and not outcome.duplicate for outcome in outcomes)
    return accepted


def _fold(url: str, ladder: str, stop: Event) -> None:
    with connect(url) as client:
        store = Store(client)
        while not stop.is_set():
            fold_batch(store, ladder)


def test_no_result_is_lost_or_counts_twice_while_a_ladder_is_rebuilt(clean_store: str, store: Store) -> None:
    stage, stop = Stage(store), Event()
    stage.join("ann")
    with ThreadPoolExecutor() as pool:
        reporters = [pool.submit(_play, clean_store, stage.id, number, stop) for number in range(REPORTERS)]
        folder = pool.submit(_fold, clean_store, stage.id, stop)
        try:
            for step in range(4):
                played = store.run(reports.count(stage.keys))
                wait_until(lambda: store.run(reports.count(stage.keys)) > played + 200)  # noqa: B023
                if step % 2:
                    undo(store, stage.id, lambda _: None)
                else:
                    apply(store, stage.id, K60, 1500.0, lambda _: None)
            apply(store, stage.id, K60, 1500.0, lambda _: None)
        finally:
            stop.set()
        accepted = sum(each.result() for each in reporters)
        folder.result()
    stage.fold()
    assert accepted == store.run(reports.count(stage.keys)) > 800
    assert stage.standing("ann").games == accepted
    words = store.client.execute_command("ZRANGE", stage.keys.ratings, 0, -1, "WITHSCORES")
    board = {player.decode(): float(score) for player, score in zip(words[::2], words[1::2], strict=True)}
    assert board == folded_from_scratch(stage, K60)
    assert not verify(store, stage.id, lambda _: None).differences


class _Stampede:
    """A client before whose attempts to let another generation take over somebody joins, so many times."""

    def __init__(self, stage: Stage, times: int, before: Callable[[int], None] = lambda _: None) -> None:
        self._stage, self._times, self._before = stage, times, before
        self.lengths: list[int] = []

    def execute_command(self, *words: object) -> object:
        if words[0] == "EVALSHA" and words[1] == script("rebuild_swap").sha:
            self.lengths.append(len(words))
            self._before(len(self.lengths))
            if len(self.lengths) <= self._times:
                self._stage.join(f"late-{len(self.lengths)}")
        return self._stage.store.client.execute_command(*words)


def test_however_many_join_in_the_moment_of_going_over_it_takes_no_longer_each_time(store: Store) -> None:
    stage = Stage(store)
    stage.join("ann", "bob")
    stage.report(Result.duel("r", "ann", "bob", "win", {}))
    stage.fold()
    stampede = _Stampede(stage, 10)
    apply(Store(stampede), stage.id, OpenSkill(), 1200.0, lambda _: None)
    assert len(stampede.lengths) == 11
    assert len(set(stampede.lengths[1:])) == 1
    assert len(stage.ratings()) == 12
    stage.fold()
    assert not verify(store, stage.id, lambda _: None).differences
    assert pool(stage) == strengths(stage, list(stage.ratings()))


def test_what_a_failover_loses_of_an_attempt_to_go_over_comes_with_the_next(
    store: Store, redis_client: redis.Redis
) -> None:
    stage = Stage(store)
    stage.join("ann", "bob")
    stage.fold()
    rebuilt = LadderKeys(stage.id, "rebuilt")

    def lose(attempt: int) -> None:
        if attempt == 3:
            redis_client.hdel(rebuilt.states, "late-1")
            redis_client.zrem(rebuilt.ratings, "late-1")
            redis_client.hdel(stage.keys.ladder, "tail")

    apply(Store(_Stampede(stage, 2, lose)), stage.id, K60, 1500.0, lambda _: None)
    assert stage.ratings().keys() == {"ann", "bob", "late-1", "late-2"}
    stage.fold()
    assert not verify(store, stage.id, lambda _: None).differences
    assert not redis_client.hexists(stage.keys.ladder, "tail")


def test_of_two_rebuilds_at_once_one_is_done_and_the_other_is_refused(clean_store: str, store: Store) -> None:
    stage = Stage(store)
    stage.join("ann", "bob")
    stage.report(*(Result.duel(f"r{number}", "ann", "bob", "win", {}) for number in range(1_000)))
    stage.fold()

    def rebuild(k: int) -> bool:
        with connect(clean_store) as client:
            rule = InitiatorK.model_validate({"k": {"provisional": k}})
            try:
                apply(Store(client), stage.id, rule, 1500.0, lambda _: None)
            except ConflictError:
                return False
            return True

    with ThreadPoolExecutor() as pool:
        done = list(pool.map(rebuild, [11, 12, 13, 14]))
    assert any(done)
    stage.fold()
    assert not verify(store, stage.id, lambda _: None).differences

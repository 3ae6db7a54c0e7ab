"""Rebuilds whose answers get lost, so that what was done is asked for again, and whose server loses what it
had."""

from collections.abc import Mapping
from typing import Any

import pytest
import redis

from matchmaker.rebuilding import apply, undo
from matchmaker.store import generations
from matchmaker.store.call import script
from matchmaker.store.client import Store
from matchmaker.verification import verify
from tests.repeating import Repeating
from tests.replay.takeover import K60
from tests.stage import Stage, wins


class _FailsOver:
    """Just before the script of that name runs first, the server has what `replica` says."""

    def __init__(self, client: redis.Redis, name: str, replica: Mapping[bytes, bytes | None]) -> None:
        self._client, self._sha, self._replica = client, script(name).sha, replica
        self.is_over = False
        self._left = 200

    def execute_command(self, *words: Any) -> Any:
        self._left -= 1
        assert self._left, "this has no end"
        if self._sha in words and not self.is_over:
            self.is_over = True
            for key, value in self._replica.items():
                assert value
                self._client.restore(key, 0, value, replace=True)
        return self._client.execute_command(*words)


def _season(store: Store) -> Stage:
    stage = Stage(store)
    stage.join("ann", "bob", "cid")
    stage.report(*wins(("ann", "bob"), ("ann", "cid"), ("bob", "cid")))
    stage.fold()
    return stage


def test_a_rebuild_whose_answers_are_lost_is_done_all_the_same(store: Store) -> None:
    stage = _season(store)
    swapped = apply(Store(Repeating(store.client)), stage.id, K60, 1500.0, lambda _: None)
    assert swapped.generation == 1
    assert store.run(generations.witness(stage.id, swapped))
    stage.fold()
    taken_back = undo(Store(Repeating(store.client)), stage.id, lambda _: None)
    assert taken_back.generation == 0
    assert not verify(store, stage.id, lambda _: None).differences


@pytest.mark.parametrize("name", ["rebuild_commit", "rebuild_swap"])
def test_a_rebuild_goes_on_when_the_store_loses_what_came_last(
    store: Store, redis_client: redis.Redis, name: str
) -> None:
    stage = _season(store)
    replica = {key: redis_client.dump(key) for key in redis_client.scan_iter()}
    if name == "rebuild_commit":
        stage.report(*wins(("cid", "ann"), ("cid", "bob"), prefix="lost"))
        stage.fold()
    stage.join("lost", rating=1700.0)
    failing = _FailsOver(redis_client, name, replica)
    apply(Store(failing), stage.id, K60, 1500.0, lambda _: None)
    assert failing.is_over
    stage.report(*wins(("bob", "ann"), prefix="new"))
    stage.fold()
    assert stage.history("bob")[0].change.move.k == 60
    assert not verify(store, stage.id, lambda _: None).differences

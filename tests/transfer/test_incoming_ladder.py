"""A whole ladder while it comes in, and when that fails."""

import io
from typing import Any

import pytest
import redis

from matchmaker.devices import Block, tag_of
from matchmaker.errors import ConflictError, InvalidInputError, NotFoundError
from matchmaker.store import (
    blocks,
    boards,
    devices,
    ladders,
    players,
)
from matchmaker.store.call import script
from matchmaker.store.client import Client, Store
from matchmaker.store.keys import LadderKeys
from matchmaker.store.presets import create_presets
from matchmaker.transfer.backup import restore
from matchmaker.transfer.ladder_file import read_ladder
from tests.stage import Stage
from tests.transfer.files import NAMES, bring_in, exported, seen


class Killed(BaseException):
    """What happens to a process that is killed: it tidies up nothing."""


def test_while_a_ladder_comes_in_nobody_sees_it_or_writes_to_it(season: Stage) -> None:
    create_presets(season.store)
    head, contents = read_ladder(io.BytesIO(exported(season.store, season.id)), "nft")

    def watched() -> Any:
        for number, each in enumerate(contents):
            if number in (1, 20):
                other = Store(season.store.client)
                with pytest.raises(NotFoundError):
                    other.edition("nft")
                with pytest.raises(NotFoundError):
                    season.store.on("nft", lambda edition: players.join(edition, "eve"))
                with pytest.raises(ConflictError, match="imported"):
                    other.run(ladders.put(head.ladder))
                with pytest.raises(ConflictError, match="by somebody else"):
                    bring_in(other, "nft", exported(season.store, season.id))
                assert create_presets(other) == []
            yield each

    season.store.on("nft", lambda edition: boards.page(edition, 0, 1))
    restore(season.store, head, watched(), "file")
    assert season.store.on("nft", lambda edition: boards.page(edition, 0, 9)).total == 3


def test_what_a_killed_import_left_is_cleared_away_by_the_next(
    season: Stage, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = exported(season.store, season.id)
    head, contents = read_ladder(io.BytesIO(file), "copy")

    def dies() -> Any:
        yield from list(contents)[:-1]
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("matchmaker.transfer.backup._clear", lambda *_: None)
        with pytest.raises(Killed):
            restore(season.store, head, dies(), "file")
    keys = LadderKeys("copy")
    assert redis_client.exists(keys.log, keys.history("ann")) == 2
    redis_client.delete(keys.restoring)  # what time does
    bring_in(season.store, "copy", file)
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_devices_that_were_noted_meanwhile_go_with_a_ladder_that_does_not_come_in(
    season: Stage, redis_client: redis.Redis
) -> None:
    phone, keys = tag_of("phone", b"key"), LadderKeys("copy")
    head, contents = read_ladder(io.BytesIO(exported(season.store, season.id)), "copy")

    def breaks_off() -> Any:
        yield from contents
        season.store.run(blocks.see(phone, "copy", "ann", 0))
        season.store.run(devices.note(keys, "ann", phone))
        season.store.carry_out(blocks.block_device(phone, Block("admin", "cheats", 0), "word"))
        assert redis_client.exists(keys.devices, keys.held) == 2
        raise InvalidInputError("the last line is missing")

    with pytest.raises(InvalidInputError):
        restore(season.store, head, breaks_off(), "file")
    assert redis_client.keys("mm:{copy}:*") == []
    season.store.carry_out(blocks.unblock_device(phone, "another word"))


class Unheard:
    """A client that does not hear that a ladder is complete, and asks again if it is `stubborn`."""

    def __init__(self, client: Client, *, stubborn: bool) -> None:
        self._client = client
        self._stubborn = stubborn

    def execute_command(self, *words: Any) -> Any:
        reply = self._client.execute_command(*words)
        if words[1] not in (script("restore_end").sha, script("restore_end").source):
            return reply
        if self._stubborn:
            return self._client.execute_command(*words)
        raise redis.TimeoutError


def test_a_ladder_whose_completion_is_asked_for_again_is_complete(season: Stage) -> None:
    bring_in(Store(Unheard(season.store.client, stubborn=True)), "copy", exported(season.store, season.id))
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_a_ladder_whose_completion_nobody_heard_of_keeps_its_histories(season: Stage) -> None:
    file = exported(season.store, season.id)
    with pytest.raises(redis.TimeoutError):
        bring_in(Store(Unheard(season.store.client, stubborn=False)), "copy", file)
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)

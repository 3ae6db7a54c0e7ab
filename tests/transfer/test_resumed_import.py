"""A whole ladder whose import was broken off, and is gone on with."""

import io
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

import pytest
import redis

from matchmaker.chronicle import read_entries
from matchmaker.errors import ConflictError
from matchmaker.folding import fold_all
from matchmaker.results import Result
from matchmaker.store import folds
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from matchmaker.transfer.backup import Restored, restore
from matchmaker.transfer.ladder_file import Content, read_ladder
from tests.repeating import Repeating
from tests.stage import Stage, wins
from tests.transfer.files import NAMES, bring_in, exported, seen
from tests.transfer.mortal import Mortal

COPY = LadderKeys("copy")


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matchmaker.transfer.backup._BATCH", 4)


@pytest.fixture
def file(season: Stage) -> bytes:
    """A ladder of which some results were not rated yet; now they are."""
    season.report(*wins(*[("ann", "bob")] * 6, prefix="waiting"))
    file = exported(season.store, season.id)
    season.fold()
    return file


def break_off(season: Stage, file: bytes, last: int) -> bool:
    """Imports until the last of so many commands, whose answer is lost; whether it came that far."""
    try:
        bring_in(Store(Mortal(season.store.client, last)), "copy", file)
    except redis.ConnectionError:
        season.store.client.execute_command("DEL", COPY.restoring)  # what time does
        return True
    return False


def test_an_import_that_was_broken_off_anywhere_ends_with_the_same_ladder(
    season: Stage, file: bytes, redis_client: redis.Redis
) -> None:
    resumed = []
    for last in count(1):
        if not break_off(season, file, last):
            break
        with suppress(ConflictError):  # it was complete, and only the answer to that was lost
            resumed.append(bring_in(season.store, "copy", file).resumed)
        fold_all(season.store, "copy")
        assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)
        redis_client.delete(*redis_client.scan_iter("mm:{copy}:*"))
    assert resumed == sorted(resumed)
    assert {0, 22} < set(resumed)


def test_an_import_whose_answers_are_lost_is_done_all_the_same(season: Stage, file: bytes) -> None:
    bring_in(Store(Repeating(season.store.client)), "copy", file)
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_it_goes_on_behind_the_last_entry_that_was_written(season: Stage, file: bytes) -> None:
    assert break_off(season, file, 12)
    there, _ = season.store.run(folds.extent(COPY))
    before = [each.entry for each in read_entries(season.store, COPY)]
    restored = bring_in(season.store, "copy", file)
    assert 0 < there < restored.entries
    assert restored.resumed == sum(isinstance(entry, Result) for entry in before)


def test_another_file_begins_anew(season: Stage, file: bytes) -> None:
    assert break_off(season, file, 12)
    assert bring_in(season.store, "copy", file.replace(b'"Later"', b'"Other"')).resumed == 0
    assert season.store.edition("copy").ladder.title == "Other"


def test_whoever_was_taken_for_dead_can_write_no_more(season: Stage, file: bytes) -> None:
    head, contents = read_ladder(io.BytesIO(file), "copy")
    taken_over: list[Restored] = []

    def slept() -> Iterator[Content]:
        for number, each in enumerate(contents):
            yield each
            if number == 10:
                season.store.client.execute_command("DEL", COPY.restoring)
                taken_over.append(restore(season.store, *read_ladder(io.BytesIO(file), "copy"), "file"))

    with pytest.raises(ConflictError, match="begun to import"):
        restore(season.store, head, slept(), "file")
    assert taken_over[0].resumed
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_two_at_once_are_refused_as_long_as_the_first_is_heard_of(season: Stage, file: bytes) -> None:
    assert break_off(season, file, 12)
    season.store.client.execute_command("SET", COPY.restoring, "1")
    with pytest.raises(ConflictError, match="by somebody else"):
        bring_in(season.store, "copy", file)

"""Logs of many months, as they are brought in from a file."""

from datetime import UTC, datetime

import pytest

from matchmaker.archive import month
from matchmaker.archiving import archive_all
from matchmaker.chronicle import read_entries
from matchmaker.ladder import Ladder
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Join, Result
from matchmaker.store import changes
from matchmaker.store.client import Store
from matchmaker.store.folds import Logged
from matchmaker.store.keys import LadderKeys
from matchmaker.transfer.backup import restore
from matchmaker.transfer.ladder_file import Head

LADDER = "years"
KEYS = LadderKeys(LADDER)


def moment(text: str) -> str:
    """A log id of that moment."""
    return f"{int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)}-0"


ENTRIES = [
    Logged("1-0", Join("ann", PlayerState(1500.0))),
    Logged("1-1", Join("bob", PlayerState(1500.0))),
    *(
        Logged(moment(at), Result.duel(at, "ann", "bob", "win", {}))
        for at in (
            "2025-12-31T23:59:59.999",
            "2026-01-01T00:00:00.000",
            "2026-01-31T12:00:00.000",
            "2026-02-28T23:59:59.999",
            "2026-03-01T00:00:00.000",
        )
    ),
    Logged(f"{2**63}-1", Result.duel("in times to come", "ann", "bob", "loss", {})),
]
MONTHS = ["1970-01", "2025-12", "2026-01", "2026-02", "2026-03"]


@pytest.fixture
def years(store: Store, later: int) -> Store:
    """A store with a ladder of these entries."""
    ladder = Ladder.model_validate({"id": LADDER, "rule": {"name": "initiator_k"}, "keep_days": 1})
    restore(store, Head(ladder, ENTRIES[-1].log_id), ENTRIES, "file")
    return store


def test_a_file_holds_entries_of_one_month(years: Store, later: int) -> None:
    before = years.run(changes.history(KEYS, "ann", 100))
    files = list(archive_all(years, LADDER, later))
    assert [month(file.first) for file in files if file.kind == "log"] == MONTHS
    for file in files:
        assert month(file.first) == month(file.last)
        assert f"/month={month(file.first)}/" in file.path
    assert list(read_entries(years, KEYS)) == ENTRIES
    assert years.run(changes.history(KEYS, "ann", 100)) == before


@pytest.mark.parametrize("place", range(len(ENTRIES)))
def test_reading_may_begin_and_end_anywhere(years: Store, later: int, place: int) -> None:
    list(archive_all(years, LADDER, later))
    here = ENTRIES[place].log_id
    assert list(read_entries(years, KEYS, after=here)) == ENTRIES[place + 1 :]
    assert list(read_entries(years, KEYS, upto=here)) == ENTRIES[: place + 1]

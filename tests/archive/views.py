"""What can be seen of a season, and what the store still holds of it."""

from functools import partial
from typing import Any

from matchmaker.chronicle import read_entries, read_rows
from matchmaker.reviewing import look_at
from matchmaker.store import archives, changes, folds, moderation, reports
from tests.archive.conftest import NAMES
from tests.stage import NOW, Stage

RESULTS = [*(f"r{n}" for n in range(12)), "draw", "team", "late0", "late1"]


def seen(stage: Stage) -> list[Any]:
    """All that anybody can see of what stands in the log."""
    store, keys = stage.store, stage.keys
    return [
        list(read_entries(store, keys)),
        list(read_entries(store, keys, upto=store.run(folds.cursor(keys)))),
        [row for rows in read_rows(store, archives.changes_shelf(keys)) for row in rows],
        [store.run(reports.find(keys, result)) for result in RESULTS],
        [store.run(changes.history(keys, name, 1_000)) for name in NAMES],
        [store.run(moderation.measures(keys, name, 1_000)) for name in NAMES],
        [store.follow(stage.id, partial(look_at, player=name, now=NOW)) for name in NAMES],
        store.run(folds.extent(keys)),
        stage.page(),
    ]


def held(stage: Stage) -> int:
    """Entries that the store still has."""
    return int(stage.store.client.execute_command("XLEN", stage.keys.log))

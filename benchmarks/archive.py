"""What archiving takes and frees: 1,000,000 results out of the store's memory, and reading them back.

Run alone with `python -m benchmarks.archive`.
"""

import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.ladders import create, fresh_server, player, populate, report
from benchmarks.report import line, title
from matchmaker.archive import Archive
from matchmaker.archiving import archive_once
from matchmaker.chronicle import read_batches
from matchmaker.folding import fold_all
from matchmaker.store import archives, changes, ladders
from matchmaker.store.client import Store
from matchmaker.timestamps import DAY_MS

CROWD, RESULTS, LISTS = 10_000, 1_000_000, 200
_MIB = 1024**2


def measure() -> None:
    """Prints the measurements."""
    with TemporaryDirectory() as directory, fresh_server() as (plain, client, _):
        store = Store(client, archive=Archive(directory))
        create(store, "old")
        populate(plain, client, "old", CROWD)
        report(plain, "old", 0, RESULTS, CROWD)
        store.run(ladders.put(store.edition("old").ladder.model_copy(update={"keep_days": 1})))
        fold_all(store, "old")
        keys = store.edition("old").keys

        def used() -> float:
            return float(client.info("memory")["used_memory"]) / _MIB

        def read() -> float:
            start = perf_counter()
            rows = sum(map(len, read_batches(store, keys)))
            return rows / (perf_counter() - start)

        def history() -> float:
            numbers = range(0, CROWD, CROWD // LISTS)
            times = []
            for number in numbers:
                start = perf_counter()
                store.run(changes.history(keys, player(number), 100))
                times.append(perf_counter() - start)
            return 1000 * median(times)

        title(f"Archive, {RESULTS:,} results of {CROWD:,} players")
        before, pace, wait = used(), read(), history()
        later, seconds = time.time_ns() // 1_000_000 + 2 * DAY_MS, []
        while True:
            start = perf_counter()
            file = archive_once(store, "old", later)
            if file is None:
                break
            seconds.append(perf_counter() - start)
        after = used()
        files = [
            file
            for shelf in (archives.log_shelf(keys), archives.changes_shelf(keys))
            for file in store.files(shelf)
        ]
        size = sum(Path(directory, file.path).stat().st_size for file in files) / _MIB
        line("the store's memory before / after", f"{before:,.0f} / {after:,.0f} MiB")
        line("files", f"{size:,.0f} MiB in {len(files)}")
        line("a file of 25,000 rows, median / longest", f"{median(seconds):.2f} / {max(seconds):.2f} s")
        line(
            "reading the whole log, archived against before", f"{read() / pace:.2f} x ({pace:,.0f}/s before)"
        )
        line("a history of 100, archived / before, median", f"{history():.1f} / {wait:.1f} ms")


if __name__ == "__main__":
    measure()

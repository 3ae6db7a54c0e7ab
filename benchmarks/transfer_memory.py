"""What memory exports and imports take: for ten times as many results hardly more.

Run alone with `python -m benchmarks.transfer_memory`.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.ladders import create, fresh_server, populate, report
from benchmarks.report import line, title
from matchmaker.folding import fold_all

FEW, MANY, CROWD = 50_000, 500_000, 1_000

_RUN = """
import resource, sys
from matchmaker.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _peak(url: str, *arguments: str) -> float:
    """MiB of memory that `matchmaker` takes at most with these arguments."""
    environment = os.environ | {"MATCHMAKER_STORE_URL": url}
    command = (sys.executable, "-c", _RUN, *arguments)
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return int(done.stdout.splitlines()[-1]) / 1024


def measure() -> None:
    """Prints the measurements."""
    sizes = {"few": FEW, "many": MANY}
    with TemporaryDirectory() as directory, fresh_server() as (store, client, url):
        for name, results in sizes.items():
            populate(store, client, name, CROWD)
            report(store, name, 0, results, CROWD)
            fold_all(store, name)
        title(f"Peak memory of transfers, {MANY:,} results against {FEW:,}")
        for number, file in enumerate(("ladder.ndjson.zst", "results.csv.gz", "results.parquet")):
            paths = {name: str(Path(directory) / f"{name}-{file}") for name in sizes}
            options = () if file.startswith("ladder") else ("--results",)
            _tell(f"export {file}", *(_peak(url, "export", name, paths[name], *options) for name in sizes))
            copies = {name: f"{name}-copy-{number}" for name in sizes}
            if options:
                for copy in copies.values():
                    create(store, copy)
            _tell(f"import {file}", *(_peak(url, "import", copies[name], paths[name]) for name in sizes))


def _tell(what: str, few: float, many: float) -> None:
    line(what, f"{few:.0f}, {many:.0f} MiB: {many / few:.2f} x", "at most 1.5 x")


if __name__ == "__main__":
    measure()

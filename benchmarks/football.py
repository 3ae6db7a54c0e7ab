"""The import of real results. Run alone with `python -m benchmarks.football [FILE]`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from benchmarks.ladders import create, fresh_server
from benchmarks.report import line, title

RESULTS = Path(__file__).parents[2] / "shared" / "data" / "international_results.csv"
ROUNDS = 3
_COLUMNS = ("--initiator", "home_team", "--opponent", "away_team", "--score", "home_score,away_score")


def measure(file: Path = RESULTS) -> None:
    """Prints the measurements, or why there are none."""
    title("Import of international football results")
    if not file.exists():
        line("skipped: the file is not beside the repository", "-")
        return
    rates = []
    with fresh_server() as (store, _, url):
        for number in range(ROUNDS):
            ladder_id = f"football-{number}"
            create(store, ladder_id)
            command = [
                sys.executable,
                "-m",
                "matchmaker",
                "import",
                ladder_id,
                str(file),
                *_COLUMNS,
                "--json",
            ]
            environment = os.environ | {"MATCHMAKER_STORE_URL": url}
            finished = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
            rates.append(json.loads(finished.stdout)["results_per_second"])
    line("matchmaker import", f"{median(rates):,.0f} results/s")


if __name__ == "__main__":
    measure(*map(Path, sys.argv[1:]))

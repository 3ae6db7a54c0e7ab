"""The rivals' processes, and what they have done."""

import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from matchmaker.process import spawn


@dataclass(slots=True)
class Rivals:
    """Of all together, once they have ended: folds that they made in the workers' stead, and folding jobs
    that they called."""

    folds: int = 0
    jobs: int = 0


@contextlib.contextmanager
def rivals(count: int, url: str, seed: int, directory: Path) -> Iterator[Rivals]:
    """So many rivals on the store at `url`, which print to files in `directory`."""
    done = Rivals()
    outputs = [directory / f"rival {number}" for number in range(count)]
    processes = []
    for number, output in enumerate(outputs):
        with output.open("wb") as file:
            argv = (sys.executable, "-m", "chaos.rival", url, f"{seed}/{number}")
            processes.append(spawn(argv, cwd=Path(__file__).parents[1], output=file))
    try:
        yield done
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()
    for output in outputs:
        counts = json.loads(output.read_text().splitlines()[-1])
        done.folds += counts["folds"]
        done.jobs += counts["jobs"]

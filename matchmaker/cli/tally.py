"""What became of the rows of an import."""

import time
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from matchmaker.cli import output
from matchmaker.transfer.importing import Step
from matchmaker.transfer.rows import BadRow

_MOST_REASONS = 20


class Tally:
    """Counts from now on, and tells `console` about bad rows, though not about more than a screen of them."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._began = time.monotonic()
        self.rated = 0
        self.duplicates = 0
        self.rejected = 0

    def add(self, step: Step) -> None:
        self.rated += step.rated
        self.duplicates += step.duplicates
        self.reject(step.rejected)

    def reject(self, rows: Iterable[BadRow]) -> None:
        for row in rows:
            self.rejected += 1
            if self.rejected <= _MOST_REASONS:
                self._tell(f"{row.place}: {row.reason}")
            elif self.rejected == _MOST_REASONS + 1:
                self._tell("There are more bad rows; from here on they are only counted.")

    def show(self, as_json: bool) -> None:
        """Writes it all to stdout."""
        rows = self.rated + self.duplicates + self.rejected
        speed = self.rated / (time.monotonic() - self._began)
        counts = {
            "rows": rows,
            "rated": self.rated,
            "duplicates": self.duplicates,
            "rejected": self.rejected,
        }
        if as_json:
            output.write_json(counts | {"results_per_second": speed})
        else:
            lines = (*counts.items(), ("results/s", round(speed)))
            output.show(output.pairs((label, output.number(count)) for label, count in lines))

    def _tell(self, line: str) -> None:
        self._console.print(Text(output.visible(line)), soft_wrap=True)

"""What the public board says, against the ratings that it must show."""

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


def board_faults(rows: Sequence[Row], ratings: Mapping[str, float]) -> list[str]:
    """What is wrong with these rows, which must be everybody, best first, with the right ranks."""
    shown = {row["player"]: row["rating"] for row in rows}
    faults = []
    if len(rows) != len(ratings) or shown != ratings:
        faults.append("its players or their ratings")
    if [row["rating"] for row in rows] != sorted((row["rating"] for row in rows), reverse=True):
        faults.append("its order")
    better: dict[float, int] = {}
    for place, rating in enumerate(sorted(ratings.values(), reverse=True)):
        better.setdefault(rating, place)
    if any(row["rank"] != 1 + better.get(row["rating"], -1) for row in rows):
        faults.append("its ranks")
    return faults

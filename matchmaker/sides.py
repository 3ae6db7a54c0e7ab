"""Sides of a result: one player or a team each; two of them, or more in a free-for-all. Pure."""

from collections.abc import Sequence
from typing import Any, Final

Side = tuple[str, ...]
"""Its members, in the order in which they were reported."""

Sides = tuple[Side, ...]
"""The initiator's side and the opponent's, or those of a free-for-all."""

Sizes = tuple[int, ...]
"""How many members each side has."""

Ranks = tuple[int, ...]
"""Of each side: 1 is best, equal ones are tied. In normal form as on a board: 1, 2, 2, 4."""

DUEL: Final[Sizes] = (1, 1)
LARGEST_SIDE: Final = 4
MOST_SIDES: Final = 16


def written(side: Side) -> str | list[str]:
    """As the log and the API write it: a single player is no list."""
    return side[0] if len(side) == 1 else list(side)


def side(value: Any) -> Side:
    """The side that was written so."""
    return (value,) if isinstance(value, str) else tuple(value)


def ranked(places: Sequence[int]) -> Ranks:
    """Ranks in normal form: one more than there are better sides.

    >>> ranked([3, 1, 3, 7])
    (2, 1, 2, 4)
    """
    return tuple(1 + sum(other < place for other in places) for place in places)

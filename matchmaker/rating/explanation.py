"""The arithmetic of one change, laid out step by step for whoever has to judge it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """One number of the arithmetic: a stable name, the value at full precision, and how it comes about."""

    name: str
    value: float
    text: str

    @property
    def line(self) -> str:
        """Such as `k = 20: 30 games or more, never yet at 2400`."""
        return f"{self.name} = {number(self.value)}: {self.text}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What leads to the change of one player's rating, in the order of reckoning: the change comes last."""

    terms: tuple[Term, ...]

    @property
    def delta(self) -> float:
        """The change, in points."""
        return self.terms[-1].value

    @property
    def lines(self) -> tuple[str, ...]:
        """The same as text."""
        return tuple(term.line for term in self.terms)


def number(value: float) -> str:
    """As people read it, to five decimals at most.

    >>> number(12.801300048828125), number(1500.0), number(-1e-9)
    ('12.8013', '1500', '0')
    """
    return f"{round(value, 5) + 0.0:.5f}".rstrip("0").rstrip(".")  # + 0.0: never a negative zero


def signed(value: float) -> str:
    """The same of a change.

    >>> signed(12.5), signed(-3.0)
    ('+12.5', '-3')
    """
    return number(value) if value < 0 else f"+{number(value)}"


def mean_terms(names: Sequence[str], ratings: Sequence[Sequence[float]]) -> tuple[Term, ...]:
    """The ratings of the sides, under these names, where one of them has several members; else nothing."""
    if all(len(side) == 1 for side in ratings):
        return ()
    return tuple(
        Term(
            name,
            sum(side) / len(side),
            f"the mean of {', '.join(map(number, side))}" if len(side) > 1 else "a single player's",
        )
        for name, side in zip(names, ratings, strict=True)
    )

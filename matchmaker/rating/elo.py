"""The logistic curve and the grid that all rating rules share."""

import math

GRID = 65536.0
"""Ratings are multiples of 1/GRID = 2^-16 points. Such numbers, and their sums below 2^36, are exact in
a double, so a zero-sum rule conserves the total of a ladder to the last bit."""

_LARGEST_EXPONENT = 300.0  # 10^300 still fits a double; the expectation is 0 or 1 long before


def expected_score(difference: float, scale: float = 400.0) -> float:
    """Score, from 0 to 1, that a player can expect against an opponent `difference` points above it.

    E = 1 / (1 + 10^((R_opponent - R) / scale)), after A. E. Elo, The Rating of Chessplayers (1978), 8.73.

    >>> round(expected_score(-200), 2)   # 200 points ahead
    0.76
    """
    exponent = difference / scale
    if exponent > _LARGEST_EXPONENT:
        return 0.0
    return 1.0 / (1.0 + math.pow(10.0, max(exponent, -_LARGEST_EXPONENT)))


def on_grid(points: float) -> float:
    """The multiple of 2^-16 nearest to `points`, halves to even."""
    return round(points * GRID) / GRID


def shortened(point: float) -> float:
    """A point of the grid in five decimals: enough for `on_grid` to find it again, and shorter to write.

    >>> shortened(1500 + 2**-16), on_grid(1500.00002) == 1500 + 2**-16
    (1500.00002, True)
    """
    return round(point, 5)

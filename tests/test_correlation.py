"""How well two orders agree."""

import pytest

from matchmaker.correlation import rank_correlation


@pytest.mark.parametrize(
    ("these", "those", "agreement"),
    [
        ([1, 2, 3], [10, 200, 3000], 1.0),
        ([1, 2, 3], [3, 2, 1], -1.0),
        ([1, 2, 3], [5, 5, 5], 0.0),
        ([1, 2, 3, 4], [1, 3, 2, 4], 0.8),
        ([1, 2, 3, 4], [1, 2, 2, 3], 0.948683298),
        ([], [], 0.0),
        ([1], [1], 0.0),
    ],
)
def test_ranks_are_compared(these: list[float], those: list[float], agreement: float) -> None:
    assert rank_correlation(these, those) == pytest.approx(agreement)

"""Percentiles."""

import pytest

from matchmaker.standing import Place, percentile


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place(rank=1, worse=0, of=1), 100.0),
        (Place(rank=1, worse=4, of=5), 100.0),
        (Place(rank=5, worse=0, of=5), 0.0),
        (Place(rank=3, worse=2, of=5), 50.0),
        (Place(rank=1, worse=0, of=5), 0.0),
    ],
    ids=["alone", "first", "last", "middle", "all equal"],
)
def test_a_percentile_is_the_share_of_others_who_are_rated_lower(place: Place, expected: float) -> None:
    assert percentile(place) == expected

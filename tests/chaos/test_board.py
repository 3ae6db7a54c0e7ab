"""The auditor of the public board."""

from typing import Any

import pytest

from chaos.board import board_faults

RATINGS = {"ann": 1520.0, "bob": 1480.0, "cid": 1500.0, "dan": 1500.0}
ROWS: list[dict[str, Any]] = [
    {"rank": 1, "player": "ann", "rating": 1520.0},
    {"rank": 2, "player": "dan", "rating": 1500.0},
    {"rank": 2, "player": "cid", "rating": 1500.0},
    {"rank": 4, "player": "bob", "rating": 1480.0},
]


def test_a_right_board_passes() -> None:
    assert board_faults(ROWS, RATINGS) == []


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (ROWS[:3], "its players or their ratings"),
        ([*ROWS, ROWS[3]], "its players or their ratings"),
        ([ROWS[0], {**ROWS[1], "rating": 1510.0}, *ROWS[2:]], "its players or their ratings"),
        ([ROWS[1], ROWS[0], *ROWS[2:]], "its order"),
        ([*ROWS[:2], {**ROWS[2], "rank": 3}, ROWS[3]], "its ranks"),
        ([*ROWS[:3], {**ROWS[3], "rank": 3}], "its ranks"),
    ],
)
def test_a_wrong_board_is_found(rows: list[dict[str, Any]], fault: str) -> None:
    assert fault in board_faults(rows, RATINGS)

"""The rules agree with the reference cases."""

from matchmaker.rating.rule import Move
from tests.rating import vectors
from tests.rating.vectors import Case

TOLERANCE = 2.0**-16


def _rate(case: Case) -> tuple[Move, Move]:
    return case.rule.rate(case.initiator, case.opponent, case.outcome, case.details)


def _close(value: float, expected: str) -> bool:
    return abs(value - float(expected)) <= TOLERANCE


def test_initiator_k_agrees_with_every_reference_case() -> None:
    for case in vectors.initiator_k():
        own, other = _rate(case)
        assert own.k == other.k == float(case.row["k"]), case
        assert abs(own.expected - float(case.row["expected"])) < 1e-14, case
        assert _close(case.initiator.rating + own.delta, case.row["new_initiator_rating"]), case
        assert _close(case.opponent.rating + other.delta, case.row["new_opponent_rating"]), case


def test_match_length_agrees_with_every_reference_case() -> None:
    for case in vectors.match_length():
        own, other = _rate(case)
        assert _close(case.initiator.rating + own.delta, case.row["new_rating_a"]), case
        assert _close(case.opponent.rating + other.delta, case.row["new_rating_b"]), case


def test_performance_agrees_with_every_reference_case_exactly() -> None:
    for case in vectors.performance():
        own, other = _rate(case)
        assert case.initiator.rating + own.delta == float(case.row["new_rating_a"]), case
        assert case.opponent.rating + other.delta == float(case.row["new_rating_b"]), case

"""Reference cases, computed outside this project: see the column names of the files."""

import csv
from pathlib import Path

from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.rule import Outcome, PlayerState

VECTORS = Path(__file__).parent.parent / "vectors"
TOLERANCE = 2.0**-16
OUTCOMES: dict[str, Outcome] = {"1": "win", "0.5": "draw", "0": "loss"}


def _cases(name: str, count: int) -> list[dict[str, str]]:
    """All cases of a file, which must be `count`."""
    with (VECTORS / name).open(newline="", encoding="utf-8") as file:
        cases = list(csv.DictReader(file))
    assert len(cases) == count
    return cases


def _close(value: float, expected: str) -> bool:
    return abs(value - float(expected)) <= TOLERANCE


def test_initiator_k_agrees_with_every_reference_case() -> None:
    rule = InitiatorK()
    for case in _cases("initiator_k.csv", 311):
        initiator = PlayerState(
            float(case["initiator_rating"]),
            games=int(case["initiator_games"]),
            peak=2400.0 if case["initiator_reached_2400"] == "1" else 0.0,
        )
        opponent = PlayerState(float(case["opponent_rating"]))
        own, other = rule.rate(initiator, opponent, OUTCOMES[case["score"]], {})
        assert own.k == other.k == float(case["k"]), case
        assert abs(own.expected - float(case["expected"])) < 1e-14, case
        assert _close(initiator.rating + own.delta, case["new_initiator_rating"]), case
        assert _close(opponent.rating + other.delta, case["new_opponent_rating"]), case


def test_match_length_agrees_with_every_reference_case() -> None:
    rule = MatchLength()
    for case in _cases("match_length.csv", 306):
        one = PlayerState(float(case["rating_a"]), experience=int(case["experience_a"]))
        two = PlayerState(float(case["rating_b"]), experience=int(case["experience_b"]))
        own, other = rule.rate(one, two, OUTCOMES[case["a_won"]], {"length": int(case["length"])})
        assert _close(one.rating + own.delta, case["new_rating_a"]), case
        assert _close(two.rating + other.delta, case["new_rating_b"]), case


def test_performance_agrees_with_every_reference_case_exactly() -> None:
    rule = Performance()
    counts = ("bad_moves", "won_by_16", "won_by_24", "won_by_4_and_last")
    for case in _cases("card_performance.csv", 2_000):
        details = rule.check_details(
            {
                side: {count: int(case[f"{count}_{letter}"]) for count in counts}
                for side, letter in (("initiator", "a"), ("opponent", "b"))
            }
        )
        one, two = PlayerState(float(case["rating_a"])), PlayerState(float(case["rating_b"]))
        own, other = rule.rate(one, two, OUTCOMES[case["a_won"]], details)
        assert one.rating + own.delta == float(case["new_rating_a"]), case
        assert two.rating + other.delta == float(case["new_rating_b"]), case

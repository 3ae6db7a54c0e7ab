"""Reference cases, computed outside this project: see the column names of the files."""

import csv
from dataclasses import dataclass
from pathlib import Path

from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.rule import Details, Outcome, PlayerState, Rule

FILES = Path(__file__).parent.parent / "vectors"
OUTCOMES: dict[str, Outcome] = {"1": "win", "0.5": "draw", "0": "loss"}
COUNTS = ("bad_moves", "won_by_16", "won_by_24", "won_by_4_and_last")


@dataclass(frozen=True)
class Case:
    """A result under a rule with its default coefficients; `row` also has what must come out."""

    rule: Rule
    initiator: PlayerState
    opponent: PlayerState
    outcome: Outcome
    details: Details
    row: dict[str, str]


def _rows(name: str, count: int) -> list[dict[str, str]]:
    """All rows of a file, which must be `count`."""
    with (FILES / name).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == count
    return rows


def initiator_k() -> list[Case]:
    return [
        Case(
            InitiatorK(),
            PlayerState(
                float(row["initiator_rating"]),
                games=int(row["initiator_games"]),
                peak=2400.0 if row["initiator_reached_2400"] == "1" else 0.0,
            ),
            PlayerState(float(row["opponent_rating"])),
            OUTCOMES[row["score"]],
            {},
            row,
        )
        for row in _rows("initiator_k.csv", 311)
    ]


def match_length() -> list[Case]:
    return [
        Case(
            MatchLength(),
            PlayerState(float(row["rating_a"]), experience=int(row["experience_a"])),
            PlayerState(float(row["rating_b"]), experience=int(row["experience_b"])),
            OUTCOMES[row["a_won"]],
            {"length": int(row["length"])},
            row,
        )
        for row in _rows("match_length.csv", 306)
    ]


def performance() -> list[Case]:
    rule = Performance()
    return [
        Case(
            rule,
            PlayerState(float(row["rating_a"])),
            PlayerState(float(row["rating_b"])),
            OUTCOMES[row["a_won"]],
            rule.check_details(
                {
                    side: {count: int(row[f"{count}_{letter}"]) for count in COUNTS}
                    for side, letter in (("initiator", "a"), ("opponent", "b"))
                }
            ),
            row,
        )
        for row in _rows("card_performance.csv", 2_000)
    ]

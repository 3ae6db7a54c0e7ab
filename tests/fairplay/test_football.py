"""National football teams play their neighbours again and again, and are no cheats."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from matchmaker.fairplay import FairPlay, review
from matchmaker.rating import InitiatorK
from matchmaker.rating.rule import Outcome, PlayerState
from matchmaker.results import Result
from tests.fairplay.chronicle import Chronicle

FOOTBALL = Path(__file__).parents[3] / "shared" / "data" / "international_results.csv"
REVIEWED_EVERY = 10


@pytest.mark.skipif(not FOOTBALL.exists(), reason="the football results are not beside the repository")
def test_among_337_national_teams_hardly_any_is_ever_flagged() -> None:
    chronicle, settings = Chronicle(InitiatorK()), FairPlay()
    flagged: dict[tuple[str, str], str] = {}
    with FOOTBALL.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file)):
            home, away = row["home_team"], row["away_team"]
            for team in (home, away):
                chronicle.states.setdefault(team, PlayerState(1500.0))
            chronicle.rate(Result.duel(f"match {number}", home, away, _outcome(row), {}))
            for team in (home, away):
                if chronicle.states[team].games % REVIEWED_EVERY == 0:
                    for raised in review(chronicle.record(team), settings):
                        flagged.setdefault((team, raised.flag), f"{row['date']}: {raised.sentence}")
    for (team, flag), sentence in flagged.items():
        print(team, flag, sentence)
    today = Counter(
        raised.flag for team in chronicle.states for raised in review(chronicle.record(team), settings)
    )
    assert len(chronicle.states) == 337
    assert today.total() == 0
    assert len(flagged) <= 3  # in 150 years


def _outcome(row: dict[str, str]) -> Outcome:
    home, away = int(row["home_score"]), int(row["away_score"])
    return "win" if home > away else "draw" if home == away else "loss"

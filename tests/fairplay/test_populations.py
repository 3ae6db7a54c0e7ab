"""Simulated seasons: the planted cheats are found, the honest are left in peace."""

import pytest

from matchmaker.fairplay import INDICATORS, Flag
from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.rule import Rule
from tests.fairplay.populations import Verdicts, play_season
from tests.fairplay.season import Season

SEEDS = (1, 2)
FLAGS: list[Flag] = [
    "linked_accounts",
    "short_matches",
    "novice_farming",
    "spike_hunting",
    "win_trading",
    "runner",
    "declined_battles",
]


def _counts(flag: Flag, seasons: list[tuple[Season, Verdicts]]) -> tuple[int, int, int]:
    """Planted, flagged and rightly flagged players."""
    planted = flagged = right = 0
    for season, verdicts in seasons:
        cheats = {member.name for member in season.members.values() if member.style.flag == flag}
        found = verdicts.flagged(flag)
        planted, flagged, right = planted + len(cheats), flagged + len(found), right + len(cheats & found)
    return planted, flagged, right


def test_each_indicator_finds_its_cheats_and_hardly_anybody_else() -> None:
    seasons = [play_season(MatchLength(), seed, cheating=True, settled=True) for seed in SEEDS]
    print(f"\n{'indicator':18} planted flagged precision recall")
    for flag in FLAGS:
        planted, flagged, right = _counts(flag, seasons)
        precision, recall = right / flagged, right / planted
        print(f"{flag:18} {planted:7} {flagged:7} {precision:9.2f} {recall:6.2f}")
        assert precision >= 0.9, flag
        assert recall >= 0.9, flag


@pytest.mark.parametrize(
    ("rule", "settled"),
    [(MatchLength(), True), (MatchLength(), False), (InitiatorK(), False), (Performance(), True)],
    ids=["match_length", "match_length on a new ladder", "initiator_k on a new ladder", "performance"],
)
def test_among_honest_players_hardly_anybody_is_flagged(rule: Rule, settled: bool) -> None:
    season, verdicts = play_season(rule, 3, cheating=False, settled=settled)
    print({player: raised for player, raised in verdicts.raised.items() if raised})
    assert season.chronicle.results > 16_000
    assert len(verdicts.raised) <= len(season.members) / 100


def test_there_is_a_kind_of_cheat_for_every_indicator() -> None:
    assert [indicator.__name__ for indicator in INDICATORS] == FLAGS

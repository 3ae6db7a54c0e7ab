"""What each indicator says about records made by hand."""

from dataclasses import replace

import pytest

from matchmaker.fairplay import INDICATORS, FairPlay, Form, Indication, Record, review
from matchmaker.fairplay.battles import declined_battles
from matchmaker.fairplay.endings import runner, short_matches
from matchmaker.fairplay.opponents import linked_accounts, novice_farming, spike_hunting
from matchmaker.fairplay.review import Indicator
from matchmaker.fairplay.settings import ShortMatches
from matchmaker.fairplay.trading import win_trading
from tests.fairplay.encounters import FAIR, battles, record, times

DEFAULTS = FairPlay()


def _said(indicator: Indicator, about: Record, settings: FairPlay = DEFAULTS) -> Indication:
    said = indicator(about, settings)
    assert said is not None
    return said


@pytest.mark.parametrize("indicator", INDICATORS, ids=lambda indicator: indicator.__name__)
def test_of_an_empty_record_there_is_nothing_to_say(indicator: Indicator) -> None:
    assert indicator(Record(), DEFAULTS) is None


def test_a_fair_record_raises_nothing() -> None:
    fair = [*times(2), *times(2, outcome="loss"), *times(1, opponent="cid", initiated=False)] * 10
    assert review(record(*fair, battles=battles([1, -1] * 10, [1, -1] * 10)), DEFAULTS) == ()


def test_a_single_result_against_a_linked_account_is_told() -> None:
    said = _said(linked_accounts, record(*times(3), *times(1, shared="device"), *times(1, shared="owner")))
    assert said.raised
    assert said.evidence == ("r3", "r4")
    assert said.sentence == (
        "2 of the last 5 results were against accounts of the same owner (1) or on the same device (1) "
        "(limit 0)"
    )


def test_mostly_one_point_matches_are_told_with_their_share() -> None:
    said = _said(short_matches, record(*times(30, length=1), *times(12)))
    assert said.raised
    assert said.evidence == tuple(f"r{number}" for number in range(30))
    assert said.sentence == "71 % of the last 42 matches were to one point (limit for so many: 68 %)"


def test_the_same_share_of_fewer_matches_is_left_to_chance() -> None:
    assert not _said(short_matches, record(*times(15, length=1), *times(6))).raised


def test_what_is_a_short_match_is_a_setting() -> None:
    three = FairPlay(short_matches=ShortMatches(length=3))
    short = record(*times(40, length=3))
    assert not _said(short_matches, short).raised
    assert "to 3 points or fewer" in _said(short_matches, short, three).sentence


def test_where_matches_have_no_length_none_is_short() -> None:
    assert short_matches(record(*times(50, length=0)), DEFAULTS) is None


def test_wins_against_novices_are_told() -> None:
    said = _said(novice_farming, record(*times(10), *times(30, opponent_games=29)))
    assert said.raised
    assert said.evidence == tuple(f"r{number}" for number in range(10, 40))
    assert said.sentence == (
        "75 % of the last 40 wins as the challenger were against players with fewer than 30 games "
        "(limit for so many: 63 %)"
    )


def test_who_is_challenged_by_as_many_novices_does_not_farm_them() -> None:
    came = times(40, opponent_games=5, initiated=False)
    assert not _said(novice_farming, record(*times(10), *times(30, opponent_games=29), *came)).raised


def test_novices_among_themselves_farm_nobody() -> None:
    assert novice_farming(record(*times(50, opponent_games=5, games=29)), DEFAULTS) is None


def test_opponents_of_unknown_experience_do_not_count() -> None:
    assert novice_farming(record(*times(50, opponent_games=None)), DEFAULTS) is None


def test_opponents_far_above_their_form_are_told() -> None:
    spike = times(25, opponent_form=Form(1460.0, 20.0))
    said = _said(spike_hunting, record(*times(10, opponent_form=Form(1490.0, 20.0)), *spike))
    assert said.raised
    assert said.evidence == tuple(f"r{number}" for number in range(10, 35))
    assert said.sentence == (
        "71 % of the last 35 opponents that it challenged stood far above their own recent average "
        "(limit for so many: 70 %)"
    )


def test_whom_a_player_did_not_choose_it_did_not_hunt() -> None:
    spike = times(50, opponent_form=Form(1460.0, 20.0), initiated=False)
    assert spike_hunting(record(*spike), DEFAULTS) is None


def test_a_partner_who_always_loses_is_told() -> None:
    said = _said(win_trading, record(*times(20), *times(15, opponent="cid", outcome="loss", expected=0.1)))
    assert said.raised
    assert said.evidence == tuple(f"r{number}" for number in range(20))
    assert said.sentence == (
        "57 % of the last 35 results were against opponents with whom outcomes do not come by chance: "
        "bob (one-sided, +80 points) (limit for so many: 22 %)"
    )


def test_a_partner_with_whom_wins_alternate_is_told() -> None:
    turns = [replace(FAIR, outcome=outcome) for outcome in ("win", "loss")] * 10
    assert "bob (alternating, +80 points)" in _said(win_trading, record(*turns)).sentence


def test_losing_always_to_somebody_much_stronger_is_no_trade() -> None:
    said = _said(win_trading, record(*times(50, outcome="loss", expected=0.05)))
    assert not said.raised
    assert said.evidence == ()


def test_a_single_upset_is_no_trade() -> None:
    wins = times(19, expected=0.99)
    assert _said(win_trading, record(*wins, *times(1, expected=0.99, outcome="loss"))).value == 0


def test_a_partner_who_is_a_small_part_of_the_record_is_not_told() -> None:
    others = [each for name in range(9) for each in times(9, opponent=str(name), expected=1.0)]
    said = _said(win_trading, record(*times(13), *others))
    assert 0 < said.value < said.threshold


def test_leaving_lost_games_is_told() -> None:
    said = _said(
        runner, record(*times(10), *times(8, outcome="loss", abandoned=True), *times(8, outcome="loss"))
    )
    assert said.raised
    assert said.evidence == tuple(f"r{number}" for number in range(10, 18))
    assert said.sentence == (
        "50 % of the last 16 lost games were left before their end (limit for so many: 36 %)"
    )


def test_whose_opponents_leave_is_no_runner() -> None:
    left = times(20, abandoned=True)
    assert _said(runner, record(*left, *times(20, outcome="loss"))).value == 0


def test_letting_battles_expire_until_a_weaker_opponent_comes_is_told() -> None:
    said = _said(declined_battles, record(battles=battles([40.0] * 12, [-40.0] * 10)))
    assert said.raised
    assert said.evidence == tuple(f"e{number}" for number in range(12))
    assert said.sentence == (
        "12 of the last 22 battles expired; their opponents were stronger than those of the battles it "
        "played in 100 % of all pairs (limit for so many: 89 %)"
    )


def test_letting_battles_expire_whoever_the_opponent_is_is_careless_only() -> None:
    said = _said(declined_battles, record(battles=battles([40.0, -40.0] * 20, [40.0, -40.0] * 10)))
    assert said.value == 0.5
    assert not said.raised


def test_a_review_tells_what_is_raised_and_nothing_else() -> None:
    raised = review(record(*times(30, length=1, shared="owner"), *times(5, outcome="loss")), DEFAULTS)
    assert [each.flag for each in raised] == ["linked_accounts", "short_matches", "win_trading"]

"""The laws of rating teams."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.elo import GRID, expected_score
from matchmaker.rating.initiator_k import KByCareer
from matchmaker.rating.rule import RANKS, Details, Move, Outcome, PlayerState, Rule
from tests.entries import OUTCOMES, RATINGS

STATES = st.builds(
    lambda rating, games, peak: PlayerState(rating, games=games, peak=peak),
    RATINGS,
    st.integers(0, 60),
    st.floats(-3_000, 3_000),
)
TEAMS = st.lists(STATES, min_size=1, max_size=4)
ELO = st.builds(
    lambda ks, advantage, scale: InitiatorK(k=KByCareer(**ks), initiator_advantage=advantage, scale=scale),
    st.fixed_dictionaries(dict.fromkeys(("provisional", "established", "master"), st.floats(0.1, 5_000))),
    st.floats(-200, 200),
    st.floats(100, 1_000),
)
COUNTS = ("bad_moves", "won_by_16", "won_by_24", "won_by_4_and_last")
PLAYS = st.fixed_dictionaries({}, optional=dict.fromkeys(COUNTS, st.integers(0, 9)))


@st.composite
def card_games(draw: st.DrawFn) -> tuple[list[PlayerState], list[PlayerState], list[Any], list[Any]]:
    """Two teams of whole ratings, and how their members played."""
    whole = STATES.map(lambda state: PlayerState(float(round(state.rating)), games=state.games))
    own, other = (draw(st.lists(whole, min_size=1, max_size=4)) for _ in range(2))
    return own, other, *([draw(PLAYS) for _ in side] for side in (own, other))  # type: ignore[return-value]


def details_of(rule: Rule, own: list[Any], other: list[Any]) -> Details:
    """Normal form of how the members of two teams played."""
    return rule.check_details({"initiator": own, "opponent": other}, (len(own), len(other)))


def deltas(moves: tuple[tuple[Move, ...], ...]) -> list[list[float]]:
    """Of the members of each side."""
    return [[move.delta for move in side] for side in moves]


@given(ELO, TEAMS, TEAMS, OUTCOMES)
def test_initiator_k_conserves_the_total_of_any_teams_to_the_last_bit(
    rule: InitiatorK, own: list[PlayerState], other: list[PlayerState], outcome: Outcome
) -> None:
    gained, paid = deltas(rule.rate_sides((own, other), RANKS[outcome], {}))
    assert sum(map(Fraction, gained + paid)) == 0
    assert len(set(paid)) == 1
    assert all((delta * GRID).is_integer() for delta in gained + paid)


@given(ELO, TEAMS, TEAMS, OUTCOMES)
def test_each_initiator_moves_by_its_own_k_to_within_half_of_what_the_opponents_can_share(
    rule: InitiatorK, own: list[PlayerState], other: list[PlayerState], outcome: Outcome
) -> None:
    initiators, opponents = rule.rate_sides((own, other), RANKS[outcome], {})
    score = {"win": 1.0, "draw": 0.5, "loss": 0.0}[outcome]
    for state, move in zip(own, initiators, strict=True):
        assert move.k == rule.k(state)
        assert abs(move.delta - move.k * (score - move.expected)) <= 0.5001 * len(other) / GRID
    for move in opponents:
        assert move.k == pytest.approx(sum(map(rule.k, own)) / len(other))
        assert move.expected == 1.0 - initiators[0].expected


@given(ELO, TEAMS, TEAMS, OUTCOMES, st.randoms(use_true_random=False))
def test_the_order_of_the_members_does_not_matter(
    rule: InitiatorK, own: list[PlayerState], other: list[PlayerState], outcome: Outcome, random: Any
) -> None:
    orders = [random.sample(range(len(side)), len(side)) for side in (own, other)]
    moves = rule.rate_sides((own, other), RANKS[outcome], {})
    shuffled = tuple(
        [side[place] for place in order] for side, order in zip((own, other), orders, strict=True)
    )
    assert rule.rate_sides(shuffled, RANKS[outcome], {}) == tuple(
        tuple(side[place] for place in order) for side, order in zip(moves, orders, strict=True)
    )


@given(card_games(), OUTCOMES, st.randoms(use_true_random=False))
def test_the_order_of_the_members_does_not_matter_in_a_card_game(
    game: tuple[list[PlayerState], list[PlayerState], list[Any], list[Any]], outcome: Outcome, random: Any
) -> None:
    own, other, plays, other_plays = game
    rule = Performance()
    order = random.sample(range(len(own)), len(own))
    moves = rule.rate_sides((own, other), RANKS[outcome], details_of(rule, plays, other_plays))
    shuffled = [own[place] for place in order]
    details = details_of(rule, [plays[place] for place in order], other_plays)
    assert rule.rate_sides((shuffled, other), RANKS[outcome], details) == (
        tuple(moves[0][place] for place in order),
        moves[1],
    )


@given(card_games(), OUTCOMES)
def test_a_card_game_seen_from_the_other_side_moves_everybody_alike(
    game: tuple[list[PlayerState], list[PlayerState], list[Any], list[Any]], outcome: Outcome
) -> None:
    own, other, plays, other_plays = game
    rule, ranks = Performance(), RANKS[outcome]
    moves = rule.rate_sides((own, other), ranks, details_of(rule, plays, other_plays))
    mirrored = rule.rate_sides((other, own), ranks[::-1], details_of(rule, other_plays, plays))
    assert mirrored == moves[::-1]


@given(ELO, STATES, STATES, OUTCOMES)
def test_a_duel_is_a_match_of_teams_of_one_to_the_last_bit(
    rule: InitiatorK, own: PlayerState, other: PlayerState, outcome: Outcome
) -> None:
    one, two = rule.rate(own, other, outcome, {})
    assert rule.rate_sides(((own,), (other,)), RANKS[outcome], {}) == ((one,), (two,))


@given(STATES, STATES, PLAYS, PLAYS, OUTCOMES)
def test_a_card_game_of_two_is_a_match_of_teams_of_one_to_the_last_bit(
    own: PlayerState, other: PlayerState, play: Any, other_play: Any, outcome: Outcome
) -> None:
    rule = Performance()
    details = details_of(rule, [play], [other_play])
    assert details == rule.check_details({"initiator": play, "opponent": other_play})
    one, two = rule.rate(own, other, outcome, details)
    assert rule.rate_sides(((own,), (other,)), RANKS[outcome], details) == ((one,), (two,))


@given(STATES, STATES, st.sampled_from(["win", "loss"]), st.integers(1, 64))
def test_a_match_in_backgammon_is_rated_the_same_through_both_ways(
    own: PlayerState, other: PlayerState, outcome: Outcome, length: int
) -> None:
    rule, details = MatchLength(), {"length": length}
    one, two = rule.rate(own, other, outcome, details)
    assert rule.rate_sides(((own,), (other,)), RANKS[outcome], details) == ((one,), (two,))


@given(st.lists(STATES, min_size=2, max_size=4), st.lists(STATES, min_size=1, max_size=4))
def test_a_rule_without_teams_rates_none(own: list[PlayerState], other: list[PlayerState]) -> None:
    with pytest.raises(ValueError, match="unpack"):
        MatchLength().rate_sides((own, other), (1, 2), {"length": 1})


def test_the_advantage_of_the_initiator_counts_once() -> None:
    team = [PlayerState(1500.0)] * 3
    moves = InitiatorK(initiator_advantage=60.0).rate_sides((team, team), (1, 2), {})
    assert moves[0][0].expected == expected_score(-60.0)


def test_two_newcomers_beat_a_master_and_it_pays_for_both() -> None:
    """1500 and 1700 have a mean of 1600: against 1600, E = 1/2. K 40 and K 20 gain 20 and 10."""
    team = [PlayerState(1500.0), PlayerState(1700.0, games=30)]
    moves = InitiatorK().rate_sides((team, [PlayerState(1600.0, games=99, peak=2500.0)]), (1, 2), {})
    assert moves == ((Move(20.0, 40.0, 0.5), Move(10.0, 20.0, 0.5)), (Move(-30.0, 60.0, 0.5),))


def test_one_master_beats_three_and_each_pays_a_third() -> None:
    """K 10 at E = 1/2 is 5 points, of which a third is 1 43690.67/65536: each pays 1 43691/65536."""
    master = PlayerState(2400.0, games=99)
    moves = InitiatorK().rate_sides(([master], [PlayerState(2400.0)] * 3), (1, 2), {})
    third = 109_227 / 65_536
    assert deltas(moves) == [[3 * third], [-third] * 3]


def test_a_card_game_of_two_against_two_worked_by_hand() -> None:
    """ann (1100) and bob (1500) have a mean of 1300, eve (1250) and joe (1150) one of 1200.

    E of the first side = 1 / (1 + 10^(-100/400)) = 0.640065; of the second 0.359935. The first side wins.
    ann: K 40, no more than the win: score 1: 1100 + 40 * 0.359935 = 1114.397, so 1114.
    bob: K 32, two bad moves: score 1 - 0.04 = 0.96: 1500 + 32 * 0.319935 = 1510.238, so 1510.
    eve: K 32, a deal won by 24: score 0.1 * 0.1 = 0.01: 1250 - 32 * 0.349935 = 1238.802, so 1239.
    joe: K 40, score 0: 1150 - 40 * 0.359935 = 1135.603, so 1136.
    """
    rule = Performance()
    first, second = (
        [PlayerState(1100.0), PlayerState(1500.0)],
        [PlayerState(1250.0), PlayerState(1150.0)],
    )
    details = details_of(rule, [{}, {"bad_moves": 2}], [{"won_by_24": 1}, {}])
    moves = rule.rate_sides((first, second), RANKS["win"], details)
    assert deltas(moves) == [[14.0, 10.0], [-11.0, -14.0]]
    assert [[move.k for move in side] for side in moves] == [[40.0, 32.0], [32.0, 40.0]]
    assert moves[0][0].expected == pytest.approx(0.640065, abs=1e-6)


def test_what_a_side_can_expect_is_that_of_its_mean() -> None:
    own, other = [PlayerState(1500.0), PlayerState(1700.0)], [PlayerState(1500.0)]
    for rule in (InitiatorK(), Performance()):
        assert rule.foresee(own, other) == expected_score(-100.0)

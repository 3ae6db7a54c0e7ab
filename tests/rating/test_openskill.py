"""The rule `openskill`: the library's arithmetic on this service's scale, whatever it is given."""

import math
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from matchmaker.rating import OpenSkill
from matchmaker.rating.elo import GRID, on_grid
from matchmaker.rating.rule import REVERSED, Move, Outcome, PlayerState, scores
from matchmaker.sides import Ranks, ranked

STEP = 1 / GRID
RANKS: dict[Outcome, list[int]] = {"win": [0, 1], "draw": [0, 0], "loss": [1, 0]}
OUTCOMES: st.SearchStrategy[Outcome] = st.sampled_from(["win", "draw", "loss"])


def _states(mu: st.SearchStrategy[float], sigma: st.SearchStrategy[float]) -> st.SearchStrategy[PlayerState]:
    return st.builds(
        lambda mu, sigma: PlayerState(mu - 3 * sigma, sigma=sigma), mu.map(on_grid), sigma.map(on_grid)
    )


USUAL = _states(st.floats(0, 3_000), st.floats(20, 500))
ANY = _states(st.floats(-1e6, 1e6), st.floats(STEP, 500))
RULES = st.builds(
    OpenSkill,
    sigma=st.floats(0.001, 1e6),
    beta=st.floats(0.001, 1e6),
    tau=st.just(0.0) | st.floats(0.001, 1e6),
    limit_sigma=st.booleans(),
)


def _after(state: PlayerState, move: Move) -> tuple[float, float]:
    """Mu and sigma."""
    return state.strength + move.strength, state.sigma + move.sigma


@given(USUAL, USUAL, OUTCOMES, st.booleans())
def test_a_duel_moves_mu_and_sigma_as_the_library_does(
    own: PlayerState, other: PlayerState, outcome: Outcome, limit_sigma: bool
) -> None:
    rule = OpenSkill(limit_sigma=limit_sigma)
    model = PlackettLuce(beta=250, tau=5, limit_sigma=limit_sigma)
    teams = [[model.rating(state.strength, state.sigma)] for state in (own, other)]
    rated = model.rate(teams, ranks=[*map(float, RANKS[outcome])])
    for state, move, (now,) in zip((own, other), rule.rate(own, other, outcome, {}), rated, strict=True):
        mu, sigma = _after(state, move)
        assert mu == pytest.approx(now.mu, abs=STEP)
        assert sigma == pytest.approx(min(now.sigma, 500.0), abs=STEP)


@given(st.floats(-30, 80), st.floats(1, 8), st.floats(-30, 80), st.floats(1, 8), OUTCOMES)
def test_the_defaults_are_the_librarys_times_sixty(
    mu: float, sigma: float, other_mu: float, other_sigma: float, outcome: Outcome
) -> None:
    rule, model = OpenSkill(), PlackettLuce()
    own, other = (
        PlayerState(60 * mu - 180 * sigma, sigma=60 * sigma)
        for mu, sigma in ((mu, sigma), (other_mu, other_sigma))
    )
    rated = model.rate(
        [[model.rating(mu, sigma)], [model.rating(other_mu, other_sigma)]], [*map(float, RANKS[outcome])]
    )
    for state, move, (now,) in zip((own, other), rule.rate(own, other, outcome, {}), rated, strict=True):
        assert _after(state, move) == pytest.approx((60 * now.mu, 60 * now.sigma), abs=2 * STEP)


@given(RULES, ANY, ANY, OUTCOMES)
def test_who_is_named_first_does_not_matter_to_the_last_bit(
    rule: OpenSkill, own: PlayerState, other: PlayerState, outcome: Outcome
) -> None:
    moves = rule.rate(own, other, outcome, {})
    assert rule.rate(other, own, REVERSED[outcome], {}) == moves[::-1]


@given(RULES, ANY, ANY, OUTCOMES)
def test_whatever_meets_the_result_stands_on_the_grid_and_sigma_stays_above_0(
    rule: OpenSkill, own: PlayerState, other: PlayerState, outcome: Outcome
) -> None:
    for state, move in zip((own, other), rule.rate(own, other, outcome, {}), strict=True):
        mu, sigma = _after(state, move)
        assert all(map(math.isfinite, move))
        assert 0 < sigma <= max(on_grid(rule.sigma), STEP)
        assert (mu, sigma, state.rating + move.delta) == (
            on_grid(mu),
            on_grid(sigma),
            mu - 3 * sigma,
        )
        assert 0 <= move.expected <= 1
        assert move.sigma_before == state.sigma


@given(USUAL, USUAL)
def test_the_expected_scores_of_two_make_one_and_the_stronger_expects_more(
    own: PlayerState, other: PlayerState
) -> None:
    one, two = rule_moves = OpenSkill().rate(own, other, "win", {})
    assert one.expected + two.expected == pytest.approx(1.0)
    better = max(zip((own, other), rule_moves, strict=True), key=lambda pair: pair[0].strength)[1]
    assert better.expected >= 0.5


@given(USUAL, USUAL, OUTCOMES)
def test_mu_moves_by_what_the_score_was_better_than_expected(
    own: PlayerState, other: PlayerState, outcome: Outcome
) -> None:
    rule = OpenSkill()
    moves = rule.rate(own, other, outcome, {})
    explained = rule.explain(
        [[own.rating], [other.rating]], [moves[:1], moves[1:]], ranked(RANKS[outcome]), {}
    )
    for (explanation,), move in zip(explained, moves, strict=True):
        laid = {term.name: term.value for term in explanation.terms}
        assert laid["mu_change"] == pytest.approx(
            laid["factor"] * (laid["score"] - laid["expected_score"]), abs=STEP
        )
        assert laid["mu_change"] - 3 * laid["sigma_change"] == laid["change"] == move.delta


def test_both_sides_read_mu_and_sigma_before_and_after() -> None:
    rule = OpenSkill()
    own, other = rule.newcomer(1500.0), rule.newcomer(1600.0)
    moves = rule.rate(own, other, "win", {})
    explained = rule.explain([[own.rating], [other.rating]], [moves[:1], moves[1:]], ranked(RANKS["win"]), {})
    assert explained[0][0].lines == (
        "mu_before = 1500: the rating, 0, and 3 sigma above it",
        "sigma_before = 500: how uncertain mu was",
        "c = 790.60104: how far apart they may perform at the same mu: from beta, tau and every sigma",
        "expected_score = 0.46842: 1 / (1 + e^((the other side's mu - mu) / c))",
        "score = 1: of a win 1, of a draw 0.5, of a loss 0",
        "factor = 316.24674: (sigma^2 + tau^2) / c: the less certain, the larger",
        "mu_change = 168.11026: factor x (score - expected_score); to the nearest 1/65536",
        "sigma_change = -15.98074: every result tells something, but a skill may have moved",
        "change = 216.05249: mu_change - 3 x sigma_change: mu is 1668.11026 now, sigma 484.01926",
    )


def test_a_newcomer_is_at_the_initial_rating_by_mu_and_three_sigma_below_it_on_the_board() -> None:
    newcomer = OpenSkill().newcomer(1500.0)
    assert (newcomer.rating, newcomer.strength, newcomer.sigma, newcomer.peak) == (0.0, 1500.0, 500.0, 0.0)


def test_nobody_is_less_certain_than_a_newcomer() -> None:
    rule = OpenSkill(tau=400.0)
    giant, dwarf = rule.newcomer(9_000.0), rule.newcomer(100.0)
    assert [move.sigma for move in rule.rate(giant, dwarf, "win", {})] == [0.0, 0.0]


def test_a_player_is_provisional_until_its_sigma_has_settled() -> None:
    rule = OpenSkill()
    own, games = rule.newcomer(1500.0), 0
    while rule.provisional(own):
        outcome: Outcome = "win" if games % 2 else "loss"
        move, _ = rule.rate(own, PlayerState(900.0, sigma=200.0), outcome, {})
        own, games = PlayerState(own.rating + move.delta, sigma=own.sigma + move.sigma), games + 1
    assert own.sigma <= 250.0
    assert 15 <= games <= 25


@pytest.mark.parametrize("tau", [0.0, 5.0])
def test_a_draw_of_two_who_are_alike_moves_nobody_s_mu(tau: float) -> None:
    rule = OpenSkill(tau=tau)
    moves = rule.rate(rule.newcomer(1500.0), rule.newcomer(1500.0), "draw", {})
    assert [move.strength for move in moves] == [0.0, 0.0]


def test_there_is_no_k() -> None:
    rule = OpenSkill()
    newcomer = rule.newcomer(1500.0)
    assert rule.k(newcomer) is None  # type: ignore[func-returns-value]
    assert {move.k for move in rule.rate(newcomer, newcomer, "win", {})} == {0.0}


@pytest.mark.parametrize(
    ("coefficients", "field"),
    [({"sigma": 0}, "sigma"), ({"beta": -1}, "beta"), ({"tau": -0.5}, "tau"), ({"k": 20}, "k")],
)
def test_a_coefficient_that_makes_no_sense_is_refused(coefficients: dict[str, Any], field: str) -> None:
    with pytest.raises(ValueError, match=field):
        OpenSkill.model_validate({"name": "openskill", **coefficients})


@given(RULES, RULES, ANY, st.floats(-1_000, 1_000).map(on_grid))
def test_who_comes_from_other_coefficients_keeps_its_strength(
    origin: OpenSkill, rule: OpenSkill, state: PlayerState, shift: float
) -> None:
    adopted = rule.adopted(state, origin, shift)
    assert adopted.strength == state.strength + shift
    assert adopted.sigma == rule.within(adopted.sigma) > 0


@given(RULES, RULES, st.floats(-1e6, 1e6))
def test_a_newcomer_under_other_coefficients_is_a_newcomer(
    origin: OpenSkill, rule: OpenSkill, initial_rating: float
) -> None:
    assert rule.adopted(origin.newcomer(initial_rating), origin, 0.0) == rule.newcomer(initial_rating)


@st.composite
def meetings(draw: st.DrawFn) -> tuple[list[list[PlayerState]], Ranks]:
    """Sides, some of them perhaps alike, and their ranks."""
    sides = draw(st.lists(st.lists(USUAL, min_size=1, max_size=4), min_size=2, max_size=8))
    sides += draw(st.lists(st.sampled_from(sides), max_size=2))
    return sides, ranked(draw(st.lists(st.integers(1, 4), min_size=len(sides), max_size=len(sides))))


@given(meetings())
def test_sides_of_any_number_and_size_move_as_the_library_moves_them(
    meeting: tuple[list[list[PlayerState]], Ranks],
) -> None:
    sides, ranks = meeting
    model = PlackettLuce(beta=250, tau=5)
    teams = [[model.rating(state.strength, state.sigma) for state in side] for side in sides]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    moves = OpenSkill().rate_sides(sides, ranks, {})
    for side, its_moves, its_rated in zip(sides, moves, rated, strict=True):
        for state, move, now in zip(side, its_moves, its_rated, strict=True):
            mu, sigma = _after(state, move)
            assert mu == pytest.approx(now.mu, abs=2 * STEP)
            assert sigma == pytest.approx(min(now.sigma, 500.0), abs=2 * STEP)


@given(meetings(), st.randoms())
def test_no_order_of_sides_or_members_changes_a_bit(
    meeting: tuple[list[list[PlayerState]], Ranks], random: Random
) -> None:
    sides, ranks = meeting
    moves = OpenSkill().rate_sides(sides, ranks, {})
    places = [(at, [*range(len(side))]) for at, side in enumerate(sides)]
    random.shuffle(places)
    for _, members in places:
        random.shuffle(members)
    shuffled = OpenSkill().rate_sides(
        [[sides[at][member] for member in members] for at, members in places],
        tuple(ranks[at] for at, _ in places),
        {},
    )
    assert shuffled == tuple(tuple(moves[at][member] for member in members) for at, members in places)


@given(st.lists(st.lists(ANY, min_size=1, max_size=4), min_size=3, max_size=16), RULES, st.data())
def test_any_sides_under_any_coefficients_are_rated(
    sides: list[list[PlayerState]], rule: OpenSkill, data: st.DataObject
) -> None:
    ranks = ranked(data.draw(st.lists(st.integers(1, 16), min_size=len(sides), max_size=len(sides))))
    for side, its_moves in zip(sides, rule.rate_sides(sides, ranks, {}), strict=True):
        for state, move in zip(side, its_moves, strict=True):
            mu, sigma = _after(state, move)
            assert all(map(math.isfinite, move))
            assert sigma > 0
            assert (mu, sigma) == (on_grid(mu), on_grid(sigma))
            assert 0 <= move.expected <= 1


@given(USUAL, USUAL, OUTCOMES)
def test_a_duel_is_a_meeting_of_two_sides_of_one(
    own: PlayerState, other: PlayerState, outcome: Outcome
) -> None:
    rule = OpenSkill()
    moves = rule.rate(own, other, outcome, {})
    assert rule.rate_sides([[own], [other]], ranked(RANKS[outcome]), {}) == (moves[:1], moves[1:])
    assert rule.foresee([own], [other]) == moves[0].expected


@given(meetings())
def test_the_expected_scores_of_all_sides_are_half_of_all_their_pairs(
    meeting: tuple[list[list[PlayerState]], Ranks],
) -> None:
    sides, ranks = meeting
    moves = OpenSkill().rate_sides(sides, ranks, {})
    assert sum(side[0].expected for side in moves) == pytest.approx(len(sides) / 2)
    assert sum(scores(ranks)) == pytest.approx(len(sides) / 2)


@given(meetings())
def test_what_is_laid_out_for_each_member_ends_with_its_change(
    meeting: tuple[list[list[PlayerState]], Ranks],
) -> None:
    sides, ranks = meeting
    rule = OpenSkill()
    moves = rule.rate_sides(sides, ranks, {})
    explained = rule.explain([[state.rating for state in side] for side in sides], moves, ranks, {})
    for side, its_moves, explanations in zip(sides, moves, explained, strict=True):
        for state, move, explanation in zip(side, its_moves, explanations, strict=True):
            laid = {term.name: term.value for term in explanation.terms}
            assert explanation.delta == move.delta
            assert (laid["mu_before"], laid["sigma_before"]) == (state.strength, state.sigma)
            assert ("side_mu" in laid) == (len(side) > 1)
            if len(sides) == 2:
                points = laid["factor"] * (laid["score"] - laid["expected_score"])
                assert laid["mu_change"] == pytest.approx(points, abs=2 * STEP)

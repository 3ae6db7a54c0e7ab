"""The search for coefficients."""

from dataclasses import replace

import pytest

from matchmaker.errors import InvalidInputError
from matchmaker.evaluation import coefficients
from matchmaker.evaluation.fitting import Search, training_part
from matchmaker.evaluation.trial import Contender, evaluate
from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.rule import Rule
from matchmaker.results import Result
from tests.evaluation.simulation import ELO, STILL, repeated, true_strengths

pytest.importorskip("scipy", reason="the optional package scipy is not installed")

KNOWN = Contender("known", STILL, 1500.0)
"""Ratings are true from the start, so that only the advantage or the scale is to be found."""


@pytest.mark.parametrize(
    ("name", "truth", "found_within"), [("initiator_advantage", 80.0, 20.0), ("scale", 300.0, 25.0)]
)
def test_what_results_were_made_with_is_found(name: str, truth: float, found_within: float) -> None:
    made = {"advantage": truth} if name == "initiator_advantage" else {"scale": truth}
    entries = true_strengths(40, 6_000, **made)
    fit, fitted = Search(0.7, names=(name,)).run(entries, KNOWN, ELO)
    (coefficient,) = fit.coefficients
    assert (coefficient.name, coefficient.matters) == (f"rule.{name}", True)
    assert abs(coefficient.after - truth) < found_within
    assert fit.loss_after < fit.loss_before
    held_out = evaluate(entries, [KNOWN, fitted], ELO, burn_in=fit.training).reports
    assert held_out[1].scores.log_loss < held_out[0].scores.log_loss
    assert held_out[1].scores.results == 1_800


def test_results_that_are_held_out_do_not_take_part() -> None:
    entries = true_strengths(10, 500)
    reversed_ = [
        replace(each, sides=each.sides[::-1]) if isinstance(each, Result) else each for each in entries[-100:]
    ]
    search = Search(0.8, names=("initiator_advantage",))
    one, other = (search.run([*entries[:-100], *end], KNOWN, ELO)[0] for end in (entries[-100:], reversed_))
    assert one == other
    assert one.training == 400


def test_a_coefficient_that_makes_no_difference_is_left_alone() -> None:
    fit, fitted = Search(0.7, names=("k.master", "initiator_advantage")).run(
        true_strengths(10, 300), ELO, ELO
    )
    master, advantage = fit.coefficients
    assert (master.before, master.after, master.matters) == (10.0, 10.0, False)
    assert advantage.matters
    assert coefficients.fractional(fitted.rule)["k.master"] == 10.0


def test_where_nothing_makes_a_difference_the_rule_stays() -> None:
    fit, fitted = Search(0.7, names=("master_rating",)).run(true_strengths(10, 100), ELO, ELO)
    assert fitted.rule == ELO.rule
    assert fit.loss_before == fit.loss_after


def test_a_burn_in_and_annulled_results_do_not_count() -> None:
    """All that counts are the last two wins, and whoever sees them coming has hardly any loss."""
    entries = [
        *repeated(4, "ann", "bob", "loss"),
        *repeated(5, "eve", "joe", "loss")[4:],
        *repeated(8, "eve", "joe", "win")[5:],
    ]
    search = Search(0.95, burn_in=4, names=("initiator_advantage",), annulled={"result 4"})
    fit, _ = search.run(entries, ELO, ELO)
    assert fit.training == 7
    assert fit.coefficients[0].after > 500
    assert fit.loss_after < 0.05


def test_a_training_part_without_a_result_that_counts_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="no result"):
        Search(0.5, burn_in=5).run(repeated(8, "ann", "bob", "win"), ELO, ELO)


def test_values_that_a_rule_refuses_are_as_bad_as_can_be() -> None:
    """A ramp that starts below its end would have winners lose points."""
    entries = [
        Result.duel(str(number), "ann", "bob", "win" if number % 3 else "loss", {"length": 5})
        for number in range(60)
    ]
    matches = Contender("matches", MatchLength(), 1500.0)
    _, fitted = Search(0.7, names=("ramp.start", "stake")).run(entries, matches, matches)
    assert isinstance(fitted.rule, MatchLength)
    assert fitted.rule.ramp.start >= 400


def test_each_trial_is_told() -> None:
    trials: list[int] = []
    fit, _ = Search(0.7, names=("initiator_advantage",)).run(
        true_strengths(10, 100), KNOWN, ELO, told=lambda: trials.append(1)
    )
    assert len(trials) == fit.trials > 5


def test_the_training_part_ends_in_front_of_the_first_result_that_is_held_out() -> None:
    entries = true_strengths(10, 20)
    assert len(training_part(entries, 0.7)) == 10 + 14
    assert list(training_part([], 0.7)) == []


RULES: list[Rule] = [InitiatorK(), Performance(), MatchLength()]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_what_is_fitted_usually_are_coefficients_of_the_rule(rule: Rule) -> None:
    values = Search(0.7).values(rule)
    assert values
    assert coefficients.changed(rule, values) == rule


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_number_of_a_rule_can_be_changed_by_its_name(rule: Rule) -> None:
    for name, value in coefficients.fractional(rule).items():
        step = -0.25 if 0.25 <= value <= 1 else 0.25
        changed = coefficients.changed(rule, {name: value + step})
        assert coefficients.fractional(changed) == coefficients.fractional(rule) | {name: value + step}


@pytest.mark.parametrize("name", ["speed", "provisional_games", "k", "name"])
def test_what_is_no_number_cannot_be_fitted(name: str) -> None:
    with pytest.raises(InvalidInputError, match=f"^{name} is no coefficient of initiator_k"):
        Search(0.7, names=(name,)).values(InitiatorK())

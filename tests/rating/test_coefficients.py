"""Every coefficient of every rule is a setting, and does what it says."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from matchmaker.rating import AnyRule, InitiatorK, MatchLength, Performance
from matchmaker.rating.elo import on_grid
from matchmaker.rating.rule import Outcome, PlayerState, Rule

POSITIVE = st.floats(0.001, 1_000.0)
NEWCOMER, VETERAN = PlayerState(1500.0), PlayerState(1500.0, games=100, experience=1_000)
MASTER, WEAKER = PlayerState(2500.0, games=100), PlayerState(1400.0, games=100, experience=1_000)

# For each coefficient: another value, and a result in which it matters, with the initiator's new delta.
INITIATOR_K: dict[str, tuple[Any, PlayerState, PlayerState, Outcome, float]] = {
    "k.provisional": (32.0, NEWCOMER, NEWCOMER, "win", 16.0),
    "k.established": (12.0, VETERAN, VETERAN, "win", 6.0),
    "k.master": (4.0, MASTER, MASTER, "loss", -2.0),
    "provisional_games": (101, VETERAN, VETERAN, "win", 20.0),
    "master_rating": (1500.0, VETERAN, VETERAN, "win", 5.0),
    "scale": (100.0, VETERAN, WEAKER, "loss", on_grid(-20 * 10 / 11)),
    "initiator_advantage": (400.0, VETERAN, VETERAN, "loss", on_grid(-20 * 10 / 11)),
}
MATCH_LENGTH: dict[str, tuple[Any, PlayerState, PlayerState, Outcome, float]] = {
    "stake": (6.0, VETERAN, VETERAN, "win", 6.0),
    "scale": (200.0, VETERAN, WEAKER, "loss", on_grid(-8 * 10 / 11)),
    "ramp.until": (1, PlayerState(1500.0, experience=1), NEWCOMER, "win", 4.0),
    "ramp.start": (800.0, NEWCOMER, NEWCOMER, "win", 32.0),
    "ramp.step": (50.0, NEWCOMER, NEWCOMER, "win", 40.0),
}
PERFORMANCE: dict[str, tuple[Any, PlayerState, PlayerState, Outcome, float]] = {
    "bands": ([{"below": 1501, "k": 100}], NEWCOMER, NEWCOMER, "loss", -50.0),
    "top_k": (200.0, NEWCOMER, NEWCOMER, "loss", -100.0),
    "won_by_16.each": (0.15, NEWCOMER, NEWCOMER, "draw", 134.0),
    "won_by_16.most": (0.01, NEWCOMER, NEWCOMER, "draw", 57.0),
    "won_by_24.each": (0.2, NEWCOMER, NEWCOMER, "draw", 134.0),
    "won_by_24.most": (0.02, NEWCOMER, NEWCOMER, "draw", 35.0),
    "won_by_4_and_last.each": (0.09, NEWCOMER, NEWCOMER, "draw", 112.0),
    "won_by_4_and_last.most": (0.01, NEWCOMER, NEWCOMER, "draw", 68.0),
    "bad_moves.each": (0.1, NEWCOMER, NEWCOMER, "draw", -1.0),
    "bad_moves.most": (0.0, NEWCOMER, NEWCOMER, "draw", 99.0),
    "winner_multiplier": (0.0, NEWCOMER, NEWCOMER, "win", 480.0),
    "draw_multiplier": (1.0, NEWCOMER, NEWCOMER, "draw", 160.0),
    "loser_multiplier": (1.0, NEWCOMER, NEWCOMER, "loss", -340.0),
    "scale": (100.0, VETERAN, WEAKER, "loss", -909.0),
}
CASES = [("initiator_k", *case) for case in INITIATOR_K.items()]
CASES += [("match_length", *case) for case in MATCH_LENGTH.items()]
CASES += [("performance", *case) for case in PERFORMANCE.items()]

# One deal won in each way, and one careless move.
PLAY = {"won_by_16": 1, "won_by_24": 1, "won_by_4_and_last": 1, "bad_moves": 1}
DETAILS: dict[str, dict[str, Any]] = {
    "initiator_k": {},
    "match_length": {"length": 4},
    "performance": {"initiator": PLAY},
}


# What the changed coefficient is changed in; a large K makes the whole numbers of `performance` fine enough.
BASES: dict[str, dict[str, Any]] = {
    "initiator_k": {"name": "initiator_k"},
    "match_length": {"name": "match_length"},
    "performance": {"name": "performance", "bands": [], "top_k": 1_000.0},
}


def _rule(settings: dict[str, Any]) -> Rule:
    rule: Rule = TypeAdapter[Any](AnyRule).validate_python(settings)
    return rule


def _changed(base: dict[str, Any], path: str, value: Any) -> Rule:
    group, _, coefficient = path.rpartition(".")
    if group:
        value = {**_rule(base).model_dump()[group], coefficient: value}
    return _rule({**base, group or coefficient: value})


def _paths(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        inner = field.annotation
        path = prefix + (field.alias or name)
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _paths(inner, f"{path}.")
        elif path != "name":
            yield path


@pytest.mark.parametrize(("name", "path", "case"), CASES)
def test_a_changed_coefficient_changes_the_result_accordingly(
    name: str, path: str, case: tuple[Any, PlayerState, PlayerState, Outcome, float]
) -> None:
    value, initiator, opponent, outcome, delta = case
    own, _ = _changed(BASES[name], path, value).rate(initiator, opponent, outcome, DETAILS[name])
    before, _ = _rule(BASES[name]).rate(initiator, opponent, outcome, DETAILS[name])
    assert own.delta == delta
    assert own.delta != before.delta


@pytest.mark.parametrize(
    ("rule", "cases"), [(InitiatorK, INITIATOR_K), (MatchLength, MATCH_LENGTH), (Performance, PERFORMANCE)]
)
def test_every_coefficient_has_a_case_above(rule: type[Rule], cases: dict[str, Any]) -> None:
    assert sorted(_paths(rule)) == sorted(cases)


@given(POSITIVE, POSITIVE, st.sampled_from(["win", "draw", "loss"]))
def test_doubling_every_k_doubles_what_a_battle_moves(k: float, scale: float, outcome: Outcome) -> None:
    single, double = (
        InitiatorK.model_validate(
            {"k": {"provisional": k * factor, "established": 1.0, "master": 1.0}, "scale": scale}
        )
        for factor in (1, 2)
    )
    once, _ = single.rate(NEWCOMER, WEAKER, outcome, {})
    twice, _ = double.rate(NEWCOMER, WEAKER, outcome, {})
    assert abs(twice.delta - 2 * once.delta) <= 2.0**-16


@given(st.floats(-1_000, 1_000), st.floats(1, 1_000), st.floats(0.01, 100))
def test_the_scale_measures_distances(difference: float, scale: float, stretch: float) -> None:
    near = InitiatorK(scale=scale).rate(NEWCOMER, PlayerState(1500 + difference), "win", {})
    far = InitiatorK(scale=scale * stretch).rate(
        NEWCOMER, PlayerState(1500 + difference * stretch), "win", {}
    )
    assert abs(near[0].expected - far[0].expected) < 1e-9


def test_a_rule_without_any_bands_has_one_k_for_all() -> None:
    rule = Performance(bands=(), top_k=20.0)
    assert [rule.k(PlayerState(rating)) for rating in (-100.0, 1500.0, 3000.0)] == [20.0] * 3
    assert not rule.provisional(NEWCOMER)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"name": "elo"}, ""),
        ({}, ""),
        ({"name": "initiator_k", "k": {"provisional": 0}}, "initiator_k.k.provisional"),
        ({"name": "initiator_k", "k": {"provisional": "40"}}, "initiator_k.k.provisional"),
        ({"name": "initiator_k", "k": {"provisional": True}}, "initiator_k.k.provisional"),
        ({"name": "initiator_k", "k": 40}, "initiator_k.k"),
        ({"name": "initiator_k", "k_by_career": {}}, "initiator_k.k_by_career"),
        ({"name": "initiator_k", "scale": float("nan")}, "initiator_k.scale"),
        ({"name": "initiator_k", "scale": float("inf")}, "initiator_k.scale"),
        ({"name": "initiator_k", "scale": 5e-324}, "initiator_k.scale"),
        ({"name": "initiator_k", "provisional_games": 1.5}, "initiator_k.provisional_games"),
        ({"name": "initiator_k", "stake": 4}, "initiator_k.stake"),
        ({"name": "match_length", "stake": -4}, "match_length.stake"),
        ({"name": "match_length", "ramp": {"until": 501}}, "match_length.ramp.start"),
        ({"name": "match_length", "ramp": {"step": 0}}, "match_length.ramp.step"),
        ({"name": "performance", "draw_multiplier": 1.5}, "performance.draw_multiplier"),
        ({"name": "performance", "won_by_16": {"each": 0.05}}, "performance.won_by_16.most"),
        ({"name": "performance", "bands": [{"below": 2, "k": 1}, {"below": 1, "k": 1}]}, "performance.bands"),
        ({"name": "performance", "bands": [{"below": 1, "k": 1}] * 2}, "performance.bands"),
        ({"name": "performance", "bands": [{"below": True, "k": 1}]}, "performance.bands.0.below"),
        ({"name": "performance", "bands": [{"below": 1, "k": "1"}]}, "performance.bands.0.k"),
    ],
)
def test_an_impossible_coefficient_is_refused_by_name(settings: Any, field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        _rule(settings)
    (problem,) = refused.value.errors()
    assert ".".join(map(str, problem["loc"])) == field


def test_the_steepest_settings_that_are_allowed_do_not_overflow() -> None:
    rule = MatchLength.model_validate(
        {
            "stake": 1_000_000,
            "scale": 0.000_001,
            "ramp": {"until": 1, "start": 1_000_000, "step": 0.000_001},
        }
    )
    own, other = rule.rate(PlayerState(-1_000_000.0), PlayerState(1_000_000.0), "win", {"length": 64})
    assert (own.delta, other.delta) == (8e18, -8e18)

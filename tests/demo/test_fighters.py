"""Simulated fighters, and how their battles end."""

from collections import Counter
from random import Random
from statistics import mean

import pytest

from matchmaker.demo.combat import fight
from matchmaker.demo.fighters import draw_fighters
from matchmaker.rating import InitiatorK, MatchLength, OpenSkill, Performance
from matchmaker.rating.elo import expected_score
from matchmaker.rating.rule import SCORES, Rule

RULES: dict[str, Rule] = {
    rule.name: rule for rule in (InitiatorK(), Performance(), MatchLength(), OpenSkill())
}


def test_a_seed_always_draws_the_same_fighters() -> None:
    assert draw_fighters(50, seed=1) == draw_fighters(50, seed=1)
    assert draw_fighters(50, seed=1) != draw_fighters(50, seed=2)


def test_no_two_of_many_fighters_share_an_id_or_a_name() -> None:
    fighters = draw_fighters(3000, seed=1)
    assert len({fighter.id for fighter in fighters}) == len({fighter.name for fighter in fighters}) == 3000


def test_owners_hold_one_fighter_or_a_few() -> None:
    holdings = Counter(fighter.owner for fighter in draw_fighters(300, seed=1))
    assert set(holdings.values()) == {1, 2, 3}


@pytest.mark.parametrize("rule", RULES)
def test_every_ending_fits_its_rule(rule: str) -> None:
    random = Random(1)
    for _ in range(200):
        ending = fight(rule, random.uniform(-800, 800), random)
        RULES[rule].check_details(ending.details)
        assert RULES[rule].draws or ending.outcome != "draw"


@pytest.mark.parametrize("rule", ["initiator_k", "performance", "openskill"])
@pytest.mark.parametrize("advantage", [-300.0, 0.0, 150.0])
def test_the_mean_score_is_the_expected_one(rule: str, advantage: float) -> None:
    random = Random(1)
    scores = [SCORES[fight(rule, advantage, random).outcome] for _ in range(10_000)]
    assert mean(scores) == pytest.approx(expected_score(-advantage), abs=0.02)


def test_equals_sometimes_draw() -> None:
    random = Random(1)
    draws = [fight("initiator_k", 0.0, random).outcome == "draw" for _ in range(10_000)]
    assert mean(draws) == pytest.approx(0.1, abs=0.02)

"""Team matches and free-for-alls on trial."""

from dataclasses import replace

import pytest

from matchmaker.errors import InvalidInputError
from matchmaker.evaluation.scores import Prediction
from matchmaker.evaluation.trial import Contender, Trial, evaluate
from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.elo import expected_score
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Join, Result
from tests.podium import Podium

ELO, CARDS = Contender("Elo", InitiatorK(), 1500.0), Contender("cards", Performance(), 1500.0)
MATCHES, PODIUM = Contender("matches", MatchLength(), 1500.0), Contender("podium", Podium(), 1500.0)
TEAMS = (("ann", "bob"), ("eve",))
THREE = (("ann", "bob"), ("eve",), ("joe",))
JOINS = [Join(name, PlayerState(rating)) for name, rating in {"ann": 1500.0, "bob": 1700.0}.items()]


def test_a_team_match_is_one_prediction_by_the_means() -> None:
    trial = Trial(ELO, ELO)
    for join in JOINS:
        trial.take(join)
    predictions = trial.predict(Result("1", TEAMS, "draw", {}))
    assert predictions == (Prediction(expected_score(-100.0), 0.5, 100.0),)


def test_a_free_for_all_is_a_prediction_of_each_pair_of_sides() -> None:
    trial = Trial(PODIUM, PODIUM)
    for join in JOINS:
        trial.take(join)
    first, second, last = trial.predict(Result("1", THREE, (2, 1, 2), {}))
    assert first == Prediction(expected_score(-100.0), 0.0, 100.0)
    assert second == Prediction(expected_score(-100.0), 0.5, 100.0)
    assert last == Prediction(0.5, 1.0, 0.0)
    (again, *_) = trial.predict(Result("2", THREE, (2, 1, 3), {}))
    assert again.gap == 100.0 + 0.0 - 16.0, "what the first one changed"


def test_all_pairs_of_a_free_for_all_are_scored_and_it_counts_as_one_result() -> None:
    results = [Result(str(n), THREE, (1, 2, 3), {}) for n in range(4)]
    evaluation = evaluate(results, [PODIUM], PODIUM, burn_in=1)
    assert evaluation.results == 4
    assert evaluation.reports[0].scores.results == evaluation.without_ratings.results == 3 * 3


def test_in_which_order_the_sides_of_a_free_for_all_are_told_does_not_matter() -> None:
    as_they_came_in = [(("joe",), ("ann", "bob"), ("eve",)), (("eve",), ("joe",), ("bob", "ann"))] * 10
    results = [Result(str(n), sides, (1, 2, 3), {}) for n, sides in enumerate(as_they_came_in)]
    reversed_ = [replace(each, sides=each.sides[::-1], ending=(3, 2, 1)) for each in results]
    evaluation = evaluate(results, [PODIUM], PODIUM)
    assert evaluation == evaluate(reversed_, [PODIUM], PODIUM)
    assert evaluation.without_ratings.observed < 0.9, "whoever is named first has not won for that"


def test_rules_with_teams_are_compared_on_team_matches() -> None:
    details = {"initiator": [{"bad_moves": 1}, {}]}
    results = [Result(str(n), TEAMS, "win", details) for n in range(3)]
    elo, cards = evaluate(results, [ELO, CARDS], CARDS).reports
    assert elo.scores.results == cards.scores.results == 3
    assert elo.ratings.players == 3
    assert elo.scores.expected != cards.scores.expected


@pytest.mark.parametrize(
    ("contender", "origin", "result", "reason"),
    [
        (MATCHES, ELO, Result("1", TEAMS, "win", {}), "match_length knows no teams, and result '1' has one"),
        (MATCHES, PODIUM, Result("1", THREE, (1, 2, 3), {}), "match_length knows no free-for-alls"),
        (CARDS, PODIUM, Result("1", THREE, (1, 2, 3), {}), "performance knows no free-for-alls"),
        (MATCHES, PODIUM, Result("1", THREE, (1, 2, 2), {}), "match_length knows no draws"),
    ],
)
def test_a_rule_cannot_be_held_against_what_it_does_not_know(
    contender: Contender, origin: Contender, result: Result, reason: str
) -> None:
    with pytest.raises(InvalidInputError, match=reason):
        Trial(contender, origin).predict(result)

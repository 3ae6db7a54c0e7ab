"""Rules on trial: each result is foretold from the ratings before it."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.errors import InvalidInputError
from matchmaker.evaluation.scores import Prediction
from matchmaker.evaluation.trial import Contender, Evaluation, Trial, evaluate
from matchmaker.fold import fold
from matchmaker.moderation import Adjust, Annul
from matchmaker.rating import InitiatorK, MatchLength, OpenSkill, Performance
from matchmaker.rating.initiator_k import KByCareer
from matchmaker.rating.rule import Outcome, PlayerState
from matchmaker.results import Entry, Join, Result
from tests.entries import OUTCOMES
from tests.evaluation.simulation import ELO, repeated, result, results

PLAYERS = ("ann", "bob", "eve", "joe")
BATTLES = st.lists(st.tuples(st.permutations(PLAYERS), OUTCOMES), min_size=1, max_size=60)
CARDS = Contender("cards", Performance(), 1190.0)
"""From 1200 points on K is smaller, so points come and go."""
MATCHES = Contender("matches", MatchLength(), 1500.0)


def _log(battles: list[tuple[Sequence[str], Outcome]]) -> list[Result]:
    return [result(number, one, two, outcome) for number, ((one, two, *_), outcome) in enumerate(battles)]


def _predictions(entries: Sequence[Entry], contender: Contender, origin: Contender = ELO) -> list[Prediction]:
    annulled = {entry.result for entry in entries if isinstance(entry, Annul)}
    trial, found = Trial(contender, origin, annulled), list[Prediction]()
    for entry in entries:
        if isinstance(entry, Result):
            found += trial.predict(entry)
        else:
            trial.take(entry)
    return found


def test_a_result_is_foretold_before_it_is_rated() -> None:
    """The second time, ann stands at 1520 and bob at 1480."""
    first, second = _predictions(results(("ann", "bob", "win"), ("ann", "bob", "win")), ELO)
    assert first == Prediction(0.5, 1.0, 0.0)
    assert second == pytest.approx((0.5573, 1.0, 40.0), abs=5e-5)


@given(BATTLES)
def test_what_is_foretold_is_what_the_fold_expected(battles: list[tuple[Sequence[str], Outcome]]) -> None:
    log = _log(battles)
    states = {player: PlayerState(1500.0) for player in PLAYERS}
    folded = fold(states, log, ELO.rule)
    assert [prediction.expected for prediction in _predictions(log, ELO)] == [
        own.move.expected for own, _ in folded
    ]


@given(BATTLES)
def test_what_comes_later_changes_no_prediction(battles: list[tuple[Sequence[str], Outcome]]) -> None:
    log = _log(battles)
    half = len(log) // 2
    assert _predictions(log, ELO)[:half] == _predictions(log[:half], ELO)


@given(BATTLES, st.floats(0.1, 10))
def test_scale_and_k_count_only_by_their_quotient(
    battles: list[tuple[Sequence[str], Outcome]], factor: float
) -> None:
    """Which is why a search does not move both."""
    k = KByCareer(provisional=40 * factor, established=20 * factor, master=10 * factor)
    stretched = Contender("stretched", InitiatorK(k=k, scale=400 * factor, master_rating=1e6), 1500.0)
    for one, other in zip(
        _predictions(_log(battles), ELO), _predictions(_log(battles), stretched), strict=True
    ):
        assert one.expected == pytest.approx(other.expected, abs=1e-4)


@given(BATTLES, st.integers(-2000, 2000))
def test_where_everybody_starts_does_not_matter_to_differences(
    battles: list[tuple[Sequence[str], Outcome]], start: int
) -> None:
    """Also for those who join with a rating of their own: they stand as far from the start as before."""
    log: list[Entry] = [
        Join("ann", PlayerState(1700.0, games=30, peak=2450.0)),
        *_log(battles),
        Adjust("ann", "set", 1600, "mod", "a bug"),
        result(len(battles), "ann", "bob", "win"),
    ]
    contenders = (
        Contender("usual", InitiatorK(), 1500.0),
        Contender("moved", InitiatorK(master_rating=2400.0 + start), 1500.0 + start),
    )
    usual, moved = (_predictions(log, contender) for contender in contenders)
    assert usual == moved


SKILL = Contender("skill", OpenSkill(), 1500.0)


@given(BATTLES, st.floats(0.1, 10))
def test_sigma_and_tau_count_only_by_what_they_are_to_beta(
    battles: list[tuple[Sequence[str], Outcome]], factor: float
) -> None:
    """Which is why a search does not move all three."""
    rule = OpenSkill(sigma=500 * factor, beta=250 * factor, tau=5 * factor)
    log = _log(battles)
    found = zip(_predictions(log, SKILL), _predictions(log, Contender("", rule, 1500.0)), strict=True)
    for one, other in found:
        assert one.expected == pytest.approx(other.expected, abs=1e-4)
        assert one.gap * factor == pytest.approx(other.gap, abs=0.05)


@given(BATTLES)
def test_who_is_ahead_under_a_rule_with_a_sigma_is_so_by_mu(
    battles: list[tuple[Sequence[str], Outcome]],
) -> None:
    for prediction in _predictions(_log(battles), SKILL):
        assert (prediction.gap > 0) == (prediction.expected > 0.5)


def test_a_sigma_that_shrinks_is_no_inflation() -> None:
    (report,) = _evaluated(repeated(30, "ann", "bob", "draw"), SKILL).reports
    assert (report.ratings.mean, report.ratings.inflation) == (1500.0, 0.0)
    assert {each.mean for each in report.course} == {1500.0}


def test_who_joins_under_another_kind_of_rule_is_as_strong_and_as_certain_as_a_newcomer() -> None:
    skilled = PlayerState(1700.0 - 3 * 500.0, sigma=500.0)
    plain = PlayerState(1700.0)
    for brought, origin, contender in ((skilled, SKILL, ELO), (plain, ELO, SKILL)):
        log: list[Entry] = [Join("ann", brought), result(0, "ann", "bob", "win")]
        (usual,), (other,) = _predictions(log, origin, origin), _predictions(log, contender, origin)
        assert (usual.gap, other.gap) == (200.0, 200.0)


def test_a_rating_that_was_set_is_the_strength_where_there_is_a_sigma() -> None:
    log: list[Entry] = [
        *results(("ann", "bob", "win")),
        Adjust("ann", "set", 1800, "mod", "a bug"),
        Adjust("bob", "set", 1600, "mod", "a bug"),
        result(1, "ann", "bob", "win"),
    ]
    assert _predictions(log, SKILL)[-1].gap == _predictions(log, ELO)[-1].gap == 200.0


def _evaluated(log: Sequence[Entry], *contenders: Contender, **options: Any) -> Evaluation:
    return evaluate(iter(log), contenders or (ELO,), ELO, **options)


WINS = repeated(6, "ann", "bob", "win")


def test_a_burn_in_is_rated_but_not_scored() -> None:
    found = _evaluated(WINS, burn_in=4)
    (report,) = found.reports
    assert (found.results, found.burn_in, report.scores.results) == (6, 4, 2)
    last = [prediction.expected for prediction in _predictions(WINS, ELO)[4:]]
    assert report.scores.expected == sum(last) / 2
    assert report.ratings.highest == _evaluated(WINS).reports[0].ratings.highest


def test_a_burn_in_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="burn-in"):
        _evaluated(WINS, burn_in=6)


def test_contenders_side_by_side_are_judged_as_if_alone() -> None:
    together = _evaluated(WINS, ELO, CARDS).reports
    alone = [_evaluated(WINS, contender).reports[0] for contender in (ELO, CARDS)]
    assert [each.scores for each in together] == [each.scores for each in alone]
    assert [each.ratings for each in together] == [each.ratings for each in alone]
    assert together[0].against_first is None
    assert together[1].against_first is not None
    assert together[1].against_first.mean == pytest.approx(
        alone[1].scores.log_loss - alone[0].scores.log_loss
    )


def test_who_knows_no_ratings_goes_by_what_initiators_have_scored_so_far() -> None:
    """One half, then (1/2 + 1) / 2 after a win, then (1/2 + 1 + 0) / 3 after a loss."""
    log = results(("ann", "bob", "win"), ("eve", "joe", "loss"), ("ann", "joe", "win"))
    assert _evaluated(log).without_ratings.expected == pytest.approx((0.5 + 0.75 + 0.5) / 3)


def test_results_are_read_once_and_one_by_one() -> None:
    """However many there are, the next one is asked for only when the last one is rated."""
    trial_of: list[int] = []

    def endless() -> Iterator[Result]:
        for number, each in enumerate(WINS):
            trial_of.append(number)
            yield each
        raise InvalidInputError("the file is damaged here")

    with pytest.raises(InvalidInputError, match="damaged"):
        evaluate(endless(), [ELO], ELO)
    assert trial_of == list(range(6))


def test_a_zero_sum_rule_adds_no_points_and_another_one_says_how_many() -> None:
    elo, cards = _evaluated(WINS, ELO, CARDS).reports
    assert elo.ratings.inflation == 0.0
    assert cards.ratings.inflation == cards.ratings.mean - 1190.0 != 0.0


def test_an_annulled_result_is_in_the_ratings_until_then_and_never_scored() -> None:
    log: list[Entry] = [*WINS[:2], Annul("result 1", "mod", "a bug"), *WINS[2:]]
    kept, undone = _predictions(WINS, ELO), _predictions(log, ELO)
    assert kept[:2] == undone[:2]
    assert undone[2].gap == kept[1].gap
    elo, cards = _evaluated(log, ELO, CARDS, annulled={"result 1"}).reports
    assert elo.scores.results == 5
    assert elo.ratings.inflation == 0.0
    assert cards.ratings.inflation == cards.ratings.mean - 1190.0 != 0.0


@pytest.mark.parametrize(
    "entry", [Annul("nowhere", "mod", "a bug"), Adjust("nobody", "shift", 5.0, "mod", "a bug")]
)
def test_a_log_that_speaks_of_what_it_does_not_know_is_refused(entry: Entry) -> None:
    with pytest.raises(InvalidInputError, match=r"nowhere|nobody"):
        _evaluated([*WINS, entry])


def test_another_rule_takes_of_the_details_what_it_can() -> None:
    match = Result.duel("1", "ann", "bob", "win", {"length": 9})
    longer = Trial(MATCHES, MATCHES)
    longer.predict(match)
    assert [Trial(rule, MATCHES).predict(match)[0].expected for rule in (ELO, CARDS)] == [0.5, 0.5]
    deal = Result.duel("1", "ann", "bob", "win", {"initiator": {"bad_moves": 3}})
    of_cards, of_matches = Trial(MATCHES, CARDS), Trial(MATCHES, MATCHES)
    of_cards.predict(deal)
    of_matches.predict(Result.duel("1", "ann", "bob", "win", {"length": 1}))
    assert of_cards.ratings == of_matches.ratings != longer.ratings


def test_a_rule_without_draws_cannot_be_held_against_draws() -> None:
    with pytest.raises(InvalidInputError, match="match_length knows no draws"):
        _evaluated(results(("ann", "bob", "draw")), ELO, MATCHES)

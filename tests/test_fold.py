"""The laws of the fold."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.fold import Adjustment, Change, Changes, Effect, Rated, fold
from matchmaker.moderation import Adjust, Annul, Way
from matchmaker.rating import InitiatorK, MatchLength, Performance
from matchmaker.rating.rule import PlayerState, Rule
from matchmaker.results import Entry, Join, Result
from tests.entries import OUTCOMES, RATINGS

PLAYERS = ("ann", "bob", "eve", "joe")
RULES: dict[str, tuple[Rule, dict[str, Any]]] = {
    "initiator_k": (InitiatorK(), {}),
    "performance": (Performance(), {"initiator": {"won_by_24": 1}, "opponent": {"bad_moves": 2}}),
    "match_length": (MatchLength(), {"length": 5}),
}


@st.composite
def logs(draw: st.DrawFn) -> tuple[Rule, list[Entry]]:
    """A rule, and a log in which everybody joins before its first result, some of them again later."""
    rule, details = RULES[draw(st.sampled_from(sorted(RULES)))]
    entries: list[Entry] = [
        Join(player, PlayerState(rule.settle(draw(st.floats(0, 3_000))))) for player in PLAYERS
    ]
    pairs = draw(st.lists(st.tuples(st.permutations(PLAYERS), OUTCOMES), max_size=60))
    for number, ((initiator, opponent, *_), outcome) in enumerate(pairs):
        if outcome == "draw" and not rule.draws:
            entries.append(Join(initiator, PlayerState(2_000.0)))
        else:
            entries.append(Result.duel(str(number), initiator, opponent, outcome, details))
    return rule, entries


@st.composite
def moderated(draw: st.DrawFn) -> tuple[Rule, list[Entry]]:
    """The same, in which any results are annulled, each somewhere behind itself, and ratings adjusted."""
    rule, entries = draw(logs())
    results = [entry for entry in entries if isinstance(entry, Result)]
    for result in draw(st.lists(st.sampled_from(results), unique_by=lambda each: each.id)) if results else ():
        place = draw(st.integers(entries.index(result) + 1, len(entries)))
        entries.insert(place, Annul(result.id, "cli", "arranged"))
    for player, points in draw(st.lists(st.tuples(st.sampled_from(PLAYERS), RATINGS), max_size=3)):
        place = draw(st.integers(len(PLAYERS), len(entries)))
        entries.insert(place, Adjust(player, draw(st.sampled_from(["set", "shift"])), points, "cli", "wrong"))
    return rule, entries


def _split(entries: Sequence[Entry], cuts: list[int]) -> list[Sequence[Entry]]:
    borders = [0, *sorted(cut % (len(entries) + 1) for cut in cuts), len(entries)]
    return [entries[start:end] for start, end in pairwise(borders)]


@given(moderated(), st.lists(st.integers(0, 1_000)))
def test_how_the_log_is_split_into_batches_does_not_matter(
    log: tuple[Rule, list[Entry]], cuts: list[int]
) -> None:
    rule, entries = log
    at_once: dict[str, PlayerState] = {}
    in_batches: dict[str, PlayerState] = {}
    rated: dict[str, Rated] = {}
    effects: list[Effect] = []
    for batch in _split(entries, cuts):
        effects += (folded := fold(in_batches, batch, rule, rated))
        for entry, effect in zip(batch, folded, strict=True):
            if isinstance(entry, Result):
                rated[entry.id] = Rated(entry, cast(Changes, effect))
    assert effects == fold(at_once, entries, rule)
    assert at_once == in_batches


@given(
    st.lists(RATINGS, min_size=4, max_size=4),
    st.lists(st.tuples(st.permutations(PLAYERS), OUTCOMES), min_size=200, max_size=200),
)
def test_a_zero_sum_rule_conserves_the_total_to_the_last_bit(
    ratings: list[float], battles: list[tuple[list[str], Any]]
) -> None:
    states = {player: PlayerState(rating) for player, rating in zip(PLAYERS, ratings, strict=True)}
    total = sum(state.rating for state in states.values())
    fold(
        states,
        (Result.duel(str(n), one, two, outcome, {}) for n, ((one, two, *_), outcome) in enumerate(battles)),
        InitiatorK(),
    )
    assert sum(state.rating for state in states.values()) == total


@given(moderated())
def test_an_annulment_takes_back_exactly_what_its_result_has_changed(log: tuple[Rule, list[Entry]]) -> None:
    rule, entries = log
    states: dict[str, PlayerState] = {}
    rated: dict[str, Rated] = {}
    for entry in entries:
        before = dict(states)
        (effect,) = fold(states, [entry], rule, rated)
        match entry:
            case Result():
                rated[entry.id] = Rated(entry, cast(Changes, effect))
            case Annul(result_id):
                _check_taken_back(before, states, rated[result_id], rule)


def _check_taken_back(
    before: dict[str, PlayerState], after: dict[str, PlayerState], rated: Rated, rule: Rule
) -> None:
    result, changes = rated
    assert {player for player in before if before[player] != after[player]} <= set(result.players)
    for change, outcome in zip(changes, result.outcomes, strict=True):
        was, now = before[change.player], after[change.player]
        assert now.rating == was.rating - change.move.delta
        assert now.games == was.games - 1
        assert now.experience == was.experience - rule.length(result.details)
        assert (now.wins, now.draws, now.losses) == tuple(
            count - (outcome == how)
            for count, how in zip((was.wins, was.draws, was.losses), ("win", "draw", "loss"), strict=True)
        )
        assert now.peak == max(was.peak, now.rating)


@given(
    st.lists(RATINGS, min_size=4, max_size=4),
    st.lists(st.tuples(st.permutations(PLAYERS), OUTCOMES, st.booleans()), min_size=100, max_size=100),
)
def test_an_annulment_under_a_zero_sum_rule_conserves_the_total_to_the_last_bit(
    ratings: list[float], battles: list[tuple[list[str], Any, bool]]
) -> None:
    states = {player: PlayerState(rating) for player, rating in zip(PLAYERS, ratings, strict=True)}
    total = sum(state.rating for state in states.values())
    entries: list[Entry] = [
        Result.duel(str(n), one, two, outcome, {}) for n, ((one, two, *_), outcome, _) in enumerate(battles)
    ]
    entries += [Annul(str(n), "cli", "arranged") for n, (*_, arranged) in enumerate(battles) if arranged]
    fold(states, entries, InitiatorK())
    assert sum(state.rating for state in states.values()) == total


def test_who_plays_one_result_that_is_annulled_has_played_none_but_the_peak_stays() -> None:
    states = {"ann": PlayerState(1500.0), "bob": PlayerState(1500.0)}
    fold(states, [Result.duel("1", "ann", "bob", "win", {}), Annul("1", "cli", "arranged")], InitiatorK())
    assert states == {"ann": PlayerState(1500.0, peak=1520.0), "bob": PlayerState(1500.0)}


def test_an_annulment_of_a_result_that_is_nowhere_is_an_error() -> None:
    with pytest.raises(KeyError, match="1"):
        fold({}, [Annul("1", "cli", "arranged")], InitiatorK())


@pytest.mark.parametrize(
    ("rule", "way", "points", "rating"),
    [
        (InitiatorK(), "set", 1600.25, 1600.25),
        (InitiatorK(), "shift", -0.5, 1499.5),
        (InitiatorK(), "shift", 1e6, 1e6),
        (Performance(), "set", 1600.5, 1600.0),
        (Performance(), "shift", 10.4, 1510.0),
    ],
)
def test_an_adjusted_rating_is_one_that_the_rule_can_hold_and_nothing_else_changes(
    rule: Rule, way: Way, points: float, rating: float
) -> None:
    states = {"ann": PlayerState(1500.0, games=7, wins=7, peak=1550.0)}
    effects = fold(states, [Adjust("ann", way, points, "cli", "wrong")], rule)
    assert effects == [Adjustment(1500.0, rating)]
    assert states == {"ann": PlayerState(rating, games=7, wins=7, peak=max(1550.0, rating))}


@given(logs())
def test_games_are_wins_draws_and_losses_and_both_sides_count_them(log: tuple[Rule, list[Entry]]) -> None:
    rule, entries = log
    states: dict[str, PlayerState] = {}
    fold(states, entries, rule)
    results = sum(isinstance(entry, Result) for entry in entries)
    for state in states.values():
        assert state.games == state.wins + state.draws + state.losses
    assert sum(state.games for state in states.values()) == 2 * results
    assert sum(state.wins - state.losses for state in states.values()) == 0


@given(logs())
def test_each_change_leads_from_one_rating_to_the_next(log: tuple[Rule, list[Entry]]) -> None:
    rule, entries = log
    states: dict[str, PlayerState] = {}
    ratings: dict[str, float] = {}
    peaks: dict[str, float] = {}
    for entry, changes in zip(entries, fold(states, entries, rule), strict=True):
        match entry:
            case Join(player, state):
                ratings.setdefault(player, state.rating)
                peaks.setdefault(player, state.rating)
                assert changes is None
            case Result():
                assert changes is not None
                assert not isinstance(changes, Adjustment)
                assert [change.player for change in changes] == list(entry.players)
                for change in changes:
                    assert change.before == ratings[change.player]
                    ratings[change.player] = change.after
                    peaks[change.player] = max(peaks[change.player], change.after)
    assert {player: (state.rating, state.peak) for player, state in states.items()} == {
        player: (ratings[player], peaks[player]) for player in ratings
    }


def test_a_draw_at_equal_ratings_changes_no_rating() -> None:
    states = {"ann": PlayerState(1500.0), "bob": PlayerState(1500.0)}
    changes = fold(states, [Result.duel("1", "ann", "bob", "draw", {})], InitiatorK())
    assert changes[0] is not None
    assert [change.move.delta for change in changes[0]] == [0.0, 0.0]
    assert states["ann"] == states["bob"] == PlayerState(1500.0, games=1, draws=1)


def test_the_join_of_a_player_who_is_known_changes_nothing() -> None:
    states = {"ann": PlayerState(1600.0, games=7)}
    assert fold(states, [Join("ann", PlayerState(1500.0))], InitiatorK()) == [None]
    assert states == {"ann": PlayerState(1600.0, games=7)}


def test_a_new_player_starts_with_what_it_brings() -> None:
    states: dict[str, PlayerState] = {}
    brought = PlayerState(2450.0, games=50, peak=2500.0)
    fold(states, [Join("ann", brought), Join("bob", PlayerState(2450.0))], InitiatorK())
    (changes,) = fold(states, [Result.duel("1", "ann", "bob", "win", {})], InitiatorK())
    assert changes is not None
    assert changes[0].move.k == 10.0


def test_a_match_adds_its_length_to_the_experience_of_both() -> None:
    states = {"ann": PlayerState(1500.0), "bob": PlayerState(1500.0, experience=400)}
    fold(states, [Result.duel("1", "ann", "bob", "win", {"length": 7})], MatchLength())
    assert (states["ann"].experience, states["bob"].experience) == (7, 407)


def test_a_result_of_a_player_who_never_joined_is_an_error() -> None:
    with pytest.raises(KeyError, match="bob"):
        fold({"ann": PlayerState(1500.0)}, [Result.duel("1", "ann", "bob", "win", {})], InitiatorK())


def test_a_change_knows_the_rating_after_it() -> None:
    states = {"ann": PlayerState(1500.0, games=30), "bob": PlayerState(1500.0)}
    (changes,) = fold(states, [Result.duel("1", "ann", "bob", "win", {})], InitiatorK())
    assert changes is not None
    own, other = changes
    assert isinstance(own, Change)
    assert (own.before, own.after, other.before, other.after) == (1500.0, 1510.0, 1500.0, 1490.0)

"""The laws of the fold."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.fold import Adjustment, Change, Changes, Effect, Rated, fold
from matchmaker.moderation import Adjust, Annul, Way
from matchmaker.rating import InitiatorK, MatchLength, OpenSkill, Performance
from matchmaker.rating.elo import on_grid
from matchmaker.rating.rule import PlayerState, Rule
from matchmaker.results import Entry, Join, Result
from matchmaker.sides import Sides, ranked
from tests.entries import OUTCOMES, RATINGS
from tests.podium import Podium

PLAYERS = ("ann", "bob", "eve", "joe", "kim", "lea")
RULES: dict[str, tuple[Rule, dict[str, Any]]] = {
    "initiator_k": (InitiatorK(), {}),
    "performance": (Performance(), {"initiator": {"won_by_24": 1}, "opponent": {"bad_moves": 2}}),
    "match_length": (MatchLength(), {"length": 5}),
    "podium": (Podium(), {}),
    "openskill": (OpenSkill(), {}),
    "openskill, agile": (OpenSkill(sigma=100.0, beta=20.0, tau=60.0), {}),
}


@st.composite
def logs(draw: st.DrawFn) -> tuple[Rule, list[Entry]]:
    """A rule, and a log in which everybody joins before its first result, some of them again later."""
    rule, details = RULES[draw(st.sampled_from(sorted(RULES)))]
    entries: list[Entry] = [Join(player, rule.newcomer(draw(st.floats(0, 3_000)))) for player in PLAYERS]
    pairs = draw(st.lists(st.tuples(st.permutations(PLAYERS), OUTCOMES, SIZES), max_size=60))
    for number, (order, outcome, sizes) in enumerate(pairs):
        if outcome == "draw" and not rule.draws:
            entries.append(Join(order[0], PlayerState(2_000.0)))
        elif rule.free_for_all and len(sizes) > 2:
            ranks = ranked(draw(st.lists(st.integers(1, 3), min_size=len(sizes), max_size=len(sizes))))
            entries.append(Result(str(number), _dealt(order, sizes), ranks, details))
        elif rule.teams and len(sizes) == 2:
            entries.append(Result(str(number), _dealt(order, sizes), outcome, _for_teams(details, sizes)))
        else:
            entries.append(Result.duel(str(number), order[0], order[1], outcome, details))
    return rule, entries


SIZES = st.sampled_from([(1, 1), (2, 1), (1, 3), (2, 2), (3, 3), (1, 1, 1), (2, 2, 2), (1, 2, 1, 1)])


def _dealt(players: Sequence[str], sizes: Sequence[int]) -> Sides:
    borders = [sum(sizes[:place]) for place in range(len(sizes) + 1)]
    return tuple(tuple(players[start:end]) for start, end in pairwise(borders))


def _for_teams(details: dict[str, Any], sizes: tuple[int, ...]) -> dict[str, Any]:
    """The same of every member."""
    return {
        name: details[name] if size == 1 else [details[name]] * size
        for name, size in zip(("initiator", "opponent"), sizes, strict=True)
        if name in details
    }


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
    st.lists(RATINGS, min_size=6, max_size=6),
    st.lists(st.tuples(st.permutations(PLAYERS), OUTCOMES, st.integers(1, 4)), min_size=200, max_size=200),
)
def test_a_zero_sum_rule_conserves_the_total_to_the_last_bit(
    ratings: list[float], battles: list[tuple[list[str], Any, int]]
) -> None:
    states = {player: PlayerState(rating) for player, rating in zip(PLAYERS, ratings, strict=True)}
    total = sum(state.rating for state in states.values())
    fold(
        states,
        (
            Result(str(n), (tuple(order[:first]), tuple(order[first:][:4])), outcome, {})
            for n, (order, outcome, first) in enumerate(battles)
        ),
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
    for change in changes:
        outcome = result.outcomes[result.place(change.player)]
        was, now = before[change.player], after[change.player]
        assert now.strength == was.strength - change.move.strength
        assert now.sigma == rule.within(was.sigma - change.move.sigma)
        assert now.games == was.games - 1
        assert now.experience == was.experience - rule.length(result.details)
        assert (now.wins, now.draws, now.losses) == tuple(
            count - (outcome == how)
            for count, how in zip((was.wins, was.draws, was.losses), ("win", "draw", "loss"), strict=True)
        )
        assert now.peak == max(was.peak, now.rating)


@given(
    st.lists(RATINGS, min_size=6, max_size=6),
    st.lists(st.tuples(st.permutations(PLAYERS), OUTCOMES, st.booleans()), min_size=100, max_size=100),
)
def test_an_annulment_under_a_zero_sum_rule_conserves_the_total_to_the_last_bit(
    ratings: list[float], battles: list[tuple[list[str], Any, bool]]
) -> None:
    states = {player: PlayerState(rating) for player, rating in zip(PLAYERS, ratings, strict=True)}
    total = sum(state.rating for state in states.values())
    entries: list[Entry] = [
        Result(str(n), (tuple(order[:2]), tuple(order[2:][: 1 + n % 3])), outcome, {})
        for n, (order, outcome, _) in enumerate(battles)
    ]
    entries += [Annul(str(n), "cli", "arranged") for n, (*_, arranged) in enumerate(battles) if arranged]
    fold(states, entries, InitiatorK())
    assert sum(state.rating for state in states.values()) == total


def test_who_plays_one_result_that_is_annulled_has_played_none_but_the_peak_stays() -> None:
    states = {"ann": PlayerState(1500.0), "bob": PlayerState(1500.0)}
    fold(states, [Result.duel("1", "ann", "bob", "win", {}), Annul("1", "cli", "arranged")], InitiatorK())
    assert states == {"ann": PlayerState(1500.0, peak=1520.0), "bob": PlayerState(1500.0)}


@given(moderated())
def test_ratings_stay_on_the_grid_and_only_rules_with_a_sigma_have_one(log: tuple[Rule, list[Entry]]) -> None:
    rule, entries = log
    states: dict[str, PlayerState] = {}
    fold(states, entries, rule)
    for state in states.values():
        assert (state.rating, state.sigma) == (on_grid(state.rating), on_grid(state.sigma))
        assert (state.sigma > 0) == rule.has_sigma


def test_who_plays_one_result_that_is_annulled_is_as_uncertain_as_before() -> None:
    rule = OpenSkill()
    newcomer = rule.newcomer(1500.0)
    states = {"ann": newcomer, "bob": newcomer}
    fold(states, [Result.duel("1", "ann", "bob", "win", {}), Annul("1", "cli", "arranged")], rule)
    assert states == {"ann": newcomer._replace(peak=states["ann"].peak), "bob": newcomer}


def test_an_adjustment_moves_the_rating_and_leaves_the_sigma() -> None:
    states = {"ann": PlayerState(600.0, sigma=300.0)}
    fold(states, [Adjust("ann", "shift", 50.0, "cli", "wrong")], OpenSkill())
    assert states == {"ann": PlayerState(650.0, sigma=300.0)}


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
def test_games_are_wins_draws_and_losses_and_all_players_count_them(log: tuple[Rule, list[Entry]]) -> None:
    rule, entries = log
    states: dict[str, PlayerState] = {}
    fold(states, entries, rule)
    results = [entry for entry in entries if isinstance(entry, Result)]
    ended = Counter(
        outcome
        for result in results
        for outcome, size in zip(result.outcomes, result.sizes, strict=True)
        for _ in range(size)
    )
    for state in states.values():
        assert state.games == state.wins + state.draws + state.losses
    assert sum(state.games for state in states.values()) == sum(len(result.players) for result in results)
    assert sum(state.wins for state in states.values()) == ended["win"]
    assert sum(state.draws for state in states.values()) == ended["draw"]


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


@pytest.mark.parametrize(
    ("ranks", "outcomes"),
    [
        ((1, 2, 3), ("win", "loss", "loss")),
        ((2, 1, 2), ("loss", "win", "loss")),
        ((1, 1, 3), ("draw", "draw", "loss")),
        ((1, 1, 1), ("draw", "draw", "draw")),
    ],
)
def test_in_a_free_for_all_whoever_is_best_alone_wins_and_whoever_shares_that_place_draws(
    ranks: tuple[int, ...], outcomes: tuple[str, ...]
) -> None:
    states = {player: PlayerState(1500.0) for player in PLAYERS}
    fold(states, [Result("1", (("ann", "bob"), ("eve",), ("joe",)), ranks, {})], Podium())
    counted = {"win": (1, 0, 0), "draw": (0, 1, 0), "loss": (0, 0, 1)}
    for player, outcome in zip(("ann", "bob", "eve", "joe"), (outcomes[0], *outcomes), strict=True):
        state = states[player]
        assert (state.wins, state.draws, state.losses) == counted[outcome]

"""A rebuilt ladder is one that has always had its settings, whatever has happened on it."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from matchmaker.rating import InitiatorK, MatchLength, OpenSkill, Performance
from matchmaker.rating.rule import PlayerState, Rule
from matchmaker.results import Result
from matchmaker.store import players
from matchmaker.store.client import Store
from matchmaker.verification import verify
from tests.replay.takeover import K60, pool, rebuild, seen, strengths, take_back
from tests.stage import Stage

NAMES = ("ann", "bob", "cid", "dee")
PLAYERS = st.sampled_from(NAMES)
Act = Callable[[Stage, float], object]
"""Something that happens on a ladder, whose initial rating is so many points higher than 1500."""


def _bring(player: str, rating: float) -> Act:
    def bring(stage: Stage, shift: float) -> None:
        state = PlayerState(rating + shift, games=35, peak=rating + shift + 100)
        stage.on(lambda edition: players.join(edition, player, brought=state))

    return bring


def _report(number: int, pair: list[str], outcome: str) -> Act:
    result = Result.duel(f"r{number}", pair[0], pair[1], outcome, {})  # type: ignore[arg-type]
    return lambda stage, _: stage.report(result)


def _quietly(act: Callable[[Stage], object]) -> Act:
    def tried(stage: Stage, _: float) -> None:
        try:
            act(stage)
        except Exception as refusal:
            assert getattr(refusal, "status", 0) in (404, 409)  # noqa: PT017

    return tried


JOINS = st.builds(lambda player: lambda stage, _: stage.join(player), PLAYERS)
ACTS: st.SearchStrategy[Act] = st.one_of(
    st.builds(_report, st.integers(1, 20), st.permutations(NAMES), st.sampled_from(["win", "loss"])),
    st.builds(_report, st.integers(1, 20), st.permutations(NAMES), st.sampled_from(["win", "loss"])),
    st.builds(lambda player: _quietly(lambda stage: stage.suspend(player)), PLAYERS),
    st.builds(lambda player: _quietly(lambda stage: stage.reinstate(player)), PLAYERS),
    st.builds(lambda number: _quietly(lambda stage: stage.annul(f"r{number}")), st.integers(1, 20)),
    st.builds(
        lambda player, points: _quietly(lambda stage: stage.adjust(player, "shift", points)),
        PLAYERS,
        st.sampled_from([-20, 35]),
    ),
    st.just(lambda stage, _: stage.fold()),
)
OTHER_RULES = st.sampled_from(
    [
        (Performance(), 1000.0),
        (MatchLength(), 1500.0),
        (OpenSkill(), 1500.0),
        (OpenSkill(sigma=300.0), 1200.0),
    ]
)
SEASONS = st.tuples(
    st.lists(st.one_of(JOINS, st.builds(_bring, PLAYERS, st.sampled_from([1400.0, 1650.5]))), max_size=5),
    st.lists(ACTS, max_size=25),
    st.lists(st.one_of(JOINS, ACTS), max_size=8),
)


def _play(stage: Stage, acts: list[Act], shift: float = 0.0) -> None:
    for act in acts:
        _quietly(lambda stage: act(stage, shift))(stage, shift)  # noqa: B023


@given(season=SEASONS, rule=st.sampled_from([K60, InitiatorK()]), shift=st.sampled_from([0.0, 0.0, -300.0]))
def test_other_coefficients_make_of_a_ladder_what_it_would_have_been_with_them_from_the_start(
    store: Store, season: tuple[list[Act], list[Act], list[Act]], rule: InitiatorK, shift: float
) -> None:
    joins, before, after = season
    stage = Stage(store)
    always = Stage(store, rule=rule.model_dump(mode="json"), initial_rating=1500.0 + shift)
    never = Stage(store)
    _play(stage, [*joins, *before])
    _play(never, [*joins, *before])
    _play(always, [*joins, *before], shift)
    rebuild(stage, rule, 1500.0 + shift)
    for each, higher in ((stage, shift), (always, shift), (never, 0.0)):
        _play(each, after, higher)
        each.fold()
    assert seen(stage, *NAMES) == seen(always, *NAMES)
    assert not verify(store, stage.id, lambda _: None).differences
    take_back(stage)
    assert seen(stage, *NAMES) == seen(never, *NAMES)
    assert not verify(store, stage.id, lambda _: None).differences


@given(
    season=SEASONS,
    rules=st.lists(OTHER_RULES, min_size=1, max_size=3),
)
def test_a_ladder_that_went_through_many_rules_is_what_its_log_makes_of_it_and_finds_back(
    store: Store, season: tuple[list[Act], list[Act], list[Act]], rules: list[tuple[Rule, float]]
) -> None:
    joins, before, after = season
    stage = Stage(store)
    _play(stage, [*joins, *before])
    stage.fold()
    first = seen(stage, *NAMES)
    for rule, initial_rating in rules:
        rebuild(stage, rule, initial_rating)
        assert not verify(store, stage.id, lambda _: None).differences
        assert pool(stage) == strengths(stage, NAMES)
    rebuild(stage, InitiatorK(), 1500.0)
    assert seen(stage, *NAMES) == first
    _play(stage, after)
    stage.fold()
    assert not verify(store, stage.id, lambda _: None).differences

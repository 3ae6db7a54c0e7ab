"""A whole ladder out of the store, and the same one in again."""

import json
from functools import partial
from typing import Any

import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st

from matchmaker.errors import ConflictError, InvalidInputError, MatchmakerError
from matchmaker.folding import fold_batch
from matchmaker.ladder import Ladder
from matchmaker.moderation import Annul, Reinstate, Suspend
from matchmaker.rating import InitiatorK, Performance
from matchmaker.rating.rule import PlayerState
from matchmaker.rebuilding import apply
from matchmaker.results import Result
from matchmaker.store import (
    boards,
    ladders,
    moderation,
    players,
    reports,
)
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from matchmaker.store.presets import create_presets
from matchmaker.store.reports import Receipt
from tests.entries import IDS, OUTCOMES, RATINGS
from tests.stage import Stage, strengths, wins
from tests.transfer.files import NAMES, bring_in, exported, play, seen


def test_a_ladder_that_went_over_to_another_rule_comes_back_bit_for_bit(season: Stage) -> None:
    season.join("newcomer")
    apply(season.store, season.id, Performance(), 1000.0, lambda _: None)
    season.fold()
    season.put(rule={"name": "performance"}, initial_rating=1200)
    season.join("later")
    season.report(Result.duel("new", "later", "ann", "win", {"initiator": {"won_by_16": 1}}))
    season.adjust("newcomer", "set", 1300)
    season.fold()
    apply(season.store, season.id, InitiatorK(), 1500.0, lambda _: None)
    season.report(*wins(("later", "newcomer"), prefix="waits"))
    file = exported(season.store, season.id)
    bring_in(season.store, "copy", file)
    season.fold()
    names = [*NAMES, "newcomer", "later"]
    assert seen(season.store, "copy", names) == seen(season.store, season.id, names)
    assert season.store.edition("copy").eras == season.store.edition(season.id).eras != ()


def test_a_restored_ladder_is_the_same_bit_for_bit(season: Stage) -> None:
    before, file = seen(season.store, season.id, NAMES), exported(season.store, season.id)
    restored = bring_in(season.store, "copy", file)
    assert (restored.results, restored.players) == (16, 4)
    assert seen(season.store, "copy", NAMES) == before
    assert season.store.edition("copy").ladder == Ladder.model_validate(
        season.store.edition(season.id).ladder.model_dump() | {"id": "copy"}
    )
    assert "copy" in season.store.run(ladders.index())
    again = json.loads(exported(season.store, "copy").splitlines()[0])
    assert again["ladder"]["history_limit"] == 5


def test_a_restored_ladder_with_a_sigma_is_the_same_bit_for_bit_and_draws_from_the_same_pools(
    stage: Stage, store: Store
) -> None:
    play(stage, "openskill")
    stage.report(Result("melee", (("ann",), ("bob", "guest"), ("Žluťoučký kůň",)), (2, 1, 2), {}))
    stage.fold()
    before, file = seen(store, stage.id, NAMES), exported(store, stage.id)
    bring_in(store, "copy", file)
    assert seen(store, "copy", NAMES) == before
    copied = strengths(store, LadderKeys("copy"))
    assert copied == stage.strengths()
    assert len(copied) == 3  # one is suspended


def test_players_who_came_before_the_ladder_got_its_rule_come_in_again(stage: Stage, store: Store) -> None:
    stage.join("ann", rating=1500.5)
    stage.put(rule={"name": "performance"})
    stage.join("bob", rating=1500.0)
    stage.report(*wins(("bob", "ann")))
    stage.fold()
    bring_in(store, "copy", exported(store, stage.id))
    assert seen(store, "copy", ["ann", "bob"]) == seen(store, stage.id, ["ann", "bob"])


@pytest.mark.parametrize(
    ("rule", "join", "reason"),
    [
        ("openskill", ["ann", 0.0, 0, 0, 0.0, 500.5], "sigma"),
        ("openskill", ["ann", 0.0], "sigma"),
        ("openskill", ["ann", 0.0, 0, 0, 0.0, 1e-7], "sigma"),
        ("initiator_k", ["ann", 1500.0, 0, 0, 1500.0, 500.0], "sigma"),
        ("initiator_k", ["ann", 1500.0, 0, 0, 1500.0, 500.0, 1], "line 2"),
    ],
)
def test_a_player_comes_in_with_a_sigma_that_the_rule_can_hold(
    store: Store, rule: str, join: list[Any], reason: str
) -> None:
    settings = {"rule": {"name": rule}}
    head = {"format": "matchmaker-ladder", "version": 1, "ladder": settings, "cursor": "0-0"}
    lines = [head, {"log": "1-0", "join": join}]
    file = "".join(json.dumps(line) + "\n" for line in lines).encode()
    with pytest.raises(InvalidInputError, match=reason):
        bring_in(store, "copy", file)


@pytest.mark.parametrize("sides", [["ann", "bob"], [["ann", "guest"], "bob"]])
def test_two_sides_with_ranks_do_not_come_in(stage: Stage, store: Store, sides: list[Any]) -> None:
    play(stage, "openskill")
    lines = [json.loads(line) for line in exported(store, stage.id).splitlines()]
    next(line for line in lines if "result" in line)["result"] = ["r0", sides, [1, 2], {}, None]
    with pytest.raises(InvalidInputError, match=r"line \d+"):
        bring_in(store, "copy", "".join(json.dumps(line) + "\n" for line in lines).encode())


def test_an_annulled_result_stays_annulled_and_is_not_annulled_again(season: Stage) -> None:
    bring_in(season.store, "copy", exported(season.store, season.id))
    copy = LadderKeys("copy")
    for result in ("r0", "r1", "late0"):
        assert season.store.run(reports.find(copy, result)) == season.store.run(
            reports.find(season.keys, result)
        )
    annulment = Annul("late0", "cli", "once more")
    assert not season.store.on("copy", lambda edition: moderation.annul(edition, annulment)).taken


def test_measures_without_a_reason_come_with_the_ladder(season: Stage) -> None:
    unexplained = Annul("r1", "admin", "")
    season.on(lambda edition: moderation.annul(edition, unexplained))
    season.on(lambda edition: moderation.take(edition, Suspend("ann", "admin", "")))
    season.on(lambda edition: moderation.take(edition, Reinstate("ann", "admin", "")))
    season.fold()
    bring_in(season.store, "copy", exported(season.store, season.id))
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_a_lost_store_is_made_good(season: Stage, redis_client: redis.Redis) -> None:
    before, file = seen(season.store, season.id, NAMES), exported(season.store, season.id)
    redis_client.flushall()
    store = Store(redis_client)
    bring_in(store, season.id, file)
    assert seen(store, season.id, NAMES) == before


def test_old_results_are_duplicates_still(season: Stage) -> None:
    bring_in(season.store, "copy", exported(season.store, season.id))
    old, forged = Result.duel("r0", "ann", "bob", "win", {}), Result.duel("r0", "ann", "bob", "loss", {})
    outcomes = season.store.on("copy", lambda edition: reports.accept(edition, [old, forged], 0)).outcomes
    original = season.store.run(reports.find(season.keys, "r0")).logged
    assert outcomes[0] == Receipt("r0", original.log_id, duplicate=True)
    assert isinstance(outcomes[1], MatchmakerError)
    assert outcomes[1].code == "result_conflict"


def test_play_goes_on_as_on_the_original(season: Stage) -> None:
    bring_in(season.store, "copy", exported(season.store, season.id))
    for ladder in (season.id, "copy"):
        results = [Result.duel("next", "guest", "ann", "win", {}, 1)]
        season.store.on(ladder, lambda edition: reports.accept(edition, results, 0))  # noqa: B023
        while fold_batch(season.store, ladder):
            pass
    (page, *rest), (copy, *others) = (seen(season.store, each, NAMES) for each in (season.id, "copy"))
    assert (page.entries, rest) == (copy.entries, others)


def test_what_is_not_rated_yet_is_in_the_file_and_rated_when_it_comes_in(season: Stage) -> None:
    season.report(*wins(("ann", "bob"), prefix="waiting"))
    file = exported(season.store, season.id)
    bring_in(season.store, "copy", file)
    season.fold()
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_a_ladder_of_more_than_a_batch_comes_in_the_same(stage: Stage) -> None:
    names = [f"p{n}" for n in range(1_200)]
    stage.on(lambda edition: players.admit(edition, names))
    for at in range(3):
        stage.report(*wins(*zip(names[:1000], names[200:], strict=True), prefix=f"{at}-"))
    stage.fold()
    bring_in(stage.store, "copy", exported(stage.store, stage.id))
    assert seen(stage.store, "copy", names[:1000]) == seen(stage.store, stage.id, names[:1000])


Season = list[tuple[int, int, Any, str]]


@given(
    names=st.lists(IDS, min_size=2, max_size=6, unique=True),
    brought=st.lists(
        st.none() | RATINGS.filter(lambda points: abs(points) <= 1_000_000), min_size=6, max_size=6
    ),
    battles=st.lists(
        st.tuples(
            *(st.integers(0, 5), st.integers(0, 5), OUTCOMES),
            st.sampled_from(["", "", "annul", "adjust", "suspend", "reinstate"]),
        ),
        max_size=30,
    ),
    limits=st.lists(st.integers(0, 10), min_size=1, max_size=3),
    called=st.lists(st.none() | IDS, min_size=6, max_size=6),
)
@settings(max_examples=25)
def test_any_ladder_comes_in_the_same(
    redis_client: redis.Redis,
    names: list[str],
    brought: list[float | None],
    battles: Season,
    limits: list[int],
    called: list[str | None],
) -> None:
    redis_client.flushall()
    stage = Stage(Store(redis_client), linked_accounts="flag")
    for n, name in enumerate(names):
        stage.join(name, rating=brought[n], owner=called[-n - 1])
    for number, (one, two, outcome, act) in enumerate(battles):
        initiator, opponent = names[one % len(names)], names[two % len(names)]
        if initiator != opponent:
            team = tuple(each for each in names if each not in (initiator, opponent))[: number % 3]
            sides = ((initiator, *team), (opponent,))
            stage.report(Result(f"r{number}", sides, outcome, {}, number))
            _moderate(stage, act, initiator, f"r{number}")
        if number % 7 == 0:
            stage.fold()
            stage.put(history_limit=limits[number % len(limits)])
            stage.on(partial(players.join, player=initiator, name=called[number % 6]))
    stage.fold()
    before = seen(stage.store, stage.id, names)
    bring_in(stage.store, "copy", exported(stage.store, stage.id))
    assert seen(stage.store, "copy", names) == before


def _moderate(stage: Stage, act: str, player: str, result: str) -> None:
    match act:
        case "annul":
            stage.annul(result)
        case "adjust":
            stage.adjust(player, "shift", 12.3)
        case "suspend":
            stage.suspend(player)
        case "reinstate":
            stage.reinstate(player)


def test_a_ladder_with_players_is_not_overwritten(season: Stage) -> None:
    before, file = seen(season.store, season.id, NAMES), exported(season.store, season.id)
    with pytest.raises(ConflictError, match="has players"):
        bring_in(season.store, season.id, file)
    assert seen(season.store, season.id, NAMES) == before


def test_an_empty_ladder_takes_the_settings_of_the_file(season: Stage) -> None:
    create_presets(season.store)
    bring_in(season.store, "nft", exported(season.store, season.id))
    assert season.store.run(ladders.read("nft")).ladder.title == "Later"  # type: ignore[union-attr]
    assert season.store.on("nft", lambda edition: boards.page(edition, 0, 1)).total == 3


def test_a_restored_ladder_has_no_keys_but_those_of_any_ladder(
    season: Stage, redis_client: redis.Redis
) -> None:
    bring_in(season.store, "copy", exported(season.store, season.id))

    def nouns(ladder: str) -> set[str]:
        return {key.decode().split(":", 2)[2] for key in redis_client.scan_iter(f"mm:{{{ladder}}}:*")}

    assert nouns("copy") == nouns(season.id) - {"awake"}
    assert (
        redis_client.hkeys(LadderKeys("copy").ladder).sort() == redis_client.hkeys(season.keys.ladder).sort()
    )


def test_careers_from_elsewhere_come_with_the_log(stage: Stage) -> None:
    brought = PlayerState(1999.0, games=70, experience=3, peak=2400.0)
    stage.on(partial(players.join, player="pro", brought=brought))
    bring_in(stage.store, "copy", exported(stage.store, stage.id))
    assert stage.store.on("copy", lambda edition: players.states(edition, ["pro"])) == {"pro": brought}

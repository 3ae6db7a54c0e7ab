"""A whole ladder out of the store, and the same one in again."""

import io
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st

from matchmaker.chronicle import read_entries
from matchmaker.devices import Block, tag_of
from matchmaker.errors import ConflictError, InvalidInputError, MatchmakerError, NotFoundError
from matchmaker.folding import fold_batch
from matchmaker.ladder import Ladder
from matchmaker.moderation import Annul, Reinstate, Suspend
from matchmaker.rating import InitiatorK, Performance
from matchmaker.rating.rule import PlayerState
from matchmaker.rebuilding import apply
from matchmaker.results import Result
from matchmaker.standing import Standing
from matchmaker.store import (
    blocks,
    boards,
    cases,
    changes,
    devices,
    folds,
    ladders,
    members,
    moderation,
    players,
    reports,
)
from matchmaker.store.boards import Page
from matchmaker.store.call import script
from matchmaker.store.changes import HistoryEntry
from matchmaker.store.client import Client, Store
from matchmaker.store.keys import LadderKeys
from matchmaker.store.moderation import LoggedMeasure
from matchmaker.store.presets import create_presets
from matchmaker.store.reports import Receipt
from matchmaker.transfer.backup import Restored, restore
from matchmaker.transfer.ladder_file import Head, read_ladder, write_ladder
from tests.entries import IDS, OUTCOMES, RATINGS
from tests.stage import Stage, strengths, wins

Seen = tuple[Page, dict[str, Standing], dict[str, list[HistoryEntry]], dict[str, list[LoggedMeasure]]]


def export(store: Store, ladder: str) -> bytes:
    edition, text = store.edition(ladder), io.StringIO()
    head = Head(edition.ladder, store.run(folds.cursor(edition.keys)), edition.eras)
    _, last = store.run(folds.extent(edition.keys))
    entries = read_entries(store, edition.keys, upto=last)
    people, done = members.all_members(store, edition.keys), cases.all_cases(store, edition.keys)
    write_ladder(text, head, entries, people, done)
    return text.getvalue().encode()


def bring_in(store: Store, ladder: str, file: bytes) -> Restored:
    return restore(store, *read_ladder(io.BytesIO(file), ladder))


def seen(store: Store, ladder: str, names: Sequence[str]) -> Seen:
    """All that anybody can see of the ladder."""
    page = store.on(ladder, lambda edition: boards.page(edition, 0, 1000))
    standings = store.on(ladder, lambda edition: players.standings(edition, names))
    keys = store.edition(ladder).keys
    return (
        page,
        standings,
        {each: store.run(changes.history(keys, each, 10_000)) for each in names},
        {each: store.run(moderation.measures(keys, each, 10_000)) for each in names},
    )


@pytest.fixture
def stage(store: Store) -> Stage:
    """A ladder with the default settings."""
    return Stage(store)


@pytest.fixture
def season(stage: Stage) -> Stage:
    """A ladder on which something of everything has happened."""
    return play(stage, "initiator_k")


def play(stage: Stage, rule: str) -> Stage:
    settings: dict[str, Any] = {"rule": {"name": rule}, "tiers": [{"name": "Gold", "from": 1500}]}
    stage.put(**settings, history_limit=3)
    stage.join("ann", "bob", "Žluťoučký kůň", owner="cid")
    stage.join("guest", rating=2399.5)
    stage.on(partial(players.join, player="ann", name="Ann\u2028 {x}", owner=None))
    stage.report(*wins(*[("ann", "bob"), ("bob", "guest"), ("guest", "ann")] * 4))
    stage.report(Result.duel("draw", "Žluťoučký kůň", "ann", "draw", {}, -3_063_744_000_000))
    stage.fold()
    stage.put(**settings, history_limit=5, title="Later")
    stage.report(*wins(("ann", "bob"), ("guest", "bob"), prefix="late"))
    stage.report(Result("team", (("bob", "Žluťoučký kůň"), ("ann",)), "loss", {}))
    stage.annul("r0")
    stage.suspend("guest")
    stage.fold()
    stage.annul("late0")
    stage.adjust("ann", "shift", -7.25)
    stage.adjust("guest", "set", 2001)
    stage.suspend("bob")
    stage.reinstate("bob")
    stage.fold()
    return stage


NAMES = ["ann", "bob", "Žluťoučký kůň", "guest"]


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
    file = export(season.store, season.id)
    bring_in(season.store, "copy", file)
    season.fold()
    names = [*NAMES, "newcomer", "later"]
    assert seen(season.store, "copy", names) == seen(season.store, season.id, names)
    assert season.store.edition("copy").eras == season.store.edition(season.id).eras != ()


def test_a_restored_ladder_is_the_same_bit_for_bit(season: Stage) -> None:
    before, file = seen(season.store, season.id, NAMES), export(season.store, season.id)
    restored = bring_in(season.store, "copy", file)
    assert (restored.results, restored.players) == (16, 4)
    assert seen(season.store, "copy", NAMES) == before
    assert season.store.edition("copy").ladder == Ladder.model_validate(
        season.store.edition(season.id).ladder.model_dump() | {"id": "copy"}
    )
    assert "copy" in season.store.run(ladders.index())
    again = json.loads(export(season.store, "copy").splitlines()[0])
    assert again["ladder"]["history_limit"] == 5


def test_a_restored_ladder_with_a_sigma_is_the_same_bit_for_bit_and_draws_from_the_same_pools(
    stage: Stage, store: Store
) -> None:
    play(stage, "openskill")
    before, file = seen(store, stage.id, NAMES), export(store, stage.id)
    bring_in(store, "copy", file)
    assert seen(store, "copy", NAMES) == before
    copied = strengths(store, LadderKeys("copy"))
    assert copied == stage.strengths()
    assert len(copied) == 3  # one is suspended


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


def test_an_annulled_result_stays_annulled_and_is_not_annulled_again(season: Stage) -> None:
    bring_in(season.store, "copy", export(season.store, season.id))
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
    bring_in(season.store, "copy", export(season.store, season.id))
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_a_lost_store_is_made_good(season: Stage, redis_client: redis.Redis) -> None:
    before, file = seen(season.store, season.id, NAMES), export(season.store, season.id)
    redis_client.flushall()
    store = Store(redis_client)
    bring_in(store, season.id, file)
    assert seen(store, season.id, NAMES) == before


def test_old_results_are_duplicates_still(season: Stage) -> None:
    bring_in(season.store, "copy", export(season.store, season.id))
    old, forged = Result.duel("r0", "ann", "bob", "win", {}), Result.duel("r0", "ann", "bob", "loss", {})
    outcomes = season.store.on("copy", lambda edition: reports.accept(edition, [old, forged], 0)).outcomes
    original = season.store.run(reports.find(season.keys, "r0")).logged
    assert outcomes[0] == Receipt("r0", original.log_id, duplicate=True)
    assert isinstance(outcomes[1], MatchmakerError)
    assert outcomes[1].code == "result_conflict"


def test_play_goes_on_as_on_the_original(season: Stage) -> None:
    bring_in(season.store, "copy", export(season.store, season.id))
    for ladder in (season.id, "copy"):
        results = [Result.duel("next", "guest", "ann", "win", {}, 1)]
        season.store.on(ladder, lambda edition: reports.accept(edition, results, 0))  # noqa: B023
        while fold_batch(season.store, ladder):
            pass
    (page, *rest), (copy, *others) = (seen(season.store, each, NAMES) for each in (season.id, "copy"))
    assert (page.entries, rest) == (copy.entries, others)


def test_what_is_not_rated_yet_is_in_the_file_and_rated_when_it_comes_in(season: Stage) -> None:
    season.report(*wins(("ann", "bob"), prefix="waiting"))
    file = export(season.store, season.id)
    bring_in(season.store, "copy", file)
    season.fold()
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_a_ladder_of_more_than_a_batch_comes_in_the_same(stage: Stage) -> None:
    names = [f"p{n}" for n in range(1_200)]
    stage.on(lambda edition: players.admit(edition, names))
    for at in range(3):
        stage.report(*wins(*zip(names[:1000], names[200:], strict=True), prefix=f"{at}-"))
    stage.fold()
    bring_in(stage.store, "copy", export(stage.store, stage.id))
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
    bring_in(stage.store, "copy", export(stage.store, stage.id))
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
    before, file = seen(season.store, season.id, NAMES), export(season.store, season.id)
    with pytest.raises(ConflictError, match="has players"):
        bring_in(season.store, season.id, file)
    assert seen(season.store, season.id, NAMES) == before


def test_an_empty_ladder_takes_the_settings_of_the_file(season: Stage) -> None:
    create_presets(season.store)
    bring_in(season.store, "nft", export(season.store, season.id))
    assert season.store.run(ladders.read("nft")).ladder.title == "Later"  # type: ignore[union-attr]
    assert season.store.on("nft", lambda edition: boards.page(edition, 0, 1)).total == 3


Lines = list[dict[str, Any]]


def _set(place: int, **values: Any) -> Callable[[Lines], Any]:
    return lambda lines: lines[place].update(values)


def _measure(kind: str, *fields: Any) -> Callable[[Lines], Any]:
    """Something else than the last adjustment."""

    def damage(lines: Lines) -> None:
        (*_, last) = (line for line in lines if "adjust" in line)
        del last["adjust"]
        last[kind] = fields

    return damage


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda lines: lines.pop(), "ends too early"),
        (lambda lines: lines.pop(6), "before the end"),
        (lambda lines: lines.append({}), "nothing may follow"),
        (lambda lines: lines.clear(), "line 1"),
        (_set(0, version=3), "version 3"),
        (_set(0, version=2), "line 1: eras"),
        (_set(0, version=2, eras=[{"upto": "x"}]), "line 1: eras"),
        (_set(0, ladder={}), "line 1: ladder.rule"),
        (_set(0, ladder=[]), "line 1: ladder"),
        (_set(0, cursor=None), "line 1: cursor"),
        (_set(2, log="1-1"), "line 3: log: must grow"),
        (_set(2, log=7), "line 3: log"),
        (_set(2, join=["zed", float("nan"), 0, 0, 0]), "line 3"),
        (_set(2, join=["zed", 0.1, 0, 0, 0.1]), "line 3"),
        (_set(2, join=["a/b", 1500.0, 0, 0, 1500.0]), "line 3"),
        (_set(2, join=["zed", 1500.0, 2**40, 0, 1500.0]), "line 3"),
        (_set(2, rename=["ann", None]), "line 3: must hold one entry"),
        (_set(3, join=["ann", 1500.0, 0, 0, 1500.0]), "joined before"),
        (_set(8, result=["x", "ann", "ann", "win", {}, None]), "line 9"),
        (_set(8, result=["x", ["ann", "bob"], "ann", "win", {}, None]), "line 9: opponent"),
        (_set(8, result=["x", ["ann", "zed"], "bob", "win", {}, None]), "has not joined"),
        (_set(8, result=["x", ["ann", 7], "bob", "win", {}, None]), "line 9"),
        (_set(8, result=["x", [], "bob", "win", {}, None]), "line 9: initiator"),
        (_set(8, result=["x", ["ann", "bob", "guest"], [1, 2, 3], {}, None]), "line 9: sides"),
        (_set(8, result=["x", ["ann", "bob"], [1, 2], {}, None]), "line 9"),
        (_set(8, result="x"), "line 9"),
        (_set(8, result=["x", "ann", "zed", "win", {}, None]), "has not joined"),
        (_set(8, result=["r0", "ann", "bob", "win", {}, None]), "came before"),
        (_set(8, result=["x", "ann", "bob", "win", {"length": 3}, None]), "line 9: details.length"),
        (_set(8, result=["x", "ann", "bob", "win", {}, 10**30]), "line 9"),
        (_measure("annul", "x", "cli", "why"), "no result with this id came before"),
        (_measure("annul", "r0", "cli", "why"), "was annulled before"),
        (_measure("annul", "r1", "cli", "\a"), r"line \d+"),
        (_measure("suspend", "zed", "cli", "why"), "has not joined before it"),
        (_measure("adjust", "ann", "double", 2, "cli", "why", None), r"line \d+"),
        (_set(-2, history=-1), r"line \d+"),
        (_set(-2, player="\ud800"), r"line \d+"),
    ],
)
def test_a_damaged_file_leaves_nothing_behind(
    season: Stage, redis_client: redis.Redis, damage: Callable[[Lines], Any], reason: str
) -> None:
    lines = [json.loads(line) for line in export(season.store, season.id).splitlines()]
    damage(lines)
    file = "".join(json.dumps(line) + "\n" for line in lines).encode()
    create_presets(season.store)
    before = {key: redis_client.dump(key) for key in redis_client.scan_iter()}
    with pytest.raises(InvalidInputError, match=reason):
        bring_in(season.store, "copy", file)
    assert {key: redis_client.dump(key) for key in redis_client.scan_iter()} == before


class Killed(BaseException):
    """What happens to a process that is killed: it tidies up nothing."""


def test_while_a_ladder_comes_in_nobody_sees_it_or_writes_to_it(season: Stage) -> None:
    create_presets(season.store)
    head, contents = read_ladder(io.BytesIO(export(season.store, season.id)), "nft")

    def watched() -> Any:
        for number, each in enumerate(contents):
            if number in (1, 20):
                other = Store(season.store.client)
                with pytest.raises(NotFoundError):
                    other.edition("nft")
                with pytest.raises(NotFoundError):
                    season.store.on("nft", lambda edition: players.join(edition, "eve"))
                with pytest.raises(ConflictError, match="imported"):
                    other.run(ladders.put(head.ladder))
                with pytest.raises(ConflictError, match="by somebody else"):
                    bring_in(other, "nft", export(season.store, season.id))
                assert create_presets(other) == []
            yield each

    season.store.on("nft", lambda edition: boards.page(edition, 0, 1))
    restore(season.store, head, watched())
    assert season.store.on("nft", lambda edition: boards.page(edition, 0, 9)).total == 3


def test_what_a_killed_import_left_is_cleared_away_by_the_next(
    season: Stage, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = export(season.store, season.id)
    head, contents = read_ladder(io.BytesIO(file), "copy")

    def dies() -> Any:
        yield from list(contents)[:-1]
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("matchmaker.transfer.backup._clear", lambda *_: None)
        with pytest.raises(Killed):
            restore(season.store, head, dies())
    keys = LadderKeys("copy")
    assert redis_client.exists(keys.log, keys.history("ann")) == 2
    redis_client.delete(keys.restoring)  # what time does
    bring_in(season.store, "copy", file)
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_devices_that_were_noted_meanwhile_go_with_a_ladder_that_does_not_come_in(
    season: Stage, redis_client: redis.Redis
) -> None:
    phone, keys = tag_of("phone", b"key"), LadderKeys("copy")
    head, contents = read_ladder(io.BytesIO(export(season.store, season.id)), "copy")

    def breaks_off() -> Any:
        yield from contents
        season.store.run(blocks.see(phone, "copy", "ann", 0))
        season.store.run(devices.note(keys, "ann", phone))
        season.store.carry_out(blocks.block_device(phone, Block("admin", "cheats", 0), "word"))
        assert redis_client.exists(keys.devices, keys.held) == 2
        raise InvalidInputError("the last line is missing")

    with pytest.raises(InvalidInputError):
        restore(season.store, head, breaks_off())
    assert redis_client.keys("mm:{copy}:*") == []
    season.store.carry_out(blocks.unblock_device(phone, "another word"))


class Unheard:
    """A client that does not hear that a ladder is complete, and asks again if it is `stubborn`."""

    def __init__(self, client: Client, *, stubborn: bool) -> None:
        self._client = client
        self._stubborn = stubborn

    def execute_command(self, *words: Any) -> Any:
        reply = self._client.execute_command(*words)
        if words[1] not in (script("restore_end").sha, script("restore_end").source):
            return reply
        if self._stubborn:
            return self._client.execute_command(*words)
        raise redis.TimeoutError


def test_a_ladder_whose_completion_is_asked_for_again_is_complete(season: Stage) -> None:
    bring_in(Store(Unheard(season.store.client, stubborn=True)), "copy", export(season.store, season.id))
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_a_ladder_whose_completion_nobody_heard_of_keeps_its_histories(season: Stage) -> None:
    file = export(season.store, season.id)
    with pytest.raises(redis.TimeoutError):
        bring_in(Store(Unheard(season.store.client, stubborn=False)), "copy", file)
    assert seen(season.store, "copy", NAMES) == seen(season.store, season.id, NAMES)


def test_a_restored_ladder_has_no_keys_but_those_of_any_ladder(
    season: Stage, redis_client: redis.Redis
) -> None:
    bring_in(season.store, "copy", export(season.store, season.id))

    def nouns(ladder: str) -> set[str]:
        return {key.decode().split(":", 2)[2] for key in redis_client.scan_iter(f"mm:{{{ladder}}}:*")}

    assert nouns("copy") == nouns(season.id) - {"awake"}
    assert (
        redis_client.hkeys(LadderKeys("copy").ladder).sort() == redis_client.hkeys(season.keys.ladder).sort()
    )


def test_careers_from_elsewhere_come_with_the_log(stage: Stage) -> None:
    brought = PlayerState(1999.0, games=70, experience=3, peak=2400.0)
    stage.on(partial(players.join, player="pro", brought=brought))
    bring_in(stage.store, "copy", export(stage.store, stage.id))
    assert stage.store.on("copy", lambda edition: players.states(edition, ["pro"])) == {"pro": brought}

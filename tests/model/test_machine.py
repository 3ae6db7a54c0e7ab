"""The real ladder on a real server against the plain one, through random seasons."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from matchmaker import rebuilding
from matchmaker.archive import Archive
from matchmaker.archiving import archive_once
from matchmaker.chronicle import read_entries
from matchmaker.devices import Block, tag_of
from matchmaker.errors import ConflictError, MatchmakerError, NotFoundError
from matchmaker.folding import fold_batch
from matchmaker.moderation import Adjust, Annul, Measure, Reinstate, Suspend
from matchmaker.rating.rule import Outcome, PlayerState
from matchmaker.results import Result
from matchmaker.store import blocks, devices, folds, ladders, moderation, players, reports
from matchmaker.store.client import Store
from matchmaker.store.moderation import Ruling
from matchmaker.store.reports import Receipt
from matchmaker.timestamps import DAY_MS
from tests.model.interruption import Interrupted
from tests.model.plain_ladder import PlainLadder
from tests.stage import NOW, Stage
from tests.store.pool_rules import PoolRules

NAMES = ("ann", "bob", "eve", "Ярослав", "{nft}", "a b")
PLAYERS = st.sampled_from(NAMES)
OUTCOMES: st.SearchStrategy[Outcome] = st.sampled_from(["win", "draw", "loss"])
RESULTS = st.builds(
    lambda number, order, sizes, outcome: Result(
        f"r{number}", (tuple(order[: sizes[0]]), tuple(order[sizes[0] :][: sizes[1]])), outcome, {}
    ),
    st.integers(1, 40),
    st.permutations(NAMES),
    st.sampled_from([(1, 1), (1, 1), (2, 2), (1, 3), (3, 3), (4, 2)]),
    OUTCOMES,
)
"""Duels and team matches."""
MODERATORS = st.sampled_from(["cli", "admin"])
REASONS = st.sampled_from(["cheats", "was mistaken"])
BATCHES = st.integers(1, 8)
DEVICES = st.sampled_from(["phone", "tablet", "laptop", "desk"])
POOL = {"size": 3, "deviation": 60, "widen": [150], "avoid_recent": 2}

_words = count(1)


def _word(outcome: Receipt | MatchmakerError) -> str:
    if isinstance(outcome, MatchmakerError):
        return outcome.code
    return "duplicate" if outcome.duplicate else "new"


def _ruled(act: Callable[[], Ruling]) -> str:
    try:
        return "new" if act().taken else "same"
    except (NotFoundError, ConflictError) as refusal:
        return refusal.code


class Season(RuleBasedStateMachine):
    """Does the same to both ladders, and compares all that can be seen of them after every step."""

    def __init__(self, store: Store, rating_rule: dict[str, Any]) -> None:
        super().__init__()
        self.store = Store(store.client, archive=Archive(f"memory://season-{next(_words)}"))
        self.rating_rule = rating_rule
        self.now = NOW

    @initialize(
        shortfall=st.sampled_from(["backfill", "strict"]), crowd=st.lists(PLAYERS, min_size=3, unique=True)
    )
    def open_the_ladder(self, shortfall: str, crowd: list[str]) -> None:
        pool = {**POOL, "shortfall": shortfall}
        self.stage = Stage(
            self.store, rule=self.rating_rule, pool=pool, history_limit=3, battle_ttl=60, keep_days=1
        )
        self.plain = PlainLadder(self.store.edition(self.stage.id).ladder)
        for player in crowd:
            self.join(player, None, None, None)

    @rule(
        player=PLAYERS,
        name=st.sampled_from([None, "One", "Two"]),
        owner=st.sampled_from([None, None, "red"]),
        brought=st.sampled_from([None, 1300.0, 1500.0, 1550.5]),
    )
    def join(self, player: str, name: str | None, owner: str | None, brought: float | None) -> None:
        newcomer = self.plain.ladder.newcomer
        state = None if brought is None else PlayerState(brought - 3 * newcomer.sigma, sigma=newcomer.sigma)
        try:
            word, _ = self.stage.on(
                partial(players.join, player=player, name=name, owner=owner, brought=state)
            )
        except ConflictError as refusal:
            word = refusal.code  # type: ignore[assignment]
        assert word == self.plain.join(player, name, owner, state)

    def _tag(self, device: str) -> bytes:
        return tag_of(device, self.stage.id.encode())  # not the device of another season

    @rule(player=PLAYERS, device=DEVICES)
    def see(self, player: str, device: str) -> None:
        tag = self._tag(device)
        for new_player, new_tag in self.store.run(devices.unseen(self.stage.keys, [(player, tag)])):
            if self.store.run(blocks.see(new_tag, self.stage.id, new_player, self.now)):
                self.store.carry_out(blocks.settle(new_tag, self.stage.id, [new_player]))
            self.store.run(devices.note(self.stage.keys, new_player, new_tag))
        if player in self.plain.states:
            self.plain.see(player, tag)

    @rule(device=DEVICES, by=MODERATORS, reason=REASONS)
    def block(self, device: str, by: str, reason: str) -> None:
        tag = self._tag(device)
        self.store.carry_out(blocks.block_device(tag, Block(by, reason, self.now), str(next(_words))))
        self.plain.block(tag, reason)

    @rule(device=DEVICES)
    def unblock(self, device: str) -> None:
        self.store.carry_out(blocks.unblock_device(self._tag(device), str(next(_words))))
        self.plain.unblock(self._tag(device))

    @rule(results=st.lists(RESULTS, min_size=4, max_size=12))
    def report(self, results: Sequence[Result]) -> None:
        words = [_word(outcome) for outcome in self.stage.report(*results, now=self.now)]
        assert words == [self.plain.report(result, self.now) for result in results]

    @precondition(lambda self: self.plain.states)
    @rule(data=st.data(), exclude=st.sets(PLAYERS, max_size=2), seed=st.integers(0, 2**31 - 1))
    def issue(self, data: st.DataObject, exclude: set[str], seed: int) -> None:
        challenger = data.draw(st.sampled_from(sorted(self.plain.states)))
        rules = PoolRules(
            self.plain.ladder.pool, self.plain.strengths(), self.plain.owners, self.plain.devices
        )
        open_battle = self.plain.open_battle(challenger, self.now)
        try:
            issued = self.stage.issue(challenger, sorted(exclude), seed=seed, now=self.now)
        except ConflictError as refusal:
            suspended = refusal.code == "suspended"
            assert suspended == (challenger in self.plain.suspended)
            if suspended:
                return
            assert open_battle is None
            rules.check_none(challenger, exclude)
            return
        assert challenger not in self.plain.suspended
        if isinstance(issued, str):
            assert issued == open_battle
            return
        assert open_battle is None
        rules.check(issued, challenger, exclude, self.plain.recent(challenger))
        self.plain.issue(issued.id, challenger, issued.opponent.player, self.now)

    @precondition(lambda self: self.plain.battles)
    @rule(data=st.data(), outcome=OUTCOMES, pair=st.none() | st.permutations(NAMES))
    def settle(self, data: st.DataObject, outcome: Outcome, pair: Sequence[str] | None) -> None:
        """The result of a battle, perhaps with players who are not its own."""
        battle_id = data.draw(st.sampled_from(list(self.plain.battles)))
        battle = self.plain.battles[battle_id]
        initiator, opponent = pair[:2] if pair else (battle.challenger, battle.opponent)
        result = Result.duel(battle_id, initiator, opponent, outcome, {})
        (settled,) = self.stage.report(result, now=self.now)
        assert _word(settled) == self.plain.report(result, self.now)

    @precondition(lambda self: self.plain.battles)
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        battle_id = data.draw(st.sampled_from(list(self.plain.battles)))
        word = "cancelled"
        try:
            self.stage.cancel(battle_id, self.now)
        except MatchmakerError as refusal:
            word = refusal.code
        assert word == self.plain.cancel(battle_id, self.now)

    @rule(number=st.integers(1, 40), by=MODERATORS)
    def annul(self, number: int, by: str) -> None:
        annulment = Annul(f"r{number}", by, "arranged")
        word = _ruled(lambda: self.stage.on(partial(moderation.annul, annulment=annulment)))
        assert word == self.plain.annul(annulment)

    @rule(
        measure=st.one_of(
            st.builds(Suspend, PLAYERS, MODERATORS, REASONS),
            st.builds(Reinstate, PLAYERS, MODERATORS, REASONS),
            st.builds(Adjust, PLAYERS, st.just("set"), st.floats(1400, 1600), MODERATORS, REASONS),
            st.builds(Adjust, PLAYERS, st.just("shift"), st.floats(-50, 50), MODERATORS, REASONS),
            st.builds(Adjust, PLAYERS, st.just("shift"), st.just(-5.5), MODERATORS, REASONS, st.just("once")),
        )
    )
    def take_measure(self, measure: Measure) -> None:
        word = _ruled(lambda: self.stage.on(partial(moderation.take, measure=measure)))
        assert word == self.plain.take(measure)

    @rule(seconds=st.sampled_from([1, 30, 60]))
    def time_passes(self, seconds: int) -> None:
        self.now += 1_000 * seconds

    @rule(title=st.sampled_from(["One", "Two", "Three"]))
    def somebody_else_changes_the_settings(self, title: str) -> None:
        elsewhere = Store(self.store.client)
        ladder = self.plain.ladder.model_copy(update={"title": title})
        assert elsewhere.run(ladders.put(ladder))[0] == self.plain.reform(ladder)

    @rule(number=st.sampled_from([16, 40, 60]))
    def rebuild(self, number: int) -> None:
        present = self.plain.ladder
        changed = {"k": {"provisional": number}} if present.rule.name == "initiator_k" else {"tau": number}
        new = type(present.rule).model_validate(present.rule.model_dump(mode="json") | changed)
        rebuilding.apply(self.store, self.stage.id, new, present.initial_rating, lambda _: None)
        self.plain.rebuild(new)

    @precondition(lambda self: self.plain.kept)
    @rule()
    def undo(self) -> None:
        rebuilding.undo(self.store, self.stage.id, lambda _: None)
        assert self.plain.kept
        self.plain.rebuild(self.plain.kept)

    @precondition(lambda self: self.plain.folded < len(self.plain.log))
    @rule(batch=BATCHES)
    def fold(self, batch: int) -> None:
        assert fold_batch(self.store, self.stage.id, batch) == self.plain.fold(batch)

    @precondition(lambda self: self.plain.folded < len(self.plain.log))
    @rule(batch=BATCHES, other_batch=BATCHES)
    def fold_while_another_job_is_faster(self, batch: int, other_batch: int) -> None:
        slow = Store(
            Interrupted(self.store.client, lambda: self.fold(other_batch)), archive=self.store.archive
        )
        folded = fold_batch(slow, self.stage.id, batch)
        assert folded == self.plain.fold(batch)

    @rule(rows=st.integers(1, 8), files=st.integers(1, 4))
    def archive(self, rows: int, files: int) -> None:
        """The day after tomorrow."""
        for _ in range(files):
            archive_once(self.store, self.stage.id, int(time.time() * 1000) + 2 * DAY_MS, rows)

    @invariant()
    def the_log_is_whole(self) -> None:
        logged = [each.entry for each in read_entries(self.store, self.stage.keys)]
        # Those whom one block suspends stand in any order.
        assert Counter(each.encode() for each in logged) == Counter(each.encode() for each in self.plain.log)
        assert [each for each in logged if isinstance(each, Result)] == [
            each for each in self.plain.log if isinstance(each, Result)
        ]

    @invariant()
    def the_board_is_the_same(self) -> None:
        board = self.plain.board()
        page = self.stage.page()
        assert [(row.rank, row.player, row.rating) for row in page.entries] == board
        assert page.total == len(board)
        assert page.version == self.store.run(folds.cursor(self.stage.keys))
        pieces = [self.stage.page(offset, 2).entries for offset in range(0, len(board), 2)]
        assert [row for piece in pieces for row in piece] == page.entries
        names = {player: self.plain.names[player] for player in self.plain.ratings()}
        assert {row.player: row.name for row in page.entries} == names

    @invariant()
    def the_total_is_what_the_players_came_with(self) -> None:
        """Or what moderators made of that."""
        standings = map(self.stage.standing, self.plain.states)
        if self.plain.ladder.rule.zero_sum:
            assert sum(standing.rating for standing in standings) == self.plain.total

    @invariant()
    def every_player_stands_where_it_should(self) -> None:
        for player, state in self.plain.states.items():
            standing = self.stage.standing(player)
            suspended = player in self.plain.suspended
            assert standing.status == ("suspended" if suspended else "active")
            assert standing.rank == (None if suspended else self.plain.rank(player))
            assert standing.of == len(self.plain.ratings())
            assert (standing.name, standing.owner) == (
                self.plain.names[player],
                self.plain.owners.get(player),
            )
            assert standing.state == state
            around = self.stage.around(player, 1).entries
            assert [(row.rank, row.player, row.rating) for row in around] == self.plain.around(player, 1)

    @invariant()
    def every_history_is_the_same(self) -> None:
        for player, ids in self.plain.histories.items():
            history = self.stage.history(player)
            assert [entry.result for entry in history] == ids
            for entry in history:
                assert entry.change in self.plain.changes[entry.result]
                assert entry.change.player == player
                result = self.plain.log[self.plain.places[entry.result]]
                assert sorted((player, *entry.partners, *entry.opponents)) == sorted(result.players)
                annulled = self.plain.result_status(entry.result) == "annulled"
                assert (entry.annulment is not None) == annulled
            measures = self.store.run(moderation.measures(self.stage.keys, player, 1_000))
            assert [each.measure for each in measures] == self.plain.measures(player)

    @invariant()
    def every_result_and_battle_is_as_far_as_it_should_be(self) -> None:
        for result_id, place in self.plain.places.items():
            found = self.store.run(reports.find(self.stage.keys, result_id))
            assert found.logged.result == self.plain.log[place]
            assert found.changes == self.plain.changes.get(result_id)
            assert found.status == self.plain.result_status(result_id)
        for battle_id in self.plain.battles:
            status = self.stage.status(battle_id, self.now)
            assert status == self.plain.status(battle_id, self.now)


RULES: dict[str, tuple[dict[str, Any], int]] = {
    "initiator_k": ({}, 70),
    "openskill": ({"sigma": 60.0, "beta": 40.0, "tau": 8.0}, 30),
}
"""Coefficients, and how many seasons are played."""


@pytest.mark.parametrize("name", RULES)
def test_any_season_on_the_real_ladder_goes_as_on_the_plain_one(store: Store, name: str) -> None:
    coefficients, seasons = RULES[name]

    class OnThisStore(Season):
        def __init__(self) -> None:
            super().__init__(store, {"name": name, **coefficients})

    run_state_machine_as_test(OnThisStore, settings=settings(max_examples=seasons, stateful_step_count=50))

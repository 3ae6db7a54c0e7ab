"""Ids that imitate key names, numbers, reply words, patterns or code are ids like any other."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from matchmaker.results import Result
from matchmaker.store import battles, reports
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from matchmaker.store.reports import Receipt
from tests.entries import HOSTILE_IDS, IDS
from tests.stage import Stage


def _play(stage: Stage, names: list[str]) -> None:
    """Everybody beats its successor once; result ids are the players' own."""
    stage.join(*names)
    results = [Result.duel(one, one, two, "win", {}) for one, two in pairwise(names)]
    assert all(isinstance(outcome, Receipt) and not outcome.duplicate for outcome in stage.report(*results))
    stage.fold()


def _check(stage: Stage, names: list[str]) -> None:
    board = stage.ratings()
    assert board.keys() == set(names)
    for index, name in enumerate(names):
        standing = stage.standing(name)
        expected = (index > 0) + (index < len(names) - 1)
        assert (standing.player, standing.rating, standing.games) == (name, board[name], expected)
        history = stage.history(name)
        assert [opponent for entry in history for opponent in entry.opponents] == (
            names[index + 1 : index + 2] + (names[index - 1 : index] if index else [])
        )
        assert name in [row.player for row in stage.around(name, 1).entries]
    for one, two in pairwise(names):
        found = stage.store.run(reports.find(stage.keys, one))
        assert found.logged.result.pair == (one, two)


def test_every_hostile_id_lives_through_a_whole_season_unharmed(store: Store) -> None:
    stage, names = Stage(store, pool={"deviation": 1_000}), list(HOSTILE_IDS)
    _play(stage, names)
    _check(stage, names)
    for name in names:
        battle = stage.battle(name, [name])
        assert battle.challenger.player == name != battle.opponent.player
        found, _ = store.run(battles.find(stage.keys, battle.id))
        assert found == battle
        stage.settle(battle)
    assert stage.fold() == len(names)


@given(st.lists(IDS, min_size=2, max_size=5, unique=True))
@settings(max_examples=30)
def test_any_ids_live_through_a_season_unharmed(store: Store, names: list[str]) -> None:
    stage = Stage(store)
    _play(stage, names)
    _check(stage, names)


def test_a_player_who_is_excluded_by_a_hostile_name_alone_is_excluded(store: Store) -> None:
    stage, names = Stage(store), list(HOSTILE_IDS)
    stage.join(*names)
    for name, other in pairwise(names):
        everybody_else = [each for each in names if each not in (name, other)]
        assert stage.battle(name, everybody_else).opponent.player == other


@given(IDS, IDS)
def test_no_two_things_of_a_ladder_share_a_key(one: str, two: str) -> None:
    keys = LadderKeys("nft")
    fixed = [
        *(keys.ladder, keys.log, keys.changes, keys.cursor, keys.ids, keys.states, keys.ratings),
        *(keys.names, keys.owners, keys.devices, keys.held, keys.open, keys.recent, keys.awake),
        keys.annulled,
    ]
    variable = {kind(each) for kind in (keys.history, keys.battle, keys.measures) for each in (one, two)}
    assert len(set(fixed)) == 15
    assert len(variable) == (3 if one == two else 6)
    assert variable.isdisjoint(fixed)
    assert all(key.startswith("mm:{nft}:") for key in (*fixed, *variable))


def test_ladders_never_share_a_key(store: Store) -> None:
    one, two = Stage(store), Stage(store)
    for stage in (one, two):
        _play(stage, ["ann", "bob", "eve"])
    one.report(Result.duel("more", "ann", "bob", "win", {}))
    one.fold()
    assert (len(one.history("ann")), len(two.history("ann"))) == (2, 1)
    _check(two, ["ann", "bob", "eve"])

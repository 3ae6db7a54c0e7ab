"""Ladders whose rule has a sigma: the board goes by the rating, pools by the strength."""

from functools import partial
from typing import Any

import pytest

from matchmaker.devices import Block, tag_of
from matchmaker.errors import ConflictError, NoOpponentError
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result
from matchmaker.store import blocks, devices, ladders, players, restores
from matchmaker.store.battles import Battle
from matchmaker.store.client import Store
from matchmaker.store.states import pack, unpack
from tests.stage import NOW, Stage, wins


@pytest.fixture
def stage(store: Store) -> Stage:
    return Stage(store, rule={"name": "openskill"})


def _join(stage: Stage, player: str, mu: float, sigma: float) -> None:
    brought = PlayerState(mu - 3 * sigma, sigma=sigma)
    stage.on(partial(players.join, player=player, brought=brought))


def _on_the_board(stage: Stage) -> dict[str, float]:
    """The strength of everybody on the board, by the standings."""
    standings = {player: stage.standing(player) for player in stage.ratings()}
    return {player: standing.state.strength for player, standing in standings.items()}


@pytest.mark.parametrize(
    ("state", "size"),
    [
        (PlayerState(0.0, sigma=500.0), 16),
        (PlayerState(0.25, games=7, wins=7, sigma=2**-16), 34),
        (PlayerState(-3_999_999.5, peak=1.5, sigma=1e6), 34),
        (PlayerState(12.5, games=70_000, experience=2, sigma=33.0), 44),
    ],
)
def test_a_state_with_a_sigma_is_packed_in_its_own_length(state: PlayerState, size: int) -> None:
    packed = pack(state)
    assert len(packed) == size
    assert unpack(packed) == state


def test_players_join_at_mu_and_show_three_sigma_less(stage: Stage) -> None:
    stage.join("ann")
    stage.on(lambda edition: players.admit(edition, ["bob", "cid"]))
    assert stage.ratings() == {"ann": 0.0, "bob": 0.0, "cid": 0.0}
    assert stage.strengths() == {"ann": 1500.0, "bob": 1500.0, "cid": 1500.0}
    standing = stage.standing("ann")
    assert (standing.mu, standing.sigma, standing.k, standing.provisional) == (1500.0, 500.0, None, True)


def test_a_pool_goes_by_mu_however_far_apart_the_board_shows_two(stage: Stage) -> None:
    _join(stage, "old", 1510.0, 30.0)
    _join(stage, "new", 1500.0, 500.0)
    _join(stage, "twin on the board", 120.0, 40.0)
    assert stage.ratings() == {"old": 1420.0, "new": 0.0, "twin on the board": 0.0}
    battle = stage.battle("new")
    assert (battle.opponent.player, battle.pool.low, battle.pool.high) == ("old", 1510.0, 1510.0)
    assert (battle.challenger.rating, battle.challenger.sigma) == (1500.0, 500.0)
    assert (battle.opponent.rating, battle.opponent.sigma) == (1510.0, 30.0)
    with pytest.raises(NoOpponentError, match="1380"):
        stage.battle("twin on the board")


def test_results_move_the_pool_with_the_board(stage: Stage) -> None:
    stage.join("ann", "bob", "cid")
    stage.report(*wins(("ann", "bob"), ("ann", "cid"), ("bob", "cid")))
    stage.fold()
    stage.annul("r1")
    stage.adjust("cid", "shift", 100.0)
    stage.fold()
    assert stage.strengths() == _on_the_board(stage)
    assert len(set(stage.strengths().values())) == 3


def test_who_is_suspended_is_in_no_pool_and_comes_back_at_its_strength_by_then(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.suspend("ann")
    assert stage.strengths() == {"bob": 1500.0}
    stage.report(*wins(("ann", "bob")))
    stage.fold()
    assert stage.strengths().keys() == {"bob"}
    stage.reinstate("ann")
    assert stage.strengths() == _on_the_board(stage)
    assert stage.strengths()["ann"] > 1500.0


def test_a_blocked_device_takes_its_players_out_of_the_pool_and_gives_them_back(
    stage: Stage, store: Store
) -> None:
    stage.join("ann", "bob")
    tag = tag_of("phone", stage.id.encode())
    store.run(blocks.see(tag, stage.id, "ann", NOW))
    store.run(devices.note(stage.keys, "ann", tag))
    store.carry_out(blocks.block_device(tag, Block("cli", "cheats", NOW), "one"))
    assert stage.strengths() == {"bob": 1500.0}
    store.carry_out(blocks.unblock_device(tag, "two"))
    assert stage.strengths() == {"ann": 1500.0, "bob": 1500.0}


def test_a_battle_tells_the_odds_of_its_sides_as_they_were(stage: Stage) -> None:
    stage.join("ann", "bob")
    battle = stage.battle("ann")
    rule = stage.store.edition(stage.id).ladder.rule
    assert battle.expected_score(rule) == 0.5
    stage.settle(battle)
    stage.fold()
    assert isinstance(battle, Battle)
    (entry,) = stage.history("ann")
    assert entry.change.move.sigma_before == battle.challenger.sigma == 500.0
    assert entry.change.after == stage.standing("ann").rating


def test_a_history_keeps_mu_and_sigma_of_every_result(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(Result.duel("1", "ann", "bob", "draw", {}), *wins(("bob", "ann")))
    stage.fold()
    later, first = stage.history("ann")
    assert first.change.told["mu"] == {"before": 1500.0, "after": 1500.0}
    assert first.change.told["sigma"]["before"] == 500.0
    assert first.change.told["sigma"]["after"] == later.change.told["sigma"]["before"]
    standing = stage.standing("ann")
    assert later.change.told["sigma"]["after"] == standing.sigma
    assert later.change.told["mu"]["after"] == standing.mu


def test_a_ladder_without_a_sigma_keeps_no_strengths(store: Store) -> None:
    stage = Stage(store)
    stage.join("ann", "bob")
    stage.suspend("ann")
    stage.reinstate("ann")
    stage.report(*wins(("ann", "bob")))
    stage.fold()
    assert stage.strengths() == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"name": "initiator_k"}, {"name": "openskill"}),
        ({"name": "openskill"}, {"name": "performance"}),
        ({"name": "openskill"}, {"name": "openskill", "sigma": 100}),
    ],
)
def test_players_who_have_come_without_results_keep_their_sigma(
    store: Store, before: dict[str, Any], after: dict[str, Any]
) -> None:
    stage = Stage(store, rule=before)
    assert stage.put(rule=after) == "changed"
    stage.put(rule=before)
    stage.join("ann")
    with pytest.raises(ConflictError, match="sigma") as refused:
        stage.put(rule=after)
    assert refused.value.code == "rule_in_use"
    assert stage.put(rule=before, title="Same rule") == "changed"


def test_coefficients_that_no_newcomer_shows_may_change_until_there_are_results(store: Store) -> None:
    stage = Stage(store, rule={"name": "openskill"})
    stage.join("ann")
    assert stage.put(rule={"name": "openskill", "beta": 100, "tau": 0}) == "changed"


def test_a_ladder_that_was_not_brought_in_completely_leaves_no_strengths(store: Store) -> None:
    stage = Stage(store, rule={"name": "openskill"})
    revision = store.run(restores.begin(stage.keys, "file", "word"))
    assert isinstance(revision, bytes)
    store.client.execute_command("ZADD", stage.keys.strengths, 1500.0, "ann")
    store.run(restores.drop(stage.keys))
    assert stage.strengths() == {}
    assert store.run(ladders.read(stage.id))

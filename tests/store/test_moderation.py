"""What moderators do, on the real store."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import redis

from matchmaker.errors import ConflictError, NotFoundError
from matchmaker.folding import fold_batch
from matchmaker.moderation import Annul, Suspend
from matchmaker.store import folds, moderation, players
from matchmaker.store.call import Call
from matchmaker.store.client import Store
from matchmaker.store.ladders import Edition
from matchmaker.store.moderation import Ruling
from tests.model.interruption import Interrupted
from tests.stage import Stage, wins


@pytest.fixture
def duel(stage: Stage) -> Stage:
    """Ann has beaten Bob."""
    stage.join("ann", "bob", "eve")
    stage.report(*wins(("ann", "bob")))
    stage.fold()
    return stage


def test_a_suspended_player_is_off_the_board_at_once_and_keeps_its_rating(duel: Stage) -> None:
    ruling = duel.suspend("ann")
    assert duel.ratings().keys() == {"bob", "eve"}
    standing = duel.standing("ann")
    assert (standing.status, standing.rank, standing.rating) == ("suspended", None, 1520.0)
    assert ruling.taken
    duel.fold()
    assert duel.standing("ann") == standing


def test_a_suspended_player_is_in_no_pool_and_asks_for_none(duel: Stage) -> None:
    duel.suspend("eve")
    assert duel.battle("ann").opponent.player == "bob"
    with pytest.raises(ConflictError) as refused:
        duel.issue("eve")
    assert refused.value.code == "suspended"


def test_a_reinstated_player_stands_where_its_rating_puts_it(duel: Stage) -> None:
    duel.suspend("ann")
    duel.fold()
    assert duel.reinstate("ann").taken
    assert duel.ratings() == {"ann": 1520.0, "bob": 1480.0, "eve": 1500.0}


def test_the_log_says_who_did_it_and_why(duel: Stage) -> None:
    ruling = duel.suspend("ann", by="moderator", reason="trades wins")
    assert ruling.log_id is not None
    last = duel.store.run(folds.after(duel.keys, folds.START, 100))[-1]
    assert (last.log_id, last.entry) == (ruling.log_id, Suspend("ann", "moderator", "trades wins"))


@pytest.mark.parametrize("twice", ["suspend", "annul"])
def test_the_second_time_changes_nothing_and_names_the_first(
    duel: Stage, twice: str, redis_client: redis.Redis
) -> None:
    def act(edition: Edition) -> Call[Ruling]:
        if twice == "annul":
            return moderation.annul(edition, Annul("r0", "cli", "again"))
        return moderation.take(edition, Suspend("ann", "cli", "again"))

    first = duel.on(act)
    before = redis_client.xlen(duel.keys.log)
    assert duel.on(act) == Ruling(first.log_id, taken=False, call=False)
    assert redis_client.xlen(duel.keys.log) == before


def test_a_player_who_is_not_suspended_is_not_reinstated(duel: Stage) -> None:
    assert duel.reinstate("ann") == Ruling(None, taken=False, call=False)


def test_unknown_players_and_results_are_refused(stage: Stage) -> None:
    with pytest.raises(NotFoundError) as refused:
        stage.suspend("ann")
    assert refused.value.code == "unknown_player"
    with pytest.raises(NotFoundError) as refused:
        stage.annul("r0")
    assert refused.value.code == "unknown_result"


def test_joining_again_does_not_bring_a_suspended_player_back(duel: Stage) -> None:
    duel.suspend("ann")
    duel.on(partial(players.join, player="ann", name="Ann"))
    assert duel.on(lambda edition: players.admit(edition, ["ann"]))[0] == 0
    assert "ann" not in duel.ratings()


def test_what_is_rated_does_not_bring_a_suspended_player_back(duel: Stage) -> None:
    duel.suspend("ann")
    duel.report(*wins(("ann", "eve"), prefix="later"))
    duel.adjust("ann", "shift", 10)
    duel.annul("r0")
    duel.fold()
    assert "ann" not in duel.ratings()
    duel.reinstate("ann")
    assert duel.ratings()["ann"] == duel.standing("ann").rating


def test_a_player_who_is_suspended_while_its_result_is_being_rated_stays_off_the_board(duel: Stage) -> None:
    duel.report(*wins(("ann", "eve"), prefix="later"))
    slow = Store(Interrupted(duel.store.client, lambda: duel.suspend("ann")))
    assert fold_batch(slow, duel.id) == 1
    assert "ann" not in duel.ratings()
    assert duel.standing("ann").games == 2


def test_a_player_who_comes_back_while_its_result_is_being_rated_has_the_new_rating(duel: Stage) -> None:
    duel.suspend("ann")
    duel.report(*wins(("ann", "eve"), prefix="later"))
    slow = Store(Interrupted(duel.store.client, lambda: duel.reinstate("ann")))
    fold_batch(slow, duel.id)
    assert duel.ratings()["ann"] == duel.standing("ann").rating > 1520.0


def test_an_annulled_result_has_changed_nothing(duel: Stage) -> None:
    duel.annul("r0")
    duel.fold()
    for player in ("ann", "bob"):
        standing = duel.standing(player)
        assert (standing.rating, standing.games, standing.wins, standing.losses) == (1500.0, 0, 0, 0)


def test_a_result_that_waits_to_be_rated_is_annulled_as_well(duel: Stage) -> None:
    duel.report(*wins(("eve", "bob"), prefix="later"))
    duel.annul("later0")
    duel.fold()
    assert duel.ratings() == {"ann": 1520.0, "bob": 1480.0, "eve": 1500.0}


def test_an_annulment_that_comes_while_its_result_is_being_rated_counts_after_it(duel: Stage) -> None:
    duel.report(*wins(("eve", "bob"), prefix="later"))
    slow = Store(Interrupted(duel.store.client, lambda: duel.annul("later0")))
    assert fold_batch(slow, duel.id) == 1
    assert duel.ratings()["eve"] > 1500.0
    assert fold_batch(slow, duel.id) == 1
    assert duel.ratings() == {"ann": 1520.0, "bob": 1480.0, "eve": 1500.0}


def test_a_job_that_comes_second_takes_nothing_back_again(duel: Stage) -> None:
    duel.annul("r0")
    slow = Store(Interrupted(duel.store.client, lambda: fold_batch(duel.store, duel.id)))
    fold_batch(slow, duel.id)
    assert duel.ratings() == {"ann": 1500.0, "bob": 1500.0, "eve": 1500.0}


def test_of_many_who_annul_and_fold_at_once_one_takes_it_back(duel: Stage) -> None:
    def moderator(_: int) -> bool:
        taken = duel.annul("r0").taken
        duel.fold()
        return taken

    with ThreadPoolExecutor(8) as crowd:
        assert sum(crowd.map(moderator, range(24))) == 1
    assert duel.ratings() == {"ann": 1500.0, "bob": 1500.0, "eve": 1500.0}


def test_annulling_everything_in_any_order_leaves_the_total_and_every_rating_as_it_was(duel: Stage) -> None:
    pairs = [("ann", "bob"), ("bob", "eve"), ("eve", "ann")]
    duel.report(*wins(*pairs * 20, prefix="later"))
    for number in range(0, 60, 2):
        duel.annul(f"later{number}")
    duel.fold()
    assert sum(duel.ratings().values()) == 4500.0
    for number in range(59, 0, -2):
        duel.annul(f"later{number}")
    duel.annul("r0")
    duel.fold()
    assert duel.ratings() == {"ann": 1500.0, "bob": 1500.0, "eve": 1500.0}


def test_a_rating_is_set_or_shifted(duel: Stage) -> None:
    duel.adjust("ann", "set", 1400)
    duel.adjust("bob", "shift", 0.5)
    duel.fold()
    assert duel.ratings() == {"ann": 1400.0, "bob": 1480.5, "eve": 1500.0}
    assert duel.standing("ann").peak == 1520.0

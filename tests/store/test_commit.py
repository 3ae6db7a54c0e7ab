"""The fenced commit of a folded batch."""

import pytest
import redis

from matchmaker.errors import NotFoundError
from matchmaker.fold import fold
from matchmaker.folding import BATCH, fold_batch
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result
from matchmaker.store import folds, players
from matchmaker.store.call import Call, StaleLadderError
from matchmaker.store.client import Store
from tests.stage import Stage, wins


def prepared(stage: Stage, count: int = BATCH) -> Call[bool | None]:
    """The commit that a job would make now, of up to `count` entries."""
    edition = stage.store.edition(stage.id)
    cursor = stage.store.run(folds.cursor(stage.keys))
    logged = stage.store.run(folds.after(stage.keys, cursor, count))
    states = stage.store.run(players.states(edition, stage.ratings()))
    changes = fold(states, [each.entry for each in logged], edition.ladder.rule)
    return folds.commit(
        edition,
        expected=cursor,
        folded=list(zip(logged, changes, strict=True)),
        states=states,
        seconds=0.01,
    )


def _snapshot(client: redis.Redis) -> dict[object, object]:
    """All that the server holds, but for what the jobs count."""
    return {key: client.dump(key) for key in client.scan_iter() if not key.endswith(b":counters")}


@pytest.fixture
def played(stage: Stage) -> Stage:
    """Two results are waiting to be folded."""
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob"), ("bob", "ann")))
    return stage


def test_a_commit_moves_ratings_states_and_cursor_together(played: Stage) -> None:
    logged = played.store.run(folds.after(played.keys, folds.START, 10))
    assert played.store.run(prepared(played, 3))
    assert played.store.run(folds.cursor(played.keys)) == logged[2].log_id
    assert played.ratings() == {"ann": 1520.0, "bob": 1480.0}
    states = played.on(lambda edition: players.states(edition, ["ann", "bob", "eve"]))
    assert states == {
        "ann": PlayerState(1520.0, games=1, wins=1, peak=1520.0),
        "bob": PlayerState(1480.0, games=1, losses=1, peak=1500.0),
    }


def test_a_superseded_commit_changes_nothing(played: Stage, redis_client: redis.Redis) -> None:
    slow, fast = prepared(played), prepared(played, 3)
    assert played.store.run(fast)
    before = _snapshot(redis_client)
    assert not played.store.run(slow)
    assert not played.store.run(fast)
    assert _snapshot(redis_client) == before


def test_entries_that_the_log_has_lost_since_they_were_read_are_not_committed(
    played: Stage, redis_client: redis.Redis
) -> None:
    """As after a failover, or a power cut, between reading and committing."""
    read_before = prepared(played)
    last = played.store.run(folds.after(played.keys, folds.START, 10))[-1]
    redis_client.xdel(played.keys.log, last.log_id)
    before = _snapshot(redis_client)
    assert not played.store.run(read_before)
    assert _snapshot(redis_client) == before
    assert played.fold() == 3
    assert played.ratings() == {"ann": 1520.0, "bob": 1480.0}


def test_a_commit_under_outdated_settings_changes_nothing(played: Stage, redis_client: redis.Redis) -> None:
    outdated = prepared(played)
    played.put(history_limit=1)
    before = _snapshot(redis_client)
    with pytest.raises(StaleLadderError):
        played.store.run(outdated)
    assert _snapshot(redis_client) == before


def test_folding_goes_on_under_settings_that_changed_meanwhile(played: Stage, store: Store) -> None:
    elsewhere = Store(store.client)
    elsewhere.edition(played.id)
    played.put(history_limit=1)
    assert fold_batch(elsewhere, played.id) == 5, "two joins, two results, the new settings"
    assert len(played.history("ann")) == 1


def test_a_player_who_is_off_the_board_is_rated_and_stays_off_it(
    played: Stage, redis_client: redis.Redis
) -> None:
    redis_client.zrem(played.keys.ratings, "bob")
    played.fold()
    assert played.ratings().keys() == {"ann"}
    standing = played.standing("bob")
    assert (standing.status, standing.rank, standing.percentile, standing.games) == (
        "suspended",
        None,
        None,
        2,
    )


def test_a_batch_of_joins_alone_moves_the_cursor_only(stage: Stage) -> None:
    stage.join("ann", "bob")
    before = stage.page()
    assert stage.fold() == 2
    after = stage.page()
    assert (before.entries, before.total) == (after.entries, after.total)
    assert before.version != after.version


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_a_history_is_trimmed_to_its_limit(stage: Stage, limit: int, redis_client: redis.Redis) -> None:
    stage.put(history_limit=limit)
    stage.join("ann", "bob")
    for batch in ("a", "b"):
        stage.report(*wins(("ann", "bob"), ("ann", "bob"), prefix=batch))
        stage.fold()
    assert [entry.result for entry in stage.history("ann")] == ["b1", "b0", "a1"][:limit]
    assert redis_client.llen(stage.keys.history("bob")) == limit


def test_a_history_that_is_no_longer_kept_is_gone_with_the_next_result(played: Stage) -> None:
    played.fold()
    played.put(history_limit=0)
    played.report(*wins(("ann", "bob"), prefix="later"))
    played.fold()
    assert played.history("ann") == played.history("bob") == []


def test_a_batch_with_more_players_than_a_script_can_unpack_is_committed(stage: Stage, store: Store) -> None:
    names = [f"player {n}" for n in range(9_000)]
    edition = store.edition(stage.id)
    redis_client = store.client
    assert isinstance(redis_client, redis.Redis)
    with redis_client.pipeline(transaction=False) as pipe:
        for name in names:
            pipe.execute_command(*players.join(edition, name).command(by_source=True))
        pipe.execute()
    pairs = list(zip(names[::2], names[1::2], strict=True))
    for at in range(0, len(pairs), 1_000):
        stage.report(*wins(*pairs[at : at + 1_000], prefix=f"{at}-"))
    assert fold_batch(store, stage.id, batch=20_000) == 13_500
    assert stage.page(0, 1).entries[0].rating == 1520.0
    assert stage.page(8_999, 1).entries[0].rating == 1480.0


def test_a_player_with_more_new_history_than_a_script_can_unpack_keeps_all_of_it(stage: Stage) -> None:
    stage.put(history_limit=9_000)
    stage.join("ann", "bob")
    for at in range(9):
        stage.report(*wins(*[("ann", "bob")] * 1_000, prefix=f"{at}-"))
    assert fold_batch(stage.store, stage.id, batch=20_000) == 9_003, "new settings, two joins, 9,000 results"
    history = stage.history("ann", 9_000)
    assert (len(history), history[0].result, history[-1].result) == (9_000, "8-999", "0-0")


def test_folding_an_unknown_ladder_is_an_error(store: Store) -> None:
    with pytest.raises(NotFoundError):
        fold_batch(store, "unknown")


def test_folding_in_batches_gives_the_same_board_as_folding_at_once(stage: Stage, store: Store) -> None:
    other = Stage(store)
    results = wins(("ann", "bob"), ("bob", "eve"), ("eve", "ann"), ("ann", "eve"), ("bob", "ann"))
    for each in (stage, other):
        each.join("ann", "bob", "eve")
        each.report(*results)
    while fold_batch(store, stage.id, batch=1):
        pass
    other.fold()
    assert stage.page().entries == other.page().entries
    assert [entry.change for entry in stage.history("ann")] == [
        entry.change for entry in other.history("ann")
    ]


def test_a_result_between_two_batches_is_not_overlooked(stage: Stage) -> None:
    stage.join("ann", "bob")
    for n in range(5):
        stage.report(Result.duel(str(n), "ann", "bob", "draw", {}))
        stage.fold()
    assert stage.standing("ann").draws == 5

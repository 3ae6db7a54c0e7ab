"""The auditor finds what it is there to find."""

import time
from pathlib import Path

import redis

from chaos.audit import Audit
from chaos.ledger import LadderLedger
from matchmaker.archive import Archive
from matchmaker.archiving import archive_all
from matchmaker.rating import InitiatorK, OpenSkill
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result
from matchmaker.store import folds
from matchmaker.store.client import Store
from matchmaker.store.states import pack
from matchmaker.timestamps import DAY_MS
from tests.chaos.conftest import Scene
from tests.replay.takeover import rebuild
from tests.stage import Stage, wins

RESULT = Result.duel("r2", "ann", "cid", "win", {})


def findings(audit: Audit) -> tuple[list[str], int, list[str], list[str], bool | None]:
    return audit.lost, audit.doubled, audit.unknown, audit.differences, audit.total_exact


def test_a_ladder_that_kept_its_promises_passes(scene: Scene) -> None:
    assert findings(scene.audit()) == ([], 0, [], [], True)


def test_a_ladder_with_a_sigma_that_kept_its_promises_passes_until_a_pool_is_wrong(
    redis_client: redis.Redis, store: Store
) -> None:
    stage = Stage(store, rule={"name": "openskill"})
    scene = Scene(stage, LadderLedger(), redis_client)
    stage.join("ann", "bob", "cid")
    scene.report(*wins(("ann", "bob"), ("bob", "cid")))
    scene.fold()
    stage.suspend("cid")
    scene.fold()
    assert findings(scene.audit()) == ([], 0, [], [], None)
    redis_client.zadd(stage.keys.strengths, {"ann": 1.0})
    assert scene.audit().differences == ["strengths"]


def test_a_ladder_that_went_over_to_other_rules_passes_until_a_state_is_that_of_an_older_one(
    scene: Scene,
) -> None:
    rebuild(scene.stage, OpenSkill(), 1200.0)
    scene.report(RESULT)
    scene.fold()
    rebuild(scene.stage, InitiatorK(), 1300.0)
    scene.fold()
    assert findings(scene.audit()) == ([], 0, [], [], True)
    scene.client.hset(scene.stage.keys.states, "ann", pack(PlayerState(1500.0, 2, 2)))
    assert scene.audit().differences == ["states"]


def test_an_archived_ladder_that_kept_its_promises_passes_until_a_file_is_forgotten(
    redis_client: redis.Redis, store: Store, tmp_path: Path
) -> None:
    store = Store(store.client, archive=Archive(str(tmp_path)))
    scene = Scene(Stage(store, keep_days=1), LadderLedger(), redis_client)
    scene.stage.join("ann", "bob", "cid")
    scene.report(*wins(("ann", "bob"), ("bob", "cid"), ("cid", "ann")))
    scene.fold()
    assert list(archive_all(store, scene.stage.id, time.time_ns() // 1_000_000 + 2 * DAY_MS))
    assert findings(scene.audit()) == ([], 0, [], [], True)
    redis_client.delete(scene.stage.keys.archived_changes)
    assert scene.audit().lost


def test_a_result_that_was_accepted_and_is_not_in_the_log_is_lost(scene: Scene) -> None:
    scene.ledger.note(RESULT)
    scene.ledger.accept("r2")
    assert scene.audit().lost == ["r2"]


def test_a_result_that_was_not_accepted_may_be_missing(scene: Scene) -> None:
    scene.ledger.note(RESULT)
    assert scene.audit().lost == []


def test_a_result_that_is_not_rated_is_lost(scene: Scene) -> None:
    scene.report(RESULT)
    assert scene.audit().lost == ["r2"]


def test_an_annulment_that_was_answered_and_is_not_kept_is_lost(scene: Scene) -> None:
    scene.stage.annul("r0")
    scene.fold()
    scene.ledger.annulled.add("r0")
    assert findings(scene.audit()) == ([], 0, [], [], True)
    scene.ledger.annulled.add("r1")
    assert scene.audit().lost == ["r1"]


def test_an_annulment_that_took_nothing_back_is_found(scene: Scene) -> None:
    scene.stage.annul("r0")
    log_id = scene.stage.store.run(folds.extent(scene.stage.keys))[1]
    scene.client.set(scene.stage.keys.cursor, log_id)
    audit = scene.audit()
    assert (audit.doubled, audit.differences) == (1, ["states", "ratings"])


def test_a_result_that_was_accepted_otherwise_is_lost(scene: Scene) -> None:
    scene.report(RESULT)
    scene.fold()
    scene.ledger.note(Result.duel("r2", "ann", "cid", "loss", {}))
    assert scene.audit().lost == ["r2"]


def test_a_result_that_stands_in_the_log_twice_is_doubled(scene: Scene) -> None:
    for _ in range(2):
        scene.client.hdel(scene.stage.keys.ids, RESULT.id_digest)
        scene.report(RESULT)
    scene.fold()
    assert scene.audit().doubled == 1


def test_a_result_that_moved_the_ratings_twice_is_doubled(scene: Scene) -> None:
    played_once_more = PlayerState(1500, games=3, draws=3, peak=1500)
    for player in ("ann", "bob"):
        scene.client.hset(scene.stage.keys.states, player, pack(played_once_more))
    audit = scene.audit()
    assert audit.doubled == 1
    assert audit.differences == ["states"]


def test_a_result_that_was_counted_twice_is_doubled(scene: Scene) -> None:
    scene.client.hincrby(scene.stage.keys.counters, "rated", 1)
    assert scene.audit().doubled == 1


def test_a_result_that_nobody_reported_is_found(scene: Scene) -> None:
    scene.stage.report(RESULT)
    scene.fold()
    assert scene.audit().unknown == ["r2"]


def test_a_rating_that_is_not_the_folds_is_found(scene: Scene) -> None:
    scene.client.zincrby(scene.stage.keys.ratings, 2**-16, "ann")
    audit = scene.audit()
    assert audit.differences == ["ratings"]
    assert audit.total_exact is False


def test_a_history_that_misses_a_line_is_found(scene: Scene) -> None:
    scene.client.lpop(scene.stage.keys.history("ann"))
    assert scene.audit().differences == ["histories"]


def test_a_result_whose_id_is_forgotten_is_found(scene: Scene) -> None:
    scene.client.hdel(scene.stage.keys.ids, Result.duel("r0", "ann", "bob", "win", {}).id_digest)
    assert scene.audit().differences == ["ids"]


def test_a_team_match_counts_as_one_result(scene: Scene) -> None:
    scene.report(Result("team", (("ann", "bob"), ("cid",)), "win", {}))
    scene.fold()
    assert findings(scene.audit()) == ([], 0, [], [], True)
    scene.stage.annul("team")
    scene.fold()
    assert findings(scene.audit()) == ([], 0, [], [], True)

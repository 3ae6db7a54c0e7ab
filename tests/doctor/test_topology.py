"""Clusters and sentinels."""

import redis

from matchmaker.doctor.topology import check_store
from matchmaker.store.address import parse_address
from matchmaker.store.connect import connect
from tests.doctor.conftest import NOTHING, Start
from tests.waiting import wait_until


def verdicts(url: str) -> dict[str, str]:
    with connect(url) as client:
        return {
            finding.check: finding.verdict for finding in check_store(client, parse_address(url), NOTHING)
        }


def test_every_primary_of_a_cluster_is_looked_at(start: Start) -> None:
    port = start("cluster-enabled yes", "appendonly yes", "maxmemory-policy noeviction")
    with redis.Redis("127.0.0.1", port, protocol=2) as client:
        client.execute_command("CLUSTER ADDSLOTSRANGE", 0, 16383)
        wait_until(lambda: client.execute_command("CLUSTER INFO")["cluster_state"] == "ok")
    found = verdicts(f"redis+cluster://127.0.0.1:{port}")
    assert found.pop("cluster") == "ok"
    assert found == {
        f"node 127.0.0.1:{port} {check}": "ok"
        for check in ("version", "persistence", "durability", "eviction", "memory", "clock", "role")
    }
    assert verdicts(f"redis://127.0.0.1:{port}")["cluster"] == "bad", "a cluster is no single server"


def test_sentinels_without_a_quorum_are_bad(start: Start) -> None:
    primary = start("appendonly yes")
    for quorum, verdict in ((1, "ok"), (2, "bad")):
        sentinel = start(f"sentinel monitor arena 127.0.0.1 {primary} {quorum}", sentinel=True)
        found = verdicts(f"redis+sentinel://127.0.0.1:{sentinel}/arena")
        assert (found["sentinels"], found["store role"]) == (verdict, "ok")


def test_a_sentinel_that_does_not_answer_is_told(start: Start) -> None:
    primary = start("appendonly yes")
    sentinel = start(f"sentinel monitor arena 127.0.0.1 {primary} 1", sentinel=True)
    found = verdicts(f"redis+sentinel://127.0.0.1:{sentinel},127.0.0.1:1/arena")
    assert found["sentinels"] == "warning"

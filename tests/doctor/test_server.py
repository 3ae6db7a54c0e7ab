"""What is said about one server, from what it tells."""

from collections.abc import Iterable
from typing import Any

import pytest
import redis

from matchmaker.doctor import server
from matchmaker.doctor.finding import Finding
from matchmaker.doctor.server import check_server
from matchmaker.store.fences import Fence
from tests.doctor.conftest import NOTHING, Start

EXPECTED = ("version", "persistence", "durability", "eviction", "memory", "clock", "role")


def verdicts(findings: Iterable[Finding]) -> dict[str, str]:
    return {finding.check.removeprefix("store "): finding.verdict for finding in findings}


def test_the_embedded_configuration_is_fine(redis_client: redis.Redis) -> None:
    assert verdicts(check_server(redis_client, "store", NOTHING, embedded=True)) == dict.fromkeys(
        EXPECTED, "ok"
    )
    assert verdicts(check_server(redis_client, "store", NOTHING))["persistence"] == "warning", "who syncs it?"


def test_a_cache_server_is_told_from_a_store(start: Start) -> None:
    port = start("appendonly no", "maxmemory 100mb", "maxmemory-policy allkeys-lru")
    with redis.Redis("127.0.0.1", port, protocol=2) as client:
        found = verdicts(check_server(client, "store", NOTHING))
    assert (found["persistence"], found["eviction"], found["version"]) == ("bad", "bad", "ok")


def test_where_config_is_forbidden_the_rest_is_found_out_all_the_same(start: Start) -> None:
    port = start("appendonly yes", "user default on nopass ~* +@all -config")
    with redis.Redis("127.0.0.1", port, protocol=2) as client:
        found = verdicts(check_server(client, "store", NOTHING))
    assert (found["persistence"], found["eviction"]) == ("unknown", "ok")


def test_a_replica_is_no_store(start: Start) -> None:
    port = start(f"replicaof 127.0.0.1 {start('appendonly yes')}")
    with redis.Redis("127.0.0.1", port, protocol=2) as client:
        assert verdicts(check_server(client, "store", NOTHING))["role"] == "bad"


@pytest.mark.parametrize(
    ("info", "verdict"),
    [
        ({"redis_version": "7.2.4", "valkey_version": "9.1.0"}, "ok"),
        ({"redis_version": "7.2.0"}, "ok"),
        ({"redis_version": "7.0.15"}, "bad"),
        ({"redis_version": "6.2"}, "bad"),
        ({"redis_version": "10.0.1"}, "ok"),
        ({}, "unknown"),
    ],
)
def test_versions(info: dict[str, Any], verdict: str) -> None:
    assert server.version(info, "store").verdict == verdict


@pytest.mark.parametrize(
    ("info", "appendfsync", "verdict"),
    [
        ({"aof_enabled": 1, "aof_last_write_status": "ok"}, "everysec", "ok"),
        ({"aof_enabled": 1, "aof_last_write_status": "err"}, "everysec", "bad"),
        ({"aof_enabled": 1}, "no", "warning"),
        ({"aof_enabled": 1}, None, "unknown"),
        ({"aof_enabled": 0}, "everysec", "bad"),
        ({}, None, "unknown"),
    ],
)
def test_persistence(info: dict[str, Any], appendfsync: str | None, verdict: str) -> None:
    (finding,) = server.persistence(info, appendfsync, "store")
    assert finding.verdict == verdict


@pytest.mark.parametrize(
    ("fence", "appendfsync", "replicas", "verdict"),
    [
        (NOTHING, "everysec", 0, "ok"),
        (Fence(fsync=True, replicas=0), "everysec", 0, "bad"),
        (Fence(fsync=True, replicas=0), "always", 0, "ok"),
        (Fence(fsync=True, replicas=0), None, 0, "ok"),
        (Fence(fsync=False, replicas=2), "everysec", 1, "bad"),
        (Fence(fsync=True, replicas=2), "always", 2, "ok"),
    ],
)
def test_a_server_must_be_able_to_confirm_what_answers_wait_for(
    fence: Fence, appendfsync: str | None, replicas: int, verdict: str
) -> None:
    finding = server.durability({"connected_slaves": replicas}, appendfsync, fence, "store")
    assert (finding.verdict, bool(finding.advice)) == (verdict, verdict == "bad")


@pytest.mark.parametrize(
    ("used", "maxmemory", "system", "verdict"),
    [
        (10, 0, 100, "ok"),
        (75, 0, 100, "warning"),
        (75, 80, 1000, "bad"),
        (10, 80, 0, "ok"),
        (10, 0, 0, "unknown"),
    ],
)
def test_memory(used: int, maxmemory: int, system: int, verdict: str) -> None:
    info = {"used_memory": used, "maxmemory": maxmemory, "total_system_memory": system}
    assert server.memory(info, "store").verdict == verdict


@pytest.mark.parametrize(
    ("there", "verdict"),
    [(100.5, "ok"), (101.9, "ok"), (103.0, "warning"), (98.0, "warning"), (0.0, "bad"), (200.0, "bad")],
)
def test_a_clock_is_wrong_by_what_the_time_of_asking_does_not_explain(there: float, verdict: str) -> None:
    assert server.clock(there, 100.0, 101.0, "store").verdict == verdict


def test_whatever_is_not_fine_says_what_to_do(start: Start) -> None:
    port = start("appendonly no", "maxmemory 100mb", "maxmemory-policy allkeys-lru")
    with redis.Redis("127.0.0.1", port, protocol=2) as client:
        for finding in check_server(client, "store", NOTHING):
            assert bool(finding.advice) == (finding.verdict != "ok")

"""The whole service as a user starts it."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from chaos.running import Running, environment, free_port, up
from matchmaker.backgammon import engine
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="children are looked up in /proc")


def _refused(command: str, directory: Path, port: int) -> tuple[int, str]:
    """Exit code and stderr of a command that does not start beside it."""
    refused = subprocess.run(
        [sys.executable, "-m", "matchmaker", command],
        cwd=directory,
        env=environment(directory, port),
        capture_output=True,
        text=True,
        timeout=30,
    )
    return refused.returncode, refused.stderr


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with up(tmp_path_factory.mktemp("up")) as running:
        yield running


def test_it_says_where_the_board_is_and_how_to_administer(running: Running) -> None:
    printed = running.printed.read_text()
    assert f"http://127.0.0.1:{running.port}/\n" in printed
    assert f"http://127.0.0.1:{running.port}/docs\n" in printed
    assert running.admin_key() in printed


def test_a_first_start_makes_the_preset_ladders(running: Running) -> None:
    with running.client() as client:
        for ladder in ("nft", "cards", "backgammon"):
            assert client.get(f"/v1/ladders/{ladder}").json()["id"] == ladder


@pytest.mark.skipif(not engine.installed(), reason="the optional package bgsage is not installed")
def test_positions_of_backgammon_are_judged(running: Running) -> None:
    ladder = "/v1/ladders/backgammon"
    left = {"id": "m", "initiator": "ann", "opponent": "bob", "leaver": "bob", "length": 5}
    opening = {"position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"}
    with running.client() as client:
        client.headers["Authorization"] = f"Bearer {running.admin_key()}"
        for player in ("ann", "bob"):
            assert client.put(f"{ladder}/players/{player}", json={}).is_success
        answer = client.post(f"{ladder}/abandonments?wait=10", json=left | opening).json()
    assert (answer["status"], answer["points"]) == ("rated", 1)
    assert answer["gammon_probability"] == pytest.approx(0.15, abs=0.01)


def test_a_second_up_on_the_same_directory_is_refused(running: Running) -> None:
    code, told = _refused("up", running.printed.parent, free_port())
    assert code == 1
    assert f"in use by process {running.process.pid};" in told
    assert told.count("\n") == 1


def test_a_taken_port_is_refused(running: Running, tmp_path: Path) -> None:
    code, told = _refused("up", tmp_path, running.port)
    assert code == 1
    assert f"port {running.port} on 127.0.0.1 is taken" in told
    assert told.count("\n") == 1


def test_a_demo_on_the_same_port_is_told_how_to_join(running: Running, tmp_path: Path) -> None:
    code, told = _refused("demo", tmp_path, running.port)
    assert code == 1
    assert f"`matchmaker demo --url {running.url}`" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("part", ["matchmaker worker", "matchmaker api", "valkey-server"])
def test_a_part_that_was_killed_is_replaced(running: Running, part: str) -> None:
    victim = running.child(part)
    assert victim is not None
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: running.child(part) not in (None, victim))

    def ready() -> bool:
        with running.client() as client, contextlib.suppress(httpx.TransportError):
            return client.get("/readyz").status_code == 200
        return False

    wait_until(ready, timeout=30)


def test_ctrl_c_stops_everything_and_loses_nothing(tmp_path: Path) -> None:
    with up(tmp_path) as first:
        parts = first.children()
        key = first.admin_key()
        with first.client() as client:
            client.headers["Authorization"] = f"Bearer {key}"
            for player in ("ann", "bob"):
                assert client.put(f"/v1/ladders/nft/players/{player}", json={}).status_code == 201
            result = {"id": "first", "initiator": "ann", "opponent": "bob", "outcome": "win"}
            assert client.post("/v1/ladders/nft/results", json=result).status_code == 202
        first.process.send_signal(signal.SIGINT)
        assert first.process.wait(30) == 0
    assert len(parts) == 3
    assert not [pid for pid in parts if Path(f"/proc/{pid}/exe").exists()]

    with up(tmp_path) as second, second.client() as client:
        client.headers["Authorization"] = f"Bearer {key}"

        def rated() -> bool:
            return bool(client.get("/v1/ladders/nft/results/first").json()["status"] == "rated")

        wait_until(rated)
        assert client.get("/v1/ladders/nft/players/ann").json()["rating"] == 1520


def test_sigterm_stops_it_as_ctrl_c_does(tmp_path: Path) -> None:
    with up(tmp_path) as running:
        running.process.terminate()
        assert running.process.wait(30) == 0
    assert running.printed.read_text().endswith("\nMatchmaker has stopped.\n")

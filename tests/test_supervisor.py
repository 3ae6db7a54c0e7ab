"""The supervisor, with real processes for its services and a real store."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from matchmaker import supervisor
from matchmaker.errors import MatchmakerError
from matchmaker.service import Service
from matchmaker.store.connect import connect
from matchmaker.store.data_directory import DataDirectory
from matchmaker.store.embedded import EmbeddedServer
from matchmaker.supervisor import Supervisor
from tests.processes import ended
from tests.waiting import wait_until

# Notes in a journal that it has started and that it was asked to stop.
OBEDIENT = """
import pathlib, signal, sys
name, journal = sys.argv[1], pathlib.Path(sys.argv[2]).open("a", buffering=1)
signal.signal(signal.SIGTERM, lambda *_: (print(name, "stops", file=journal), sys.exit()))
print(name, "starts", file=journal)
signal.pause()
"""
STUBBORN = OBEDIENT.replace("sys.exit()", "None").replace("signal.pause()", "while True: signal.pause()")
SHORT_LIVED = "pass"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal"
    path.touch()
    return path


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedServer]:
    with DataDirectory(tmp_path).hold() as lock, EmbeddedServer(tmp_path, lock) as server:
        yield server


def _service(name: str, journal: Path, program: str = OBEDIENT, patience: float = 10.0) -> Service:
    return Service(name, (sys.executable, "-c", program, name, str(journal)), os.environ, patience)


def _ask_to_stop() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def _run(
    *groups: Sequence[Service],
    until: Callable[[], object],
    store: EmbeddedServer | None = None,
    prepare: Callable[[], None] = lambda: None,
    announce: Callable[[], None] = _ask_to_stop,
) -> None:
    """Runs a supervisor that is asked to stop as soon as `until()`."""
    Supervisor(store, groups, prepare=prepare, is_ready=lambda: bool(until()), announce=announce).run()


def test_services_stop_in_the_reverse_order_of_their_groups(journal: Path) -> None:
    api, worker, other = (_service(name, journal) for name in ("api", "worker", "other"))
    _run([worker, other], [api], until=lambda: journal.read_text().count("starts") == 3)
    stops = journal.read_text().splitlines()[3:]
    assert stops[0] == "api stops"
    assert sorted(stops[1:]) == ["other stops", "worker stops"]


def test_a_service_that_was_killed_is_started_again(journal: Path) -> None:
    worker = _service("worker", journal)

    def started_twice() -> bool:
        starts = journal.read_text().count("starts")
        if starts == 1 and worker.alive():
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGKILL)
        return starts == 2

    _run([worker], until=started_twice)
    assert not worker.alive()


def test_a_service_that_keeps_ending_is_started_less_and_less_often(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str] = []

    def fourth_time() -> bool:
        told.extend(capsys.readouterr().err.splitlines())
        return len(told) == 4

    _run([_service("worker", journal, SHORT_LIVED)], until=fourth_time)
    assert told == [f"matchmaker: worker ended; again in {delay} s" for delay in (0.1, 0.2, 0.4, 0.8)]


def test_a_service_that_has_served_is_started_again_at_once(
    journal: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "_STEADY_SECONDS", 0.0)
    told: list[str] = []

    def third_time() -> bool:
        told.extend(capsys.readouterr().err.splitlines())
        return len(told) == 3

    _run([_service("worker", journal, SHORT_LIVED)], until=third_time)
    assert told == ["matchmaker: worker ended; again in 0.1 s"] * 3


def test_a_store_that_was_killed_is_started_again_with_its_data(server: EmbeddedServer) -> None:
    client = connect(server.url)
    pids: set[int | None] = set()

    def started_twice() -> bool:
        if len(pids) == 1 and server.alive() and server.pid in pids:
            client.set("key", "value")
            assert server.pid is not None
            os.kill(server.pid, signal.SIGKILL)
        pids.add(server.pid)
        return len(pids) == 2 and server.ready() and client.get("key") == b"value"

    _run(store=server, until=started_twice)
    assert not server.alive()
    client.close()


def test_the_store_is_ready_before_anything_else_and_stops_last(
    server: EmbeddedServer, journal: Path
) -> None:
    worker = _service("worker", journal)

    def prepare() -> None:
        assert server.ready()
        assert not worker.alive()

    _run([worker], store=server, prepare=prepare, until=lambda: "starts" in journal.read_text())
    assert "stops" in journal.read_text()
    assert not server.alive()


def test_what_runs_is_stopped_when_the_service_cannot_come_up(server: EmbeddedServer) -> None:
    def prepare() -> None:
        raise MatchmakerError("no way")

    with pytest.raises(MatchmakerError, match="no way"):
        _run(store=server, prepare=prepare, until=lambda: True)
    assert not server.alive()


def test_a_service_that_does_not_stop_in_time_is_killed(journal: Path) -> None:
    worker = _service("worker", journal, STUBBORN, patience=0.1)
    _run([worker], until=lambda: "starts" in journal.read_text())
    assert "stops" in journal.read_text()
    assert not worker.alive()


def test_a_second_request_to_stop_kills_what_still_runs(journal: Path) -> None:
    worker = _service("worker", journal, STUBBORN, patience=60)

    def ask_twice() -> None:
        _ask_to_stop()
        _ask_to_stop()

    _run([worker], until=lambda: "starts" in journal.read_text(), announce=ask_twice)
    assert not worker.alive()


def test_a_request_to_stop_is_heeded_while_the_service_comes_up(journal: Path) -> None:
    worker = _service("worker", journal)
    _run([worker], prepare=_ask_to_stop, until=lambda: False)
    assert journal.read_text() == ""


@pytest.mark.skipif(sys.platform != "linux", reason="the tie to the parent needs Linux")
def test_services_end_with_a_supervisor_that_is_killed(journal: Path) -> None:
    program = (
        "import os, sys\n"
        "from matchmaker.service import Service\n"
        "from matchmaker.supervisor import Supervisor\n"
        "argv = [sys.executable, '-c', sys.argv[1], 'worker', sys.argv[2]]\n"
        "service = Service('worker', argv, os.environ)\n"
        "Supervisor(None, [[service]], prepare=int, is_ready=lambda: True, announce=int).run()\n"
    )
    with ended(subprocess.Popen([sys.executable, "-c", program, OBEDIENT, str(journal)])) as supervisor:
        wait_until(lambda: "starts" in journal.read_text())
        supervisor.kill()
    wait_until(lambda: "stops" in journal.read_text())

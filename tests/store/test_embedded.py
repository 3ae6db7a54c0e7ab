"""The embedded server, as a real process."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from matchmaker.store import rewriting
from matchmaker.store.connect import connect
from matchmaker.store.data_directory import DirectoryInUseError
from matchmaker.store.embedded import ServerFailedError, embedded_server, embedded_url
from tests.processes import ended
from tests.waiting import wait_until


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_was_written_is_there_after_a_restart(tmp_path: Path) -> None:
    with embedded_server(tmp_path) as server:
        connect(server.url).set("key", "value")
    with embedded_server(tmp_path) as server:
        assert connect(server.url).get("key") == b"value"


def test_what_was_written_is_there_after_the_server_was_killed(tmp_path: Path) -> None:
    with embedded_server(tmp_path) as server:
        connect(server.url).set("key", "value")
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        wait_until(lambda: not server.alive())
        server.start()
        assert connect(server.url).get("key") == b"value"


@pytest.mark.parametrize(("fsync", "policy"), [(False, "no"), (True, "always")])
def test_the_server_writes_before_it_answers_however_slow_the_disk_is(
    tmp_path: Path, fsync: bool, policy: str
) -> None:
    with embedded_server(tmp_path, fsync=fsync) as server:  # with `everysec` it may answer first
        assert connect(server.url).config_get("appendfsync") == {"appendfsync": policy}


def test_what_was_written_is_flushed_once_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    clock = 0.0
    monkeypatch.setattr(os, "fsync", lambda descriptor: sizes.append(os.fstat(descriptor).st_size))
    monkeypatch.setattr("matchmaker.store.flusher.time.monotonic", lambda: clock)
    with embedded_server(tmp_path) as server:
        (file,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
        client = connect(server.url)
        client.set("key", "value")
        assert server.flush() == 1.0
        first = file.stat().st_size
        client.set("key", "other value")
        clock = 0.75
        assert server.flush() == 0.25
        assert sizes == [first]
        clock = 1.0
        server.flush()
        clock = 2.0
        server.flush()
        assert sizes == [first, file.stat().st_size], "once each, and not again when nothing was written"


def test_what_would_take_long_to_read_again_is_rewritten_before_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rewriting, "_WORTHWHILE", 1_000)
    with embedded_server(tmp_path) as server:
        client = connect(server.url)
        for number in range(100):
            client.set("key", f"value {number}")
    (file,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    assert file.stat().st_size < 1_000


def test_a_stop_waits_for_a_rewrite_that_is_under_way_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rewriting, "_WORTHWHILE", 1_000)
    with embedded_server(tmp_path) as server:
        client = connect(server.url)
        for number in range(100):
            client.set("key", f"value {number}")
        client.config_set("rdb-key-save-delay", 200_000)  # µs that the rewrite takes for the key
        client.bgrewriteaof()
    (file,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    assert file.stat().st_size < 1_000
    with embedded_server(tmp_path) as server:
        assert connect(server.url).get("key") == b"value 99"


def test_more_than_a_stop_can_wait_for_is_not_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rewriting, "_WORTHWHILE", 1)
    monkeypatch.setattr(rewriting, "_LARGEST", 1_000)
    with embedded_server(tmp_path) as server:
        connect(server.url).set("key", "x" * 1_000)
    (file,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    assert file.stat().st_size > 1_000


def test_what_an_unfinished_rewrite_left_behind_is_removed(tmp_path: Path) -> None:
    for name in ("temp-rewriteaof-17.aof", "temp-rewriteaof-bg-17.aof"):
        (tmp_path / name).touch()
    with embedded_server(tmp_path):
        assert not list(tmp_path.glob("temp-*"))


def test_a_deep_data_directory_works(tmp_path: Path) -> None:
    deep = tmp_path / ("deep" * 30) / "directory with a 'quote' and a %20"
    with embedded_server(deep) as server:
        assert embedded_url(deep) == server.url
        assert connect(server.url).ping()


def test_a_stopped_server_leaves_no_socket_and_no_address(tmp_path: Path) -> None:
    with embedded_server(tmp_path):
        pass
    assert embedded_url(tmp_path) is None
    assert not list(tmp_path.glob("*.sock"))


def test_a_socket_left_behind_by_a_killed_server_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "valkey.sock").touch()
    (tmp_path / "socket").write_text(str(tmp_path / "valkey.sock"))
    with embedded_server(tmp_path) as server:
        assert connect(server.url).ping()


def test_the_data_is_for_its_owner_alone(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    with embedded_server(directory):
        assert _mode(directory) == 0o700
        assert _mode(directory / "appendonlydir") == 0o700


def test_a_second_server_on_the_same_directory_is_refused(tmp_path: Path) -> None:
    with (
        embedded_server(tmp_path),
        pytest.raises(DirectoryInUseError, match=rf"in use by process {os.getpid()};"),
        embedded_server(tmp_path),
    ):
        pass


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").write_text("in the way")
    with (
        pytest.raises(ServerFailedError, match=r"ended: .*appendonlydir"),
        embedded_server(tmp_path),
    ):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="the tie to the parent needs Linux")
def test_the_server_ends_with_a_killed_parent_and_the_directory_is_handed_over(tmp_path: Path) -> None:
    program = (
        "import pathlib, sys, time\n"
        "from matchmaker.store.embedded import embedded_server\n"
        "with embedded_server(pathlib.Path(sys.argv[1])) as server:\n"
        "    print(server.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with ended(subprocess.Popen(command, stdout=subprocess.PIPE)) as parent:
        assert parent.stdout is not None
        orphan = int(parent.stdout.readline())
        parent.kill()
    with embedded_server(tmp_path) as server:
        assert server.pid != orphan
        assert connect(server.url).ping()


@pytest.mark.parametrize("depth", [1, 12])
def test_a_copied_directory_is_not_mistaken_for_the_original(tmp_path: Path, depth: int) -> None:
    original = tmp_path.joinpath(*["deep-directory"] * depth)
    with embedded_server(original) as server:
        copy = tmp_path / "copy"
        copy.mkdir()
        (copy / "socket").write_bytes((original / "socket").read_bytes())
        assert embedded_url(original) == server.url
        assert embedded_url(copy) is None
        with embedded_server(copy) as other, connect(other.url) as client:
            client.ping()
        with connect(server.url) as client:
            client.ping()


@pytest.mark.parametrize("record", [b"", b"/etc/passwd", b"\xff\x00"])
def test_a_damaged_record_of_the_socket_is_passed_over(tmp_path: Path, record: bytes) -> None:
    (tmp_path / "socket").write_bytes(record)
    assert embedded_url(tmp_path) is None
    with embedded_server(tmp_path) as server, connect(server.url) as client:
        client.ping()

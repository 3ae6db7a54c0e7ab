"""Which store a command works on."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from matchmaker.admin_key import admin_key
from matchmaker.cli.session import NoDataError, open_store
from matchmaker.config import Settings
from matchmaker.errors import StoreUnavailableError
from matchmaker.presets import PRESETS
from matchmaker.store import ladders
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.data_directory import DataDirectory
from matchmaker.store.embedded import embedded_server
from tests.cli.conftest import Program
from tests.processes import ended
from tests.waiting import wait_until


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data directory that is set."""
    path = tmp_path / "data"
    monkeypatch.setenv("MATCHMAKER_DATA_DIR", str(path))
    return path


def list_ladders(*, may_create: bool = False) -> list[str]:
    with open_store(may_create=may_create) as store:
        return store.run(ladders.index())


def test_the_store_that_is_set_is_used_as_it_is(
    clean_store: str, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATCHMAKER_STORE_URL", clean_store)
    assert list_ladders() == []
    assert not directory.exists()


def test_a_database_that_the_server_does_not_have_is_told(
    clean_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATCHMAKER_STORE_URL", f"{clean_store}?db=99")
    with pytest.raises(StoreUnavailableError, match="the store refuses: DB index is out of range"):
        list_ladders()


def test_without_one_the_embedded_server_runs_for_the_command(directory: Path) -> None:
    with open_store(may_create=True) as store:
        assert store.run(ladders.index()) == sorted(preset.id for preset in PRESETS)
        store.run(ladders.announce("kept"))
    with DataDirectory(directory).hold():
        pass  # nobody holds it any more
    assert "kept" in list_ladders()


def test_a_running_service_is_joined(directory: Path) -> None:
    with running_service(directory) as mark:
        assert mark in list_ladders()


@contextlib.contextmanager
def running_service(directory: Path) -> Iterator[str]:
    """As `matchmaker up` runs it; gives the name of something that stands in its store."""
    with embedded_server(directory) as server:
        with connect(server.url) as client:
            Store(client).run(ladders.announce("mark"))
        yield "mark"


def test_commands_without_a_service_take_turns(directory: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = """if True:
        from matchmaker.cli.session import open_store
        with open_store() as store:
            print("open", flush=True)
            input()
            store.client.ping()
    """
    with ExitStack() as stack:
        with open_store(may_create=True):
            second = subprocess.Popen(
                (sys.executable, "-c", program), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            stack.enter_context(ended(second))
            wait_until(lambda: "Waiting for another command" in capfd.readouterr().err, timeout=20)
        out, _ = second.communicate("\n", timeout=20)
    assert (out, second.returncode) == ("open\n", 0)


def test_a_directory_held_without_a_server_is_told(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matchmaker.cli.session._COMING_UP_SECONDS", 0.0)
    with DataDirectory(directory).hold(), pytest.raises(StoreUnavailableError, match="MATCHMAKER_STORE_URL"):
        list_ladders(may_create=True)


LOOKING = (
    *(
        ("board", "nft"),
        ("standing", "nft", "ann"),
        ("opponent", "nft", "ann"),
        ("export", "nft", "x.ndjson"),
    ),
    *(("ladder", "list"), ("ladder", "show", "nft")),
    *(("keys", "list"), ("keys", "create", "--scope", "read"), ("keys", "revoke", "x")),
)


@pytest.mark.parametrize("command", LOOKING, ids=" ".join)
def test_a_command_that_looks_for_data_makes_none(
    program: Program, directory: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.delenv("MATCHMAKER_STORE_URL")
    ended = program(*command)
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert f"there is no data in {directory}; set MATCHMAKER_DATA_DIR" in ended.err
    assert "`matchmaker up`" in ended.err
    assert not directory.exists()


def test_a_directory_with_nothing_but_an_admin_key_holds_no_data(directory: Path) -> None:
    admin_key(Settings(data_dir=directory))
    with pytest.raises(NoDataError):
        list_ladders()


def test_an_import_of_a_missing_file_makes_no_data(
    program: Program, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MATCHMAKER_STORE_URL")
    assert program("import", "nft", "missing.csv").code == 1
    assert not directory.exists()


@pytest.mark.parametrize(
    "command", [("ladder", "presets"), ("ladder", "create", "arena", "--rule", "initiator_k")], ids=" ".join
)
def test_a_command_that_brings_data_makes_a_place_for_it(
    program: Program, directory: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.delenv("MATCHMAKER_STORE_URL")
    assert program(*command).code == 0
    assert program("board", "nft").code == 0

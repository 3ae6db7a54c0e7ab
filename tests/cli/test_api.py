"""`matchmaker api`, as far as it gets without a service around it."""

import contextlib
import json
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from chaos.running import free_port
from matchmaker.admin_key import KEY_FILE
from matchmaker.errors import MatchmakerError
from tests.cli.conftest import Program


@pytest.fixture(autouse=True)
def _handlers_stay() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data directory that is set; the port is free."""
    path = tmp_path / "data"
    monkeypatch.setenv("MATCHMAKER_DATA_DIR", str(path))
    monkeypatch.setenv("MATCHMAKER_PORT", str(free_port()))
    return path


def test_without_a_store_it_fails_in_one_line(
    program: Program, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MATCHMAKER_STORE_URL")
    ended = program("api")
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert ended.err.startswith(f"matchmaker: nothing runs on the data directory {directory}: ")


def test_an_unusable_admin_key_fails_in_one_line(program: Program, directory: Path) -> None:
    directory.mkdir()
    (directory / KEY_FILE).touch()
    ended = program("api")
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert f"{directory / KEY_FILE} is empty" in ended.err


@pytest.fixture
def failing_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The application fails when it starts."""

    @contextlib.asynccontextmanager
    async def fail(settings: object) -> AsyncIterator[None]:
        raise MatchmakerError("no way")
        yield

    monkeypatch.setattr("api.app.running_engine", fail)


@pytest.mark.usefixtures("failing_engine")
def test_an_application_that_fails_to_start_is_told_without_a_traceback(
    program: Program, directory: Path
) -> None:
    ended = program("api")
    assert ended.code == 1
    assert ended.err.splitlines()[-1] == "matchmaker: no way"
    assert "Traceback" not in ended.err


@pytest.mark.usefixtures("failing_engine")
def test_it_says_where_the_admin_key_is_kept_and_not_the_key(program: Program, directory: Path) -> None:
    ended = program("api")
    assert f"The admin key is kept in {directory / KEY_FILE}\n" in ended.err
    assert (directory / KEY_FILE).read_text() not in ended.out + ended.err


@pytest.mark.usefixtures("failing_engine")
def test_it_says_nothing_of_an_admin_key_that_is_set(
    program: Program, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATCHMAKER_ADMIN_KEY", "set")
    assert "admin key" not in program("api").err
    assert not directory.exists()


@pytest.mark.usefixtures("failing_engine")
def test_its_events_are_json_when_that_is_set(
    program: Program, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATCHMAKER_LOG", "json")
    events = [json.loads(line) for line in program("api").err.splitlines()[:-1]]
    assert [(event["level"], event["logger"]) for event in events] == 2 * [("info", "matchmaker.cli.api")]

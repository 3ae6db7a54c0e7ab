"""The store, for the time that a command takes."""

import contextlib
import fcntl
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import redis

from matchmaker.config import Settings, load_settings
from matchmaker.endpoints import archive, fence
from matchmaker.errors import MatchmakerError, StoreUnavailableError
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.data_directory import DirectoryInUseError
from matchmaker.store.embedded import embedded_server, embedded_url, holds_store
from matchmaker.store.presets import create_presets

_TURN_FILE: Final = "command.lock"
_COMING_UP_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.05


class NoDataError(MatchmakerError):
    """The data directory holds no store."""

    status = 404
    code = "no_data"


@contextlib.contextmanager
def open_store(*, may_create: bool = False) -> Iterator[Store]:
    """The store that is set, or else the embedded one, with the preset ladders in it.

    Raises NoDataError where there is none, unless it `may_create` one; SettingsError, ServerFailedError,
    StoreUnavailableError.
    """
    settings = load_settings()
    with ExitStack() as stack:
        if settings.store_url is None and not may_create and not holds_store(settings.data_dir):
            raise NoDataError(
                f"there is no data in {settings.data_dir.absolute()}; set MATCHMAKER_DATA_DIR (or "
                "MATCHMAKER_STORE_URL) to where it is, or start with `matchmaker up`"
            )
        url = settings.store_url or stack.enter_context(_embedded(settings))
        client = stack.enter_context(connect(url))
        try:
            client.ping()
        except redis.ResponseError as error:  # because of what the URL asks for, such as a database
            raise StoreUnavailableError(f"the store refuses: {error}") from None
        store = Store(client, fence(settings), archive(settings))
        if settings.store_url is None:
            create_presets(store)
        yield store


@contextlib.contextmanager
def _embedded(settings: Settings) -> Iterator[str]:
    """URL of the server that `matchmaker up` runs on the data directory, or of one that runs meanwhile.

    Commands that run a server of their own take turns: none may lose it because another one ends.
    """
    directory, fsync = settings.data_dir, settings.durability == "fsync"
    with ExitStack() as stack:
        stack.enter_context(_turn(directory))
        try:
            url = stack.enter_context(embedded_server(directory, fsync=fsync)).url
        except DirectoryInUseError as error:
            stack.close()
            url = _url_of_service(directory, error)
        yield url


@contextlib.contextmanager
def _turn(directory: Path) -> Iterator[None]:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (directory / _TURN_FILE).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Waiting for another command on {directory} to end", file=sys.stderr)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _url_of_service(directory: Path, refusal: DirectoryInUseError) -> str:
    """Waits a while for a service that is just coming up."""
    deadline = time.monotonic() + _COMING_UP_SECONDS
    while True:
        if (url := embedded_url(directory)) and _answers(url):
            return url
        if time.monotonic() > deadline:
            raise StoreUnavailableError(
                f"{refusal.detail} (no embedded server answers there; "
                "if that process uses another store, set MATCHMAKER_STORE_URL to the same)"
            )
        time.sleep(_POLL_SECONDS)


def _answers(url: str) -> bool:
    with connect(url) as client:
        try:
            return bool(client.ping())
        except (redis.ConnectionError, redis.TimeoutError):
            return False

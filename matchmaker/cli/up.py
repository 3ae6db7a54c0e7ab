"""`matchmaker up`."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matchmaker.config import Settings
    from matchmaker.service import Service

_WORKER_PATIENCE = 30.0
_API_PATIENCE = 10.0


def up() -> None:
    """Run the whole service: store, workers, API and web page. Ctrl-C stops it, a second Ctrl-C at once."""
    from matchmaker.admin_key import KEY_FILE, admin_key
    from matchmaker.config import load_settings
    from matchmaker.listener import base_url, is_ready, listen
    from matchmaker.store.data_directory import DataDirectory
    from matchmaker.store.embedded import EmbeddedServer
    from matchmaker.supervisor import Supervisor

    settings = load_settings()
    address = base_url(settings.host, settings.port)
    with ExitStack() as stack:
        lock = stack.enter_context(DataDirectory(settings.data_dir).hold())
        listen(settings.host, settings.port).close()
        store, store_url = None, settings.store_url
        if store_url is None:
            store = stack.enter_context(
                EmbeddedServer(settings.data_dir, lock, fsync=settings.durability == "fsync")
            )
            store_url = store.url
        key = admin_key(settings)
        shown_key = f"{key} (kept in {settings.data_dir / KEY_FILE})"
        if settings.admin_key is not None:
            shown_key = "as set in MATCHMAKER_ADMIN_KEY"

        def announce() -> None:
            print(
                f"\nMatchmaker is running; Ctrl-C stops it.\n\n"
                f"  Board      {address}/\n"
                f"  API docs   {address}/docs\n"
                f"  Admin key  {shown_key}\n",
                flush=True,
            )

        Supervisor(
            store,
            _services(settings, {"MATCHMAKER_STORE_URL": store_url, "MATCHMAKER_ADMIN_KEY": key}),
            prepare=lambda: _create_presets(store_url),
            is_ready=lambda: is_ready(settings.host, settings.port),
            announce=announce,
        ).run()
    print("Matchmaker has stopped.", flush=True)


def _services(settings: "Settings", extra: Mapping[str, str]) -> "Sequence[Sequence[Service]]":
    from matchmaker.service import Service

    environment = os.environ | extra
    # -P: the directory that `up` is started in must not shadow a package.
    program = (sys.executable, "-P", "-m", "matchmaker")
    workers = [
        Service(f"worker {number}", (*program, "worker"), environment, _WORKER_PATIENCE)
        for number in range(1, settings.workers + 1)
    ]
    return workers, [Service("the API", (*program, "api"), environment, _API_PATIENCE)]


def _create_presets(store_url: str) -> None:
    from matchmaker.store.client import Store
    from matchmaker.store.connect import connect
    from matchmaker.store.presets import create_presets

    with connect(store_url) as client:
        create_presets(Store(client))

"""When keys were last used, as the API notes it."""

import time
from pathlib import Path

import pytest

from api.key_uses import KeyUses
from matchmaker.store import apikeys
from matchmaker.store.client import AsyncStore, Store
from matchmaker.store.connect import connect_async

pytestmark = pytest.mark.anyio


async def test_a_use_is_noted_without_waiting_for_the_store(clean_store: str, store: Store) -> None:
    client = connect_async(clean_store)
    uses, before = KeyUses(AsyncStore(client)), time.time_ns() // 1_000_000
    uses.note("one")
    await uses.close()
    assert before <= (store.run(apikeys.uses(["one"]))[0] or 0) <= time.time_ns() // 1_000_000
    await client.aclose()


async def test_a_key_that_is_used_all_the_time_is_noted_once_a_minute(
    clean_store: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = connect_async(clean_store)
    uses = KeyUses(AsyncStore(client))
    now = 1000.0
    monkeypatch.setattr("api.key_uses.time.monotonic", lambda: now)
    noted = []
    for seconds in (0, 59, 2):
        now += seconds
        uses.note("one")
        await uses.close()
        noted.append(store.run(apikeys.uses(["one"]))[0])
        store.run(apikeys.forget_use("one"))
    assert [at is not None for at in noted] == [True, False, True]
    await client.aclose()


async def test_without_the_store_a_use_is_let_go(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    client = connect_async(f"unix://{tmp_path}/nothing.sock")
    uses = KeyUses(AsyncStore(client))
    uses.note("one")
    await uses.close()
    assert "the key one is in use was not noted" in caplog.text
    await client.aclose()

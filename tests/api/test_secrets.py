"""Keys are nowhere but with those who hold them: not in answers, metrics, logs or what defects print."""

import logging

import pytest
from httpx import AsyncClient

from api import access
from api.engine import Engine, running_engine
from matchmaker.config import Settings
from matchmaker.store.client import Store
from tests.api.conftest import ADMIN, join, problem
from tests.api.test_access import new_key

pytestmark = pytest.mark.anyio


async def test_no_answer_metric_or_log_repeats_a_key(
    client: AsyncClient, store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Engine) -> int:
        raise RuntimeError

    caplog.set_level(logging.DEBUG)
    await join(client, "ann")
    monkeypatch.setattr(Engine, "now", fail)
    kept = new_key(store, "report")
    wrong = kept[:-1] + ("0" if kept[-1] != "0" else "1")
    answers = []
    for key in (ADMIN, kept, wrong):
        client.headers["Authorization"] = f"Bearer {key}"
        answers += [
            await client.get("/ladders/nft/board"),
            await client.get("/nowhere"),
            await client.put("/ladders/nft/players/ann", json={"rating": "x"}),
            await client.post("/ladders/nft/results", content="{"),
            await client.post("/ladders/nft/battles", json={"challenger": "ann"}),
            await client.get("http://test/metrics"),
        ]
    assert {200, 401, 404, 422, 500} <= {answer.status_code for answer in answers}
    told = caplog.text + "".join(f"{answer.headers} {answer.text}" for answer in answers)
    for secret in (ADMIN, kept.split("_")[2], wrong.split("_")[2]):
        assert secret not in told


async def test_what_knows_the_admin_key_does_not_print_it(settings: Settings) -> None:
    async with running_engine(settings) as engine:
        assert engine.access.admin_key == ADMIN
        assert ADMIN not in repr(engine) + repr(settings) + repr(access.PUBLIC)


async def test_a_wrong_key_is_refused_without_a_word_about_it(client: AsyncClient) -> None:
    client.headers["Authorization"] = f"Bearer {ADMIN}x"
    refused = await client.get("/ladders/nft/board")
    assert problem(refused) == (401, "unauthorized")
    assert ADMIN not in refused.text

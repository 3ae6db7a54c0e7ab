"""Ids of requests, and which of them are worth a line in the log."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient
from starlette.types import Message

from api import request_watch
from api.app import create_app
from api.engine import Engine
from matchmaker.config import Settings
from matchmaker.log import logging_to_stderr
from matchmaker.store.embedded import embedded_server
from tests.api.conftest import ADMIN, join, problem

pytestmark = pytest.mark.anyio


class Log:
    """What has been logged so far."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._capsys.readouterr().err.splitlines()]


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> Iterator[Log]:
    with logging_to_stderr("json", [ADMIN]):
        yield Log(capsys)


async def test_a_sane_request_id_comes_back(public: AsyncClient) -> None:
    response = await public.get("/ladders", headers={"X-Request-ID": "abc-1.2:3"})
    assert response.headers["x-request-id"] == "abc-1.2:3"


@pytest.mark.parametrize("sent", ["", "a b", "x" * 129, 'a"b', "ä"])
async def test_any_other_is_replaced(public: AsyncClient, sent: str) -> None:
    response = await public.get("/ladders", headers={b"X-Request-ID": sent.encode()})
    made = response.headers["x-request-id"]
    assert made != sent
    assert len(made) == 16


async def test_what_goes_well_is_not_logged(client: AsyncClient, log: Log) -> None:
    await join(client, "ann")
    assert (await client.get("/ladders/nowhere")).status_code == 404
    assert log.lines() == []


async def test_a_slow_answer_is_logged(
    client: AsyncClient, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_watch, "SLOW_SECONDS", 0.0)
    await client.get("/ladders/nft/board?limit=3", headers={"X-Request-ID": "slow"})
    (line,) = log.lines()
    assert (line["level"], line["status"], line["request"]) == ("warning", 200, "slow")
    assert (line["route"], line["path"]) == ("/v1/ladders/{ladder}/board", "/v1/ladders/nft/board")


async def test_the_time_that_the_client_wants_to_wait_is_not_slow(
    client: AsyncClient, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    await join(client, "ann", "bob")
    monkeypatch.setattr(request_watch, "SLOW_SECONDS", 0.2)
    body = {"id": "r", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    assert (await client.post("/ladders/nft/results?wait=0.3", json=body)).status_code == 202
    assert log.lines() == []


async def test_a_defect_is_answered_500_and_logged_once_with_its_traceback(
    client: AsyncClient, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(engine: Engine) -> int:
        raise ZeroDivisionError(f"with {ADMIN}")

    monkeypatch.setattr(Engine, "now", fail)
    response = await client.post("/ladders/nft/battles", json={"challenger": "ann"})
    assert problem(response) == (500, "internal")
    (line,) = log.lines()
    assert (line["level"], line["status"]) == ("error", 500)
    assert line["request"] == response.headers["x-request-id"]
    assert "ZeroDivisionError" in line["traceback"]
    assert ADMIN not in json.dumps(line)
    metrics = (await client.get("http://test/metrics")).text
    assert 'route="/v1/ladders/{ladder}/battles",status="500"' in metrics


async def test_a_key_in_the_wrong_place_does_not_reach_the_log(
    client: AsyncClient, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_watch, "SLOW_SECONDS", 0.0)
    key = f"mm_{'0' * 12}_{'f' * 48}"
    for text in (key, ADMIN):
        await client.get(f"/ladders/nft/players/{text}?key={text}", headers={"X-Request-ID": text})
    lines = log.lines()
    assert len(lines) == 2
    for text in (key, ADMIN):
        assert text not in json.dumps(lines)


async def test_an_absent_store_is_one_line_for_each_request(tmp_path: Path, log: Log) -> None:
    with embedded_server(tmp_path / "store") as server:
        app = create_app(Settings(store_url=server.url, data_dir=tmp_path, admin_key=ADMIN))
        async with (
            app.router.lifespan_context(app),
            AsyncClient(transport=ASGITransport(app), base_url="http://test/v1") as client,
        ):
            server.stop()
            assert (await client.get("/ladders")).status_code == 503
    (line,) = log.lines()
    assert (line["level"], line["status"], "traceback" in line) == ("warning", 503, False)
    assert "connect" in line["message"]


async def test_who_hangs_up_in_the_middle_of_a_request_is_no_failure(settings: Settings, log: Log) -> None:
    app, sent = create_app(settings), list[Message]()

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v1/ladders/nft/results",
        "query_string": b"",
        "headers": [(b"authorization", f"Bearer {ADMIN}".encode())],
        "client": ("127.0.0.1", 1),
    }
    async with app.router.lifespan_context(app):
        await app(scope, receive, send)
    assert (sent, log.lines()) == ([], [])

from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from api.app import create_app
from matchmaker.config import Settings
from matchmaker.store.connect import connect
from matchmaker.store.embedded import embedded_server
from tests.api.conftest import ADMIN, join, problem

pytestmark = pytest.mark.anyio


async def test_metrics_count_by_route_and_never_by_address(client: AsyncClient) -> None:
    await join(client, "ann")
    text = (await client.get("http://test/metrics")).text
    labels = 'method="PUT",route="/v1/ladders/{ladder}/players/{player}",status="201"'
    assert f"matchmaker_request_seconds_count{{{labels}}}" in text
    assert "players/ann" not in text


@pytest.mark.parametrize("trouble", [("CONFIG", "SET", "maxmemory", 1), ("REPLICAOF", "127.0.0.1", 1)])
async def test_a_store_that_takes_no_writes_at_the_moment_is_no_fault_of_ours(
    tmp_path: Path, trouble: tuple[str | int, ...]
) -> None:
    with embedded_server(tmp_path / "store") as server, connect(server.url) as operator:
        app = create_app(Settings(store_url=server.url, data_dir=tmp_path, admin_key=ADMIN))
        async with (
            app.router.lifespan_context(app),
            AsyncClient(transport=ASGITransport(app), base_url="http://test/v1") as client,
        ):
            client.headers["Authorization"] = f"Bearer {ADMIN}"
            operator.execute_command(*trouble)
            response = await client.put("/ladders/arena", json={"rule": {"name": "initiator_k"}})
            assert problem(response) == (503, "store_unavailable")
            assert response.headers["retry-after"] == "1"

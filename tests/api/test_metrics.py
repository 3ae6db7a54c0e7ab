"""What Prometheus reads: of this process, and of each ladder."""

from collections.abc import Callable
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient
from prometheus_client.parser import text_string_to_metric_families

from api.app import create_app
from matchmaker.config import Settings
from matchmaker.store.embedded import embedded_server
from tests.api.conftest import ADMIN, join

pytestmark = pytest.mark.anyio

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


async def scrape(client: AsyncClient) -> Samples:
    response = await client.get("http://test/metrics")
    assert response.status_code == 200
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples.get((f"matchmaker_{name}", frozenset(labels.items())), 0.0)


async def test_a_ladder_shows_its_players_backlog_and_lag(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob")
    before = await scrape(client)
    assert value(before, "players", ladder="nft") == 2
    assert value(before, "on_board", ladder="nft") == 2
    assert value(before, "backlog", ladder="nft") == 2
    fold("nft")
    after = await scrape(client)
    assert value(after, "backlog", ladder="nft") == 0
    assert value(after, "lag_seconds", ladder="nft") == 0
    assert value(after, "folded_total", ladder="nft") == 2
    assert value(after, "fold_batch_entries_bucket", ladder="nft", le="3") == 1
    assert value(after, "fold_seconds_count", ladder="nft") == 1


async def test_results_are_counted_by_what_became_of_them(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    await join(client, "ann", "bob")
    path, result = "/ladders/nft/results", {"initiator": "ann", "opponent": "bob", "outcome": "win"}
    before = await scrape(client)
    for body in (
        {"id": "a", **result},
        {"id": "a", **result},
        {"id": "a", **result, "outcome": "loss"},
        {"id": "b", **result, "opponent": "zed"},
        {"id": "c"},
        [{"id": "d", **result}, {"id": "a", **result}, {"id": "e"}],
    ):
        await client.post(path, json=body)
    await client.post("/ladders/nft/battles/none/result", json={"outcome": "win"})
    fold("nft")
    after = await scrape(client)
    counted = {
        code: value(after, "results_reported_total", outcome=outcome, code=code)
        - value(before, "results_reported_total", outcome=outcome, code=code)
        for outcome, codes in {
            "rejected": ("result_conflict", "unknown_player", "invalid", "unknown_battle"),
        }.items()
        for code in codes
    }
    assert counted == {"result_conflict": 1, "unknown_player": 1, "invalid": 2, "unknown_battle": 1}
    for outcome in ("accepted", "duplicate"):
        labels = {"outcome": outcome, "code": ""}
        assert (
            value(after, "results_reported_total", **labels)
            - value(before, "results_reported_total", **labels)
            == 2
        )
    assert value(after, "rated_total", ladder="nft") == 2


async def test_pools_are_counted_by_size_and_by_how_they_fall_short(client: AsyncClient) -> None:
    settings = {"rule": {"name": "initiator_k"}, "pool": {"size": 2, "deviation": 50, "widen": [400]}}
    await client.put("/ladders/arena", json=settings)
    before = await scrape(client)
    for player, rating in (("low", 1200), ("a", 1500), ("b", 1510), ("c", 1520), ("alone", 9000)):
        await join(client, player, ladder="arena", rating=rating)
    for challenger in ("low", "a", "b", "alone"):  # widened; backfilled; both sides; nobody
        await client.post("/ladders/arena/battles", json={"challenger": challenger})
    after = await scrape(client)
    shortfalls = {
        how: value(after, "pool_shortfalls_total", ladder="arena", how=how)
        - value(before, "pool_shortfalls_total", ladder="arena", how=how)
        for how in ("backfilled", "widened", "small", "none")
    }
    assert shortfalls == {"backfilled": 2, "widened": 1, "small": 0, "none": 1}
    assert value(after, "pool_size_bucket", ladder="arena", le="2.0") == 3


async def test_no_label_names_a_player_or_an_unknown_ladder(client: AsyncClient) -> None:
    await join(client, "ann")
    await client.post("/ladders/no-such-ladder/battles", json={"challenger": "ann"})
    await client.post("/ladders/no-such-ladder/results", json={"id": "a"})
    labels = {label for _, pairs in await scrape(client) for label in pairs}
    assert not {label for label in labels if label[1] in ("ann", "no-such-ladder")}


async def test_every_metric_is_documented(client: AsyncClient) -> None:
    documented = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text()
    text = (await client.get("http://test/metrics")).text
    names = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE matchmaker_")}
    assert {name for name in names if f"`{name}`" not in documented} == set()


async def test_without_its_store_a_process_still_tells_its_own_metrics(tmp_path: Path) -> None:
    with embedded_server(tmp_path / "store") as server:
        app = create_app(Settings(store_url=server.url, data_dir=tmp_path, admin_key=ADMIN))
        async with (
            app.router.lifespan_context(app),
            AsyncClient(transport=ASGITransport(app), base_url="http://test/v1") as client,
        ):
            assert value(await scrape(client), "store_up") == 1
            server.stop()
            samples = await scrape(client)
            assert value(samples, "store_up") == 0
            assert any(name == "matchmaker_request_seconds_count" for name, _ in samples)

"""The served OpenAPI document, held against the service by schemathesis."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import settings

from chaos.running import Running, up
from tests.waiting import wait_until

_CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
_ROOT = Path(__file__).parents[2]
_DETAILS = {"nft": {}, "cards": {}, "backgammon": {"length": 3}, "skill": {}}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    """The whole service, of which nothing is read without a key; the preset ladders and one more hold the
    players and the result that the configuration names."""
    with up(tmp_path, PUBLIC_READ="false") as running, running.client() as client:
        client.headers["Authorization"] = f"Bearer {running.admin_key()}"
        assert client.put("/v1/ladders/skill", json={"rule": {"name": "openskill"}}).is_success
        for ladder, details in _DETAILS.items():
            _populate(client, f"/v1/ladders/{ladder}", details)
        _dispute(client, "/v1/ladders/nft")
        _raise_flag(client, "/v1/ladders/nft")
        yield running


def _populate(client: httpx.Client, ladder: str, details: dict[str, int]) -> None:
    for player in ("ann", "bob", "cid", "dan"):
        assert client.put(f"{ladder}/players/{player}", json={}).is_success
    result = {"id": "seed", "initiator": "ann", "opponent": "bob", "outcome": "win", "details": details}
    assert client.post(f"{ladder}/results?wait=10", json=result).json()["status"] == "rated"


def _dispute(client: httpx.Client, ladder: str) -> None:
    """The result of the document's example is disputed in the words of the document's example: that can be
    said again, whatever becomes of the result."""
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    result, dispute = schemas["ResultReport"]["example"], schemas["DisputeBody"]["example"]
    assert client.post(f"{ladder}/results?wait=10", json=result).json()["status"] == "rated"
    assert client.post(f"{ladder}/results/{result['id']}/dispute", json=dispute).is_success


def _raise_flag(client: httpx.Client, ladder: str) -> None:
    """One that can be dismissed: ann and bob belong to one owner, and have met."""
    settings = client.get(ladder).json() | {"linked_accounts": "flag"}
    assert client.put(ladder, json=settings).is_success
    for player in ("ann", "bob"):
        assert client.put(f"{ladder}/players/{player}", json={"owner": "one"}).is_success
    result = {"id": "linked", "initiator": "ann", "opponent": "bob", "outcome": "win"}
    assert client.post(f"{ladder}/results?wait=10", json=result).json()["status"] == "rated"
    wait_until(lambda: client.get(f"{ladder}/fairplay").json()["total"] == 2, timeout=20)


def test_the_service_does_what_its_document_says(service: Running, tmp_path: Path) -> None:
    profile = settings()
    chance = ["--generation-deterministic"] if profile.derandomize else []
    run = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(_CONFIGURATION), "run"),
            *(f"{service.url}/openapi.json", "--max-examples", str(profile.max_examples // 3), *chance),
        ],
        cwd=tmp_path,
        env={**os.environ, "ADMIN_KEY": service.admin_key(), "PYTHONPATH": str(_ROOT)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr

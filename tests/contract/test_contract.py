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

_CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
_ROOT = Path(__file__).parents[2]
_DETAILS = {"nft": {}, "cards": {}, "backgammon": {"length": 3}}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    """The whole service, of which nothing is read without a key; the preset ladders hold the players and the
    result that the configuration names."""
    with up(tmp_path, PUBLIC_READ="false") as running, running.client() as client:
        client.headers["Authorization"] = f"Bearer {running.admin_key()}"
        for ladder, details in _DETAILS.items():
            _populate(client, f"/v1/ladders/{ladder}", details)
        yield running


def _populate(client: httpx.Client, ladder: str, details: dict[str, int]) -> None:
    for player in ("ann", "bob", "cid", "dan"):
        assert client.put(f"{ladder}/players/{player}", json={}).is_success
    result = {"id": "seed", "initiator": "ann", "opponent": "bob", "outcome": "win", "details": details}
    assert client.post(f"{ladder}/results?wait=10", json=result).json()["status"] == "rated"


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

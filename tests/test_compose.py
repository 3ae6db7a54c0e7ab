"""docker-compose.yml and what belongs to it, without an engine to run it."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml

from matchmaker.cli.main import app
from matchmaker.config import ENV_PREFIX, Settings

ROOT = Path(__file__).parent.parent
OWN = ("presets", "api", "worker")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    described: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    return described


def _checker() -> list[str] | None:
    """A program that knows the compose specification; None if none is installed."""
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    plugin = ["docker", "compose"]
    if shutil.which("docker") and subprocess.run([*plugin, "version"], capture_output=True).returncode == 0:
        return plugin
    return None


def _config(**environment: str) -> subprocess.CompletedProcess[str]:
    checker = _checker()
    if checker is None:
        pytest.skip("neither docker-compose nor docker compose is installed")
    return subprocess.run(
        [*checker, "--file", ROOT / "docker-compose.yml", "config", "--quiet"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


def _leads_to_a_command(words: Sequence[str]) -> bool:
    command: Any = typer.main.get_command(app)
    for word in words:
        command = getattr(command, "commands", {}).get(word)
    return command is not None and not hasattr(command, "commands")


def test_the_file_follows_the_compose_specification() -> None:
    checked = _config(MATCHMAKER_ADMIN_KEY="key", MATCHMAKER_DEVICE_KEY="secret")
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize("missing", ["MATCHMAKER_ADMIN_KEY", "MATCHMAKER_DEVICE_KEY"])
def test_keys_that_all_replicas_share_are_demanded(missing: str) -> None:
    checked = _config(**{"MATCHMAKER_ADMIN_KEY": "key", "MATCHMAKER_DEVICE_KEY": "secret", missing: ""})
    assert checked.returncode != 0
    assert "must be set" in checked.stderr


@pytest.mark.parametrize("name", OWN)
def test_every_command_in_it_exists(services: dict[str, Any], name: str) -> None:
    assert _leads_to_a_command(services[name]["command"])


@pytest.mark.parametrize("name", OWN)
def test_every_variable_in_it_is_a_setting(services: dict[str, Any], name: str) -> None:
    known = {f"{ENV_PREFIX}{field.upper()}" for field in Settings.model_fields}
    assert services[name]["environment"].keys() <= known


def test_the_store_keeps_what_it_has_taken(services: dict[str, Any]) -> None:
    store = services["store"]
    options = store["command"][2:]
    given = dict(zip(options[::2], options[1::2], strict=True))
    assert given["--appendonly"] == "yes"
    assert given["--maxmemory-policy"] == "noeviction"
    assert "store:/data" in store["volumes"]
    assert "valkey-cli" in str(store["healthcheck"]["test"])


@pytest.mark.parametrize(("durability", "policy"), [("second", "everysec"), ("fsync", "always")])
def test_the_store_syncs_as_often_as_the_durability_demands(
    services: dict[str, Any], durability: str, policy: str
) -> None:
    store = services["store"]
    assert store["command"][1] == "/etc/valkey/${MATCHMAKER_DURABILITY:-second}.conf"
    assert "./deploy/valkey:/etc/valkey:ro" in store["volumes"]
    assert f"\nappendfsync {policy}\n" in (ROOT / f"deploy/valkey/{durability}.conf").read_text()
    for name in OWN:
        assert services[name]["environment"]["MATCHMAKER_DURABILITY"] == "${MATCHMAKER_DURABILITY:-second}"


def test_api_and_workers_can_be_scaled(services: dict[str, Any]) -> None:
    assert services["api"]["deploy"]["replicas"] == 2
    for name in ("api", "worker"):
        assert not services[name].keys() & {"ports", "container_name"}


def test_one_port_leads_to_all_replicas(services: dict[str, Any]) -> None:
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert published == {"balancer": ["${MATCHMAKER_PORT:-8000}:8000"]}
    configuration = services["balancer"]["volumes"][0].split(":")[0]
    text = (ROOT / configuration).read_text()
    assert "set $replicas api;" in text
    assert f"proxy_pass http://$replicas:{services['api']['expose'][0]};" in text


def test_the_api_learns_its_clients_addresses_from_the_balancer(services: dict[str, Any]) -> None:
    assert services["api"]["environment"]["MATCHMAKER_TRUSTED_PROXIES"] == "*"
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in (ROOT / "deploy" / "nginx.conf").read_text()


def test_the_balancer_logs_no_device() -> None:
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    location = re.search(r"location /v1/devices/ \{(.+?)\}", text, re.DOTALL)
    assert location
    directives = {line.strip() for line in location[1].splitlines()}
    assert directives >= {"access_log off;", "error_log /dev/null;"}


def test_everything_waits_for_what_it_needs(services: dict[str, Any]) -> None:
    for name in OWN:
        assert services[name]["depends_on"]["store"]["condition"] == "service_healthy"
    assert services["api"]["depends_on"]["presets"]["condition"] == "service_completed_successfully"


def test_the_image_gets_every_file_that_it_copies() -> None:
    let_through = (ROOT / ".dockerignore").read_text().split()
    copied = re.findall(r"^COPY (.+) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for source in " ".join(copied).split():
        assert f"!{source}" in let_through
        assert (ROOT / source).exists()

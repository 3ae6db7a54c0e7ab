"""`matchmaker doctor`."""

from pathlib import Path
from typing import Any

import pytest

from matchmaker.doctor import folding
from tests.cli.conftest import Program


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "_SWEEP_SECONDS", 0.1)


def by_check(findings: list[dict[str, Any]]) -> dict[str, str]:
    return {finding["check"]: finding["verdict"] for finding in findings}


def test_an_installation_without_workers_is_not_well(program: Program) -> None:
    ended = program("doctor")
    assert ended.code == 1
    lines = [line for line in ended.out.splitlines() if line.startswith("bad")]
    assert len(lines) == 1
    assert "Start `matchmaker worker`" in lines[0]


def test_an_installation_that_works_is_well(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matchmaker.doctor.examination.check_workers", lambda *_: _fine())
    found = by_check(program("doctor", "--json").json)
    assert found["ladder nft"] == found["store eviction"] == found["queue"] == "ok"
    assert set(found.values()) <= {"ok", "warning"}


def _fine() -> Any:
    from matchmaker.doctor.finding import Finding

    return Finding("workers", "ok", "1 registered, and alive")


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1", "redis+cluster://127.0.0.1:1"])
def test_a_store_that_is_away_is_one_line(
    program: Program, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("MATCHMAKER_STORE_URL", url)
    monkeypatch.setenv("MATCHMAKER_QUEUE_URL", "redis://127.0.0.1:1")
    ended = program("doctor")
    assert ended.code == 1
    assert ended.err == ""
    assert [line.split()[:2] for line in ended.out.splitlines()][-1] == ["bad", "store"]


def test_where_nothing_runs_nothing_is_started(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MATCHMAKER_STORE_URL")
    monkeypatch.setenv("MATCHMAKER_DATA_DIR", str(tmp_path / "data"))
    ended = program("doctor")
    assert ended.code == 1
    assert "start `matchmaker up`" in ended.out
    assert not (tmp_path / "data").exists()

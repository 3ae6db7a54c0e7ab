"""A short attack on a real service. `make chaos` is a longer one."""

import sys
from pathlib import Path

import pytest

from chaos.attack import Plan, attack


@pytest.mark.skipif(sys.platform != "linux", reason="the parts are looked up in /proc")
async def test_nothing_is_lost_or_doubled_whatever_is_killed(tmp_path: Path) -> None:
    report = await attack(Plan(seconds=5, kills=8, clients=4, workers=2, rivals=1), tmp_path)
    assert report.faults() == []
    assert {kill.part for kill in report.kills} == {"worker", "API", "valkey-server"}
    assert report.ledger.accepted
    assert any(ladder.annulled for ladder in report.ledger.ladders.values())
    assert report.rq_keys_wiped

"""`matchmaker demo`."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from chaos.running import free_port
from tests import processes
from tests.cli.conftest import Program

ENOUGH = "3000"  # battles, after which a board that knows nothing yet has failed


def test_the_board_finds_the_hidden_order_until_ctrl_c_and_nobody_is_disturbed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    settings = {
        "MATCHMAKER_DATA_DIR": str(data),
        "MATCHMAKER_PORT": str(free_port()),
        "MATCHMAKER_STORE_URL": "unix:///not/to/be/used",
    }
    with processes.program(
        *("demo", "--fighters", "20", "--battles", ENOUGH),
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        measured = (re.search(r"rank correlation (\S+)", line) for line in process.stdout)
        assert any(float(match[1]) > 0.5 for match in measured if match)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert [path.name for path in data.iterdir()] == ["demo"]


def test_without_a_key_for_a_service_elsewhere_it_asks_for_one(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATCHMAKER_DATA_DIR", str(tmp_path / "data"))
    ended = program("demo", "--url", "http://127.0.0.1:9")
    assert ended.code == 2
    assert "--key" in ended.err
    assert not (tmp_path / "data").exists()

"""`matchmaker demo`."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

ENOUGH = "3000"  # battles, after which a board that knows nothing yet has failed


def test_the_board_finds_the_hidden_order_until_ctrl_c(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = {"MATCHMAKER_DATA_DIR": str(tmp_path / "data"), "MATCHMAKER_PORT": str(port)}
    with subprocess.Popen(
        (sys.executable, "-m", "matchmaker", "demo", "--fighters", "20", "--battles", ENOUGH),
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        measured = (re.search(r"rank correlation (\S+)", line) for line in process.stdout)
        assert any(float(match[1]) > 0.5 for match in measured if match)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 0, err

"""Processes that never outlive their test."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

_PATIENCE = 30.0  # seconds


@contextlib.contextmanager
def program(
    *arguments: str,
    env: Mapping[str, str],
    cwd: Path | None = None,
    stdout: int | IO[str] | None = None,
    stderr: int | IO[str] | None = None,
) -> Iterator["subprocess.Popen[str]"]:
    """`matchmaker` with these arguments, in a session of its own; ended if it still runs at the end."""
    command = (sys.executable, "-m", "matchmaker", *arguments)
    with subprocess.Popen(
        command, env=env, cwd=cwd, stdout=stdout, stderr=stderr, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            end(process)


def end(process: "subprocess.Popen[str] | subprocess.Popen[bytes]") -> None:
    """Asks the process to end, and kills it when it does not."""
    process.terminate()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

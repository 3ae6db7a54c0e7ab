"""Processes that never outlive their test."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, AnyStr

_PATIENCE = 30.0  # seconds


@contextlib.contextmanager
def program(
    *arguments: str,
    env: Mapping[str, str],
    cwd: Path | None = None,
    stdout: int | IO[str] | None = None,
    stderr: int | IO[str] | None = None,
) -> Iterator["subprocess.Popen[str]"]:
    """`matchmaker` with these arguments, in a session of its own."""
    command = (sys.executable, "-m", "matchmaker", *arguments)
    process = subprocess.Popen(
        command, env=env, cwd=cwd, stdout=stdout, stderr=stderr, text=True, start_new_session=True
    )
    with ended(process):
        yield process


@contextlib.contextmanager
def ended(process: "subprocess.Popen[AnyStr]") -> Iterator["subprocess.Popen[AnyStr]"]:
    """Whatever happens, the process is asked to end at the end, and killed when it does not."""
    with process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()

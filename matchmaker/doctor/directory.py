"""The data directory: whose it is, who may read it, and how much room is left."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from matchmaker import admin_key, device_key
from matchmaker.doctor.finding import Finding, graded

_GIB = 1024**3


def check_directory(path: Path, *, embedded: bool) -> Iterator[Finding]:
    """`embedded` says that the store's data are in it, and not secrets alone."""
    check = "data directory"
    if not path.is_dir():
        if embedded:
            yield Finding(check, "warning", f"{path} does not exist", "`matchmaker up` makes it.")
        else:
            yield Finding(
                check, "ok", f"{path} does not exist; only secrets that are made would be kept there"
            )
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        yield Finding(check, "bad", f"{path} can't be written by this user", f"Run: chown -R $(id -u) {path}")
    elif mode & 0o077:
        yield Finding(check, "warning", f"{path} is open to other users", f"Run: chmod 700 {path}")
    else:
        yield Finding(check, "ok", f"{path} is for its owner alone")
    for what, name in (("admin key", admin_key.KEY_FILE), ("device key", device_key.KEY_FILE)):
        key = path / name
        if key.exists() and stat.S_IMODE(key.stat().st_mode) & 0o077:
            yield Finding(what, "bad", f"{key} can be read by other users", f"Run: chmod 600 {key}")
    if embedded:
        usage = shutil.disk_usage(path)
        yield graded(
            "disk",
            1 - usage.free / usage.total,
            warning=0.9,
            bad=0.98,
            text=f"{usage.free / _GIB:,.1f} of {usage.total / _GIB:,.1f} GiB free",
            advice="Make room: when the append-only file can't be written, no result is accepted.",
        )

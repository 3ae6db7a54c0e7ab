"""A secret of an installation, kept in a file that only its owner can read."""

import os
import secrets
from pathlib import Path

from matchmaker.errors import MatchmakerError


class BadKeyError(MatchmakerError):
    """The file of a secret holds none, or what cannot be one."""

    code = "bad_key_file"


def kept_secret(path: Path, what: str) -> str:
    """The secret in the file, which is made when it is missing; `what` names it in failures.

    Raises OSError if it can be neither read nor made, and BadKeyError if the file is empty: an empty secret
    everybody would have.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Written aside and linked into place: another process sees the whole secret or none, and the first
        # wins.
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(32))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    secret = path.read_bytes().decode(errors="replace").strip()
    if not secret:
        raise BadKeyError(f"{path} is empty; remove it to have a new {what} made")
    return secret

"""The admin key of an installation."""

import os
import secrets

from matchmaker.config import Settings
from matchmaker.errors import MatchmakerError

KEY_FILE = "admin_key"


class BadKeyError(MatchmakerError):
    """The file of the admin key holds none, or what no header can carry."""

    code = "bad_admin_key"


def admin_key(settings: Settings) -> str:
    """The key that is set, or else the one in the data directory, which is made when it is missing.

    The file is readable for its owner alone. Raises OSError if it can be neither read nor made, and
    BadKeyError if it holds no key: an empty one everybody would have.
    """
    if settings.admin_key is not None:
        return settings.admin_key.get_secret_value()
    path = settings.data_dir / KEY_FILE
    if not path.exists():
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Written aside and linked into place: another process sees the whole key or none, and the first wins.
        draft = settings.data_dir / f"{KEY_FILE}.{os.getpid()}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(32))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    key = path.read_bytes().decode(errors="replace").strip()
    if not key:
        raise BadKeyError(f"{path} is empty; remove it to have a new admin key made")
    if not all("!" <= character <= "~" for character in key):
        raise BadKeyError(f"{path} holds no key that a header can carry; remove it to have a new one made")
    return key

"""The admin key of an installation."""

from matchmaker.config import Settings
from matchmaker.secret_file import BadKeyError, kept_secret

KEY_FILE = "admin_key"


def admin_key(settings: Settings) -> str:
    """The key that is set, or else the one in the data directory, which is made when it is missing.

    Raises what `kept_secret` raises, and BadKeyError for a key that no header can carry.
    """
    if settings.admin_key is not None:
        return settings.admin_key.get_secret_value()
    path = settings.data_dir / KEY_FILE
    key = kept_secret(path, "admin key")
    if not all("!" <= character <= "~" for character in key):
        raise BadKeyError(f"{path} holds no key that a header can carry; remove it to have a new one made")
    return key

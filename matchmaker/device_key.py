"""The secret under which an installation hashes devices."""

from matchmaker.config import Settings
from matchmaker.secret_file import kept_secret

KEY_FILE = "device_key"


def device_key(settings: Settings) -> bytes:
    """The secret that is set, or else the one in the data directory, which is made when it is missing.

    Under another one, all devices seen so far are strangers. Raises what `kept_secret` raises.
    """
    if settings.device_key is not None:
        return settings.device_key.get_secret_value().encode()
    return kept_secret(settings.data_dir / KEY_FILE, "device key").encode()

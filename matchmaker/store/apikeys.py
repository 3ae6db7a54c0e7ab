"""API keys in the store, which holds digests of their secrets and nothing that opens a door."""

from matchmaker.apikeys import Key
from matchmaker.errors import NotFoundError
from matchmaker.store.call import Call
from matchmaker.store.keys import API_KEYS


def create(key: Key) -> Call[None]:
    """Keeps a new key."""
    return Call(("HSET", API_KEYS, key.id, key.encode()), lambda reply: None)


def find(key_id: str) -> Call[Key | None]:
    """The key with this id; None if there is none, or no longer."""
    return Call(("HGET", API_KEYS, key_id), lambda reply: None if reply is None else Key.decode(reply))


def index() -> Call[list[Key]]:
    """All keys, oldest first."""

    def decode(reply: list[bytes]) -> list[Key]:
        return sorted((Key.decode(record) for record in reply), key=lambda key: (key.created_at, key.id))

    return Call(("HVALS", API_KEYS), decode)


def revoke(key_id: str) -> Call[None]:
    """Forgets a key: from now on it opens nothing. Raises NotFoundError `unknown_key`."""

    def decode(reply: int) -> None:
        if not reply:
            raise NotFoundError("key", key_id)

    return Call(("HDEL", API_KEYS, key_id), decode)

"""API keys in the store, which holds digests of their secrets and nothing that opens a door."""

from collections.abc import Sequence

from matchmaker.apikeys import Key
from matchmaker.errors import NotFoundError
from matchmaker.store.call import Call
from matchmaker.store.keys import API_KEY_USES, API_KEYS


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


def note_use(key_id: str, at: int) -> Call[None]:
    """Remembers that the key was used, at a time in milliseconds since the epoch."""
    return Call(("HSET", API_KEY_USES, key_id, at), lambda reply: None)


def uses(key_ids: Sequence[str]) -> Call[list[int | None]]:
    """When each of these keys, at least one, was last used; None for never."""

    def decode(reply: list[bytes | None]) -> list[int | None]:
        return [None if at is None else int(at) for at in reply]

    return Call(("HMGET", API_KEY_USES, *key_ids), decode)


def forget_use(key_id: str) -> Call[None]:
    """Forgets when the key was used."""
    return Call(("HDEL", API_KEY_USES, key_id), lambda reply: None)

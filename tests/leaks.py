"""What a test, or a ladder that was deleted, left in the store."""

import redis


def leaked_keys(client: redis.Redis, ladder: str) -> list[str]:
    """Names of the ladder's keys that would stay for ever: those that carry its hash tag and don't expire."""
    tagged = client.scan_iter(match=f"*{{{ladder}}}*", count=1_000)
    return sorted(key.decode() for key in tagged if client.ttl(key) == -1)

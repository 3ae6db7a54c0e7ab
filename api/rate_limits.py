"""How many requests a key, or without key an address, may make."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil

from limits import RateLimitItem, parse_many

from api.shared_counts import SharedCounts
from matchmaker.config import NO_LIMIT
from matchmaker.errors import RateLimitedError

_IPV6_PREFIX = 64
"""Bits that a provider gives to one customer."""

_LONGEST_ADDRESS = 64
"""Characters. What a trusted proxy passes on may be anything of any length, and is kept."""


def parse(text: str) -> Sequence[RateLimitItem]:
    """The limits that are written as in `20/second;600/minute`."""
    return () if text == NO_LIMIT else parse_many(text)


class RateLimits:
    """Counts requests and refuses those over a limit, until the window of that limit ends."""

    def __init__(
        self, counts: SharedCounts, per_key: Sequence[RateLimitItem], per_address: Sequence[RateLimitItem]
    ) -> None:
        self._counts = counts
        self._per_key = per_key
        self._per_address = per_address

    def take_key(self, key_id: str) -> None:
        """Counts a request with that key. Raises RateLimitedError."""
        self._take(self._per_key, "key", key_id)

    def take_address(self, address: str) -> None:
        """Counts a request that came from that address without a valid key. Raises RateLimitedError."""
        self._take(self._per_address, "address", _customer(address[:_LONGEST_ADDRESS]))

    def _take(self, limits: Sequence[RateLimitItem], kind: str, name: str) -> None:
        wait = 0.0
        for limit in limits:
            count, seconds = self._counts.add(_place(limit, kind, name), limit.get_expiry())
            if count > limit.amount:
                wait = max(wait, seconds)
        if wait:
            raise RateLimitedError(ceil(wait))


@lru_cache(maxsize=4096)
def _place(limit: RateLimitItem, kind: str, name: str) -> str:
    return limit.key_for(kind, name)


@lru_cache(maxsize=4096)
def _customer(address: str) -> str:
    """Who is behind an address: an IPv6 host has all addresses of its network."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped or ip_network((int(parsed), _IPV6_PREFIX), strict=False).network_address)
    return str(parsed)

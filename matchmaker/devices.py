"""Devices: opaque texts from the games, and the tags that stand for them. Pure.

A device is personal data, so nobody keeps it. What is kept is its tag, a hash under a secret of the
deployment: without that secret nobody can tell whether a tag is that of a device.
"""

import hmac
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

TAG_SIZE: Final = 16
"""Bytes of a tag."""

MOST_TAGS: Final = 8
"""So many of the last different devices of an account are remembered."""

BY_BLOCK: Final = "device-block"
"""In the log of a ladder: who suspended a player that was seen on a blocked device, and took it back."""

Device = Annotated[str, Field(min_length=1, max_length=256)]
"""What a game calls a device: any text, compared character by character."""


@dataclass(frozen=True, slots=True)
class Block:
    """Who has blocked a device, why, and when, in milliseconds since the epoch."""

    by: str
    reason: str
    at: int


def tag_of(device: str, key: bytes) -> bytes:
    """What stands for the device: its HMAC-SHA-256 under the secret, cut to TAG_SIZE bytes."""
    return hmac.digest(key, device.encode(), "sha256")[:TAG_SIZE]


def split(tags: bytes) -> frozenset[bytes]:
    """The tags that were kept in one piece."""
    return frozenset(tags[at : at + TAG_SIZE] for at in range(0, len(tags), TAG_SIZE))

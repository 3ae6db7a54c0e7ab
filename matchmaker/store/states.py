"""How a player's state is packed in the store."""

import struct

from matchmaker.rating.rule import PlayerState

_LAYOUT = struct.Struct("<ddIIIII")
LARGEST_COUNT = 2**31 - 1
"""Of games or experience that a player may bring, so that a lifetime more fits the packed form."""


def pack(state: PlayerState) -> bytes:
    """36 bytes: rating and peak as doubles, then games, wins, draws, losses and experience."""
    rating, games, wins, draws, losses, experience, peak = state
    return _LAYOUT.pack(rating, peak, games, wins, draws, losses, experience)


def unpack(packed: bytes) -> PlayerState:
    """The state that was packed."""
    rating, peak, games, wins, draws, losses, experience = _LAYOUT.unpack(packed)
    return PlayerState._make((rating, games, wins, draws, losses, experience, peak))

"""How a player's state is packed in the store."""

import struct

from matchmaker.rating.rule import PlayerState

_FRESH = struct.Struct("<d")
_SMALL = struct.Struct("<ddHHHHH")
_LARGE = struct.Struct("<ddIIIII")
_SMALL_COUNTS = 2**16
LARGEST_COUNT = 2**31 - 1
"""Of games or experience that a player may bring, so that a lifetime more fits the packed form."""


def pack(state: PlayerState) -> bytes:
    """Rating and peak as doubles, then games, wins, draws, losses and experience, of 16 bits each or 32.

    26 or 36 bytes, or for a player of whom nothing else is to be said the 8 of its rating: the store keeps
    some 30 bytes less for each of these.
    """
    rating, games, wins, draws, losses, experience, peak = state
    if games == experience == 0 and peak == rating:
        return _FRESH.pack(rating)
    layout = _SMALL if max(games, experience) < _SMALL_COUNTS else _LARGE
    return layout.pack(rating, peak, games, wins, draws, losses, experience)


def unpack(packed: bytes) -> PlayerState:
    """The state that was packed."""
    if len(packed) == _FRESH.size:
        return PlayerState(*_FRESH.unpack(packed))
    layout = _SMALL if len(packed) == _SMALL.size else _LARGE
    rating, peak, games, wins, draws, losses, experience = layout.unpack(packed)
    return PlayerState._make((rating, games, wins, draws, losses, experience, peak))

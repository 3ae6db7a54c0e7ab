"""How a player's state is packed in the store."""

import struct

from matchmaker.rating.rule import CAUTION, PlayerState

_FRESH = struct.Struct("<d")
_SMALL = struct.Struct("<ddHHHHH")
_LARGE = struct.Struct("<ddIIIII")
_FRESH_BELIEF = struct.Struct("<dd")
_SMALL_BELIEF = struct.Struct("<dddHHHHH")
_LARGE_BELIEF = struct.Struct("<dddIIIII")
_SMALL_COUNTS = 2**16
LARGEST_COUNT = 2**31 - 1
"""Of games or experience that a player may bring, so that a lifetime more fits the packed form."""


def pack(state: PlayerState) -> bytes:
    """Rating and peak as doubles, then games, wins, draws, losses and experience, of 16 bits each or 32.

    26 or 36 bytes, or for a player of whom nothing else is to be said the 8 of its rating: the store keeps
    some 30 bytes less for each of these. Where there is a sigma, the strength stands behind the rating, which
    makes 34, 44 or 16 bytes: scripts tell by the length.
    """
    rating, games, wins, draws, losses, experience, peak, sigma = state
    if sigma:
        return _pack_belief(state)
    if games == experience == 0 and peak == rating:
        return _FRESH.pack(rating)
    layout = _SMALL if max(games, experience) < _SMALL_COUNTS else _LARGE
    return layout.pack(rating, peak, games, wins, draws, losses, experience)


def _pack_belief(state: PlayerState) -> bytes:
    rating, games, wins, draws, losses, experience, peak, _ = state
    if games == experience == 0 and peak == rating:
        return _FRESH_BELIEF.pack(rating, state.strength)
    layout = _SMALL_BELIEF if max(games, experience) < _SMALL_COUNTS else _LARGE_BELIEF
    return layout.pack(rating, state.strength, peak, games, wins, draws, losses, experience)


def strength_word(state: PlayerState) -> str:
    """For scripts: the strength in full, or nothing where it is the rating."""
    return repr(state.strength) if state.sigma else ""


def unpack(packed: bytes) -> PlayerState:
    """The state that was packed."""
    if len(packed) == _FRESH.size:
        return PlayerState(*_FRESH.unpack(packed))
    if len(packed) in (_SMALL.size, _LARGE.size):
        layout = _SMALL if len(packed) == _SMALL.size else _LARGE
        rating, peak, games, wins, draws, losses, experience = layout.unpack(packed)
        return PlayerState._make((rating, games, wins, draws, losses, experience, peak, 0.0))
    return _unpack_belief(packed)


def _unpack_belief(packed: bytes) -> PlayerState:
    if len(packed) == _FRESH_BELIEF.size:
        rating, strength = _FRESH_BELIEF.unpack(packed)
        return PlayerState(rating, sigma=_sigma(rating, strength))
    layout = _SMALL_BELIEF if len(packed) == _SMALL_BELIEF.size else _LARGE_BELIEF
    rating, strength, peak, games, wins, draws, losses, experience = layout.unpack(packed)
    sigma = _sigma(rating, strength)
    return PlayerState._make((rating, games, wins, draws, losses, experience, peak, sigma))


def _sigma(rating: float, strength: float) -> float:
    """Exact: all three stand on the grid."""
    return (strength - rating) / CAUTION

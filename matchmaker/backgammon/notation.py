"""Positions in writing: the position id of GNU Backgammon, and the XGID of eXtreme Gammon.

A position id is 80 bits in base64. For each of 25 places (own ace point to 24 point, then the bar) there
are as many ones as checkers stand on it, and a zero: first of the player who is *not* on roll, then of the
one who is. That is what the program does, and what its manual says since 1.07; in older editions the two
were swapped.

An XGID has fixed sides. The first of its fields shows the board in 26 characters as the bottom player sees
it, whose checkers are the capitals: the bar of the top player, points 1 to 24, the bar of the bottom
player. The fourth says who is on roll: 1 the bottom player, -1 the top player. The bottom player is the
initiator.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence

from matchmaker.backgammon.position import POINTS, Position, Side
from matchmaker.errors import FieldError
from matchmaker.rating.rule import ACROSS, Seat
from matchmaker.validation import invalid

_ID = re.compile(r"[A-Za-z0-9+/]{14}")
_XGID = re.compile(r"(?:XGID=)?([-a-z])([-A-Za-z]{24})([-A-Z]):[^:]*:[^:]*:(-?1)(?::[^:]*){0,6}")
_PLACES = POINTS + 1
_KEY_BYTES = 10
_TURN: dict[str, Seat] = {"1": "initiator", "-1": "opponent"}

LONGEST_NOTATION = 100
"""Characters of either notation."""


def read(text: str, on_roll: Seat | None) -> Position:
    """The position that `text` shows. Who is on roll an XGID says itself; a position id needs `on_roll`.

    Raises InvalidInputError that names `position` or `on_roll`.
    """
    try:
        if match := _XGID.fullmatch(text):
            position = _from_xgid(*match.groups())
        elif _ID.fullmatch(text):
            if on_roll is None:
                raise invalid([FieldError("on_roll", "is missing: a position id does not say it")])
            position = _from_id(text, on_roll)
        else:
            raise ValueError("must be an XGID or a position id of GNU Backgammon (14 characters)")
    except ValueError as error:
        raise invalid([FieldError("position", str(error))]) from None
    if on_roll not in (None, position.on_roll):
        raise invalid([FieldError("on_roll", "must be who the XGID says: 1 the initiator, -1 the opponent")])
    return position


def position_id(position: Position) -> str:
    """The position as GNU Backgammon writes it; who is on roll must be said besides."""
    waiting, moving = position.side(ACROSS[position.on_roll]), position.side(position.on_roll)
    key = filled = 0
    for count in (*waiting.points, waiting.bar, *moving.points, moving.bar):
        key |= ((1 << count) - 1) << filled
        filled += count + 1
    return b64encode(key.to_bytes(_KEY_BYTES, "little")).decode().rstrip("=")


def xgid(position: Position) -> str:
    """The position as eXtreme Gammon writes it, in an unlimited game with the cube in the middle."""
    bottom, top = position.initiator, position.opponent
    capital, small = (0, *bottom.points, bottom.bar), (top.bar, *reversed(top.points), 0)
    board = "".join(
        _letter(own) or _letter(other).lower() or "-" for own, other in zip(capital, small, strict=True)
    )
    return f"XGID={board}:0:0:{'1' if position.on_roll == 'initiator' else '-1'}:00:0:0:0:0:10"


def _letter(count: int) -> str:
    return chr(ord("A") + count - 1) if count else ""


def _from_id(text: str, on_roll: Seat) -> Position:
    key = b64decode(text + "==")
    if b64encode(key).decode().rstrip("=") != text:
        raise ValueError("is not a position id: its last character has bits too many")
    bits, counts = int.from_bytes(key, "little"), []
    for _ in range(2 * _PLACES):
        count = (~bits & (bits + 1)).bit_length() - 1  # ones at the low end
        bits >>= count + 1
        counts.append(count)
    if bits:
        raise ValueError("is not a position id: there is something behind the last place")
    waiting, moving = _side(counts[:_PLACES]), _side(counts[_PLACES:])
    sides = (moving, waiting) if on_roll == "initiator" else (waiting, moving)
    return Position(*sides, on_roll)


def _from_xgid(top_bar: str, board: str, bottom_bar: str, turn: str) -> Position:
    bottom = _side([*map(_capitals, board), _capitals(bottom_bar)])
    top = _side([*(_capitals(place.swapcase()) for place in reversed(board)), _capitals(top_bar.upper())])
    return Position(bottom, top, _TURN[turn])


def _capitals(place: str) -> int:
    return ord(place) - ord("A") + 1 if place.isupper() else 0


def _side(counts: Sequence[int]) -> Side:
    return Side(tuple(counts[:POINTS]), counts[POINTS])

"""What single cells mean, be they text out of CSV or any JSON value.

Every function raises ValueError with a sentence that says what is wrong.
"""

import json
import unicodedata
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, Final, cast, get_args

from pydantic import TypeAdapter, ValidationError

from matchmaker.identifiers import Identifier
from matchmaker.rating.rule import Outcome
from matchmaker.sides import Ranks, Side, Sides
from matchmaker.timestamps import check_timestamp, parse_timestamp

_IDENTIFIER: Final[TypeAdapter[str]] = TypeAdapter(Identifier)
_OUTCOMES: Final[tuple[str, ...]] = get_args(Outcome)
_LONGEST_QUOTE: Final = 40


def identifier(cell: Any) -> str:
    """An id, in Unicode normal form C and without space around it. JSON may write it as a whole number."""
    if isinstance(cell, int) and not isinstance(cell, bool):
        return str(cell)
    if not isinstance(cell, str):
        raise ValueError("must be text")
    return _normal_identifier(cell)


def side(cell: Any) -> Side:
    """A player, or a list of them; in CSV, the text of a JSON array."""
    listed = as_list(cell)
    return (identifier(cell),) if listed is None else tuple(map(identifier, listed))


def sides(cell: Any) -> Sides:
    """A list of sides, or the text of one. In it, text is always a player."""
    return tuple(side(each if isinstance(each, list) else [each]) for each in _list(cell))


def ranks(cell: Any) -> Ranks:
    """A list of whole numbers, or the text of one."""
    return tuple(map(whole_number, _list(cell)))


def _list(cell: Any) -> list[Any]:
    listed = as_list(cell)
    if listed is None:
        raise ValueError("must be a list")
    return listed


def as_list(cell: Any) -> list[Any] | None:
    """The list that it is, or of which it is the text; None for all else, such as an id with brackets."""
    if isinstance(cell, str) and cell.lstrip().startswith("["):
        try:
            cell = json.loads(cell)
        except (ValueError, RecursionError):
            return None
    return cell if isinstance(cell, list) else None


@lru_cache(maxsize=100_000)
def _normal_identifier(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("is not UTF-8") from None
    try:
        return _IDENTIFIER.validate_python(unicodedata.normalize("NFC", text).strip())
    except ValidationError as error:
        raise ValueError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None


def outcome(cell: Any) -> Outcome:
    """How the battle ended for its initiator."""
    word = cell.strip().lower() if isinstance(cell, str) else ""
    if word not in _OUTCOMES:
        raise ValueError(f"must be win, draw or loss, not {_quote(cell)}")
    return cast(Outcome, word)


def points(cell: Any) -> Decimal:
    """A side's score."""
    try:
        score = Decimal(cell.strip() if isinstance(cell, str) else str(cell))
    except InvalidOperation:
        score = Decimal("nan")
    if not score.is_finite():
        raise ValueError(f"must be a number, not {_quote(cell)}")
    return score


def whole_number(cell: Any) -> int:
    """A count."""
    text = str(cell).strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise ValueError(f"must be a whole number, not {_quote(cell)}")
    return int(text)


@dataclass(frozen=True, slots=True)
class Moment:
    """What a cell holds that is no text but a point in time, perhaps one that no calendar knows."""

    milliseconds: int
    """Since the epoch."""


def timestamp(cell: Any) -> int | None:
    """Milliseconds since the epoch; None for an empty cell."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return None
    if isinstance(cell, Moment):
        return check_timestamp(cell.milliseconds)
    if not isinstance(cell, str):
        raise ValueError("must be text")
    return parse_timestamp(cell.strip())


def details(cell: Any) -> dict[str, Any]:
    """A JSON object, or the text of one; an empty cell says nothing."""
    if isinstance(cell, str):
        if not cell.strip():
            return {}
        try:
            cell = json.loads(cell)
        except (ValueError, RecursionError):
            raise ValueError("is not JSON") from None
    if cell is None:
        return {}
    if not isinstance(cell, dict):
        raise ValueError("must be a JSON object")
    return cell


def _quote(cell: Any) -> str:
    text = repr(cell)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"

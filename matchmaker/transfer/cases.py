"""Disputes and dismissals as lines of a ladder's file.

{"dispute": {"player": "ann", "result": "match-1", "felt": "too_much", "note": null, "at": 1796045942984,
    "closing": {"verdict": "settled", "note": "Annulled.", "by": "admin", "at": 1796045999000}}}
{"dismissal": {"player": "ann", "flag": "runner", "by": "admin", "at": 1796045942984, "note": "No."}}
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from matchmaker.dispute import Closing, Dispute, Felt, Verdict
from matchmaker.fairplay import Flag
from matchmaker.identifiers import Identifier, Note
from matchmaker.store.cases import Case, Dismissed
from matchmaker.store.flags import Dismissal

_Moment = Annotated[int, Field(ge=0, le=253_402_300_799_999)]  # until the year 9999
_Who = Annotated[str, Field(max_length=128)]

_CLOSING: TypeAdapter[tuple[Verdict, str, str, int]] = TypeAdapter(tuple[Verdict, Note, _Who, _Moment])
_DISPUTE: TypeAdapter[tuple[str, str, Felt, str | None, int]] = TypeAdapter(
    tuple[Identifier, Identifier, Felt, Note | None, _Moment]
)
_DISMISSAL: TypeAdapter[tuple[str, Flag, str, int, str]] = TypeAdapter(
    tuple[Identifier, Flag, _Who, _Moment, Note]
)


def write_case(case: Case) -> dict[str, Any]:
    """The line for it."""
    if isinstance(case, Dispute):
        return {"dispute": asdict(case)}
    return {"dismissal": {"player": case.player, "flag": case.flag, **asdict(case.dismissal)}}


def is_case(value: Mapping[str, Any]) -> bool:
    """Whether the line holds one."""
    return "dispute" in value or "dismissal" in value


def read_case(value: Mapping[str, Any]) -> Case:
    """The case in a line. Raises ValueError, pydantic.ValidationError."""
    if "dispute" in value:
        player, result, felt, note, at = _DISPUTE.validate_json(
            _fields(value["dispute"], "player", "result", "felt", "note", "at"), strict=True
        )
        ended = value["dispute"].get("closing")
        return Dispute(player, result, felt, note, at, None if ended is None else _closing(ended))
    player, flag, by, at, note = _DISMISSAL.validate_json(
        _fields(value["dismissal"], "player", "flag", "by", "at", "note"), strict=True
    )
    return Dismissed(player, flag, Dismissal(by, at, note))


def _closing(value: Any) -> Closing:
    return Closing(*_CLOSING.validate_json(_fields(value, "verdict", "note", "by", "at"), strict=True))


def _fields(value: Any, *names: str) -> str:
    if not isinstance(value, dict):
        raise ValueError("must be an object")
    return json.dumps([value.get(name) for name in names])

"""Entries of a log as a file holds them: whatever wrote it, what comes in is what the ladder would accept."""

import json
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from matchmaker.details import check
from matchmaker.identifiers import DisplayName, Identifier, Reason
from matchmaker.moderation import Adjust, Annul, Reinstate, Suspend, Way
from matchmaker.rating.elo import on_grid, shortened
from matchmaker.rating.rule import BoardPoints, Outcome, PlayerState, Points, Rule, Sigma
from matchmaker.results import FIELDS_OF_TWO_SIDES, Entry, Join, Reform, Rename, Result
from matchmaker.sides import DUEL
from matchmaker.store.states import LARGEST_COUNT
from matchmaker.timestamps import format_timestamp

Count = Annotated[int, Field(ge=0, le=LARGEST_COUNT)]

_Side = Identifier | list[Identifier]
_MoreThanTwo = Annotated[list[_Side], Field(min_length=len(DUEL) + 1)]
"""Of two sides there is an outcome and no ranks: the fold relies on it."""
_RESULT: TypeAdapter[tuple[Any, ...]] = TypeAdapter(
    tuple[Identifier, _Side, _Side, Outcome, dict[str, Any], int | None]
)
_FREE_FOR_ALL: TypeAdapter[tuple[Any, ...]] = TypeAdapter(
    tuple[Identifier, _MoreThanTwo, list[int], dict[str, Any], int | None]
)
_JOIN: TypeAdapter[tuple[str, float, int, int, float, float]] = TypeAdapter(
    tuple[Identifier, BoardPoints, Count, Count, BoardPoints, Sigma]
)
_SHORTEST_JOIN: Final = 2
_RENAME: TypeAdapter[tuple[str, str | None]] = TypeAdapter(tuple[Identifier, DisplayName | None])
_REFORM: TypeAdapter[tuple[dict[str, Any]]] = TypeAdapter(tuple[dict[str, Any]])
_MEASURE: TypeAdapter[tuple[str, str, str]] = TypeAdapter(tuple[Identifier, Identifier, Reason | Literal[""]])
"""Of a player, or an annulment of a result. The reason may be missing where the act speaks."""
_ADJUST: TypeAdapter[tuple[str, Way, float, str, str, str | None]] = TypeAdapter(
    tuple[Identifier, Way, Points, Identifier, Reason, Identifier | None]
)


def read_entry(kind: str, value: Any, rule: Rule) -> Entry:
    """The entry of that kind, as it was accepted under the rule.

    Raises pydantic.ValidationError, MatchmakerError, ValueError or OverflowError if it can't have been.
    """
    if kind == Join.kind and isinstance(value, list) and len(value) >= _SHORTEST_JOIN:
        value = Join.complete(value)
    # As JSON, in which a list may stand for a tuple.
    text = json.dumps(value)
    match kind:
        case Result.kind:
            told = _RESULT if isinstance(value, list) and len(value) == FIELDS_OF_TWO_SIDES else _FREE_FOR_ALL
            result = Result.read(told.validate_json(text, strict=True))
            if result.played_at is not None:
                format_timestamp(result.played_at)
            return check(rule, result)
        case Join.kind:
            player, rating, games, experience, peak, sigma = _JOIN.validate_json(text, strict=True)
            point = on_grid(rating)
            # Not held against rule.settle: players may have come before the ladder got this rule.
            if rating not in (point, shortened(point)) or peak < rating:
                raise ValueError("there is no such rating, or the peak is below it")
            deviation = on_grid(sigma)
            if sigma not in (deviation, shortened(deviation)) or deviation != rule.within(deviation):
                raise ValueError("this rule can't hold such a sigma")
            state = PlayerState(
                point, games=games, experience=experience, peak=on_grid(peak), sigma=deviation
            )
            return Join(player, state)
        case Rename.kind:
            return Rename(*_RENAME.validate_json(text, strict=True))
        case Reform.kind:
            return Reform(*_REFORM.validate_json(text, strict=True))
        case Annul.kind:
            return Annul(*_MEASURE.validate_json(text, strict=True))
        case Adjust.kind:
            return Adjust(*_ADJUST.validate_json(text, strict=True))
        case Suspend.kind:
            return Suspend(*_MEASURE.validate_json(text, strict=True))
        case Reinstate.kind:
            return Reinstate(*_MEASURE.validate_json(text, strict=True))
    raise ValueError(f"{kind!r} is no kind of entry")

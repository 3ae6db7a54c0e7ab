"""A result as it came from outside, held against the ladder's rule."""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import ValidationError

from matchmaker.errors import FieldError
from matchmaker.rating.rule import LOST_BY, Rule
from matchmaker.results import Result
from matchmaker.sides import LARGEST_SIDE, MOST_SIDES, ranked
from matchmaker.validation import invalid, invalid_input

_ONESELF = "must be another player than the initiator"
_REPEATED = "must not name anybody for the second time"


def check(rule: Rule, result: Result, fields: Sequence[str] = ()) -> Result:
    """The result in normal form, with its details in that of the rule.

    Raises InvalidInputError that names one of the `fields` in which its sides were told (those of its kind,
    unless said), `outcome`, `ranks`, or a field of `details`.
    """
    _check_sides(rule, result, fields or _fields(result))
    ending = result.ending if isinstance(result.ending, str) else ranked(result.ending)
    if not rule.draws and len(set(result.ranks)) < len(result.ranks):
        field = "ranks" if result.free_for_all else "outcome"
        raise invalid([FieldError(field, f"must not be draw: the rule {rule.name} knows none")])
    try:
        checked = rule.check_details(result.details, result.sizes)
    except ValidationError as error:
        raise invalid_input(error, "details") from None
    leaver = checked.get("abandoned")
    if leaver is not None and LOST_BY[leaver] != ending:
        raise invalid([FieldError("details.abandoned", "must be the loser: who leaves a match loses it")])
    if checked or result.details or result.free_for_all:
        return replace(result, ending=ending, details=checked)
    return result


def _fields(result: Result) -> Sequence[str]:
    if result.free_for_all:
        return [f"sides.{place}" for place in range(len(result.sides))]
    return ("initiator", "opponent")


def _check_sides(rule: Rule, result: Result, fields: Sequence[str]) -> None:
    if result.free_for_all and not rule.free_for_all:
        raise invalid([FieldError("sides", f"must be two: the rule {rule.name} knows no free-for-all")])
    if not 1 < len(result.sides) <= MOST_SIDES:
        raise invalid([FieldError("sides", f"must be 2 to {MOST_SIDES}")])
    if len(result.ranks) != len(result.sides):
        raise invalid([FieldError("ranks", "must be as many as there are sides")])
    seen: set[str] = set()
    for field, side in zip(fields, result.sides, strict=True):
        if not 1 <= len(side) <= LARGEST_SIDE:
            raise invalid([FieldError(field, f"must have 1 to {LARGEST_SIDE} members")])
        if len(side) > 1 and not rule.teams:
            raise invalid([FieldError(field, f"must be one player: the rule {rule.name} knows no teams")])
        for player in side:
            if player in seen:
                is_oneself = result.pair and field == "opponent"
                raise invalid([FieldError(field, _ONESELF if is_oneself else _REPEATED)])
            seen.add(player)

"""Outcome and details of a result, held against the ladder's rule."""

from typing import Any

from pydantic import ValidationError

from matchmaker.errors import FieldError
from matchmaker.rating.rule import LOST_BY, Details, Outcome, Rule
from matchmaker.validation import invalid, invalid_input


def check_details(rule: Rule, outcome: Outcome, details: Any) -> Details:
    """The details in the rule's normal form; None stands for none.

    Raises InvalidInputError that names `outcome` or a field of `details`.
    """
    if outcome == "draw" and not rule.draws:
        raise invalid([FieldError("outcome", f"must not be draw: the rule {rule.name} knows none")])
    try:
        checked = rule.check_details({} if details is None else details)
    except ValidationError as error:
        raise invalid_input(error, "details") from None
    leaver = checked.get("abandoned")
    if leaver is not None and LOST_BY[leaver] != outcome:
        raise invalid([FieldError("details.abandoned", "must be the loser: who leaves a match loses it")])
    return checked

"""What pydantic finds wrong, as fields and sentences for people. Repeats no input."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from pydantic import ValidationError

from matchmaker.errors import FieldError, InvalidInputError

# Names that pydantic puts into the path of an error where the input may take several shapes.
_SHAPES = frozenset(
    {"one", "many", "two_sides", "free_for_all", "initiator_k", "performance", "match_length", "openskill"}
)

_WORDING = {
    "missing": "is missing",
    "extra_forbidden": "is not a known field",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "list_type": "must be a list",
    "string_type": "must be text",
    "string_unicode": "must be valid Unicode text",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
}

_LONGEST_PATH = 200
_SUBJECT = re.compile(r"^\w+ should ")


MOST_ERRORS = 20
"""Of those that one body can have: whoever sends more than that learns enough from the first."""


def field_errors(errors: Iterable[Mapping[str, Any]], *prefix: str) -> list[FieldError]:
    """What is wrong with which fields, by their dotted paths behind `prefix`; MOST_ERRORS at most."""
    return [_field_error(error, prefix) for error in islice(errors, MOST_ERRORS)]


def _field_error(error: Mapping[str, Any], prefix: Sequence[str]) -> FieldError:
    kind = error["type"]
    path = [*prefix, *(str(part) for part in error["loc"] if part not in _SHAPES)]
    if kind.startswith("union_tag_"):
        # The field that tells the shapes apart is missing, or names none of them.
        context = error["ctx"]
        path.append(context["discriminator"].strip("'"))
        message = f"must be one of {context['expected_tags']}" if "expected_tags" in context else "is missing"
    elif kind == "json_invalid":
        message = f"is not JSON: {error['ctx']['error']}"
    else:
        message = _WORDING.get(kind) or _SUBJECT.sub("must ", error["msg"].removeprefix("Value error, "))
    return FieldError(".".join(path)[:_LONGEST_PATH], message)


def invalid(errors: Sequence[FieldError]) -> InvalidInputError:
    """The failure that names these fields."""
    sentences = (f"{each.field}: {each.message}" if each.field else each.message for each in errors)
    return InvalidInputError("; ".join(sentences), errors=errors)


def invalid_input(error: ValidationError, *prefix: str) -> InvalidInputError:
    """The failure that says what pydantic found, by dotted paths behind `prefix`."""
    return invalid(field_errors(error.errors(), *prefix))

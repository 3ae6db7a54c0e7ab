"""What may name a ladder, a player, an owner, a result; and the checks that keep hostile text out."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field

# Joiners shape emoji families and several scripts; every other invisible format character is refused,
# because two ids that look the same must be the same.
_JOINERS = frozenset("\u200c\u200d")
_UNPRINTABLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def _printable(character: str) -> bool:
    category = unicodedata.category(character)
    if category == "Zs":
        return character == " "
    if category in _UNPRINTABLE_CATEGORIES:
        return character in _JOINERS
    code_point = ord(character)
    noncharacter = code_point & 0xFFFE == 0xFFFE or 0xFDD0 <= code_point <= 0xFDEF
    return not noncharacter and character != "\ufffd"


def check_identifier(value: str) -> str:
    """Returns `value` if it may be an id: printable, NFC, no `/`, no space at either end.

    Raises ValueError with a sentence that says what is wrong.
    """
    if not value.isascii() or not value.isprintable():
        if not all(map(_printable, value)):
            raise ValueError("must consist of printable characters")
        if not unicodedata.is_normalized("NFC", value):
            raise ValueError("must be in Unicode normal form NFC")
    if "/" in value:
        raise ValueError("must not contain '/'")
    if value in (".", ".."):
        raise ValueError("must not be '.' or '..': clients and proxies resolve these in an address")
    if value != value.strip(" "):
        raise ValueError("must not begin or end with a space")
    return value


def check_text(value: str) -> str:
    """Returns `value` if it may be shown to people. Raises ValueError for control characters."""
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in value):
        raise ValueError("must not contain control characters")
    return value


LADDER_PATTERN = r"^[a-z0-9-]{1,64}$"

LadderId = Annotated[str, Field(pattern=LADDER_PATTERN)]
"""Lower-case letters, digits and hyphens, 1-64."""

# For documents alone: as much of `check_identifier` as patterns can say. They don't know normal forms, and
# have no escape for characters beyond U+FFFF that all engines understand.
IDENTIFIER_PATTERN = (
    r"^(?! |\.{1,2}$)[^/\u0000-\u001f\u007f-\u00a0\u00ad\u1680\u2000-\u200b\u200e\u200f\u2028-\u202f"
    r"\u205f-\u2064\u2066-\u206f\u3000\ue000-\uf8ff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffd-\uffff]+(?<! )$"
)
TEXT_PATTERN = r"^[^\u0000-\u001f\u007f-\u009f]*$"

Identifier = Annotated[
    str,
    Field(min_length=1, max_length=128, json_schema_extra={"pattern": IDENTIFIER_PATTERN}),
    AfterValidator(check_identifier),
]
"""Id of a player, an owner or a result: 1-128 printable characters."""

Reason = Annotated[
    str,
    Field(min_length=1, max_length=500, json_schema_extra={"pattern": TEXT_PATTERN}),
    AfterValidator(check_text),
]
"""Why a moderator did something: 1-500 characters, none of them control characters."""

DisplayName = Annotated[
    str,
    Field(min_length=1, max_length=128, json_schema_extra={"pattern": TEXT_PATTERN}),
    AfterValidator(check_text),
]
"""What people see instead of an id. Anything but control characters: pages show it as text."""

Note = Annotated[
    str,
    Field(min_length=1, max_length=1000, json_schema_extra={"pattern": TEXT_PATTERN}),
    AfterValidator(check_text),
]
"""What people say about something: a line of text."""

"""What may name a player, an owner or a result, and what may be shown as a name."""

import contextlib
import re
import sys
from typing import Any

import pytest
from hypothesis import given
from pydantic import TypeAdapter, ValidationError

from matchmaker.identifiers import IDENTIFIER_PATTERN, DisplayName, Identifier, check_identifier
from tests.entries import HOSTILE_IDS, IDS

IDENTIFIER: TypeAdapter[str] = TypeAdapter(Identifier)
NAME: TypeAdapter[str] = TypeAdapter(DisplayName)


@pytest.mark.parametrize("value", [*HOSTILE_IDS, "a", "a" * 128, "é", "नमस्ते", "مرحبا", "می‌خواهم"])
def test_printable_text_of_any_script_may_be_an_id(value: str) -> None:
    assert IDENTIFIER.validate_python(value) == value


@given(IDS)
def test_an_id_is_taken_as_it_is(value: str) -> None:
    assert IDENTIFIER.validate_python(value) == value


@pytest.mark.parametrize(
    "value",
    [
        "",
        "a" * 129,
        "a" * 10_000,
        "a/b",
        " a",
        "a ",
        "a\x00",
        "a\n",
        "\x7f",
        "\x85",
        "\ud800",
        "a\udfff",
        "e\u0301",
        "a\u200bb",
        "a\u202eb",
        "\ufeffa",
        "a\u00a0b",
        "a\u2028b",
        "\ue000",
        "\ufdd0",
        "\uffff",
        chr(0xFFFD),
        "\U0010ffff",
        None,
        1,
        True,
        ["a"],
    ],
    ids=ascii,
)
def test_text_that_can_be_mistaken_or_cannot_be_printed_is_no_id(value: Any) -> None:
    with pytest.raises(ValidationError):
        IDENTIFIER.validate_python(value, strict=True)


@pytest.mark.parametrize("value", ["<b>Ann</b>", "e\u0301", " Ann ", "a/b", "a\u202eb"])
def test_a_display_name_is_nearly_any_text(value: str) -> None:
    assert NAME.validate_python(value) == value


@pytest.mark.parametrize("value", ["", "a" * 129, "a\x00", "a\nb", "\ud800"], ids=ascii)
def test_a_display_name_holds_no_control_characters(value: str) -> None:
    with pytest.raises(ValidationError):
        NAME.validate_python(value)


def test_documents_rule_out_no_identifier() -> None:
    documented = re.compile(IDENTIFIER_PATTERN)
    for character in map(chr, range(sys.maxunicode + 1)):
        with contextlib.suppress(ValueError):
            assert documented.search(check_identifier(f"a{character}b")), repr(character)


@pytest.mark.parametrize("value", ["", " a", "a ", ".", "..", "a/b", "a\u00adb", "a\x00", "\u202e", "\ue000"])
def test_documents_rule_out_what_is_no_identifier(value: str) -> None:
    assert not re.search(IDENTIFIER_PATTERN, value)

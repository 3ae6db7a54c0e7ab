"""Settings of a ladder as somebody typed them: a file, options, what was there before."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from matchmaker.cli.dotted import place

if TYPE_CHECKING:
    from matchmaker.ladder import Ladder

Change = tuple[str, Any]
"""A dotted name, and the value that it gets."""


def read_settings(file: Path) -> dict[str, Any]:
    """The settings in a JSON file. Raises InvalidInputError, OSError."""
    from matchmaker.errors import InvalidInputError

    try:
        settings = json.loads(file.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{file} is not JSON: {error}") from None
    if not isinstance(settings, dict):
        raise InvalidInputError(f"{file} must hold a JSON object")
    return settings


def parse_change(setting: str) -> Change:
    """What `NAME=VALUE` means: the value is JSON, or else text. Raises typer.BadParameter."""
    name, equals, text = setting.partition("=")
    if not equals or not all(name.split(".")):
        raise typer.BadParameter(
            f"{setting!r} is not of the form NAME=VALUE, such as pool.size=20", param_hint="--set"
        )
    return name, _value(name, text)


def _value(name: str, text: str) -> Any:
    from matchmaker.ladder import Ladder

    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    field = Ladder.model_fields.get(name)
    is_text = field is not None and field.annotation is str
    return text if is_text and not isinstance(value, str) else value


def changed(settings: dict[str, Any], changes: Sequence[Change]) -> dict[str, Any]:
    """The settings after the changes. Another rule starts from its own defaults."""
    rule = settings.get("rule")
    if isinstance(rule, dict) and dict(changes).get("rule.name", rule.get("name")) != rule.get("name"):
        settings["rule"] = {}
    for name, value in changes:
        place(settings, name, value)
    return settings


def check_settings(settings: dict[str, Any], ladder_id: str) -> "Ladder":
    """The ladder that they describe. Raises InvalidInputError, and typer.BadParameter without a rule."""
    from pydantic import ValidationError

    from matchmaker.errors import InvalidInputError
    from matchmaker.ladder import Ladder
    from matchmaker.validation import invalid_input

    if settings.setdefault("id", ladder_id) != ladder_id:
        raise InvalidInputError(
            f"the settings are those of a ladder {settings['id']!r}, not of {ladder_id!r}"
        )
    rule = settings.get("rule", {})
    if isinstance(rule, dict) and "name" not in rule:
        raise typer.BadParameter(
            "a ladder needs a rating rule; name it, or a file that does", param_hint=["--rule", "--file"]
        )
    try:
        return Ladder.model_validate_json(json.dumps(settings))
    except ValidationError as error:
        raise invalid_input(error) from None

"""Rules that are to be evaluated, as somebody typed them."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from matchmaker.cli.ladder_settings import Change, changed, check_settings, parse_change, read_settings

if TYPE_CHECKING:
    from matchmaker.evaluation.trial import Contender
    from matchmaker.ladder import LadderSettings

_CHANGES: Final = re.compile(r",(?=[\w.]+=)")  # values may be lists, with commas inside
_START: Final = "initial_rating"


def of_settings(label: str, settings: "LadderSettings") -> "Contender":
    """The rule of these settings, with their start."""
    from matchmaker.evaluation.trial import Contender

    return Contender(label, settings.rule, settings.initial_rating)


def varied(label: str, base: "Contender", changes: Sequence[Change]) -> "Contender":
    """`base` after the changes; another rule starts from its own defaults, and where its preset ladder does.

    Raises InvalidInputError, and typer.BadParameter for a setting that moves no rating.
    """
    for name, _ in changes:
        if name != _START and not name.startswith("rule."):
            raise typer.BadParameter(f"{name} moves no rating: only rule.… and {_START} do")
    document: dict[str, Any] = {"rule": base.rule.model_dump(mode="json"), _START: base.initial_rating}
    if (rule := dict(changes).get("rule.name", base.rule.name)) != base.rule.name:
        document[_START] = _preset_starts().get(rule, base.initial_rating)
    return of_settings(label, check_settings(changed(document, changes), "evaluation"))


def _preset_starts() -> dict[str, float]:
    from matchmaker.presets import PRESETS

    return {preset.rule.name: preset.initial_rating for preset in PRESETS}


def compared(text: str, base: "Contender") -> "Contender":
    """What `--compare` names: a rule, changes of `base` such as rule.k.master=12,rule.scale=300, or a file.

    In front of it, with a colon, may stand what to call it. Raises InvalidInputError, OSError,
    typer.BadParameter.
    """
    label, colon, rule = text.partition(":")
    if not colon or "=" in label:
        label, rule = "", text
    label, rule = label.strip(), rule.strip()
    if rule.endswith(".json"):
        settings = read_settings(Path(rule))
        known: dict[str, Any] = {name: settings[name] for name in ("rule", _START) if name in settings}
        return of_settings(label or Path(rule).stem, check_settings(known, "evaluation"))
    if "=" not in rule:
        return varied(label or rule, base, [("rule.name", rule)])
    changes = [parse_change(each) for each in _CHANGES.split(rule)]
    return varied(label or rule.replace("rule.", ""), base, changes)

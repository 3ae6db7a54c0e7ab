"""Numbers inside a rule by dotted names, such as `k.provisional`, or `bands.0.k` where there is a list."""

from collections.abc import Iterator, Mapping
from typing import Any

from matchmaker.errors import InvalidInputError
from matchmaker.rating import InitiatorK, MatchLength, OpenSkill, Performance
from matchmaker.rating.rule import Rule


def fractional(rule: Rule) -> dict[str, float]:
    """All coefficients that may take any number (whole numbers and words may not), with their values."""
    return dict(_numbers(rule.model_dump(), ""))


def _numbers(value: Any, name: str) -> Iterator[tuple[str, float]]:
    match value:
        case float():
            yield name, value
        case dict():
            for key, inner in value.items():
                yield from _numbers(inner, f"{name}.{key}" if name else key)
        case list() | tuple():
            for place, inner in enumerate(value):
                yield from _numbers(inner, f"{name}.{place}")


def usual(rule: Rule) -> tuple[str, ...]:
    """Those that are worth fitting.

    Where ratings count only by their differences, twice the scale with twice the K makes the same
    predictions, so the scale is not among them, and no more is the `beta` of openskill, by which its `sigma`
    and `tau` are measured; `performance` knows whole points and absolute borders.
    """
    match rule:
        case InitiatorK():
            return ("k.provisional", "k.established", "k.master", "initiator_advantage")
        case MatchLength():
            return ("stake", "ramp.step")
        case Performance():
            return (*(f"bands.{place}.k" for place in range(len(rule.bands))), "top_k", "scale")
        case OpenSkill():
            return ("sigma", "tau")
    return tuple(fractional(rule))


def chosen(rule: Rule, names: tuple[str, ...]) -> dict[str, float]:
    """These coefficients with their values. Raises InvalidInputError for one that can't be fitted."""
    known = fractional(rule)
    for name in names:
        if name not in known:
            raise InvalidInputError(
                f"{name} is no coefficient of {rule.name} that takes any number, as are: {', '.join(known)}"
            )
    return {name: known[name] for name in names}


def changed(rule: Rule, values: Mapping[str, float]) -> Rule:
    """The rule with these values. Raises pydantic.ValidationError for values that it can't have."""
    document: Any = rule.model_dump(mode="json")
    for name, value in values.items():
        *path, last = name.split(".")
        group = document
        for part in path:
            group = group[int(part) if isinstance(group, list) else part]
        group[last] = value
    return type(rule).model_validate(document)

"""Settings inside one another, by dotted names such as `pool.size`."""

from collections.abc import Iterator, Mapping
from typing import Any


def place(settings: dict[str, Any], name: str, value: Any) -> None:
    """Sets `value` at the dotted `name`; whatever is no group on the way there is replaced by one."""
    group = settings
    *path, last = name.split(".")
    for part in path:
        if not isinstance(group.get(part), dict):
            group[part] = {}
        group = group[part]
    group[last] = value


def flatten(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """All settings that are no groups, with their dotted names."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value

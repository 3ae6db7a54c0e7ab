"""Tables of text, for a terminal or a page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table. Its first column and those in `words` hold words, all others numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[int, ...] = ()


def percent(share: float) -> str:
    """A share of 1, as percent."""
    return f"{100 * share:.1f} %"

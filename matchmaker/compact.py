"""JSON without blanks: the text in which entries stand in the log."""

import json
from typing import Any


def compact(value: Any) -> str:
    """The same text for equal values."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)

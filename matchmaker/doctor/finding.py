"""What one check found."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "unknown", "warning", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`text` says how it is; `advice` what to do, unless all is well."""

    check: str
    verdict: Verdict
    text: str
    advice: str = ""


def graded(check: str, value: float, *, warning: float, bad: float, text: str, advice: str) -> Finding:
    """A finding about a number that is the worse the larger it is: from which value on it is how bad."""
    verdict: Verdict = "bad" if value >= bad else "warning" if value >= warning else "ok"
    return Finding(check, verdict, text, "" if verdict == "ok" else advice)

"""Points in time: RFC 3339 outside, milliseconds since the epoch (negative before 1970) inside."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
DAY_MS: Final = 24 * 3600 * 1000

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
RFC_3339: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})", re.ASCII | re.IGNORECASE
)


def parse_timestamp(text: str) -> int:
    """Milliseconds since the epoch, of a time in RFC 3339 or of the midnight (UTC) that begins a date.

    Raises ValueError with a sentence that says what is wrong.
    """
    if _DATE.fullmatch(text):
        text += "T00:00:00Z"
    if not RFC_3339.fullmatch(text):
        raise ValueError("must be a date (2026-07-19) or a time with its zone (2026-07-19T18:00:00Z)")
    try:
        return (datetime.fromisoformat(text.upper()).astimezone(UTC) - _EPOCH) // _MILLISECOND
    except (ValueError, OverflowError) as error:
        raise ValueError(f"is no point in time: {error}") from None


def check_timestamp(milliseconds: int) -> int:
    """The same again, if it falls into the years 1 to 9999. Raises ValueError."""
    try:
        format_timestamp(milliseconds)
    except OverflowError as error:
        raise ValueError(f"is no point in time: {error}") from None
    return milliseconds


def format_timestamp(milliseconds: int) -> str:
    """RFC 3339 in UTC, with a fraction only where there is one."""
    moment = (_EPOCH + milliseconds * _MILLISECOND).replace(tzinfo=None)
    return moment.isoformat(timespec="milliseconds" if milliseconds % 1000 else "seconds") + "Z"

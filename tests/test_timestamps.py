"""Points in time, in and out."""

import pytest

from matchmaker.timestamps import format_timestamp, parse_timestamp


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("1970-01-01", 0),
        ("1969-12-31", -86_400_000),
        ("1872-11-30", -3_063_744_000_000),
        ("2026-07-19T18:00:00Z", 1_784_484_000_000),
        ("2026-07-19t18:00:00z", 1_784_484_000_000),
        ("2026-07-19T20:00:00+02:00", 1_784_484_000_000),
        ("2026-07-19T18:00:00.25Z", 1_784_484_000_250),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2026-07-19T18:00:00.123456789Z", 1_784_484_000_123),
    ],
)
def test_dates_and_times_are_read(text: str, milliseconds: int) -> None:
    assert parse_timestamp(text) == milliseconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "19.07.2026",
        "2026-7-19",
        "2026-07-19T18:00:00",
        "2026-07-19T18:00Z",
        "2026-07-19 18:00:00Z",
        "2026-02-30",
        "2026-07-19T25:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "２０２６-07-19",
        "1784484000",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be a date|is no point in time"):
        parse_timestamp(text)


@pytest.mark.parametrize("text", ["1872-11-30T00:00:00Z", "2026-07-19T18:00:00.250Z", "0001-01-01T00:00:00Z"])
def test_what_is_written_reads_back(text: str) -> None:
    assert format_timestamp(parse_timestamp(text)) == text

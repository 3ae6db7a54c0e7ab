"""Formats of files."""

import gzip
import io
from pathlib import Path

import pytest

from matchmaker.errors import InvalidInputError
from matchmaker.transfer.formats import Format, content_digest


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("results.csv", Format("csv", gzipped=False)),
        ("RESULTS.CSV", Format("csv", gzipped=False)),
        ("results.2026.csv.gz", Format("csv", gzipped=True)),
        ("results.ndjson", Format("ndjson", gzipped=False)),
        ("results.jsonl.gz", Format("ndjson", gzipped=True)),
    ],
)
def test_the_name_tells_the_format(name: str, format_: Format) -> None:
    assert Format.of(Path(name)) == format_


@pytest.mark.parametrize("name", ["results", "results.xlsx", "results.gz", "csv", "results.csv.zip"])
def test_a_name_that_tells_none_is_refused(name: str) -> None:
    with pytest.raises(InvalidInputError, match=r"\.csv or \.ndjson"):
        Format.of(Path(name))


def test_the_digest_is_that_of_the_text_inside() -> None:
    packed = Format("csv", gzipped=True).reader(io.BytesIO(gzip.compress(b"text")))
    assert content_digest(packed) == content_digest(io.BytesIO(b"text"))


@pytest.mark.parametrize("damaged", [b"text", gzip.compress(b"text" * 1000)[:-20], b"\x1f\x8b\x08oops"])
def test_a_damaged_gzip_file_is_refused(damaged: bytes) -> None:
    with pytest.raises(InvalidInputError, match="gzip"):
        content_digest(Format("csv", gzipped=True).reader(io.BytesIO(damaged)))

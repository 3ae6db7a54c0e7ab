"""Formats of files."""

import io
from pathlib import Path
from typing import BinaryIO, Literal

import pytest

from matchmaker.errors import InvalidInputError
from matchmaker.transfer.formats import Format, content_digest


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("results.csv", Format("csv", packing=None)),
        ("RESULTS.CSV", Format("csv", packing=None)),
        ("results.2026.csv.gz", Format("csv", packing="gzip")),
        ("results.ndjson", Format("ndjson", packing=None)),
        ("results.jsonl.gz", Format("ndjson", packing="gzip")),
        ("results.ndjson.zst", Format("ndjson", packing="zstd")),
    ],
)
def test_the_name_tells_the_format(name: str, format_: Format) -> None:
    assert Format.of(Path(name)) == format_


@pytest.mark.parametrize("name", ["results", "results.xlsx", "results.gz", "csv", "results.csv.zip"])
def test_a_name_that_tells_none_is_refused(name: str) -> None:
    with pytest.raises(InvalidInputError, match=r"\.csv or \.ndjson"):
        Format.of(Path(name))


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_the_digest_is_that_of_the_text_inside(packing: Literal["gzip", "zstd"]) -> None:
    assert content_digest(_packed(packing, b"text")) == content_digest(io.BytesIO(b"text"))


def _packed(packing: Literal["gzip", "zstd"], text: bytes, cut: int = 0) -> BinaryIO:
    """Reads that text, of a file that lacks the last `cut` bytes."""
    format_, file = Format("csv", packing), io.BytesIO()
    with format_.writer(file) as writer:
        writer.write(text)
    return format_.reader(io.BytesIO(file.getvalue()[: -cut or None]))


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_a_file_that_ends_too_early_is_refused(packing: Literal["gzip", "zstd"]) -> None:
    with pytest.raises(InvalidInputError, match="packed file"):
        content_digest(_packed(packing, b"text" * 1000, cut=3))


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
@pytest.mark.parametrize("damaged", [b"text", b"\x1f\x8b\x08oops"])
def test_what_is_no_packed_file_is_refused(packing: Literal["gzip", "zstd"], damaged: bytes) -> None:
    with pytest.raises(InvalidInputError, match="packed file"):
        content_digest(Format("csv", packing).reader(io.BytesIO(damaged)))

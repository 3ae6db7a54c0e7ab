"""Formats of files, told by their names: Parquet, or CSV or NDJSON, perhaps packed by gzip or Zstandard."""

import gzip
import hashlib
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, cast

from matchmaker.errors import InvalidInputError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Kind = Literal["csv", "ndjson", "parquet"]

_KINDS: dict[str, Kind] = {".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson", ".parquet": "parquet"}
_PACKINGS: dict[str, Literal["gzip", "zstd"]] = {".gz": "gzip", ".zst": "zstd"}
_CHUNK = 1 << 18  # bytes

DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error, zstd.ZstdError)
"""What reading a packed file raises that is none, or only a part of one."""


@dataclass(frozen=True, slots=True)
class Format:
    """What a file looks like."""

    kind: Kind
    packing: Literal["gzip", "zstd"] | None

    @classmethod
    def of(cls, path: Path) -> "Format":
        """The format that the name tells. Raises InvalidInputError for a name that tells none."""
        name = Path(path.name.lower())
        packing = _PACKINGS.get(name.suffix)
        kind = _KINDS.get((name.with_suffix("") if packing else name).suffix)
        if kind is None or (packing and kind == "parquet"):
            raise InvalidInputError(
                f"the name of {path.name!r} tells no format: it must end in .csv or .ndjson, "
                "or in .gz or .zst after one of these, or in .parquet"
            )
        return cls(kind, packing)

    @classmethod
    def of_source(cls, path: Path) -> "Format":
        """The same for a file that is to be read. Raises InvalidInputError also if it can't be read twice."""
        if path.is_fifo() or path.is_socket() or path.is_char_device():
            raise InvalidInputError(f"{path}: is a pipe or a device, and must be read twice: save it first")
        return cls.of(path)

    def reader(self, file: BinaryIO) -> BinaryIO:
        """The text inside the file, as bytes; a Parquet file as it is."""
        match self.packing:
            case "gzip":
                return cast(BinaryIO, gzip.GzipFile(fileobj=file, mode="rb"))
            case "zstd":
                return cast(BinaryIO, zstd.ZstdFile(file, "rb"))
        return file

    def writer(self, file: BinaryIO) -> BinaryIO:
        """What takes the text, as bytes, for the file; must be closed before the file is.

        The same text gives the same file.
        """
        match self.packing:
            case "gzip":
                return cast(BinaryIO, gzip.GzipFile("", "wb", fileobj=file, mtime=0))
            case "zstd":
                return cast(BinaryIO, zstd.ZstdFile(file, "wb"))
        return file


def content_digest(text: BinaryIO) -> str:
    """SHA-256 of all that is left to read, in hexadecimal.

    Raises InvalidInputError if it is a packed file that can't be unpacked.
    """
    digest = hashlib.sha256()
    try:
        while chunk := text.read(_CHUNK):
            digest.update(chunk)
    except DAMAGED as error:
        raise InvalidInputError(f"this is no packed file, or only a part of one: {error}") from None
    return digest.hexdigest()

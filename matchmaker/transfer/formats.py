"""Formats of result files, told by their names: CSV or NDJSON, and either of them gzipped."""

import gzip
import hashlib
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, cast

from matchmaker.errors import InvalidInputError

_KINDS: dict[str, Literal["csv", "ndjson"]] = {".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson"}
_CHUNK = 1 << 18  # bytes


@dataclass(frozen=True, slots=True)
class Format:
    """What a file of results looks like."""

    kind: Literal["csv", "ndjson"]
    gzipped: bool

    @classmethod
    def of(cls, path: Path) -> "Format":
        """The format that the name tells. Raises InvalidInputError for a name that tells none."""
        name = path.name.lower()
        gzipped = name.endswith(".gz")
        kind = _KINDS.get(Path(name.removesuffix(".gz")).suffix)
        if kind is None:
            raise InvalidInputError(
                f"the name of {path.name!r} tells no format: it must end in .csv or .ndjson, "
                "or in .gz after one of these"
            )
        return cls(kind, gzipped)

    def reader(self, file: BinaryIO) -> BinaryIO:
        """The text inside the file, as bytes."""
        return cast(BinaryIO, gzip.GzipFile(fileobj=file, mode="rb")) if self.gzipped else file

    def writer(self, file: BinaryIO) -> BinaryIO:
        """What takes the text, as bytes, for the file; must be closed before the file is.

        The same text gives the same file.
        """
        return cast(BinaryIO, gzip.GzipFile("", "wb", fileobj=file, mtime=0)) if self.gzipped else file


def content_digest(text: BinaryIO) -> str:
    """SHA-256 of all that is left to read, in hexadecimal.

    Raises InvalidInputError if it is a gzip file that can't be unpacked.
    """
    digest = hashlib.sha256()
    try:
        while chunk := text.read(_CHUNK):
            digest.update(chunk)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InvalidInputError(f"this is no gzip file, or only a part of one: {error}") from None
    return digest.hexdigest()

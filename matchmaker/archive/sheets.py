"""What stands in a file: for the product its rows as the streams had them, for people and SQL columns beside
these."""

import io
import struct
from collections.abc import Iterable, Sequence
from typing import Any, Final

from matchmaker.archive.layout import LAST_MOMENT, Kind
from matchmaker.compact import compact
from matchmaker.results import Entry, Result, decode_all, milliseconds

Row = tuple[bytes, ...]
"""Of the log: id, kind, entry. Of the changes: id, what the fold made of it, packed."""

COLUMNS: Final[dict[Kind, tuple[str, ...]]] = {
    "log": ("log_id", "kind", "entry"),
    "changes": ("log_id", "packed"),
}
"""Those that make a row."""

GROUP: Final = 1024
"""Rows that are read together when one of them is looked up."""

_DOUBLE: Final = 8  # bytes


def pack_rows(kind: Kind, rows: Sequence[Row]) -> bytes:
    """The content of a file with these rows."""
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(
        table(kind, rows), buffer, compression="zstd", row_group_size=GROUP, write_page_checksum=True
    )
    return buffer.getvalue()


def table(kind: Kind, rows: Sequence[Row]) -> Any:
    """The rows as an Arrow table."""
    import pyarrow as pa

    return pa.Table.from_pydict(_log(rows) if kind == "log" else _changes(rows), schema(kind))


def schema(kind: Kind) -> Any:
    """Names and types of the columns."""
    import pyarrow as pa

    if kind == "log":
        return pa.schema(
            [
                *(
                    ("log_id", pa.string()),
                    ("ms", pa.uint64()),
                    ("kind", pa.string()),
                    ("entry", pa.string()),
                ),
                *(("accepted_at", _moment()), ("played_at", _moment()), ("result", pa.string())),
                *(("players", pa.list_(pa.string())), ("sides", pa.list_(pa.list_(pa.string())))),
                *(("outcome", pa.string()), ("ranks", pa.list_(pa.int64())), ("details", pa.string())),
            ]
        )
    return pa.schema(
        [
            *(("log_id", pa.string()), ("ms", pa.uint64()), ("packed", pa.binary())),
            ("numbers", pa.list_(pa.float64())),
        ]
    )


def _moment() -> Any:
    import pyarrow as pa

    return pa.timestamp("ms", tz="UTC")


def _log(rows: Sequence[Row]) -> dict[str, list[Any]]:
    log_ids, kinds, texts = ([row[at].decode() for row in rows] for at in range(3))
    written = [milliseconds(log_id) for log_id in log_ids]
    entries = list(decode_all(kinds, (row[2] for row in rows)))
    results = [entry if isinstance(entry, Result) else None for entry in entries]
    return {
        "log_id": log_ids,
        "ms": written,
        "kind": kinds,
        "entry": texts,
        "accepted_at": [_datable(at) for at in written],
        "played_at": [result and _datable(result.played_at) for result in results],
        "result": [_result_id(entry) for entry in entries],
        "players": [_players(entry) for entry in entries],
        "sides": [result and result.sides for result in results],
        "outcome": [result and result.outcome for result in results],
        "ranks": [result and result.ranks for result in results],
        "details": [result and compact(result.details) for result in results],
    }


def _datable(at: int | None) -> int | None:
    return at if at is not None and abs(at) <= LAST_MOMENT else None


def _result_id(entry: Entry) -> str | None:
    return entry.id if isinstance(entry, Result) else getattr(entry, "result", None)


def _players(entry: Entry) -> list[str]:
    named = getattr(entry, "player", None)
    return list(entry.players) if named is None else [named]


def _changes(rows: Sequence[Row]) -> dict[str, list[Any]]:
    log_ids = [row[0].decode() for row in rows]
    packed = [row[1] for row in rows]
    return {
        "log_id": log_ids,
        "ms": [milliseconds(log_id) for log_id in log_ids],
        "packed": packed,
        "numbers": [struct.unpack(f"<{len(each) // _DOUBLE}d", each) for each in packed],
    }


def unpack_group(kind: Kind, group: Any) -> list[Row]:
    """The rows of a group that was read from a file."""
    columns: Iterable[list[Any]] = (group.column(name).to_pylist() for name in COLUMNS[kind])
    return [tuple(_as_bytes(cell) for cell in cells) for cells in zip(*columns, strict=True)]


def find_row(kind: Kind, group: Any, log_id: str) -> Row | None:
    """The row of that id in such a group, without a look at the others; None if it has none."""
    import pyarrow.compute as pc

    place = pc.index(group.column("log_id"), log_id).as_py()
    return (
        None if place < 0 else tuple(_as_bytes(group.column(name)[place].as_py()) for name in COLUMNS[kind])
    )


def _as_bytes(cell: str | bytes) -> bytes:
    return cell.encode() if isinstance(cell, str) else cell

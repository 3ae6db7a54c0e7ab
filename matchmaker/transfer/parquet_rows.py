"""Rows of a Parquet file, as we or other programs write them; a few thousand of them in memory at a time.

Numbers stay numbers, text is text whether it is encoded by a dictionary or not, and points in time become
moments; those without a zone are taken for UTC. Structs and lists are what objects and lists are in JSON.
"""

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types

from matchmaker.errors import InvalidInputError
from matchmaker.timestamps import DAY_MS
from matchmaker.transfer.cells import Moment
from matchmaker.transfer.rows import UNASKED, BadRow, Row, check_header

_BATCH: Final = 1000
_BUFFER: Final = 1 << 18  # bytes of each column
_PER_MILLISECOND: Final = {"us": 1_000, "ns": 1_000_000}
_PER_UNIT: Final = {"s": 1_000, "ms": 1}

_PLAIN: Final = (
    *(types.is_string, types.is_large_string, types.is_string_view, types.is_integer, types.is_floating),
    *(types.is_decimal, types.is_boolean, types.is_date, types.is_timestamp, types.is_null),
)


def parquet_rows(file: BinaryIO, columns: list[str]) -> Iterator[Row | BadRow]:
    """All rows, with the cells of these columns and of those that are read unasked.

    Raises InvalidInputError if one of these is missing or holds what no cell can say, and if the file is
    damaged.
    """
    try:
        # By default a whole row group is held in memory, which in other people's files may be all rows.
        source = pq.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        schema = source.schema_arrow
        check_header(schema.names, columns)
        chosen = [name for name in dict.fromkeys((*columns, *UNASKED)) if name in schema.names]
        for name in chosen:
            _check_type(name, schema.field(name).type)
        number = 0
        for batch in source.iter_batches(_BATCH, columns=chosen, use_threads=False):
            for cells in zip(*(_cells(batch.column(name)) for name in chosen), strict=True):
                number += 1
                yield Row(number, None, dict(zip(chosen, cells, strict=True)))
    except (pa.ArrowException, OSError) as error:
        raise InvalidInputError(f"this is no Parquet file, or a damaged one: {error}") from None


def _check_type(name: str, type_: pa.DataType) -> None:
    if not _has_cells(type_):
        raise InvalidInputError(
            f"the column {name!r} holds {type_}; it must hold text, numbers or points in time"
        )


def _has_cells(type_: pa.DataType) -> bool:
    if types.is_dictionary(type_) or types.is_list(type_) or types.is_large_list(type_):
        return _has_cells(type_.value_type)
    return types.is_struct(type_) or isinstance(type_, pa.UuidType) or any(fits(type_) for fits in _PLAIN)


def _cells(column: pa.Array) -> Iterable[Any]:
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if types.is_timestamp(column.type) or types.is_date(column.type):
        return _moments(column)
    if types.is_struct(column.type):
        return map(_stated, column.to_pylist())
    if isinstance(column.type, pa.UuidType):
        return [None if each is None else str(each) for each in column.to_pylist()]
    try:
        cells: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        raw = column.cast(pa.large_binary()).to_pylist()
        return [None if each is None else each.decode(errors="surrogateescape") for each in raw]
    return cells


def _moments(column: pa.Array) -> list[Moment | None]:
    type_ = column.type
    days = types.is_date32(type_)
    unit = "ms" if types.is_date(type_) else type_.unit
    times, parts = (DAY_MS, 1) if days else (_PER_UNIT.get(unit, 1), _PER_MILLISECOND.get(unit, 1))
    numbers = column.cast(pa.int32() if days else pa.int64()).to_pylist()
    return [None if each is None else Moment(each * times // parts) for each in numbers]


def _stated(value: Any) -> Any:
    """A struct without the fields that say nothing: in a file every row has all fields of all rows."""
    if not isinstance(value, dict):
        return value
    return {name: _stated(inner) for name, inner in value.items() if inner is not None}

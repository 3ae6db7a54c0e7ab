"""Results as a Parquet file: text but for `played_at`, which is a point in time, in UTC.

Teams and details are JSON, as in CSV: so files of ladders with different rules have the same columns.
"""

import contextlib
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

_GROUP: Final = 100_000
"""Rows of a row group: what a reader has to unpack to see any of them."""


def write_rows(rows: Iterable[Sequence[Any]], columns: Sequence[str], file: BinaryIO) -> None:
    """Writes a whole file; the rows, and some memory for each, have cells in the order of these columns."""
    moment = pa.timestamp("ms", tz="UTC")
    schema = pa.schema([(name, moment if name == "played_at" else pa.string()) for name in columns])
    cells = list(zip(*rows, strict=True)) or [()] * len(columns)
    arrays = [pa.array(column, field.type) for column, field in zip(cells, schema, strict=True)]
    sheet = io.BytesIO()  # offsets count from its beginning, wherever that comes to lie
    pq.write_table(pa.table(arrays, schema=schema), sheet, compression="zstd")
    file.write(sheet.getbuffer())


def join(file: BinaryIO, ends: Sequence[int], target: BinaryIO) -> Iterator[int]:
    """Makes one file of many that stand one behind the other; says after each how many are done."""
    with contextlib.ExitStack() as stack:
        waiting: list[pa.Table] = []
        writer = None
        for number, (begin, end) in enumerate(zip((0, *ends), ends, strict=False), start=1):
            file.seek(begin)
            waiting.append(pq.read_table(io.BytesIO(file.read(end - begin)), use_threads=False))
            if writer is None:
                schema = waiting[0].schema
                writer = stack.enter_context(pq.ParquetWriter(target, schema, compression="zstd"))
            if number == len(ends) or sum(table.num_rows for table in waiting) >= _GROUP:
                writer.write_table(pa.concat_tables(waiting), row_group_size=_GROUP)
                waiting.clear()
            yield number

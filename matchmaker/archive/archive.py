"""Reading and writing files of the archive."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from matchmaker.archive.depot import Depot
from matchmaker.archive.layout import ArchivedFile
from matchmaker.archive.sheets import COLUMNS, Row, find_row, unpack_group
from matchmaker.results import log_order, milliseconds

_FOOTERS: Final = 256
_GROUPS: Final = 64


class Archive:
    """The files below one URL. What it has read lately it keeps for a while: files never change.

    Any thread may use it.
    """

    def __init__(self, url: str) -> None:
        self.depot = Depot(url)
        self._footer = lru_cache(_FOOTERS)(self._read_footer)
        self._group = lru_cache(_GROUPS)(self._read_group)

    def rows(self, file: ArchivedFile, after: str) -> Iterator[list[Row]]:
        """The rows behind `after`, in order, some at a time. Raises ArchiveUnavailableError."""
        # Not by way of the cache: whoever reads everything would push out all else.
        for number in range(self._footer(file).num_row_groups):
            group = unpack_group(file.kind, self._read_group(file, number))
            if log_order(group[-1][0].decode()) > log_order(after):
                yield [row for row in group if log_order(row[0].decode()) > log_order(after)]

    def find(self, files: Sequence[ArchivedFile], log_ids: Iterable[str]) -> dict[str, Row]:
        """The rows with these ids, out of files in order. Ids that stand nowhere are left out: not of every
        entry the fold made anything. Raises ArchiveUnavailableError."""
        wanted: defaultdict[ArchivedFile, list[str]] = defaultdict(list)
        for log_id in log_ids:
            place = bisect_left(files, log_order(log_id), key=lambda file: log_order(file.last))
            if place < len(files) and files[place].may_hold(log_id):
                wanted[files[place]].append(log_id)
        found = ((log_id, self._find(file, log_id)) for file, some in wanted.items() for log_id in some)
        return {log_id: row for log_id, row in found if row}

    def _find(self, file: ArchivedFile, log_id: str) -> Row | None:
        for number in self._footer(file).groups_at(milliseconds(log_id)):
            row = find_row(file.kind, self._group(file, number), log_id)
            if row is not None:
                return row
        return None

    def _read_footer(self, file: ArchivedFile) -> "_Footer":
        import pyarrow.parquet as pq

        with self.depot.open(file.path) as opened:
            return _Footer(pq.read_metadata(opened))

    def _read_group(self, file: ArchivedFile, number: int) -> Any:
        import pyarrow.parquet as pq

        footer = self._footer(file)
        with self.depot.open(file.path) as opened:
            parquet = pq.ParquetFile(opened, metadata=footer.metadata, page_checksum_verification=True)
            return parquet.read_row_group(number, columns=list(COLUMNS[file.kind]), use_threads=False)


class _Footer:
    """What a file says of its groups of rows."""

    def __init__(self, metadata: Any) -> None:
        self.metadata = metadata
        self.num_row_groups: int = metadata.num_row_groups
        column = metadata.schema.names.index("ms")
        ranges = [
            metadata.row_group(number).column(column).statistics for number in range(self.num_row_groups)
        ]
        self._ranges = [(each.min, each.max) for each in ranges]

    def groups_at(self, moment: int) -> Iterator[int]:
        """The groups that may hold entries of that millisecond."""
        return (number for number, (first, last) in enumerate(self._ranges) if first <= moment <= last)

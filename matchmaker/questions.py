"""Questions in SQL over ladders' archives and what is still in the store, answered by DuckDB.

Three views: `results`, a line for each; `changes`, a line for each player whom a result or an adjustment
moved; `log`, all entries as they stand there. Nothing can be written, and nothing else be read.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from matchmaker.archive import Archive, ArchivedFile, Kind
from matchmaker.archive.sheets import schema, table
from matchmaker.errors import EngineMissingError, InvalidInputError
from matchmaker.store import archives, folds
from matchmaker.store.call import Shelf
from matchmaker.store.client import Store

_BATCH = 5000

_LOG: Final = """
CREATE VIEW log AS
SELECT ladder, log_id, kind, accepted_at, played_at, result, players, sides, outcome, ranks, details, entry
FROM every_log
"""

_ANNULLED: Final = """
CREATE VIEW annulled AS SELECT DISTINCT ladder, result, true AS annulled FROM every_log WHERE kind = 'annul'
"""

_CHANGES: Final = """
CREATE VIEW changes AS
WITH moved AS (
    SELECT *, len(numbers) // len(players) AS width
    FROM every_log JOIN every_change USING (ladder, log_id)
), each AS (
    SELECT *, unnest(players) AS player, (unnest(range(len(players))) * width)::BIGINT AS first FROM moved
), placed AS (
    SELECT *,
        numbers[first + 1] AS before,
        CASE kind WHEN 'adjust' THEN numbers[2] ELSE numbers[first + 1] + numbers[first + 2] END AS after,
        list_position(list_transform(sides, lambda members: list_contains(members, player)), true) AS side
    FROM each
)
SELECT ladder, log_id, kind, coalesce(played_at, accepted_at) AS happened_at, result, player, side,
    ranks[side] AS rank,
    CASE
        WHEN ranks[side] > 1 THEN 'loss'
        WHEN len(list_filter(ranks, lambda place: place = 1)) = 1 THEN 'win'
        WHEN ranks[side] = 1 THEN 'draw'
    END AS outcome,
    before, after, after - before AS delta,
    CASE WHEN kind = 'result' AND width = 4 THEN numbers[first + 3] END AS k, -- wider with a sigma, then no K
    CASE kind WHEN 'result' THEN numbers[first + 4] END AS expected,
    coalesce(annulled, false) AS annulled
FROM placed LEFT JOIN annulled USING (ladder, result)
"""

_RESULTS: Final = """
CREATE VIEW results AS
SELECT ladder, result AS id, coalesce(played_at, accepted_at) AS happened_at,
    CASE WHEN len(sides) = 2 AND len(sides[1]) = 1 THEN sides[1][1] END AS initiator,
    CASE WHEN len(sides) = 2 AND len(sides[2]) = 1 THEN sides[2][1] END AS opponent,
    outcome, sides, ranks, details,
    numbers[4] AS expected,
    numbers[1] AS initiator_before, numbers[2] AS initiator_delta,
    numbers[len(numbers) // len(players) * len(sides[1]) + 1] AS opponent_before,
    numbers[len(numbers) // len(players) * len(sides[1]) + 2] AS opponent_delta,
    numbers IS NOT NULL AS rated, coalesce(annulled, false) AS annulled, accepted_at, log_id
FROM every_log
LEFT JOIN every_change USING (ladder, log_id)
LEFT JOIN annulled USING (ladder, result)
WHERE kind = 'result'
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """Names of the columns, and the lines, some at a time."""

    columns: list[str]
    batches: Iterator[list[tuple[Any, ...]]]


@contextlib.contextmanager
def answering(store: Store, ladders: Sequence[str], question: str) -> Iterator[Answer]:
    """The answer to one SELECT over these ladders, as they are now. What is still in the store is read into
    memory.

    Raises EngineMissingError, InvalidInputError for a question that cannot be answered, NotFoundError for an
    unknown ladder, ArchiveUnavailableError; the first also while lines are read.
    """
    try:
        import duckdb
    except ImportError:
        raise EngineMissingError("matchmaker[analytics]") from None
    with duckdb.connect(":memory:") as connection:
        _define(connection, store, ladders)
        try:
            statements = connection.extract_statements(question)
            if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
                raise InvalidInputError("A question is one SELECT.")
            connection.execute(statements[0])
            columns = [column[0] for column in connection.description or ()]
            yield Answer(columns, iter(lambda: connection.fetchmany(_BATCH), []))
        except duckdb.Error as error:
            what, _, _ = (
                str(error).strip().partition("\n\nLINE ")
            )  # and a caret, which points nowhere in one line
            raise InvalidInputError(what) from None


def _define(connection: Any, store: Store, ladders: Sequence[str]) -> None:
    views: tuple[tuple[Kind, str], ...] = (("log", "every_log"), ("changes", "every_change"))
    for kind, view in views:
        connection.register(f"{kind}_none", schema(kind).empty_table())
        parts = [f"SELECT ''::VARCHAR AS ladder, * FROM {kind}_none"]  # noqa: S608  # names are ours
        for number, ladder in enumerate(ladders):
            keys = store.edition(ladder).keys
            shelf = archives.log_shelf(keys) if kind == "log" else archives.changes_shelf(keys)
            for place, content in _contents(store, shelf):
                connection.register(f"{kind}_{place}_{number}", content)
                # Ids of ladders have a narrow alphabet.
                parts.append(f"SELECT '{keys.ladder_id}', * FROM {kind}_{place}_{number}")  # noqa: S608
        connection.execute(f"CREATE VIEW {view} AS {' UNION ALL '.join(parts)}")
    for view in (_LOG, _ANNULLED, _CHANGES, _RESULTS):
        connection.execute(view)
    for setting in (
        "enable_external_access = false",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "python_enable_replacements = false",
        "TimeZone = 'UTC'",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")


def _contents(store: Store, shelf: Shelf) -> Iterator[tuple[str, Any]]:
    """The rows of the shelf and those of its stream, where there are any."""
    import pyarrow as pa

    while True:
        files, after, tables = store.files(shelf), folds.START, [schema(shelf.kind).empty_table()]
        while rows := store.run(archives.behind(shelf, after, _BATCH, files)):
            tables.append(table(shelf.kind, rows))
            after = rows[-1][0].decode()
        if rows is not None:
            break
    yield "stream", pa.concat_tables(tables)
    if files:
        assert store.archive
        yield "files", _dataset(store.archive, shelf.kind, files)


def _dataset(archive: Archive, kind: Kind, files: Sequence[ArchivedFile]) -> Any:
    from pyarrow import dataset, fs

    for file in files:
        archive.depot.check(file.path, file.size)
    return dataset.dataset(
        [archive.depot.locate(file.path) for file in files],
        schema=schema(kind),
        filesystem=fs.PyFileSystem(fs.FSSpecHandler(archive.depot.file_system)),
        format=dataset.ParquetFileFormat(
            default_fragment_scan_options=dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
        ),
    )

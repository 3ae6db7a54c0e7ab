"""The archive: settled entries of the ladders' logs, and what the fold made of them, in Parquet files.

Here is what a file holds and where it lies. Which files belong to a ladder is written in the store alone: see
matchmaker.store.archives.
"""

from matchmaker.archive.archive import Archive
from matchmaker.archive.layout import ArchivedFile, Kind, month
from matchmaker.archive.sheets import Row, pack_rows

__all__ = ["Archive", "ArchivedFile", "Kind", "Row", "month", "pack_rows"]

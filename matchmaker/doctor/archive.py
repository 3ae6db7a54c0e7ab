"""The archive: whether it takes files, and whether it still has those that it took."""

import secrets
from collections.abc import Iterator, Sequence

from matchmaker.archive import Archive, ArchivedFile
from matchmaker.doctor.finding import Finding
from matchmaker.errors import ArchiveUnavailableError
from matchmaker.store import archives, ladders
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys

_MIB = 1024**2


def check_archive(store: Store) -> Iterator[Finding]:
    """Findings about the archive, if any ladder has one or is to have one. Raises
    redis.exceptions.RedisError.

    Writes a small file and removes it.
    """
    assert store.archive
    editions = [store.run(ladders.read(ladder)) for ladder in store.run(ladders.index())]
    if any(edition is not None and edition.ladder.keep_days is not None for edition in editions):
        yield _check_place(store.archive)
    for edition in editions:
        if edition is None:
            continue
        files = _files(store, edition.keys)
        if files:
            yield _check_files(store.archive, edition.ladder.id, files)


def _check_place(archive: Archive) -> Finding:
    path = f"doctor-{secrets.token_hex(4)}"
    try:
        archive.depot.write(path, path.encode())
        archive.depot.remove(path)
    except ArchiveUnavailableError as error:
        return Finding(
            "archive",
            "bad",
            error.detail.rstrip("."),
            "Give it room, or access to MATCHMAKER_ARCHIVE_URL; till then entries stay in the store.",
        )
    return Finding("archive", "ok", "files can be written, read and removed")


def _files(store: Store, keys: LadderKeys) -> list[ArchivedFile]:
    kept = LadderKeys(keys.ladder_id, "previous")  # which comes back only with its files
    shelves = archives.log_shelf(keys), archives.changes_shelf(keys), archives.changes_shelf(kept)
    return [file for shelf in shelves for file in store.files(shelf)]


def _check_files(archive: Archive, ladder: str, files: Sequence[ArchivedFile]) -> Finding:
    check, lost = f"archive of {ladder}", []
    for file in files:
        try:
            archive.depot.check(file.path, file.size)
        except ArchiveUnavailableError as error:
            lost.append(error.detail)
    if lost:
        return Finding(
            check,
            "bad",
            f"{len(lost):,} of {len(files):,} files are not as they were: {lost[0].rstrip('.')}",
            "Bring them back from a backup, or set MATCHMAKER_ARCHIVE_URL to where they are.",
        )
    size = sum(file.size for file in files) / _MIB
    return Finding(check, "ok", f"{len(files):,} files, {size:,.1f} MiB")

"""Where store, job queue and archive of this installation are, and how safe the store's data must be."""

from matchmaker.archive import Archive
from matchmaker.config import Settings
from matchmaker.errors import StoreUnavailableError
from matchmaker.store.embedded import embedded_url
from matchmaker.store.fences import Fence

ARCHIVE_DIRECTORY = "archive"
"""In the data directory."""


def store_url(settings: Settings) -> str:
    """URL of the store: the one set, or else the embedded server that runs on the data directory.

    Raises StoreUnavailableError if there is neither.
    """
    url = settings.store_url or embedded_url(settings.data_dir)
    if url is None:
        raise StoreUnavailableError(
            f"nothing runs on the data directory {settings.data_dir}: "
            "start `matchmaker up` or set MATCHMAKER_STORE_URL"
        )
    return url


def queue_url(settings: Settings) -> str:
    """URL of the server that RQ works on: the store's, unless another one is set."""
    return settings.queue_url or store_url(settings)


def archive(settings: Settings) -> Archive:
    """Where entries lie that the store holds no longer: the place that is set, or else in the data
    directory."""
    return Archive(settings.archive_url or str(settings.data_dir.absolute() / ARCHIVE_DIRECTORY))


def fence(settings: Settings) -> Fence:
    """What must be confirmed of a write before it is answered."""
    return Fence(fsync=settings.durability == "fsync", replicas=settings.replicas)

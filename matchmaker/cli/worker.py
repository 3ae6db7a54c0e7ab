"""`matchmaker worker`."""

from importlib import import_module


def worker() -> None:
    """Run one worker: it rates what has been reported, and reviews who has played."""
    # The workers are named, not imported: the engine does not know them.
    import_module("workers.run").main()

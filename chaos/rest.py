"""When the service has come to rest."""

import time
from collections.abc import Callable
from typing import Any, Final

from matchmaker.queue import QUEUE_NAME
from matchmaker.store import flags, folds, ladders
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys

_WITHIN: Final = 60.0  # seconds
_POLL_SECONDS: Final = 0.02


def settle(client: Any, all_run: Callable[[], bool]) -> float | None:
    """Waits until all parts of the service run, everything is folded, everybody is reviewed, no job waits and
    nobody is awake.

    Returns the seconds that it took; None if it did not come true within a minute.
    """
    begin = time.monotonic()
    while not (all_run() and _at_rest(client)):
        if time.monotonic() - begin > _WITHIN:
            return None
        time.sleep(_POLL_SECONDS)
    return time.monotonic() - begin


def _at_rest(client: Any) -> bool:
    store = Store(client)
    idle = not client.llen(f"rq:queue:{QUEUE_NAME}")
    return idle and all(_rests(store, LadderKeys(ladder)) for ladder in store.run(ladders.index()))


def _rests(store: Store, keys: LadderKeys) -> bool:
    behind = store.run(folds.after(keys, store.run(folds.cursor(keys)), 1))
    working = store.client.execute_command("EXISTS", keys.awake) or store.run(flags.waiting(keys))
    return not behind and not working

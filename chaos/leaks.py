"""Keys that would stay in the store for ever although nobody needs them."""

from collections.abc import Sequence
from time import time
from typing import Any, Final

from rq import Queue

from matchmaker.queue import QUEUE_NAME
from matchmaker.store import keys as names
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition

_OF_ALL: Final = frozenset(
    value for name, value in vars(names).items() if name.isupper() and isinstance(value, str)
)
_OF_LADDER: Final = tuple(name for name, value in vars(LadderKeys).items() if isinstance(value, property))
_MOST_ISSUED: Final = 60
_LATER: Final = 24 * 3600.0  # seconds

# What RQ keeps for as long as it has queues, workers and failed jobs. The jobs themselves expire.
_OF_RQ: Final = frozenset(
    {"rq:queues", "rq:workers", f"rq:workers:{QUEUE_NAME}", f"rq:failed:{QUEUE_NAME}"}
    | {f"rq:queue:{QUEUE_NAME}:intermediate"}
)


def leaks(client: Any, editions: Sequence[Edition], *, workers: int) -> list[str]:
    """Names of such keys, in a store that holds these ladders and is at rest.

    Needed are the keys in `matchmaker.store.keys`, but nobody may be awake, a history must belong to a player
    and be no longer than its ladder allows, as must what is remembered of battles, moderators' measures must
    be about a player, and a battle must expire, and be open if and only if it stands among the open ones.
    RQ's jobs must expire, once RQ has done what its workers do every ten minutes: give up the jobs of workers
    that were killed. Each of the `workers` may leave one shell of a job: what it noted of a job that it was
    just taking when RQ's keys were wiped, if it was killed before the job's end.
    """
    Queue(QUEUE_NAME, connection=client).started_job_registry.cleanup(time() + _LATER)
    left = {key.decode() for key in client.scan_iter(count=1000)} - _OF_ALL - _OF_RQ
    left -= {key for key in left if key.startswith(names.RATES) and client.ttl(key) > 0}
    for edition in editions:
        left -= {getattr(edition.keys, name) for name in _OF_LADDER} - {edition.keys.awake}
        left -= _lists(client, edition)
        left -= _battles(client, edition.keys, left)
        left -= {key for key in left if key.startswith(edition.keys.queue(""))}
    left -= {key for key in left if key.startswith("rq:") and client.ttl(key) > 0} | _stuck_jobs(client)
    return sorted(left - set(_shells(client, left)[:workers]))


def _lists(client: Any, edition: Edition) -> set[str]:
    keys, limit = edition.keys, edition.ladder.history_limit
    players = [player.decode() for player in client.hkeys(keys.states)]
    histories = {key for player in players if client.llen(key := keys.history(player)) <= limit}
    issued = {key for player in players if client.llen(key := keys.issued(player)) <= _MOST_ISSUED}
    return histories | issued | {keys.measures(player) for player in players}


def _battles(client: Any, keys: LadderKeys, candidates: set[str]) -> set[str]:
    def needed(key: str) -> bool:
        battle_id, challenger, status = client.hmget(key, "id", "challenger", "status")
        pointer = client.hget(keys.open, challenger) or b""
        stands_open = pointer.split(b" ")[0] == battle_id
        return bool(client.ttl(key) > 0 and stands_open == (status == b"open"))

    return {key for key in candidates if key.startswith(keys.battle("")) and needed(key)}


def _shells(client: Any, candidates: set[str]) -> list[str]:
    return [key for key in candidates if key.startswith("rq:job:") and not client.hexists(key, "data")]


def _stuck_jobs(client: Any) -> set[str]:
    """Jobs whose worker was killed between taking and starting them. RQ gives them up after a minute."""
    ids = client.lrange(f"rq:queue:{QUEUE_NAME}:intermediate", 0, -1)
    return {f"rq:job:{each.decode()}" for each in ids}

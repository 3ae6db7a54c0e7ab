"""What a store says that is not itself at the moment, and what it says when a request is wrong."""

from typing import Final

from redis.exceptions import RedisError, ResponseError

_PASSING: Final = frozenset(
    {
        *("LOADING", "BUSY", "OOM", "MISCONF"),  # it starts, is busy with a script, lacks memory or disk
        *("READONLY", "MASTERDOWN", "NOREPLICAS", "UNBLOCKED"),  # a failover is going on
        *("CLUSTERDOWN", "MOVED", "ASK", "TRYAGAIN"),  # so it is in a cluster, or slots are on the move
    }
)


def is_passing(error: RedisError) -> bool:
    """Whether the same request may succeed a moment later."""
    if not isinstance(error, ResponseError):
        return True
    # redis-py takes the code out of the text of those errors that it knows.
    code = error.status_code or str(error).partition(" ")[0]
    return code in _PASSING

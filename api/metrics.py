"""What this process counts."""

from functools import lru_cache

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

from matchmaker.ladder import Ladder
from matchmaker.store.battles import Pool

# Else each count has a second series that says when it began.
disable_created_metrics()  # type: ignore[no-untyped-call]

REQUESTS = Histogram(
    "matchmaker_request_seconds",
    "Time until the answer began, by method, route and status.",
    ("method", "route", "status"),
)
RESULTS = Counter(
    "matchmaker_results_reported",
    "Results that clients reported: accepted, duplicate, or rejected with a code.",
    ("outcome", "code"),
)
POOL_SIZE = Histogram(
    "matchmaker_pool_size",
    "Opponents in the pools that battles were drawn from.",
    ("ladder",),
    buckets=(1, 2, 5, 10, 20, 29, 30, 50, 100, 200),
)
SHORTFALLS = Counter(
    "matchmaker_pool_shortfalls",
    "Pools that were not what was asked for: backfilled from the other side, widened, still small, or none.",
    ("ladder", "how"),
)
MEASURES = Counter(
    "matchmaker_moderation",
    "What moderators did through the API: annul, adjust, suspend, reinstate.",
    ("kind",),
)
VIEWERS = Gauge("matchmaker_viewers", "Clients that watch a live board, by ladder.", ("ladder",))


_ACCEPTED = RESULTS.labels("accepted", "")
_DUPLICATE = RESULTS.labels("duplicate", "")


@lru_cache  # to find it among the others takes longer than the rest of counting
def _pool_sizes(ladder_id: str) -> Histogram:
    return POOL_SIZE.labels(ladder_id)


def count_reports(accepted: int, duplicates: int) -> None:
    """Counts results that are in the log now, and those that were before."""
    _ACCEPTED.inc(accepted)
    _DUPLICATE.inc(duplicates)


def count_rejection(code: str) -> None:
    """Counts a result that was refused."""
    RESULTS.labels("rejected", code).inc()


def count_measure(kind: str) -> None:
    """Counts what a moderator did."""
    MEASURES.labels(kind).inc()


def count_pool(ladder: Ladder, pool: Pool) -> None:
    """Counts a drawn pool by its size, and by all in which it falls short of the ladder's settings."""
    wanted = ladder.pool
    below_half = wanted.size // 2
    _pool_sizes(ladder.id).observe(pool.size)
    for how, applies in (
        ("backfilled", pool.below > below_half or pool.above > wanted.size - below_half),
        ("widened", pool.deviation > wanted.deviation),
        ("small", pool.size < wanted.size),
    ):
        if applies:
            SHORTFALLS.labels(ladder.id, how).inc()


def count_empty_pool(ladder_id: str) -> None:
    """Counts a challenger for whom nobody was found."""
    SHORTFALLS.labels(ladder_id, "none").inc()

"""What the folding jobs count in the store, since they have no port to ask; and how a ladder is doing."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from matchmaker.dispute import KINDS, Felt
from matchmaker.store.call import Call, script
from matchmaker.store.disputes import counter as dispute_counter
from matchmaker.store.keys import LadderKeys

BATCH_SIZES: Final = ("1", "3", "10", "30", "100", "300", "1000", "+Inf")
"""Upper bounds of the buckets in which committed batches are counted by their entries."""

FOLD_SECONDS: Final = ("0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1", "3", "+Inf")
"""Upper bounds of the buckets in which they are counted by their time."""


def size_field(entries: int) -> str:
    """The counter of batches as large as this one."""
    return f"size:{_bound(BATCH_SIZES, entries)}"


def time_field(seconds: float) -> str:
    """The counter of batches that took as long."""
    return f"time:{_bound(FOLD_SECONDS, seconds)}"


def _bound(bounds: Sequence[str], value: float) -> str:
    return bounds[bisect_left(bounds, value, key=float)]


@dataclass(frozen=True, slots=True)
class Pulse:
    """How a ladder is doing.

    `backlog` entries of its log are not folded yet, the oldest of them for `lag_seconds`. Since the ladder
    exists, `folded` entries were, of which `rated` are results, in batches: `batch_sizes` and `fold_seconds`
    are how many of these were within each bound (as Prometheus counts them), `busy_seconds` is what
    all of them took; `superseded` commits came second and changed nothing.

    `archived` entries of the log have gone to the archive; `archived_at` is when nothing was left to archive,
    in seconds since the epoch, 0 for never.

    `to_review` players have played since they were reviewed; `reviewed` is the number of all reviews so far,
    `disputes` that of all disputes by kind. `flags` and `open_disputes` wait for a moderator.
    """

    players: int
    on_board: int
    backlog: int
    lag_seconds: float
    folded: int
    rated: int
    superseded: int
    to_review: int
    flags: int
    open_disputes: int
    archived: int
    archive_failures: int
    archived_at: float
    reviewed: int
    disputes: dict[Felt, int]
    busy_seconds: float
    batch_sizes: list[tuple[str, int]]
    fold_seconds: list[tuple[str, int]]


def pulse(keys: LadderKeys) -> Call[Pulse | None]:
    """How the ladder is doing; None if there is none of that name."""

    def decode(reply: list[Any]) -> Pulse | None:
        if not reply:
            return None
        players, on_board, backlog, age, to_review, flags, open_disputes, *words = reply
        counts = {words[at].decode(): int(words[at + 1]) for at in range(0, len(words), 2)}
        return Pulse(
            players=players,
            on_board=on_board,
            backlog=backlog,
            lag_seconds=age / 1000,
            folded=counts.get("folded", 0),
            rated=counts.get("rated", 0),
            superseded=counts.get("superseded", 0),
            to_review=to_review,
            flags=flags,
            open_disputes=open_disputes,
            archived=counts.get("archived", 0),
            archive_failures=counts.get("archive-failures", 0),
            archived_at=counts.get("archived-at", 0) / 1000,
            reviewed=counts.get("reviewed", 0),
            disputes={felt: counts.get(dispute_counter(felt), 0) for felt in KINDS},
            busy_seconds=counts.get("microseconds", 0) / 1e6,
            batch_sizes=_cumulated(counts, "size", BATCH_SIZES),
            fold_seconds=_cumulated(counts, "time", FOLD_SECONDS),
        )

    return Call(
        (),
        decode,
        script("pulse"),
        (
            *(keys.ladder, keys.cursor, keys.log, keys.ratings, keys.states, keys.counters),
            *(keys.to_review, keys.queue("flags"), keys.queue("disputes:open")),
        ),
    )


def _cumulated(counts: Mapping[str, int], what: str, bounds: Sequence[str]) -> list[tuple[str, int]]:
    numbers = accumulate(counts.get(f"{what}:{bound}", 0) for bound in bounds)
    return list(zip(bounds, numbers, strict=True))

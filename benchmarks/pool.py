"""Drawing an opponent: against reading both windows, and as the ladder grows. And memory of large ladders.

Run alone with `python -m benchmarks.pool`.
"""

from collections.abc import Iterator
from random import Random
from statistics import median
from time import perf_counter
from typing import cast

import redis

from benchmarks.ladders import PLAYERS_PER_OWNER, fresh_server, player, populate
from benchmarks.report import line, title
from matchmaker.store import battles
from matchmaker.store.battles import Battle, Request
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys

SMALL, LARGE = 10_000, 1_000_000
DEVIATION, SIDE = 100.0, 15
ROUNDS, DRAWS = 100, 20
WINDOW_READS = 21


def _draw(store: Store, ladder_id: str, challenger: int, number: int) -> None:
    request = Request(player(challenger), (), f"battle-{number}", seed=number, now=0)
    issued = store.on(ladder_id, lambda edition: battles.issue(edition, request))
    assert isinstance(issued, Battle)
    assert issued.pool.size > 0


def _read_windows(client: redis.Redis, keys: LadderKeys, challenger: int, random: Random) -> None:
    """What the pool script is instead of: both windows to this process, and a sample of each."""
    own = player(challenger)
    rating = client.zscore(keys.ratings, own)
    assert rating is not None
    below = client.zrangebyscore(keys.ratings, rating - DEVIATION, f"({rating}", withscores=True)
    above = client.zrangebyscore(keys.ratings, rating, rating + DEVIATION, withscores=True)
    others = [candidate for candidate in above if candidate[0] != own.encode()]
    pool = random.sample(below, min(SIDE, len(below))) + random.sample(others, min(SIDE, len(others)))
    random.choice(pool)


def _server_microseconds(client: redis.Redis) -> tuple[int, int]:
    """Calls of scripts so far, and the time that the server spent in them."""
    statistics = client.info("commandstats")["cmdstat_evalsha"]
    return statistics["calls"], statistics["usec"]


def _challengers(count: int, random: Random) -> Iterator[int]:
    """Each asks once: a second time it would be given the battle that it has open."""
    return iter(random.sample(range(count), ROUNDS * DRAWS))


def _measure_growth(store: Store, client: redis.Redis) -> None:
    random, number = Random(2), 0
    sizes = {"small": SMALL, "large": LARGE}
    challengers = {name: _challengers(count, random) for name, count in sizes.items()}
    in_server: dict[str, list[float]] = {name: [] for name in sizes}
    seen: dict[str, list[float]] = {name: [] for name in sizes}
    for _ in range(ROUNDS):
        for name in sizes:
            calls, microseconds = _server_microseconds(client)
            for _ in range(DRAWS):
                number += 1
                start = perf_counter()
                _draw(store, name, next(challengers[name]), number)
                seen[name].append(1e6 * (perf_counter() - start))
            calls_after, microseconds_after = _server_microseconds(client)
            in_server[name].append((microseconds_after - microseconds) / (calls_after - calls))
    for what, times in (("as its caller sees it", seen), ("in the server", in_server)):
        small, large = median(times["small"]), median(times["large"])
        line(f"a draw {what}, {SMALL:,} players", f"{small:.0f} us")
        line(f"a draw {what}, {LARGE:,} players", f"{large:.0f} us")
        line("its growth", f"{large / small:.2f} x", "at most 1.5 x")


def _measure_windows(store: Store, client: redis.Redis) -> None:
    random, keys = Random(3), store.edition("large").keys
    challengers = iter(random.sample(range(LARGE), WINDOW_READS * (1 + DRAWS)))
    draws, reads = [], []
    for number in range(WINDOW_READS):
        start = perf_counter()
        _read_windows(client, keys, next(challengers), random)
        reads.append(perf_counter() - start)
        for each in range(DRAWS):
            start = perf_counter()
            _draw(store, "large", next(challengers), -1 - number * DRAWS - each)
            draws.append(perf_counter() - start)
    line("reading both windows and sampling here", f"{1000 * median(reads):.1f} ms")
    line("a draw", f"{1000 * median(draws):.2f} ms")
    line("a draw against reading both windows", f"{median(reads) / median(draws):.0f} x", "at least 100 x")


def _measure_memory(client: redis.Redis, used: int) -> None:
    keys = LadderKeys("large")

    def per_player(*names: str) -> float:
        return sum(client.memory_usage(name, samples=0) or 0 for name in names) / LARGE

    bare = per_player(keys.ratings)
    line("bare sorted set of ids and ratings", f"{bare:.0f} B/player")
    line(
        "with states, that is everything a board needs",
        f"{per_player(keys.ratings, keys.states):.0f} B/player",
    )
    line(f"owners, {PLAYERS_PER_OWNER} players each", f"{per_player(keys.owners):.0f} B/player")
    line("the log's entry of joining", f"{per_player(keys.log):.0f} B/player")
    line("altogether", f"{used / LARGE:.0f} B/player")
    line("altogether against the bare sorted set", f"{used / LARGE / bare:.2f} x")


def measure() -> None:
    """Prints the measurements; the large ladder takes about a minute to build."""
    with fresh_server() as (store, client, _):
        title(f"Opponent pool, ratings N(1500, 300), window of {DEVIATION:g} either way")
        populate(store, client, "small", SMALL)
        before = cast(int, client.info("memory")["used_memory"])
        populate(store, client, "large", LARGE)
        used = cast(int, client.info("memory")["used_memory"]) - before
        _measure_growth(store, client)
        _measure_windows(store, client)
        title(f"Memory, {LARGE:,} players, no history")
        _measure_memory(client, used)


if __name__ == "__main__":
    measure()

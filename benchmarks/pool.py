"""Drawing an opponent: against reading both windows, and as the ladder grows. And memory of large ladders.

Run alone with `python -m benchmarks.pool`.
"""

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
LADDER_TTL_MS = 3_600_000


class Matchmaker:
    """Draws an opponent for somebody at random, again and again."""

    def __init__(self, store: Store, random: Random) -> None:
        self._store = store
        self._random = random
        self._now = 0

    def draw(self, ladder_id: str, count: int) -> float:
        """Draws one on a ladder of `count` players; the seconds that it took."""
        self._now += LADDER_TTL_MS  # so that nobody has a battle open
        challenger, seed = player(self._random.randrange(count)), self._random.getrandbits(31)
        request = Request(challenger, (), f"battle-{self._now}", seed, self._now)
        start = perf_counter()
        issued = self._store.on(ladder_id, lambda edition: battles.issue(edition, request))
        seconds = perf_counter() - start
        assert isinstance(issued, Battle)
        return seconds


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


def _measure_growth(matchmaker: Matchmaker, client: redis.Redis) -> None:
    sizes = {"small": SMALL, "large": LARGE}
    in_server: dict[str, list[float]] = {name: [] for name in sizes}
    seen: dict[str, list[float]] = {name: [] for name in sizes}
    for _ in range(ROUNDS):
        for name, count in sizes.items():
            calls, microseconds = _server_microseconds(client)
            seen[name] += [1e6 * matchmaker.draw(name, count) for _ in range(DRAWS)]
            calls_after, microseconds_after = _server_microseconds(client)
            in_server[name].append((microseconds_after - microseconds) / (calls_after - calls))
    for what, times in (("as its caller sees it", seen), ("in the server", in_server)):
        small, large = median(times["small"]), median(times["large"])
        line(f"a draw {what}, {SMALL:,} players", f"{small:.0f} us")
        line(f"a draw {what}, {LARGE:,} players", f"{large:.0f} us")
        line("its growth", f"{large / small:.2f} x", "at most 1.5 x")


def _measure_windows(matchmaker: Matchmaker, client: redis.Redis) -> None:
    random, keys = Random(3), LadderKeys("large")
    draws, reads = [], []
    for _ in range(WINDOW_READS):
        challenger = random.randrange(LARGE)
        start = perf_counter()
        _read_windows(client, keys, challenger, random)
        reads.append(perf_counter() - start)
        draws += [matchmaker.draw("large", LARGE) for _ in range(DRAWS)]
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
        matchmaker = Matchmaker(store, Random(2))
        _measure_growth(matchmaker, client)
        _measure_windows(matchmaker, client)
        title(f"Memory, {LARGE:,} players, no history")
        _measure_memory(client, used)


if __name__ == "__main__":
    measure()

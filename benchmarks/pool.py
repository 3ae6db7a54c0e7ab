"""Drawing an opponent: against reading both windows, and as the ladder grows. And memory of large ladders.

The ladder of 10,000,000 players is made up inside the server (see benchmarks.ladders.fill): that takes two or
three minutes and 1.4 GB. Everybody has an owner, ten players to each: owners of a whole pool are looked up.

Run alone with `python -m benchmarks.pool`.
"""

from dataclasses import dataclass
from random import Random
from statistics import median
from time import perf_counter

import redis

from benchmarks.ladders import fill, fresh_server, player, populate, settle
from benchmarks.report import line, title
from matchmaker.store import battles
from matchmaker.store.battles import Battle, Request
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys

SIZES = {"small": 10_000, "large": 1_000_000, "huge": 10_000_000}
LARGE = SIZES["large"]
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


@dataclass(frozen=True, slots=True)
class _Draws:
    """What one draw takes, of a few on one ladder: microseconds in the server and as its caller sees it, and
    commands that the script calls."""

    in_server: float
    seen: float
    commands: float


def _draw_some(matchmaker: Matchmaker, client: redis.Redis, name: str) -> _Draws:
    client.config_resetstat()
    seen = median(1e6 * matchmaker.draw(name, SIZES[name]) for _ in range(DRAWS))
    statistics = client.info("commandstats")
    script, others = statistics["cmdstat_evalsha"], {"cmdstat_evalsha", "cmdstat_config|resetstat"}
    commands = sum(each["calls"] for command, each in statistics.items() if command not in others)
    return _Draws(script["usec_per_call"], seen, commands / script["calls"])


def _measure_growth(matchmaker: Matchmaker, client: redis.Redis) -> None:
    draws: dict[str, list[_Draws]] = {name: [] for name in SIZES}
    for _ in range(ROUNDS):
        for name, each in draws.items():
            each.append(_draw_some(matchmaker, client, name))
    in_server = {name: median(each.in_server for each in some) for name, some in draws.items()}
    seen = {name: median(each.seen for each in some) for name, some in draws.items()}
    for what, times in (("in the server", in_server), ("as its caller sees it", seen)):
        for name, count in SIZES.items():
            aim = "at most 100 us" if times is in_server and name == "large" else ""
            line(f"a draw {what}, {count:,} players", f"{times[name]:.0f} us", aim)
        for name in ("large", "huge"):
            growth = f"{times[name] / times['small']:.2f} x"
            line(f"its growth from {SIZES['small']:,} to {SIZES[name]:,}", growth, "at most 1.5 x")
    for name, count in SIZES.items():
        commands = median(each.commands for each in draws[name])
        line(f"commands in the script, {count:,} players", f"{commands:.0f}")


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


def measure() -> None:
    """Prints the measurements; the ladders take some four minutes to build."""
    with fresh_server() as (store, client, _):
        title(f"Opponent pool, ratings N(1500, 300), window of {DEVIATION:g} either way")
        populate(store, client, "small", SIZES["small"])
        populate(store, client, "large", LARGE)
        fill(store, client, "huge", SIZES["huge"])
        for name, count in SIZES.items():
            settle(client, name, count)
        matchmaker = Matchmaker(store, Random(2))
        _measure_growth(matchmaker, client)
        _measure_windows(matchmaker, client)


if __name__ == "__main__":
    measure()

"""What players, their histories and results take in the store's memory.

Run alone with `python -m benchmarks.memory`.
"""

import redis

from benchmarks.ladders import LARGE, PLAYERS_PER_OWNER, create, large_directory, player, populate, report
from benchmarks.report import line, title
from matchmaker.folding import fold_all
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.embedded import embedded_server
from matchmaker.store.keys import LadderKeys

CROWD, RESULTS = 1_000, 80_000


def _size(client: redis.Redis, *names: str) -> int:
    sizes = [client.memory_usage(name, samples=0) or 0 for name in names]
    return sum(sizes)


def _measure_players(client: redis.Redis) -> None:
    keys = LadderKeys("large")
    set_, states, log, owners = (
        _size(client, name) / LARGE for name in (keys.ratings, keys.states, keys.log, keys.owners)
    )
    title(f"Memory, {LARGE:,} players without history")
    line("bare sorted set of ids and ratings", f"{set_:.0f} B/player")
    line("states", f"{states:.0f} B/player")
    line("the log's entry of joining", f"{log:.0f} B/player")
    line("a player", f"{set_ + states + log:.0f} B", "at most 250 B")
    line(f"owners, {PLAYERS_PER_OWNER} players each", f"{owners:.0f} B/player")
    line("a player with an owner", f"{set_ + states + log + owners:.0f} B", "at most 250 B")
    line("against the bare sorted set", f"{(set_ + states + log + owners) / set_:.2f} x")


def _measure_results(store: Store, client: redis.Redis) -> None:
    create(store, "history")
    keys = LadderKeys("history")
    populate(store, client, "history", CROWD)
    report(store, "history", 0, RESULTS, CROWD)
    fold_all(store, "history")
    histories = [keys.history(player(number)) for number in range(CROWD)]
    kept = sum([client.llen(name) for name in histories])
    title(f"Memory of {RESULTS:,} results")
    line(
        f"a kept entry of a history ({kept / CROWD:.0f} per player)",
        f"{_size(client, *histories) / kept:.1f} B",
    )
    line("a player with a history, without that", f"{_size(client, keys.states) / CROWD:.0f} B of state")
    for what, name in (("log", keys.log), ("changes", keys.changes), ("ids", keys.ids)):
        line(f"a result for ever: {what}", f"{_size(client, name) / RESULTS:.0f} B")


def measure() -> None:
    """Prints the measurements."""
    with large_directory() as directory, embedded_server(directory) as server:
        client = connect(server.url)
        assert isinstance(client, redis.Redis)
        _measure_players(client)
        _measure_results(Store(client), client)


if __name__ == "__main__":
    measure()

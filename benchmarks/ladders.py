"""Ladders to measure on, each on a server of its own."""

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import redis

from matchmaker.folding import fold_to_rest
from matchmaker.ladder import Ladder
from matchmaker.rating.elo import on_grid
from matchmaker.rating.rule import Outcome, PlayerState
from matchmaker.results import Result
from matchmaker.store import ladders, players, reports
from matchmaker.store.call import Call
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.embedded import embedded_server
from matchmaker.store.keys import LadderKeys

LARGE = 1_000_000
PLAYERS_PER_OWNER = 10
OUTCOMES: tuple[Outcome, ...] = ("win", "draw", "loss")
_PIPELINE = 1_000
_FILL = Path(__file__).with_name("fill.lua")


@contextmanager
def fresh_server() -> Iterator[tuple[Store, redis.Redis, str]]:
    """The store on an empty embedded server, the client under it, and the URL.

    The server appends to its file as it does in production, but never rewrites it: a fork in the middle of a
    measurement would be measured too.
    """
    with TemporaryDirectory() as directory, embedded_server(Path(directory)) as server:
        client = connect(server.url)
        assert isinstance(client, redis.Redis)
        client.config_set("auto-aof-rewrite-percentage", 0)
        yield Store(client), client, server.url


def create(store: Store, ladder_id: str) -> None:
    """An empty ladder under the rule `initiator_k`, on which the far best and worst find opponents too."""
    settings = {"id": ladder_id, "rule": {"name": "initiator_k"}, "pool": {"widen": [1000]}}
    ladder = Ladder.model_validate(settings)
    store.run(ladders.announce(ladder_id))
    store.run(ladders.put(ladder))


def player(number: int) -> str:
    """Id of a player."""
    return f"fighter-{number:07}"


def rivals(random: Random, crowd: int) -> tuple[str, str]:
    """Two random players of the first `crowd`, of different owners: others' results are refused."""
    one = random.randrange(crowd)
    return player(one), player((one + random.randint(PLAYERS_PER_OWNER, crowd - PLAYERS_PER_OWNER)) % crowd)


def populate(store: Store, client: redis.Redis, ladder_id: str, count: int) -> None:
    """A ladder of `count` players, ten to an owner, their ratings normal around 1500 with deviation 300."""
    create(store, ladder_id)
    edition, random = store.edition(ladder_id), Random(1)
    _run_all(
        store,
        client,
        (
            players.join(
                edition,
                player(number),
                owner=f"owner-{number // PLAYERS_PER_OWNER:06}",
                brought=PlayerState(on_grid(random.gauss(1500, 300))),
            )
            for number in range(count)
        ),
    )


@contextmanager
def large_directory() -> Iterator[Path]:
    """A data directory with the ladder `large` of 1,000,000 players (see `populate`), as a stop leaves it.

    It takes a minute to build, so that one process builds it once; each caller has a copy.
    """
    with TemporaryDirectory() as copy:
        shutil.copytree(_built_directory(), copy, dirs_exist_ok=True)
        yield Path(copy)


@cache
def _built_directory() -> Path:
    directory = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, directory)
    with embedded_server(directory) as server:
        client = connect(server.url)
        assert isinstance(client, redis.Redis)
        store = Store(client)
        populate(store, client, "large", LARGE)
        fold_to_rest(store, "large")
    return directory


def fill(store: Store, client: redis.Redis, ladder_id: str, count: int) -> None:
    """A ladder like those of `populate`, but for states and log: only good for drawing opponents, and quick.

    The server makes the players up itself, a thousand to a script. As their ratings are random, neighbours on
    the board lie as far apart in memory as they would in life.
    """
    create(store, ladder_id)
    keys = store.edition(ladder_id).keys
    script = client.register_script(_FILL.read_text())
    for first in range(0, count, _PIPELINE):
        chunk = min(_PIPELINE, count - first)
        script(keys=(keys.ratings, keys.owners), args=(first, chunk, PLAYERS_PER_OWNER, first))


def settle(client: redis.Redis, ladder_id: str, count: int) -> None:
    """Looks every player up once. The server moves a table that has grown into a larger one a bit with every
    look-up; until that is done each of them takes longer."""
    keys = LadderKeys(ladder_id)
    for first in range(0, count, _PIPELINE):
        chunk = [player(number) for number in range(first, min(first + _PIPELINE, count))]
        client.hmget(keys.owners, chunk)
        client.zmscore(keys.ratings, chunk)


def _run_all(store: Store, client: redis.Redis, calls: Iterable[Call[Any]]) -> None:
    """Runs calls of one script, many to a round trip; what they reply is not looked at."""
    iterator = iter(calls)
    store.run(next(iterator))  # teaches the server the script
    while batch := list(islice(iterator, _PIPELINE)):
        with client.pipeline(transaction=False) as pipeline:
            for call in batch:
                pipeline.execute_command(*call.command(by_source=False))
            pipeline.execute()


def report(store: Store, ladder_id: str, first: int, count: int, crowd: int) -> None:
    """Reports results number `first` and following, between random players of the first `crowd`."""
    random = Random(first)
    for start in range(first, first + count, _PIPELINE):
        results = []
        for number in range(start, min(start + _PIPELINE, first + count)):
            initiator, opponent = rivals(random, crowd)
            outcome = random.choice(OUTCOMES)
            results.append(Result.duel(f"result-{number}", initiator, opponent, outcome, {}))
        store.on(ladder_id, lambda edition: reports.accept(edition, results, 0))  # noqa: B023

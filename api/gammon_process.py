"""The backgammon engine, in a process of its own: only who asked waits for it, even while it loads, and it
takes nothing along if it hangs or crashes."""

import signal
from typing import Final

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after, to_process

from matchmaker.backgammon import engine
from matchmaker.backgammon.position import Position
from matchmaker.errors import EngineUnavailableError
from matchmaker.rating.rule import Seat

PATIENCE: Final = 10.0
"""Seconds that an answer may take. Most take milliseconds; the first one starts the process."""

_one_at_a_time = CapacityLimiter(1)


async def gammon_probability(position: Position, loser: Seat) -> float:
    """As the engine's function of the same name. Raises EngineMissingError, EngineUnavailableError."""
    engine.demand()
    try:
        with fail_after(PATIENCE):
            return await to_process.run_sync(
                _evaluate, position, loser, cancellable=True, limiter=_one_at_a_time
            )
    except (BrokenWorkerProcess, TimeoutError, OSError) as failure:
        raise EngineUnavailableError from failure


def _evaluate(position: Position, loser: Seat) -> float:
    # Ctrl-C reaches all processes of a terminal; this one ends when the API does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return engine.gammon_probability(position, loser)

import asyncio
import os
import signal
import time

import pytest
from anyio import to_process

from api import gammon_process
from matchmaker.backgammon import engine
from matchmaker.backgammon.position import Position
from matchmaker.errors import EngineUnavailableError
from matchmaker.rating.rule import Seat
from tests.backgammon.positions import OPENING

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not engine.installed(), reason="the optional package bgsage is not installed"),
]

START = Position(OPENING, OPENING, "initiator")


def _hang(position: Position, loser: Seat) -> float:
    time.sleep(600)
    raise AssertionError


def _crash(position: Position, loser: Seat) -> float:
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError


async def test_an_engine_that_hangs_is_ended_in_time_and_the_next_one_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await to_process.run_sync(os.getpid)  # so that the time is not spent on starting the process
    with monkeypatch.context() as patch:
        patch.setattr(gammon_process, "_evaluate", _hang)
        patch.setattr(gammon_process, "PATIENCE", 0.2)
        with pytest.raises(EngineUnavailableError):
            await gammon_process.gammon_probability(START, "opponent")
    assert await gammon_process.gammon_probability(START, "opponent") > 0


async def test_an_engine_that_crashes_takes_nothing_along(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(gammon_process, "_evaluate", _crash)
        with pytest.raises(EngineUnavailableError):
            await gammon_process.gammon_probability(START, "opponent")
    assert await gammon_process.gammon_probability(START, "opponent") > 0


async def test_ctrl_c_does_not_disturb_the_engine() -> None:
    before = await gammon_process.gammon_probability(START, "opponent")
    os.kill(await to_process.run_sync(os.getpid), signal.SIGINT)
    assert await gammon_process.gammon_probability(START, "opponent") == before


async def test_those_who_ask_at_once_are_answered_one_by_one() -> None:
    asked = [gammon_process.gammon_probability(START, "opponent") for _ in range(20)]
    assert len(set(await asyncio.gather(*asked))) == 1

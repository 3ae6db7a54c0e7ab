"""Records made by hand."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from matchmaker.fairplay import Encounter, IssuedBattle, Record

FAIR = Encounter(
    result="r",
    opponent="bob",
    initiated=True,
    outcome="win",
    abandoned=False,
    length=5,
    expected=0.5,
    delta=4.0,
    opponent_rating=1500.0,
    games=100,
    opponent_games=100,
)


def record(*encounters: Encounter, battles: Iterable[IssuedBattle] = ()) -> Record:
    """These, with ids that count up: r0, r1, …"""
    return Record(
        tuple(replace(each, result=f"r{number}") for number, each in enumerate(encounters)), tuple(battles)
    )


def times(count: int, **facts: Any) -> list[Encounter]:
    """So many fair encounters that differ from FAIR in these facts."""
    return [replace(FAIR, **facts)] * count


def battles(expired: Iterable[float], played: Iterable[float]) -> tuple[IssuedBattle, ...]:
    """Battles by the gaps to their opponents: e0, e1, … that expired, p0, p1, … that were played."""
    return (
        *(IssuedBattle(f"e{number}", gap, False) for number, gap in enumerate(expired)),
        *(IssuedBattle(f"p{number}", gap, True) for number, gap in enumerate(played)),
    )

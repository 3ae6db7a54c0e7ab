"""Simulated fighters: what everybody may know of them, and the strength that nobody knows."""

from dataclasses import dataclass
from random import Random
from typing import Final

from matchmaker.demo.names import draw_names

_SPREAD: Final = 300.0  # of the strengths, in points; a standard deviation
_LARGEST_STABLE: Final = 3


@dataclass(frozen=True, slots=True)
class Fighter:
    """`strength` is in points, 0 for an average fighter; only differences mean anything."""

    id: str
    name: str
    owner: str
    strength: float


def draw_fighters(count: int, seed: int) -> list[Fighter]:
    """The same for the same seed. Owners hold one fighter, or a few."""
    random = Random(seed)
    fighters: list[Fighter] = []
    owner, places = 0, 0
    for number, name in enumerate(draw_names(count, random), start=1):
        if not places:
            owner, places = owner + 1, random.randint(1, _LARGEST_STABLE)
        places -= 1
        strength = random.gauss(0.0, _SPREAD)
        fighters.append(Fighter(f"fighter-{number:03}", name, f"owner-{owner:03}", strength))
    return fighters

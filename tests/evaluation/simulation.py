"""Ladders whose truth is known."""

from collections.abc import Sequence
from random import Random

from matchmaker.evaluation.trial import Contender
from matchmaker.rating import InitiatorK
from matchmaker.rating.elo import expected_score, on_grid
from matchmaker.rating.initiator_k import KByCareer
from matchmaker.rating.rule import Outcome, PlayerState
from matchmaker.results import Entry, Join, Result

STILL = InitiatorK(k=KByCareer(provisional=1e-6, established=1e-6, master=1e-6))
"""No result moves anybody: everybody stays at the rating with which it came."""

ELO = Contender("elo", InitiatorK(), 1500.0)


def true_strengths(
    players: int, results: int, *, scale: float = 400.0, advantage: float = 0.0
) -> list[Entry]:
    """Players who join at their true strength, and results as likely as these say."""
    random = Random(players)
    names = [f"player {number}" for number in range(players)]
    strengths = {name: on_grid(random.gauss(1500.0, 200.0)) for name in names}
    entries: list[Entry] = [Join(name, PlayerState(strength)) for name, strength in strengths.items()]
    for number in range(results):
        one, two = random.sample(names, 2)
        chance = expected_score(strengths[two] - strengths[one] - advantage, scale)
        entries.append(result(number, one, two, "win" if random.random() < chance else "loss"))
    return entries


def result(number: int, initiator: str, opponent: str, outcome: Outcome) -> Result:
    return Result.duel(f"result {number}", initiator, opponent, outcome, {})


def results(*battles: tuple[str, str, Outcome]) -> Sequence[Result]:
    """Results of a rule without details, in this order."""
    return [result(number, *battle) for number, battle in enumerate(battles)]


def repeated(times: int, initiator: str, opponent: str, outcome: Outcome) -> Sequence[Result]:
    """So many results that differ by their ids alone."""
    return [result(number, initiator, opponent, outcome) for number in range(times)]

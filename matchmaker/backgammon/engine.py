"""The chances of a position, from the engine bgsage: an optional package, imported when it is first asked."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from matchmaker.backgammon.position import POINTS, Position
from matchmaker.errors import EngineMissingError
from matchmaker.rating.rule import ACROSS, Seat

PACKAGE: Final = "bgsage"
_DIGITS = 6  # more than the engine is certain of


def installed() -> bool:
    """Whether the package is here."""
    return find_spec(PACKAGE) is not None


def demand() -> None:
    """Raises EngineMissingError if the package is not here."""
    if not installed():
        raise EngineMissingError(PACKAGE)


def gammon_probability(position: Position, loser: Seat) -> float:
    """Probability that `loser` loses this game as a gammon or a backgammon, if both play well.

    Of a game that counts for itself, with the cube in the middle, before the dice. The engine looks at all
    dice and replies (2 ply), which takes milliseconds; loading it, once, takes a tenth of a second.
    """
    settled = position.settled_gammon(loser)
    if settled is not None:
        return settled
    waiting = ACROSS[position.on_roll]
    chances = _analyzer().post_move_analytics(_board(position, waiting), jacoby=False).probs
    chance = chances.gammon_loss if loser == waiting else chances.gammon_win
    return round(min(max(float(chance), 0.0), 1.0), _DIGITS)


def _board(position: Position, seat: Seat) -> list[int]:
    """The engine's view of one player's board: places 1 to 24 with the other's checkers negative, its own bar
    at 25, the other's at 0."""
    own, other = position.side(seat), position.side(ACROSS[seat])
    points = [own.points[place] - other.points[POINTS - 1 - place] for place in range(POINTS)]
    return [other.bar, *points, own.bar]


@cache
def _analyzer() -> Any:
    return import_module(PACKAGE).BgBotAnalyzer(eval_level="2ply", cubeful=False)

"""Partners with whom the outcomes do not come by chance.

Meeting the same few again and again is no offence: neighbours do, friends do, and on a small ladder everybody
does. So the outcomes against each opponent are first compared with what the ratings let expect; only then
does it matter how much of the record they make up.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal

from matchmaker.fairplay.chance import surprise
from matchmaker.fairplay.indication import Indication, share
from matchmaker.fairplay.record import Encounter, Record
from matchmaker.fairplay.settings import FairPlay, WinTrading

Pattern = Literal["one-sided", "alternating"]


def win_trading(record: Record, settings: FairPlay) -> Indication | None:
    """The share of results against partners with whom outcomes are one-sided or alternate beyond chance."""
    limits, encounters = settings.win_trading, record.encounters
    if len(encounters) < limits.results:
        return None
    partners = {
        opponent: pattern
        for opponent, meetings in _by_opponent(encounters).items()
        if (pattern := _pattern(meetings, limits))
    }
    traded = [each for each in encounters if each.opponent in partners]
    whom = ", ".join(_told(each, pattern, traded) for each, pattern in partners.items()) or "nobody"
    what = f"results were against opponents with whom outcomes do not come by chance: {whom}"
    return share("win_trading", traded, encounters, limits.share, settings.certainty, what)


def _told(opponent: str, pattern: Pattern, traded: Sequence[Encounter]) -> str:
    gained = math.fsum(each.delta for each in traded if each.opponent == opponent)
    return f"{opponent} ({pattern}, {gained:+.0f} points)"


def _by_opponent(encounters: Iterable[Encounter]) -> dict[str, list[Encounter]]:
    meetings = defaultdict(list)
    for each in encounters:
        meetings[each.opponent].append(each)
    return meetings


def _pattern(meetings: Sequence[Encounter], limits: WinTrading) -> Pattern | None:
    """What is odd about the outcomes against one opponent, oldest first; None if nothing is."""
    if len(meetings) < limits.meetings:
        return None
    scores, expected = [each.score for each in meetings], [each.expected for each in meetings]
    if abs(surprise(scores, expected)) >= limits.surprise:
        return "one-sided"
    turns = [abs(after - before) for before, after in pairwise(scores)]
    chances = [_turn(before, after) for before, after in pairwise(expected)]
    return "alternating" if surprise(turns, chances) >= limits.surprise else None


def _turn(before: float, after: float) -> float:
    """How likely it is that who wins one game does not win the next, given the expected scores in both."""
    return before * (1 - after) + (1 - before) * after

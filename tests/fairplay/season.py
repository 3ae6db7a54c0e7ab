"""A season of a simulated ladder. The same seed gives the same season."""

import math
from bisect import bisect, insort
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from matchmaker.fairplay import Form, Record
from matchmaker.ladder import PoolSettings
from matchmaker.rating.rule import PlayerState, Rule
from matchmaker.results import Result
from tests.fairplay.chronicle import Chronicle
from tests.fairplay.styles import Style

NOVICE_GAMES = 30
REVIEWED_EVERY = 10  # results of a player

Watch = Callable[[str, Record], None]
"""Is shown a player and its record, now and then."""


@dataclass(frozen=True)
class Member:
    """Somebody who plays; `strength` is the rating that its play is worth."""

    name: str
    strength: float
    style: Style


class Season:
    """Members challenge each other, as the pool draws them or as their style has it."""

    def __init__(self, rule: Rule, seed: int, watch: Watch) -> None:
        self.random = Random(seed)
        self.chronicle = Chronicle(rule)
        self.members: dict[str, Member] = {}
        self._rule = rule
        self._watch = watch
        self._pool = PoolSettings()
        self._board: list[tuple[float, str]] = []
        self._meetings: Counter[frozenset[str]] = Counter()

    def join(self, member: Member, state: PlayerState) -> None:
        self.members[member.name] = member
        self.chronicle.states[member.name] = state
        insort(self._board, (state.rating, member.name))

    def turn(self) -> None:
        """Somebody wants to play."""
        me = self.random.choice(list(self.members))
        style = self.members[me].style
        opponent = style.seek(self, me)
        if opponent is None:
            opponent = self._draw(me)
            if opponent is None:
                return
            gap = self._rating(opponent) - self._rating(me)
            declined = style.declines(gap, self.random)
            self.chronicle.issue(me, opponent, played=not declined)
            if declined:
                return
        self._play(me, opponent)

    def novices(self, me: str) -> list[str]:
        """Others with few games, rated no more than 300 points lower."""
        return [
            each
            for each, state in self.chronicle.states.items()
            if each != me and state.games < NOVICE_GAMES and state.rating > self._rating(me) - 300
        ]

    def highest_above_form(self, me: str) -> str | None:
        """Of 30 who are near, the one who stands highest above its form; None if nobody has one."""

        def excess(player: str) -> float:
            form: Form | None = self.chronicle.form(player)
            return -math.inf if form is None else form.excess(self._rating(player))

        below, above = self._near(me)
        near = [player for _, player in self.random.sample(below + above, min(30, len(below + above)))]
        return max(near, key=excess, default=None)

    def _rating(self, player: str) -> float:
        return self.chronicle.states[player].rating

    def _near(self, me: str) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
        """The stretches of the board below and above, as far as the pool reaches."""
        rating, deviation = self._rating(me), self._pool.deviation
        place = bisect(self._board, (rating, me))
        low, high = bisect(self._board, (rating - deviation,)), bisect(self._board, (rating + deviation, "~"))
        return self._board[low : place - 1], self._board[place:high]

    def _draw(self, me: str) -> str | None:
        half = self._pool.size // 2
        pool = [each for side in self._near(me) for each in self.random.sample(side, min(half, len(side)))]
        return self.random.choice(pool)[1] if pool else None

    def _play(self, me: str, opponent: str) -> None:
        one, two = self.members[me], self.members[opponent]
        meeting = frozenset((me, opponent))
        self._meetings[meeting] += 1
        length = (two if two.style.stubborn else one).style.length(self.random)
        won = one.style.arranges(me, opponent, self._meetings[meeting])
        if won is None:
            won = self.random.random() < self._chance(one, two, length)
        details: dict[str, object] = {"length": length}
        if one.style.leaves(not won, self.random):
            won, details["abandoned"] = False, True
        elif two.style.leaves(won, self.random):
            won, details["abandoned"] = True, True
        result = Result.duel(f"r{self.chronicle.results}", me, opponent, "win" if won else "loss", details)
        for player in result.players:
            self._board.remove((self._rating(player), player))
        self.chronicle.rate(result, one.style.shares(opponent) or two.style.shares(me))
        for player in result.players:
            insort(self._board, (self._rating(player), player))
            if self.chronicle.states[player].games % REVIEWED_EVERY == 0:
                self._watch(player, self.chronicle.record(player))

    def _chance(self, one: Member, two: Member, length: int) -> float:
        state_one, state_two = PlayerState(one.strength), PlayerState(two.strength)
        win, _ = self._rule.rate(state_one, state_two, "win", {"length": length})
        return win.expected

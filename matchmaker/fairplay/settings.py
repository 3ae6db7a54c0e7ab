"""Thresholds of the indicators: the setting `fair_play` of a ladder.

The defaults are tuned on simulated seasons (tests/fairplay): honest players stay below them, also those who
like short matches, who mostly meet one friend, or whose ladder is new.
"""

from typing import Annotated

from pydantic import Field

from matchmaker.rating.rule import WHOLE, Coefficients, Positive, Share, Whole

Fewest = Annotated[int, Field(ge=1, le=10_000), WHOLE]
"""How many there must be before an indicator says anything."""


class LinkedAccounts(Coefficients):
    """Raised by more than so many `results` against accounts on the same device or of the same owner."""

    results: Whole = Field(default=0, ge=0, le=10_000)


class ShortMatches(Coefficients):
    """Raised when more than `share` of the matches go to `length` points or fewer; `results` at least."""

    share: Share = 0.5
    results: Fewest = 20
    length: Whole = Field(default=1, ge=1, le=64)


class NoviceFarming(Coefficients):
    """Raised when more than `share` of the wins that the player set out for are against players of fewer than
    `games` rated games. Counts from its own `games`-th game on, `results` such wins at least."""

    share: Share = 0.45
    results: Fewest = 15
    games: Whole = Field(default=30, ge=1, le=1_000_000)


class SpikeHunting(Coefficients):
    """Raised when more than `share` of the opponents that the player challenged stood `spread` standard
    deviations above the average of their own last ratings; `results` such challenges at least."""

    share: Share = 0.5
    results: Fewest = 20
    spread: Positive = 1.5


class WinTrading(Coefficients):
    """Raised when more than `share` of the results are against opponents with whom the outcomes do not come
    by chance: one-sided or alternating by `surprise` standard deviations, in `meetings` at least. Looks at
    records of `results` at least."""

    share: Share = 0.1
    results: Fewest = 20
    meetings: Fewest = 8
    surprise: Positive = 3.5


class Runner(Coefficients):
    """Raised when the player left more than `share` of the games that it lost; `losses` at least."""

    share: Share = 0.15
    losses: Fewest = 10


class DeclinedBattles(Coefficients):
    """Raised when the opponent of a battle that expired is stronger than that of one that was played in more
    than `share` of all pairs (a half is what carelessness makes); `expired` such battles at least."""

    share: Share = 0.6
    expired: Fewest = 10


class FairPlay(Coefficients):
    """When the indicators of fair play call a moderator.

    A share is over its limit when it is so by `certainty` standard deviations: 2.33 are exceeded by chance
    once in a hundred by somebody who is exactly at the limit. A `share` of 1 switches an indicator off.
    """

    certainty: float = Field(default=2.33, ge=0, le=10)
    linked_accounts: LinkedAccounts = LinkedAccounts()
    short_matches: ShortMatches = ShortMatches()
    novice_farming: NoviceFarming = NoviceFarming()
    spike_hunting: SpikeHunting = SpikeHunting()
    win_trading: WinTrading = WinTrading()
    runner: Runner = Runner()
    declined_battles: DeclinedBattles = DeclinedBattles()

"""The review of a player: all indicators, one after the other."""

from collections.abc import Callable

from matchmaker.fairplay.battles import declined_battles
from matchmaker.fairplay.endings import runner, short_matches
from matchmaker.fairplay.indication import Indication
from matchmaker.fairplay.opponents import linked_accounts, novice_farming, spike_hunting
from matchmaker.fairplay.record import Record
from matchmaker.fairplay.settings import FairPlay
from matchmaker.fairplay.trading import win_trading

Indicator = Callable[[Record, FairPlay], Indication | None]
"""Measures a record; None if there is too little to say."""

INDICATORS: tuple[Indicator, ...] = (
    linked_accounts,
    short_matches,
    novice_farming,
    spike_hunting,
    win_trading,
    runner,
    declined_battles,
)


def measure(record: Record, settings: FairPlay) -> tuple[Indication, ...]:
    """What the indicators say that have something to say, raised or not, in the order of INDICATORS."""
    found = (indicator(record, settings) for indicator in INDICATORS)
    return tuple(each for each in found if each is not None)


def review(record: Record, settings: FairPlay) -> tuple[Indication, ...]:
    """What a moderator should look at, in the order of INDICATORS; empty for nearly everybody."""
    return tuple(each for each in measure(record, settings) if each.raised)

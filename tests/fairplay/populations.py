"""Who plays in the simulated seasons."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from matchmaker.fairplay import FairPlay, Flag, Indication, Record, review
from matchmaker.rating.rule import PlayerState, Rule
from tests.fairplay.season import Member, Season
from tests.fairplay.styles import Decliner, Farmer, Hunter, Leaver, Linked, Shortener, Style, Trader

HONEST = 300
GAMES_EACH = 120
CHEATS = 12  # of each kind


@dataclass
class Verdicts:
    """Who was flagged for what, at any review of the season, with the first indication."""

    settings: FairPlay = field(default_factory=FairPlay)
    raised: dict[str, dict[Flag, Indication]] = field(default_factory=lambda: defaultdict(dict))

    def watch(self, player: str, record: Record) -> None:
        for indication in review(record, self.settings):
            self.raised[player].setdefault(indication.flag, indication)

    def flagged(self, flag: Flag) -> set[str]:
        return {player for player, raised in self.raised.items() if flag in raised}


def honest_style(number: int, random: Random) -> Style:
    """Everybody has habits, and four in ten an odd one that is no offence."""
    lengths = tuple(random.gammavariate(weight, 1) + 0.01 for weight in (2, 4, 6, 4, 1))
    match number // 2 % 10:
        case 0:  # numbers 2n and 2n + 1 are friends
            return Style(lengths=lengths, partner=f"honest{number ^ 1}", together=0.5)
        case 1:
            return Style(lengths=(4, 3, 2, 1, 0))
        case 2:
            return Style(lengths=lengths, careless=0.4)
        case 3:
            return Style(lengths=lengths, disconnects=0.04)
        case _:
            return Style(lengths=lengths)


def cheats() -> dict[str, Style]:
    """Names and styles, CHEATS of each kind; a linked account's other self plays fair otherwise."""
    found: dict[str, Style] = {}
    lone: dict[str, Callable[[], Style]] = {
        "shortener": Shortener,
        "farmer": Farmer,
        "hunter": Hunter,
        "leaver": Leaver,
        "decliner": Decliner,
    }
    for number in range(CHEATS):
        other = number ^ 1
        found |= {f"{kind}{number}": style() for kind, style in lone.items()}
        found[f"linked{number}"] = Linked(partner=f"linked{other}")
        found[f"giver{number}"] = Trader(partner=f"giver{other}", takes=number < other)
        found[f"swapper{number}"] = Trader(partner=f"swapper{other}", takes=None)
    return found


def play_season(rule: Rule, seed: int, *, cheating: bool, settled: bool) -> tuple[Season, Verdicts]:
    """A season in which everybody plays some GAMES_EACH games, and is reviewed all the while.

    On a `settled` ladder most have found their rating, and newcomers go on joining; else everybody is new.
    """
    random, verdicts = Random(seed), Verdicts()
    season = Season(rule, seed, verdicts.watch)
    styles = {f"honest{number}": honest_style(number, random) for number in range(HONEST)}
    for name, style in (styles | (cheats() if cheating else {})).items():
        strength = random.gauss(1550, 120)
        state = PlayerState(1500.0)
        if settled:
            games = random.randrange(40, 400)
            state = PlayerState(round(random.gauss(strength, 40)), games=games, experience=5 * games)
        season.join(Member(name, strength, style), state)
    turns = len(season.members) * GAMES_EACH // 2
    for number in range(turns):
        if settled and number % (turns // 200) == 0:
            newcomer = Member(f"newcomer{number}", random.gauss(1420, 120), honest_style(8, random))
            season.join(newcomer, PlayerState(1500.0))
        season.turn()
    for player in season.members:
        verdicts.watch(player, season.chronicle.record(player))
    return season, verdicts

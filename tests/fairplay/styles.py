"""How people play: honest ones of several kinds, and one kind for each way to cheat."""

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from matchmaker.fairplay import Flag
from matchmaker.fairplay.record import Shared

if TYPE_CHECKING:
    from tests.fairplay.season import Season

LENGTHS = (1, 3, 5, 7, 11)


@dataclass(frozen=True, kw_only=True)
class Style:
    """An honest player. `lengths` are weights of LENGTHS, `careless` is the share of battles that it lets
    expire, `disconnects` the share of games that its line ends, whoever is ahead. Who is `stubborn` decides
    how long a match is, also when challenged. A share `together` of its challenges goes to `partner`."""

    lengths: tuple[float, ...] = (2, 4, 6, 4, 1)
    careless: float = 0.03
    disconnects: float = 0.01
    stubborn: bool = False
    partner: str | None = None
    together: float = 0.0

    @property
    def flag(self) -> Flag | None:
        """What it should be found out for."""
        return None

    def seek(self, season: "Season", me: str) -> str | None:
        """Whom it challenges directly, without asking for a battle."""
        return self.partner if season.random.random() < self.together else None

    def declines(self, gap: float, random: Random) -> bool:
        return random.random() < self.careless

    def length(self, random: Random) -> int:
        return random.choices(LENGTHS, self.lengths)[0]

    def leaves(self, losing: bool, random: Random) -> bool:
        return random.random() < self.disconnects

    def arranges(self, me: str, opponent: str, number: int) -> bool | None:
        """Whether a result with `opponent`, its `number`-th, is arranged as a win or as a loss."""
        return None

    def shares(self, opponent: str) -> Shared | None:
        return None


@dataclass(frozen=True, kw_only=True)
class Linked(Style):
    """Now and then beats another account on its own device."""

    together: float = 0.08

    @property
    def flag(self) -> Flag:
        return "linked_accounts"

    def shares(self, opponent: str) -> Shared | None:
        return "device" if opponent == self.partner else None


@dataclass(frozen=True, kw_only=True)
class Shortener(Style):
    """Plays to one point, where luck counts most."""

    lengths: tuple[float, ...] = (16, 2, 2, 0, 0)
    stubborn: bool = True

    @property
    def flag(self) -> Flag:
        return "short_matches"


@dataclass(frozen=True, kw_only=True)
class Farmer(Style):
    """Challenges the inexperienced."""

    @property
    def flag(self) -> Flag:
        return "novice_farming"

    def seek(self, season: "Season", me: str) -> str | None:
        novices = season.novices(me)
        return season.random.choice(novices) if novices and season.random.random() < 0.85 else None


@dataclass(frozen=True, kw_only=True)
class Hunter(Style):
    """Challenges whom a lucky run has carried above what it is."""

    @property
    def flag(self) -> Flag:
        return "spike_hunting"

    def seek(self, season: "Season", me: str) -> str | None:
        return season.highest_above_form(me) if season.random.random() < 0.85 else None


@dataclass(frozen=True, kw_only=True)
class Trader(Style):
    """Arranges results with a partner: it always wins or loses, or (`takes` None) they take turns."""

    takes: bool | None
    together: float = 0.35

    @property
    def flag(self) -> Flag:
        return "win_trading"

    def arranges(self, me: str, opponent: str, number: int) -> bool | None:
        if opponent != self.partner:
            return None
        return (number % 2 == 0) == (me < opponent) if self.takes is None else self.takes


@dataclass(frozen=True, kw_only=True)
class Leaver(Style):
    """Leaves half of the games that it would lose."""

    @property
    def flag(self) -> Flag:
        return "runner"

    def leaves(self, losing: bool, random: Random) -> bool:
        return losing and random.random() < 0.5


@dataclass(frozen=True, kw_only=True)
class Decliner(Style):
    """Lets nearly all battles against stronger opponents expire."""

    @property
    def flag(self) -> Flag:
        return "declined_battles"

    def declines(self, gap: float, random: Random) -> bool:
        return random.random() < (0.9 if gap > 0 else self.careless)

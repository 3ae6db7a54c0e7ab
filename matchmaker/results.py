"""What stands in a ladder's log: joins, new names, results, new settings, what moderators did.

An entry of the log is one field whose name is the kind and whose value a JSON array, so that it is compact
and can still be read with the naked eye.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, ClassVar, Final, Self

from matchmaker.compact import compact
from matchmaker.moderation import Adjust, Annul, Reinstate, Suspend
from matchmaker.rating.elo import on_grid, shortened
from matchmaker.rating.rule import RANKS, REVERSED, Details, Outcome, PlayerState
from matchmaker.sides import DUEL, Ranks, Sides, Sizes, side, written

DIGEST_SIZE = 16
FIELDS_OF_TWO_SIDES: Final = 6


@dataclass(frozen=True, slots=True)
class Result:
    """What happened between two sides, or between more of them in a free-for-all.

    `id` is the idempotency key, `details` are in the rule's normal form, `played_at` is in milliseconds
    since the epoch or None when the game did not say. `ending` is the outcome as the initiator's side sees
    it, the first of two; of three sides or more it is their ranks.
    """

    kind: ClassVar[str] = "result"

    id: str
    sides: Sides
    ending: Outcome | Ranks
    details: Details
    played_at: int | None = None

    @classmethod
    def duel(
        cls,
        result_id: str,
        initiator: str,
        opponent: str,
        outcome: Outcome,
        details: Details,
        played_at: int | None = None,
    ) -> Self:
        """The result of one player against another."""
        return cls(result_id, ((initiator,), (opponent,)), outcome, details, played_at)

    @classmethod
    def read(cls, value: Sequence[Any]) -> Self:
        """The result that was written so: six fields of two sides, five of a free-for-all."""
        if len(value) == FIELDS_OF_TWO_SIDES:
            name, initiator, opponent, outcome, details, played_at = value
            return cls(name, (side(initiator), side(opponent)), outcome, details, played_at)
        name, sides, ranks, details, played_at = value
        return cls(name, tuple(map(side, sides)), tuple(ranks), details, played_at)

    def encode(self) -> str:
        sides = list(map(written, self.sides))
        met = [sides] if self.free_for_all else sides
        return compact([self.id, *met, self.ending, self.details, self.played_at])

    @property
    def told(self) -> dict[str, Any]:
        """Who met, and how it ended, by the names that these fields have outside."""
        if self.free_for_all:
            return {"sides": [written(each) for each in self.sides], "ranks": list(self.ranks)}
        initiator, opponent = map(written, self.sides)
        return {"initiator": initiator, "opponent": opponent, "outcome": self.ending}

    @property
    def free_for_all(self) -> bool:
        return not isinstance(self.ending, str)

    @property
    def outcome(self) -> Outcome:
        """How it ended for the first side."""
        return self.outcomes[0]

    @property
    def pair(self) -> tuple[str, str] | None:
        """Initiator and opponent of a duel; None for anything else."""
        players = self.players
        return (players[0], players[1]) if len(players) == len(DUEL) else None

    @property
    def sizes(self) -> Sizes:
        """How many members each side has."""
        return tuple(map(len, self.sides))

    @property
    def ranks(self) -> Ranks:
        """Of each side."""
        return RANKS[self.ending] if isinstance(self.ending, str) else self.ending

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Of each side. In a free-for-all whoever is best alone wins, whoever shares that place draws."""
        if isinstance(self.ending, str):
            return self.ending, REVERSED[self.ending]
        best: Outcome = "win" if self.ending.count(1) == 1 else "draw"
        return tuple(best if rank == 1 else "loss" for rank in self.ending)

    @property
    def players(self) -> tuple[str, ...]:
        """Whose ratings it moves: side by side, the members in their order."""
        return sum(self.sides, ())

    def place(self, player: str) -> int:
        """On which of the sides, counted from 0, the player stands. Raises StopIteration if on none."""
        return next(place for place, each in enumerate(self.sides) if player in each)

    @property
    def id_digest(self) -> bytes:
        """Under which the id is remembered as long as the ladder exists."""
        return digest(self.id)

    @property
    def content_digest(self) -> bytes:
        """The same for two reports if and only if they say the same."""
        return digest(self.encode())


@dataclass(frozen=True, slots=True)
class Join:
    """A player enters the ladder with what it brings."""

    kind: ClassVar[str] = "join"

    player: str
    state: PlayerState

    def encode(self) -> str:
        """What goes without saying is left out at the end: that there were no games, a peak at the rating.

        Ratings are shortened to what names them on their grid. Where there is a sigma, nothing is left out
        and it comes last.
        """
        state = self.state
        rating, peak = shortened(state.rating), shortened(state.peak)
        fields = [self.player, rating, state.games, state.experience, peak]
        if state.sigma:
            fields.append(shortened(state.sigma))
        elif state.peak == state.rating:
            del fields[4 if state.games or state.experience else 2 :]
        return compact(fields)

    @staticmethod
    def complete(fields: list[Any]) -> list[Any]:
        """Player, rating, games, experience, peak and sigma, of which the end may be left out."""
        return [*fields, *(0, 0, fields[1], 0)[len(fields) - 2 :]]

    @property
    def players(self) -> tuple[str, ...]:
        return (self.player,)


@dataclass(frozen=True, slots=True)
class Rename:
    """A player is called something else. No rating moves, but the board shows it: it has a new version."""

    kind: ClassVar[str] = "rename"

    player: str
    name: str | None

    def encode(self) -> str:
        return compact([self.player, self.name])

    @property
    def players(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Reform:
    """The ladder's settings changed. No rating moves, but tiers may: the board has a new version."""

    kind: ClassVar[str] = "reform"

    settings: dict[str, Any]

    def encode(self) -> str:
        return compact([self.settings])

    @property
    def players(self) -> tuple[str, ...]:
        return ()


Entry = Result | Join | Rename | Reform | Annul | Adjust | Suspend | Reinstate

_PLAIN: dict[str, type[Rename | Reform | Annul | Adjust | Suspend | Reinstate]] = {
    each.kind: each for each in (Rename, Reform, Annul, Adjust, Suspend, Reinstate)
}
"""Kinds whose text lists their fields as they are."""


def digest(text: str) -> bytes:
    """16 bytes of BLAKE2b."""
    return blake2b(text.encode(), digest_size=DIGEST_SIZE).digest()


def decode(kind: str, text: str) -> Entry:
    """The entry that was written as `text` under `kind`. Raises ValueError for a kind it does not know."""
    return _entry(kind, json.loads(text))


def decode_all(kinds: Iterable[str], texts: Iterable[bytes]) -> Iterator[Entry]:
    """The same of many entries at a time, for a fraction of the cost."""
    return map(_entry, kinds, json.loads(b"[%b]" % b",".join(texts)))


def _entry(kind: str, value: Any) -> Entry:
    if kind == Result.kind:
        return Result.read(value)
    if kind == Join.kind:
        return _join(*Join.complete(value))
    if kind in _PLAIN:
        return _PLAIN[kind](*value)
    raise ValueError(f"the log holds an entry of unknown kind {kind!r}")


def _join(player: str, rating: float, games: int, experience: int, peak: float, sigma: float) -> Join:
    state = PlayerState(
        on_grid(rating), games=games, experience=experience, peak=on_grid(peak), sigma=on_grid(sigma)
    )
    return Join(player, state)


def log_order(log_id: str) -> tuple[int, int]:
    """What ids of log entries compare by: milliseconds, then a running number."""
    written, _, sequence = log_id.partition("-")
    return int(written), int(sequence)


def milliseconds(log_id: str) -> int:
    """When an entry of that id was written, in milliseconds since the epoch."""
    return log_order(log_id)[0]

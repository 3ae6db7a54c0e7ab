"""Battles: drawing a fair opponent, and the life of the pairing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from matchmaker.errors import BattleClosedError, ConflictError, NoOpponentError, NotFoundError
from matchmaker.rating.rule import CAUTION, PlayerState, Rule
from matchmaker.results import log_order
from matchmaker.standing import absent
from matchmaker.store.call import Call, script
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition

KEPT_MS = 24 * 3600 * 1000
"""How long a battle can still be looked up after it has expired."""

Status = Literal["open", "reported", "rated", "expired", "cancelled"]


@dataclass(frozen=True, slots=True)
class Fighter:
    """One side of a battle, as it was when the battle was issued.

    `rating` is what pools go by: under rules with a `sigma` the player's mu, not what the board shows.
    """

    player: str
    name: str | None
    rating: float
    sigma: Annotated[float | None, Field(exclude_if=absent)] = None

    def state(self, rule: Rule) -> PlayerState:
        """What the rule needs to know of it for a chance. The ladder may have got that rule since."""
        sigma = self.sigma if self.sigma and rule.has_sigma else 0.0
        return PlayerState(self.rating - CAUTION * sigma, sigma=sigma)


@dataclass(frozen=True, slots=True)
class Pool:
    """The opponents that the battle was drawn from: how many from either side, the lowest and the highest
    rating among them, within `deviation` points of the challenger. `lines` are the opponents as the store has
    them, a line for each player and then one for each rating; forgotten once the battle is closed."""

    size: int
    below: int
    above: int
    low: float
    high: float
    deviation: float
    lines: str

    @property
    def opponents(self) -> list[tuple[str, float]]:
        """Each opponent and its rating. Read only for who asks: it takes as long as the rest of a battle."""
        cells = self.lines.split("\n")
        half = len(cells) // 2
        return [(player, float(rating)) for player, rating in zip(cells[:half], cells[half:], strict=False)]


@dataclass(frozen=True, slots=True)
class Battle:
    """A pairing that the matchmaker issued. Times are in milliseconds since the epoch."""

    id: str
    status: Literal["open", "reported", "cancelled"]
    challenger: Fighter
    opponent: Fighter
    pool: Pool
    created_at: int
    expires_at: int
    log_id: str | None

    def expected_score(self, rule: Rule) -> float:
        """The score that the challenger could expect, by what the two were when the battle was issued."""
        return rule.foresee((self.challenger.state(rule),), (self.opponent.state(rule),))

    def status_at(self, now: int, cursor: str) -> Status:
        """The status, given the time and how far the log is folded."""
        if self.status == "open" and self.expires_at <= now:
            return "expired"
        if self.log_id is not None and log_order(self.log_id) <= log_order(cursor):
            return "rated"
        return self.status


@dataclass(frozen=True, slots=True)
class Request:
    """What a challenger asks for. `battle_id` and `seed` are fresh random values, `now` in milliseconds."""

    challenger: str
    exclude: Sequence[str]
    battle_id: str
    seed: int
    now: int


_FIGURES = (
    *("created", "challenger_rating", "opponent_rating", "below", "above", "low", "high", "deviation"),
    *("challenger_sigma", "opponent_sigma"),
)
"""What stands in the field `figures`, with blanks between: numbers that no script asks for."""


def _battle(cells: Sequence[bytes]) -> Battle:
    record = {cells[at].decode(): cells[at + 1].decode() for at in range(0, len(cells), 2)}
    # Battles used to be stored with a field for each figure, and their pool in a form that is read no more.
    figures = record | dict(zip(_FIGURES, record.get("figures", "").split(), strict=False))
    below, above = int(figures["below"]), int(figures["above"])
    return Battle(
        id=record["id"],
        status=record["status"],  # type: ignore[arg-type]  # the scripts write no other
        challenger=_fighter("challenger", record, figures),
        opponent=_fighter("opponent", record, figures),
        pool=Pool(
            size=below + above,
            below=below,
            above=above,
            low=float(figures["low"]),
            high=float(figures["high"]),
            deviation=float(figures["deviation"]),
            lines=record.get("pool", ""),
        ),
        created_at=int(figures["created"]),
        expires_at=int(record["expires"]),
        log_id=record.get("entry"),
    )


def _fighter(side: str, record: Mapping[str, str], figures: Mapping[str, str]) -> Fighter:
    sigma = figures.get(f"{side}_sigma")
    return Fighter(
        record[side],
        record.get(f"{side}_name"),
        float(figures[f"{side}_rating"]),
        None if sigma is None else float(sigma),
    )


def issue(edition: Edition, request: Request) -> Call[Battle | str]:
    """A new battle for the challenger, or the id of the one that it has open.

    Raises NotFoundError `unknown_player`; ConflictError `suspended` if the challenger is off the board;
    NoOpponentError if nobody may be drawn.
    """
    ladder, keys, rule = edition.ladder, edition.keys, edition.ladder.rule
    pool, life = ladder.pool, ladder.battle_ttl * 1000
    deviations = (pool.deviation, *pool.widen)

    def decode(reply: list[Any]) -> Battle | str:
        match reply:
            case [b"issued", *cells]:
                return _battle(cells)
            case [b"open", battle_id]:
                return str(battle_id.decode())
            case [b"unknown"]:
                raise NotFoundError("player", request.challenger)
            case [b"off"]:
                raise ConflictError("suspended", f"Player {request.challenger!r} is suspended.")
            case _:
                nearest = float(reply[1]) if len(reply) > 1 else None
                raise NoOpponentError(request.challenger, deviations[-1], nearest)

    return Call(
        (
            *(edition.revision, request.challenger, request.battle_id),
            *(request.now, request.now + life, life + KEPT_MS, request.seed),
            *(pool.size, pool.shortfall, pool.avoid_recent, ladder.linked_accounts),
            *(int(rule.has_sigma), len(deviations), *deviations),
            *request.exclude,
        ),
        decode,
        script("issue"),
        (
            *(keys.ladder, keys.states, keys.strengths if rule.has_sigma else keys.ratings),
            *(keys.names, keys.owners),
            *(keys.open, keys.recent, keys.battle(request.battle_id), keys.issued(request.challenger)),
            keys.devices,
        ),
    )


def find(keys: LadderKeys, battle_id: str) -> Call[tuple[Battle, str]]:
    """The battle, and how far the log is folded. Raises NotFoundError `unknown_battle`."""

    def decode(reply: list[Any]) -> tuple[Battle, str]:
        if not reply:
            raise NotFoundError("battle", battle_id)
        return _battle(reply[1:]), reply[0].decode()

    return Call((), decode, script("battle"), (keys.battle(battle_id), keys.cursor))


def cancel(keys: LadderKeys, battle: Battle, now: int) -> Call[None]:
    """Cancels a battle if it is (still) open; doing it again is fine.

    Raises NotFoundError `unknown_battle`, BattleClosedError if it has expired, ConflictError
    `battle_reported` if its result is in.
    """

    def decode(reply: bytes) -> None:
        match reply:
            case b"unknown":
                raise NotFoundError("battle", battle.id)
            case b"expired":
                raise BattleClosedError("expired")
            case b"reported":
                raise ConflictError("battle_reported", "The result of this battle is in already.")

    return Call(
        (now,),
        decode,
        script("cancel"),
        (keys.battle(battle.id), keys.open, keys.issued(battle.challenger.player)),
    )

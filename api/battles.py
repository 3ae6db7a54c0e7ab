"""Battles: asking for an opponent, and the life of the pairing."""

from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Annotated, Literal, Self

from fastapi import Path, Query, Response, status
from pydantic import BaseModel, ConfigDict, Field

from api.access import Player, Reader, Reporter
from api.engine import Engine, EngineDep
from api.metrics import count_empty_pool, count_pool
from api.reporting import BattleResult, ResultOut, Wait, answer, take
from api.routing import router
from api.shapes import OPTIONAL, Body, LadderPath, instant
from matchmaker.devices import Device
from matchmaker.errors import InvalidInputError, NoOpponentError, NotFoundError, StoreUnavailableError
from matchmaker.identifiers import Identifier
from matchmaker.ladder import Ladder
from matchmaker.results import Result
from matchmaker.sides import Sides
from matchmaker.store import battles, reports
from matchmaker.store.battles import Battle, Fighter, Pool, Request, Status
from matchmaker.store.keys import LadderKeys

endpoints = router("/v1/ladders/{ladder}/battles", "battles")

BattlePath = Annotated[Identifier, Path(examples=["3f0e61c2a9d84b7791d2c05e"])]
FullPool = Annotated[Literal["full"] | None, Query(description="Lists the drawn pool itself as well.")]


class BattleRequest(Body):
    """A challenger asks for an opponent, but for those excluded. `device` is an opaque text that tells apart
    from which device it asks; only a keyed hash of it is kept."""

    model_config = ConfigDict(json_schema_extra={"example": {"challenger": "ann"}})

    challenger: Identifier
    exclude: list[Identifier] = Field([], max_length=1000)
    device: Device | None = None


class PoolMember(BaseModel):
    """Somebody whom the battle might have drawn."""

    player: str
    rating: float


class PoolOut(BaseModel):
    """The pool that the opponent was drawn from: how many players from below and above the challenger, lowest
    and highest rating among them, and the deviation that was allowed."""

    size: int
    below: int
    above: int
    low: float
    high: float
    deviation: float
    opponents: list[PoolMember] | None = OPTIONAL

    @classmethod
    def of(cls, pool: Pool, *, full: bool) -> Self:
        return cls(
            size=pool.size,
            below=pool.below,
            above=pool.above,
            low=pool.low,
            high=pool.high,
            deviation=pool.deviation,
            opponents=_by_rating(pool) if full else None,
        )


def _by_rating(pool: Pool) -> list[PoolMember]:
    members = sorted(pool.opponents, key=lambda member: (member[1], member[0]))
    return [PoolMember(player=player, rating=rating) for player, rating in members]


class BattleOut(BaseModel):
    """A battle, with both sides as they were when it was issued."""

    id: str
    ladder: str
    status: Status
    challenger: Fighter
    opponent: Fighter
    expected_score: float
    pool: PoolOut
    created_at: datetime
    expires_at: datetime

    @classmethod
    def of(cls, ladder: Ladder, battle: Battle, status: Status, *, full_pool: bool = False) -> Self:
        return cls(
            id=battle.id,
            ladder=ladder.id,
            status=status,
            challenger=battle.challenger,
            opponent=battle.opponent,
            expected_score=battle.expected_score(ladder.rule),
            pool=PoolOut.of(battle.pool, full=full_pool),
            created_at=instant(battle.created_at),
            expires_at=instant(battle.expires_at),
        )


_SAME_BATTLE = {"ladder": "$request.path.ladder", "battle": "$response.body#/id"}
_LINKS = {
    name: {"operationId": f"battles-{name}", "parameters": _SAME_BATTLE}
    for name in ("battle", "cancel", "report")
}
"""What can be done with the battle of an answer, for the OpenAPI document."""

_ATTEMPTS = 3  # at finding a battle that somebody else closes at the same moment


@endpoints.post(
    "",
    status_code=status.HTTP_201_CREATED,
    responses={
        200: {
            "model": BattleOut,
            "description": "The battle that the challenger has open.",
            "links": _LINKS,
        },
        201: {"links": _LINKS},
    },
)
async def request_opponent(
    engine: EngineDep,
    key: Player,
    ladder: LadderPath,
    body: BattleRequest,
    response: Response,
    pool: FullPool = None,
) -> BattleOut:
    """Draws a fair opponent for the challenger. Scope `play`.

    While that battle is open, asking again gives it again. Accounts of the same owner never meet, nor do
    those that were seen on the same device, unless the ladder's `linked_accounts` is `flag`.
    """
    await engine.sightings.note(ladder, [(body.challenger, body.device)], engine.now())
    for _ in range(_ATTEMPTS):
        now = engine.now()
        request = Request(body.challenger, body.exclude, engine.fresh_id(), engine.seed(), now)
        try:
            drawn = await engine.store.on(ladder, lambda edition: battles.issue(edition, request))  # noqa: B023
        except NoOpponentError:
            count_empty_pool(ladder)
            raise
        edition = await engine.store.edition(ladder)
        if isinstance(drawn, Battle):
            count_pool(edition.ladder, drawn.pool)
            await _kept(engine, edition.keys, drawn.id)
            return BattleOut.of(edition.ladder, drawn, "open", full_pool=pool is not None)
        try:
            battle, cursor = await engine.store.run(battles.find(edition.keys, drawn))
        except NotFoundError:
            continue
        if battle.status_at(now, cursor) == "open":
            await _kept(engine, edition.keys, drawn)
            response.status_code = status.HTTP_200_OK
            return BattleOut.of(edition.ladder, battle, "open", full_pool=pool is not None)
    raise StoreUnavailableError("The challenger's battles change too quickly; try again shortly.")


async def _kept(engine: Engine, keys: LadderKeys, battle_id: str) -> None:
    """Returns when the battle is as safe as the settings demand: see Durability.kept."""
    await engine.durability.kept(keys.fence, battles.find(keys, battle_id).then(bool))


@endpoints.get("/{battle}")
async def battle(engine: EngineDep, key: Reader, ladder: LadderPath, battle: BattlePath) -> BattleOut:
    """One battle; it can be looked up for a day after it has expired."""
    edition = await engine.store.current(ladder)
    found, cursor = await engine.store.run(battles.find(edition.keys, battle))
    return BattleOut.of(edition.ladder, found, found.status_at(engine.now(), cursor))


@endpoints.delete("/{battle}", status_code=status.HTTP_204_NO_CONTENT, response_class=Response)
async def cancel(engine: EngineDep, key: Reporter, ladder: LadderPath, battle: BattlePath) -> None:
    """Cancels an open battle, so that its challenger may ask again. Scope `report`."""
    edition = await engine.store.edition(ladder)
    found, _ = await engine.store.run(battles.find(edition.keys, battle))
    await engine.store.run(battles.cancel(edition.keys, found, engine.now()))
    await engine.durability.kept(
        edition.keys.fence, battles.find(edition.keys, battle).then(lambda found: found[0].status != "open")
    )


@endpoints.post(
    "/{battle}/result",
    responses={202: {"model": ResultOut, "description": "Accepted; it will be rated in a moment."}},
)
async def report(
    engine: EngineDep,
    key: Reporter,
    ladder: LadderPath,
    battle: BattlePath,
    body: BattleResult,
    response: Response,
    wait: Wait = 0,
) -> ResultOut:
    """Reports how the battle ended, as its challenger sees it. Scope `report`.

    It is rated between the two players that it was issued for, and only once; also if these turn out to be
    linked accounts.
    """
    edition = await engine.store.edition(ladder)
    sides = await _sides(engine, edition.keys, battle)
    fought = Result(battle, sides, body.outcome, body.details or {})
    read = partial(body.checked, fought)
    if body.devices:
        rule = (await engine.store.current(ladder)).ladder.rule
        with suppress(InvalidInputError):  # the report itself is judged below
            await engine.sightings.note(ladder, body.seen(read(rule)), engine.now())
    receipt, call = await take(engine, ladder, battle, read)
    return await answer(engine, ladder, receipt, call, wait, response)


async def _sides(engine: Engine, keys: LadderKeys, battle_id: str) -> Sides:
    """Challenger and opponent of the battle. Of one that is forgotten, its result may still tell."""
    try:
        battle, _ = await engine.store.run(battles.find(keys, battle_id))
    except NotFoundError as unknown:
        try:
            return (await engine.store.run(reports.find(keys, battle_id))).logged.result.sides
        except NotFoundError:
            raise unknown from None
    return (battle.challenger.player,), (battle.opponent.player,)

"""Players: joining, standing, history, neighbours."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal, Self

from fastapi import Query, Response, status
from pydantic import BaseModel, ConfigDict, Field

from api.access import Player, Reader, demand
from api.engine import EngineDep
from api.routing import router
from api.shapes import OPTIONAL, BeforeAfter, Body, ChangeOut, DecisionOut, LadderPath, PlayerPath, instant
from matchmaker.devices import Device
from matchmaker.errors import FieldError
from matchmaker.identifiers import DisplayName, Identifier
from matchmaker.ladder import Ladder
from matchmaker.rating.rule import CAUTION, WHOLE, Outcome, PlayerState, Points, Positive
from matchmaker.sides import DUEL, written
from matchmaker.standing import Standing
from matchmaker.store import boards, changes, moderation, players
from matchmaker.store.boards import Row
from matchmaker.store.changes import HistoryEntry
from matchmaker.store.moderation import LoggedMeasure
from matchmaker.store.players import Keep
from matchmaker.store.states import LARGEST_COUNT
from matchmaker.validation import invalid

endpoints = router("/v1/ladders/{ladder}/players/{player}", "players")


# In this order: behind the validator, bounds would be lost from the schema of a field that may be null.
Count = Annotated[int, Field(ge=0, le=LARGEST_COUNT), WHOLE]


class Joining(Body):
    """A player that enters the ladder, or what changes about it. A field left out stays as it is, null
    removes it. `rating`, `sigma`, `games`, `experience` and `peak` take the admin scope and a new player.
    `rating` is what the board shows; `sigma` is for rules that have one, and at most a newcomer's. `device`
    is an opaque text that tells devices apart; only a keyed hash of it is kept."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "Ann"}})

    name: DisplayName | None = None
    owner: Identifier | None = None
    device: Device | None = None
    rating: Points | None = None
    sigma: Positive | None = None
    games: Count | None = None
    experience: Count | None = None
    peak: Points | None = None

    @property
    def brings(self) -> bool:
        """Whether it comes with a career from elsewhere."""
        career = (self.rating, self.sigma, self.games, self.experience, self.peak)
        return any(each is not None for each in career)


class HistoryRow(BaseModel):
    """One result as one of its players sees it. What an annulled one shows was taken back later.

    `opponent` is a list where there are several: a team, or everybody else in a free-for-all, side by side.
    `partners` are the others on the player's own side. `names` are those of all these players that have one.
    Only of a free-for-all there is the `rank` of the player's side, `of` so many.
    """

    result: str
    opponent: str | list[str]
    opponent_name: str | None
    partners: list[str]
    names: dict[str, str]
    outcome: Outcome
    rank: int | None = OPTIONAL
    of: int | None = OPTIONAL
    before: float
    after: float
    delta: float
    k: float | None
    expected: float
    mu: BeforeAfter | None = OPTIONAL
    sigma: BeforeAfter | None = OPTIONAL
    at: datetime
    status: Literal["rated", "annulled"]
    annulment: DecisionOut | None = OPTIONAL

    @classmethod
    def seen(cls, entry: HistoryEntry, names: Mapping[str, str]) -> Self:
        """`names` of players that have one."""
        opponents, sides = entry.opponents, 1 + len(entry.others)
        of = None if sides == len(DUEL) else sides
        change = ChangeOut.of(entry.change).model_dump(exclude={"player"})
        return cls(
            result=entry.result,
            opponent=written(opponents),
            opponent_name=names.get(opponents[0]) if len(opponents) == 1 else None,
            partners=list(entry.partners),
            names={each: names[each] for each in (*entry.partners, *opponents) if each in names},
            outcome=entry.outcome,
            rank=entry.rank if of else None,
            of=of,
            at=instant(entry.at),
            status="annulled" if entry.annulment else "rated",
            annulment=entry.annulment and DecisionOut.of(entry.annulment),
            **change,
        )


class MeasureRow(BaseModel):
    """What a moderator did to a player: who (the id of a key, `admin` or `cli`), why, when, and with an
    adjustment the rating before and after."""

    kind: Literal["adjust", "suspend", "reinstate"]
    by: str
    reason: str
    at: datetime
    before: float | None = OPTIONAL
    after: float | None = OPTIONAL

    @classmethod
    def of(cls, logged: LoggedMeasure) -> Self:
        measure, moved = logged.measure, logged.adjustment
        return cls(
            kind=measure.kind,
            by=measure.by,
            reason=measure.reason,
            at=instant(logged.at),
            before=moved and moved.before,
            after=moved and moved.after,
        )


class HistoryOut(BaseModel):
    """A player's last results, and what moderators did to the player: each newest first."""

    entries: list[HistoryRow]
    moderation: list[MeasureRow]


class NeighborsOut(BaseModel):
    """The page of the board around a player."""

    entries: list[Row]


def _brought(body: Joining, ladder: Ladder) -> PlayerState | None:
    """The career that a player brings, on the rule's grid. Raises InvalidInputError for an impossible one."""
    if not body.brings:
        return None
    newcomer = ladder.newcomer
    sigma = _sigma(body, ladder)
    rating = newcomer.strength - CAUTION * sigma if body.rating is None else ladder.rule.settle(body.rating)
    peak = rating if body.peak is None else ladder.rule.settle(body.peak)
    if peak < rating:
        raise invalid([FieldError("peak", "must not be below the rating")])
    return PlayerState(rating, games=body.games or 0, experience=body.experience or 0, peak=peak, sigma=sigma)


def _sigma(body: Joining, ladder: Ladder) -> float:
    if body.sigma is None:
        return ladder.newcomer.sigma
    if not ladder.rule.has_sigma:
        raise invalid([FieldError("sigma", f"the rule {ladder.rule.name} knows none")])
    if body.sigma > ladder.newcomer.sigma:
        raise invalid([FieldError("sigma", f"must not be above a newcomer's, {ladder.newcomer.sigma:g}")])
    return ladder.rule.within(body.sigma)


@endpoints.put(
    "",
    status_code=status.HTTP_201_CREATED,
    responses={200: {"model": Standing, "description": "The player was in the ladder already."}},
)
async def join(
    engine: EngineDep, key: Player, ladder: LadderPath, player: PlayerPath, body: Joining, response: Response
) -> Standing:
    """Lets a player into the ladder, or changes its name or owner. Scope `play`; a career takes `admin`.

    Whoever comes from a blocked device is suspended at once.
    """
    if body.brings:
        demand(key, "admin", ladder)
    what, call = await engine.store.on(
        ladder,
        lambda edition: players.join(
            edition,
            player,
            name=body.name if "name" in body.model_fields_set else Keep.IT,
            owner=body.owner if "owner" in body.model_fields_set else Keep.IT,
            brought=_brought(body, edition.ladder),
        ),
    )
    if call:
        engine.alarm.ring(ladder)
    await engine.sightings.note(ladder, [(player, body.device)], engine.now())
    edition = await engine.store.edition(ladder)
    await engine.durability.kept(
        edition.keys.fence, players.states(edition, (player,)).then(lambda found: player in found)
    )
    if what == "known":
        response.status_code = status.HTTP_200_OK
    return await standing(engine, key, ladder, player)


@endpoints.get("")
async def standing(engine: EngineDep, key: Reader, ladder: LadderPath, player: PlayerPath) -> Standing:
    """Where the player stands. Players with equal ratings share a rank; a suspended player has none."""
    return await engine.store.on(ladder, lambda edition: players.standing(edition, player))


@endpoints.get("/history")
async def history(
    engine: EngineDep,
    key: Reader,
    ladder: LadderPath,
    player: PlayerPath,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> HistoryOut:
    """The player's last rated results, newest first, as many as the ladder keeps; and what moderators did to
    the player, who and why. Up to `limit` of each."""
    edition = await engine.store.edition(ladder)
    entries, measures = await asyncio.gather(
        engine.store.run(changes.history(edition.keys, player, limit)),
        engine.store.run(moderation.measures(edition.keys, player, limit)),
    )
    others = {each for entry in entries for each in (*entry.partners, *entry.opponents)}
    names = await engine.store.run(players.names(edition.keys, others)) if others else {}
    return HistoryOut(
        entries=[HistoryRow.seen(entry, names) for entry in entries],
        moderation=[MeasureRow.of(each) for each in measures],
    )


@endpoints.get("/neighbors")
async def neighbors(
    engine: EngineDep,
    key: Reader,
    ladder: LadderPath,
    player: PlayerPath,
    span: Annotated[int, Query(ge=0, le=100)] = 5,
) -> NeighborsOut:
    """The page of the board around the player: `span` rows on either side, filled up at the board's ends."""
    page = await engine.store.on(ladder, lambda edition: boards.around(edition, player, span))
    return NeighborsOut(entries=page.entries)

"""Fair play: whom a moderator should look at, and why."""

from datetime import datetime
from functools import partial
from typing import Annotated, Self

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict

from api.access import Admin
from api.engine import EngineDep
from api.routing import router
from api.shapes import OPTIONAL, Body, LadderPath, PlayerPath, instant
from matchmaker.fairplay import Flag, Indication
from matchmaker.identifiers import Note
from matchmaker.reviewing import Look, look_at
from matchmaker.store import flags
from matchmaker.store.flags import Dismissal, Raised

endpoints = router("/v1/ladders/{ladder}", "fairplay")

FlagPath = Annotated[Flag, Path(examples=["linked_accounts"])]


class IndicationOut(BaseModel):
    """What an indicator says: a value, and the threshold above which it calls a moderator; the ids of the
    results in which it saw it (for `declined_battles`, of battles), oldest first; one sentence."""

    flag: Flag
    value: float
    threshold: float
    evidence: list[str]
    sentence: str

    @classmethod
    def of(cls, indication: Indication) -> Self:
        return cls.model_validate(indication, from_attributes=True)


class FlagOut(IndicationOut):
    """A flag that is raised: what the last review that raised it found, and since when it is raised."""

    player: str
    name: str | None
    since: datetime

    @classmethod
    def raised(cls, flag: Raised) -> Self:
        said = IndicationOut.of(flag.indication).model_dump()
        return cls(player=flag.player, name=flag.name, since=instant(flag.since), **said)


class QueueOut(BaseModel):
    """Flags that wait for a moderator, those first that were raised first; `total` counts all of them."""

    total: int
    entries: list[FlagOut]


class DismissalOut(BaseModel):
    """Who has dismissed a flag (the id of a key), when, and why."""

    by: str
    at: datetime
    note: str

    @classmethod
    def of(cls, dismissal: Dismissal) -> Self:
        return cls(by=dismissal.by, at=instant(dismissal.at), note=dismissal.note)


class IndicatorOut(IndicationOut):
    """What an indicator says of the record as it is now; since when its flag is raised, if it is; and how it
    was dismissed last, if it ever was."""

    since: datetime | None = OPTIONAL
    dismissed: DismissalOut | None = OPTIONAL

    @classmethod
    def seen(cls, look: Look) -> Self:
        return cls(
            **IndicationOut.of(look.indication).model_dump(),
            since=None if look.since is None else instant(look.since),
            dismissed=look.dismissal and DismissalOut.of(look.dismissal),
        )


class PlayerOut(BaseModel):
    """A player's indicators that have something to say; `results` and `battles` are the numbers of those that
    they look at."""

    player: str
    results: int
    battles: int
    indicators: list[IndicatorOut]


class DismissalBody(Body):
    """Why the flag is dismissed."""

    model_config = ConfigDict(json_schema_extra={"example": {"note": "Brothers, who share a computer."}})

    note: Note


@endpoints.get("/fairplay")
async def queue(
    engine: EngineDep,
    key: Admin,
    ladder: LadderPath,
    flag: Annotated[Flag | None, Query(description="Only flags of this kind.")] = None,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
    offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> QueueOut:
    """The flags that are raised, for moderators to look at. Scope `admin`.

    Players are reviewed some seconds after they have played. A flag stays raised until it is dismissed.
    """
    edition = await engine.store.edition(ladder)
    total, entries = await engine.store.run(flags.queue(edition.keys, flag, offset, limit))
    return QueueOut(total=total, entries=[FlagOut.raised(each) for each in entries])


@endpoints.get("/players/{player}/fairplay")
async def player(engine: EngineDep, key: Admin, ladder: LadderPath, player: PlayerPath) -> PlayerOut:
    """All that the indicators have to say of a player at this moment, raised or not. Scope `admin`.

    Of a flag that is raised: what it said when that was seen last.
    """
    record, looks = await engine.store.follow(ladder, partial(look_at, player=player, now=engine.now()))
    return PlayerOut(
        player=player,
        results=len(record.encounters),
        battles=len(record.battles),
        indicators=[IndicatorOut.seen(look) for look in looks],
    )


@endpoints.post("/players/{player}/fairplay/{flag}/dismiss")
async def dismiss(
    engine: EngineDep, key: Admin, ladder: LadderPath, player: PlayerPath, flag: FlagPath, body: DismissalBody
) -> DismissalOut:
    """Takes a flag out of the queue. Scope `admin`.

    It is raised again only by what happens afterwards: the record since the dismissal must raise it by
    itself. To dismiss it again replaces the note.
    """
    keys = (await engine.store.edition(ladder)).keys
    dismissal = await engine.store.run(flags.dismiss(keys, player, flag, by=key.id, note=body.note))
    await engine.durability.kept(keys.fence, flags.dismissed(keys, player, flag, dismissal))
    return DismissalOut.of(dismissal)

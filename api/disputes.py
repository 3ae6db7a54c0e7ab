"""Disputes: what players think of a result, and what moderators make of it."""

from datetime import datetime
from typing import Annotated, Literal, Self

from fastapi import Query
from pydantic import BaseModel, ConfigDict

from api.access import Admin, Player
from api.engine import Engine, EngineDep
from api.routing import router
from api.shapes import OPTIONAL, Body, LadderPath, ResultPath, SidesOut, instant
from matchmaker.dispute import Closing, Dispute, Felt, Status, Verdict
from matchmaker.fold import Change
from matchmaker.identifiers import Identifier, Note
from matchmaker.rating.explanation import Explanation
from matchmaker.store import disputes
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.reports import Report

endpoints = router("/v1/ladders/{ladder}", "disputes")


class DisputeBody(Body):
    """What a player thinks of a result of its own: that it changed too much or too little, or that it was
    another result."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"player": "ann", "felt": "too_little", "note": "He is far stronger than his rating."}
        }
    )

    player: Identifier
    felt: Felt
    note: Note | None = None


class ClosingBody(Body):
    """Whose dispute is closed: `settled` if something was done about it, else `dismissed`; and why."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"player": "ann", "verdict": "dismissed", "note": "The arithmetic is right."}
        }
    )

    player: Identifier
    verdict: Verdict
    note: Note


class ClosingOut(BaseModel):
    """How a dispute ended, why, by whom (the id of a key) and when."""

    verdict: Verdict
    note: str
    by: str
    at: datetime


class DisputeOut(BaseModel):
    """A dispute, and what became of it."""

    player: str
    result: str
    felt: Felt
    note: str | None
    at: datetime
    status: Status
    closing: ClosingOut | None = OPTIONAL

    @classmethod
    def of(cls, dispute: Dispute) -> Self:
        closing = dispute.closing
        return cls(
            player=dispute.player,
            result=dispute.result,
            felt=dispute.felt,
            note=dispute.note,
            at=instant(dispute.at),
            status=dispute.status,
            closing=closing
            and ClosingOut(verdict=closing.verdict, note=closing.note, by=closing.by, at=instant(closing.at)),
        )


class TermOut(BaseModel):
    """One number of the arithmetic: a stable name, the value, and how it comes about."""

    name: str
    value: float
    text: str


class ArithmeticOut(BaseModel):
    """What led to the change of one player's rating, in the order of reckoning: the change comes last."""

    player: str
    before: float
    after: float
    terms: list[TermOut]

    @classmethod
    def of(cls, change: Change, explanation: Explanation) -> Self:
        terms = [TermOut(name=each.name, value=each.value, text=each.text) for each in explanation.terms]
        return cls(player=change.player, before=change.before, after=change.after, terms=terms)


class CaseOut(DisputeOut, SidesOut):
    """A dispute with the result that it is about, and the arithmetic of what that changed, and what was taken
    back if it is annulled by now."""

    result_status: Literal["accepted", "rated", "annulled"]
    arithmetic: list[ArithmeticOut]

    @classmethod
    def judged(cls, dispute: Dispute, report: Report, edition: Edition) -> Self:
        result = report.logged.result
        return cls(
            **dict(DisputeOut.of(dispute)),
            result_status=report.status,
            **result.told,
            arithmetic=[
                ArithmeticOut.of(change, explanation) for change, explanation in report.explained(edition)
            ],
        )


class DisputesOut(BaseModel):
    """Disputes of one status, those first that came first; `total` counts all of them."""

    total: int
    entries: list[CaseOut]


@endpoints.post("/results/{result}/dispute")
async def dispute(
    engine: EngineDep, key: Player, ladder: LadderPath, result: ResultPath, body: DisputeBody
) -> DisputeOut:
    """Says that a change felt wrong. Scope `play`.

    Once per player and result: the same again changes nothing, other content is refused. A moderator will
    see it, with the arithmetic of the change.
    """
    filed = Dispute(body.player, result, body.felt, body.note, engine.now())
    return await _kept(
        engine, ladder, await engine.store.follow(ladder, lambda edition: disputes.file(edition.keys, filed))
    )


@endpoints.post("/results/{result}/dispute/close")
async def close(
    engine: EngineDep, key: Admin, ladder: LadderPath, result: ResultPath, body: ClosingBody
) -> DisputeOut:
    """Closes a player's dispute, once and with a note. Scope `admin`."""
    closing = Closing(body.verdict, body.note, key.id, engine.now())
    closed = await engine.store.follow(
        ladder, lambda edition: disputes.close(edition.keys, body.player, result, closing)
    )
    return await _kept(engine, ladder, closed)


async def _kept(engine: Engine, ladder: str, dispute: Dispute) -> DisputeOut:
    """The answer, when the dispute is as safe as the settings demand: see Durability.kept."""
    keys = LadderKeys(ladder)
    await engine.durability.kept(keys.fence, disputes.holds(keys, dispute))
    return DisputeOut.of(dispute)


@endpoints.get("/disputes")
async def index(
    engine: EngineDep,
    key: Admin,
    ladder: LadderPath,
    status: Annotated[Status, Query(description="Which disputes.")] = "open",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> DisputesOut:
    """The disputes that wait for a moderator, or those that are closed. Scope `admin`."""
    edition = await engine.store.current(ladder)
    total, found = await engine.store.follow(
        ladder, lambda edition: disputes.page(edition.keys, status, offset, limit)
    )
    return DisputesOut(total=total, entries=[CaseOut.judged(*each, edition) for each in found])

"""What moderators do: annul results, adjust ratings, suspend players and take them back."""

from typing import Literal

from fastapi import Response, status
from pydantic import ConfigDict

from api.access import Admin
from api.engine import Engine, EngineDep
from api.metrics import count_measure
from api.players import standing
from api.reporting import ResultOut, Wait, folded
from api.routing import router
from api.shapes import Body, LadderPath, PlayerPath, ResultPath
from matchmaker.errors import FieldError
from matchmaker.identifiers import Identifier, Reason
from matchmaker.moderation import Adjust, Annul, Reinstate, Suspend
from matchmaker.rating.rule import Points
from matchmaker.standing import Standing
from matchmaker.store import moderation, reports
from matchmaker.store.keys import LadderKeys
from matchmaker.store.moderation import Ruling
from matchmaker.validation import invalid

endpoints = router("/v1/ladders/{ladder}", "moderation")

_WAIT = 2.0  # seconds: moderators are few, and want to see what they did


class Annulment(Body):
    """Why a result is annulled."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"reason": "Both sides were played by one person."}}
    )

    reason: Reason | None = None


_UNEXPLAINED = Annulment()


class Adjustment(Body):
    """What a rating is to be, or by how much it shifts: one of the two. It becomes what the rule can hold.
    With an `id`, a repetition of the same adjustment counts once."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"id": "ticket-4711", "shift": -120, "reason": "Gained by a known defect."}
        }
    )

    rating: Points | None = None
    shift: Points | None = None
    reason: Reason
    id: Identifier | None = None

    def against(self, player: str, by: str) -> Adjust:
        """The measure. Raises InvalidInputError."""
        match self.rating, self.shift:
            case float(points), None:
                return Adjust(player, "set", points, by, self.reason, self.id)
            case None, float(points):
                return Adjust(player, "shift", points, by, self.reason, self.id)
        raise invalid([FieldError("shift", "must be given, or rating, and not both")])


class StatusChange(Body):
    """Whether a player may play, and why."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"status": "suspended", "reason": "Leaves games it is losing."}}
    )

    status: Literal["active", "suspended"]
    reason: Reason | None = None


@endpoints.post(
    "/results/{result}/annul",
    responses={202: {"model": ResultOut, "description": "It will be annulled in a moment."}},
)
async def annul(
    engine: EngineDep,
    key: Admin,
    ladder: LadderPath,
    result: ResultPath,
    response: Response,
    body: Annulment = _UNEXPLAINED,
    wait: Wait = _WAIT,
) -> ResultOut:
    """Takes back exactly what a result has changed, on both sides. Scope `admin`.

    Other results keep what they were rated. A second time changes nothing: the first reason stands.
    """
    annulment = Annul(result, key.id, body.reason or "")
    # Before as well: what the archive cannot show at the moment, the fold could not take back.
    await engine.store.run(reports.find(LadderKeys(ladder), result))
    ruling = await engine.store.on(ladder, lambda edition: moderation.annul(edition, annulment))
    await _kept(engine, ladder, ruling, annulment.kind)
    if ruling.log_id and wait:
        await folded(engine, ladder, ruling.log_id, wait)
    report = await engine.store.run(reports.find(LadderKeys(ladder), result))
    if report.status != "annulled":
        response.status_code = status.HTTP_202_ACCEPTED
    return ResultOut.of(result, report.status, report)


@endpoints.post(
    "/players/{player}/adjust",
    responses={202: {"model": Standing, "description": "The rating will change in a moment."}},
)
async def adjust(
    engine: EngineDep,
    key: Admin,
    ladder: LadderPath,
    player: PlayerPath,
    body: Adjustment,
    response: Response,
    wait: Wait = _WAIT,
) -> Standing:
    """Sets or shifts a player's rating. Scope `admin`.

    Games, experience and peak stay, but a rating above the peak becomes the peak. A shift that is sent again
    counts again, unless it bears an `id`: then it counts once, and 409 `adjustment_conflict` says that the
    id was used for another adjustment of this player.
    """
    measure = body.against(player, key.id)
    ruling = await engine.store.on(ladder, lambda edition: moderation.take(edition, measure))
    await _kept(engine, ladder, ruling, measure.kind)
    if not (ruling.log_id and wait and await folded(engine, ladder, ruling.log_id, wait)):
        response.status_code = status.HTTP_202_ACCEPTED
    return await standing(engine, key, ladder, player)


@endpoints.patch("/players/{player}")
async def change_status(
    engine: EngineDep, key: Admin, ladder: LadderPath, player: PlayerPath, body: StatusChange
) -> Standing:
    """Suspends a player, or takes it back. Scope `admin`.

    A suspended player is off the board and out of every pool at once, and keeps its rating. Its open battles,
    and results that are reported of it, still count: they may have been played before.
    """
    kind = Suspend if body.status == "suspended" else Reinstate
    measure = kind(player, key.id, body.reason or "")
    ruling = await engine.store.on(ladder, lambda edition: moderation.take(edition, measure))
    await _kept(engine, ladder, ruling, measure.kind)
    return await standing(engine, key, ladder, player)


async def _kept(engine: Engine, ladder: str, ruling: Ruling, kind: str) -> None:
    """Returns when what was done is as safe as the settings demand."""
    if ruling.call:
        engine.alarm.ring(ladder)
    if ruling.taken:
        count_measure(kind)
    if ruling.log_id is not None:
        keys = LadderKeys(ladder)
        await engine.durability.kept(keys.fence, moderation.witness(keys, ruling.log_id))

"""Bringing a result in: checking it against the rule, waking the workers, waiting until it is rated."""

from collections.abc import Sequence
from time import perf_counter
from typing import Annotated, Any, Literal, Self

from fastapi import Query, Response, status
from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from api.current_request import current
from api.engine import Engine
from api.metrics import count_reports
from api.shapes import OPTIONAL, Body, ChangeOut, DecisionOut
from matchmaker.devices import Device
from matchmaker.errors import MatchmakerError, NotFoundError
from matchmaker.rating import AnyDetails
from matchmaker.rating.rule import Outcome
from matchmaker.store import reports
from matchmaker.store.fences import lost
from matchmaker.store.keys import LadderKeys
from matchmaker.store.reports import Acceptance, Receipt, Report

Wait = Annotated[
    float,
    Query(ge=0, le=10, allow_inf_nan=False, description="Seconds to wait until a single result is rated."),
]


class _ByRule:
    """Documents details as what the rules take; the one rule that counts is known only with the ladder."""

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(TypeAdapter(AnyDetails).core_schema)


Details = Annotated[dict[str, Any], _ByRule()]


class ResultDevices(Body):
    """On which devices the two sides of a result were seen: opaque texts, of which only keyed hashes are
    kept."""

    initiator: Device | None = None
    opponent: Device | None = None

    def seen(self, initiator: str, opponent: str) -> list[tuple[str, str | None]]:
        """The players with their devices."""
        return [(initiator, self.initiator), (opponent, self.opponent)]


class BattleResult(Body):
    """How a battle ended, as its challenger sees it. What `details` holds depends on the ladder's rule.
    `devices` are no part of what happened: a report with others is still the same."""

    model_config = ConfigDict(json_schema_extra={"example": {"outcome": "win"}})

    outcome: Outcome
    details: Details | None = None
    devices: ResultDevices | None = None


ResultStatus = Literal["accepted", "rated", "annulled", "duplicate"]


class ResultOut(BaseModel):
    """A result and how far it has come; `changes` of initiator and opponent once it is rated. Those of an
    annulled result are what was taken back."""

    id: str
    status: ResultStatus
    changes: tuple[ChangeOut, ChangeOut] | None = OPTIONAL
    annulment: DecisionOut | None = OPTIONAL

    @classmethod
    def of(cls, result: str, status: ResultStatus, report: Report | None = None) -> Self:
        """With what is known of it, if anything is."""
        if report is None:
            return cls(id=result, status=status)
        changes, annulment = report.changes, report.annulment
        return cls(
            id=result,
            status=status,
            changes=changes and (ChangeOut.of(changes[0]), ChangeOut.of(changes[1])),
            annulment=annulment and DecisionOut.of(annulment),
        )


def single(acceptance: Acceptance) -> Receipt:
    """The receipt of the one result that was reported. Raises the reason why it was refused."""
    (outcome,) = acceptance.outcomes
    if isinstance(outcome, MatchmakerError):
        raise outcome
    count_reports(accepted=not outcome.duplicate, duplicates=outcome.duplicate)
    return outcome


async def kept(engine: Engine, ladder: str, receipts: Sequence[Receipt]) -> None:
    """Returns when the results of one report are as safe as the settings demand: see Durability.kept."""
    if receipts:
        keys = LadderKeys(ladder)
        await engine.durability.kept(keys.fence, reports.witness(keys, receipts))


async def answer(
    engine: Engine, ladder: str, receipt: Receipt, call: bool, wait: float, response: Response
) -> ResultOut:
    """The answer to one report: 200 if it is a duplicate or rated within `wait` seconds, else 202."""
    if call:
        engine.alarm.ring(ladder)
    await kept(engine, ladder, [receipt])
    report = None
    if wait and await folded(engine, ladder, receipt.log_id, wait):
        report = await _report(engine, ladder, receipt)
    if receipt.duplicate:
        return ResultOut.of(receipt.result, "duplicate", report)
    if report and report.changes:
        return ResultOut.of(receipt.result, report.status, report)
    response.status_code = status.HTTP_202_ACCEPTED
    return ResultOut.of(receipt.result, "accepted")


async def folded(engine: Engine, ladder: str, log_id: str, wait: float) -> bool:
    """Waits until that entry of the log is folded, or `wait` seconds are over; says which."""
    start = perf_counter()
    try:
        return await engine.watch.reached(ladder, log_id, wait)
    finally:
        current().waited = perf_counter() - start


async def _report(engine: Engine, ladder: str, receipt: Receipt) -> Report:
    try:
        return await engine.store.run(reports.find(LadderKeys(ladder), receipt.result))
    except NotFoundError:
        raise lost() from None

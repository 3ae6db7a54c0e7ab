"""Bringing a result in: checking it against the rule, waking the workers, waiting until it is rated."""

from collections.abc import Callable, Sequence
from itertools import chain
from time import perf_counter
from typing import Annotated, Any, Literal, Self

from fastapi import Query, Response, status
from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from api.current_request import current
from api.engine import Engine
from api.metrics import count_reports
from api.repeats import receipt_of_then
from api.shapes import OPTIONAL, Body, ChangeOut, DecisionOut
from matchmaker.details import check
from matchmaker.devices import Device
from matchmaker.errors import FieldError, InvalidInputError, MatchmakerError, NotFoundError
from matchmaker.identifiers import Identifier
from matchmaker.rating import AnyDetails
from matchmaker.rating.rule import Outcome, Rule
from matchmaker.results import Result
from matchmaker.sides import DUEL, Sides
from matchmaker.store import reports
from matchmaker.store.fences import lost
from matchmaker.store.keys import LadderKeys
from matchmaker.store.reports import Acceptance, Receipt, Report
from matchmaker.validation import invalid

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
    """On which devices the players of a result were seen: opaque texts, of which only keyed hashes are kept.
    Of a side that is one player by the name of the side, of all others by their ids in `players`."""

    initiator: Device | None = None
    opponent: Device | None = None
    players: dict[Identifier, Device] = Field(
        default_factory=dict, json_schema_extra={"additionalProperties": False}
    )

    def seen(self, sides: Sides) -> list[tuple[str, str | None]]:
        """The players with their devices. Raises InvalidInputError for a side that is no single player."""
        if strangers := self.players.keys() - set(chain.from_iterable(sides)):
            raise invalid([FieldError("devices.players", f"has no part in the result: {min(strangers)!r}")])
        seen: list[tuple[str, str | None]] = list(self.players.items())
        for place, field in enumerate(("initiator", "opponent")):
            device = getattr(self, field)
            if device is None:
                continue
            if len(sides) > len(DUEL) or len(sides[place]) > 1:
                raise invalid([FieldError(f"devices.{field}", "is no single player: use devices.players")])
            seen.append((sides[place][0], device))
        return seen


class Reported(Body):
    """What all reports of a result may say besides who won. What `details` holds depends on the ladder's
    rule. `devices` are no part of what happened: a report with others is still the same."""

    details: Details | None = None
    devices: ResultDevices | None = None

    def checked(self, result: Result, rule: Rule, fields: Sequence[str] = ()) -> Result:
        """The result in normal form. Raises InvalidInputError, see matchmaker.details.check."""
        result = check(rule, result, fields)
        if self.devices:
            self.devices.seen(result.sides)
        return result

    def seen(self, result: Result) -> list[tuple[str, str | None]]:
        """Its players with their devices."""
        return self.devices.seen(result.sides) if self.devices else []


class BattleResult(Reported):
    """How a battle ended, as its challenger sees it."""

    model_config = ConfigDict(json_schema_extra={"example": {"outcome": "win"}})

    outcome: Outcome


ResultStatus = Literal["accepted", "rated", "annulled", "duplicate"]


class ResultOut(BaseModel):
    """A result and how far it has come; `changes` of all players once it is rated: of initiator and opponent,
    or side by side. Those of an annulled result are what was taken back."""

    id: str
    status: ResultStatus
    changes: list[ChangeOut] | None = OPTIONAL
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
            changes=changes and [ChangeOut.of(each) for each in changes],
            annulment=annulment and DecisionOut.of(annulment),
        )


async def take(
    engine: Engine, ladder: str, result_id: str, read: Callable[[Rule], Result]
) -> tuple[Receipt, bool]:
    """Takes one result; its receipt, and whether a folding job must be called.

    `read` says what the report means under a rule, or raises InvalidInputError. Raises the reason why it was
    refused.
    """
    try:
        acceptance = await engine.store.on(
            ladder, lambda edition: reports.accept(edition, [read(edition.ladder.rule)], engine.now())
        )
    except InvalidInputError:
        receipt = await receipt_of_then(engine, await engine.store.current(ladder), result_id, read)
        if receipt is None:
            raise
        acceptance = Acceptance([receipt], call=False)
    return single(acceptance), acceptance.call


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

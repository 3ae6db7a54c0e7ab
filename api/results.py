"""Results reported from outside."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from fastapi import Response, status
from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    SkipValidation,
    Tag,
    TypeAdapter,
    ValidationError,
)

from api.access import Reader, Reporter
from api.engine import Engine, EngineDep
from api.metrics import count_rejection, count_reports
from api.repeats import receipt_of_then
from api.reporting import Details, Reported, ResultOut, Wait, answer, kept, take
from api.routing import router
from api.shapes import EPOCH, MILLISECOND, Instant, LadderPath, ResultPath, SidesOut, instant
from matchmaker.errors import FieldError, InvalidInputError, MatchmakerError
from matchmaker.identifiers import Identifier
from matchmaker.rating.rule import WHOLE, Outcome, Rule, by_ranks
from matchmaker.results import Result
from matchmaker.sides import LARGEST_SIDE, MOST_SIDES, side
from matchmaker.store import reports
from matchmaker.store.call import Call
from matchmaker.store.ladders import Edition
from matchmaker.store.reports import Acceptance, Receipt
from matchmaker.validation import invalid, invalid_input

endpoints = router("/v1/ladders/{ladder}/results", "results")

MOST_RESULTS = 1000
"""In one list."""


SideIn = Annotated[
    Annotated[Identifier, Tag("one")]
    | Annotated[list[Identifier], Field(min_length=1, max_length=LARGEST_SIDE), Tag("many")],
    Discriminator(lambda value: "many" if isinstance(value, list) else "one"),
]
"""The id of a player, or a list of 1 to 4: a team."""


class _IdReport(Reported):
    """A result with an id of its own. However often it is sent, its id counts once."""

    id: Identifier
    played_at: Instant | None = None

    @property
    def played_ms(self) -> int | None:
        """When it was played, in milliseconds since the epoch."""
        return None if self.played_at is None else (self.played_at - EPOCH) // MILLISECOND


class ResultReport(_IdReport):
    """What happened between two players of the ladder, or under rules that know teams between two of 1 to 4
    players. However often it is sent, its id counts once."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"id": "match-0001", "initiator": "ann", "opponent": "bob", "outcome": "win"}
        }
    )

    initiator: SideIn
    opponent: SideIn
    outcome: Outcome

    def read(self, rule: Rule) -> Result:
        """What it means under the rule. Raises InvalidInputError."""
        sides = (side(self.initiator), side(self.opponent))
        return self.checked(Result(self.id, sides, self.outcome, self.details or {}, self.played_ms), rule)


class FreeForAllReport(_IdReport):
    """How several sides came in, each a player or a team: `ranks` has one for each of them, 1 is best, equal
    ones are tied. For rules that know free-for-alls; of two sides, it is an ordinary result."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"id": "match-0003", "sides": ["ann", "bob", "eve"], "ranks": [1, 2, 2]}
        }
    )

    sides: list[SideIn] = Field(min_length=2, max_length=MOST_SIDES)
    ranks: list[Annotated[int, Field(ge=1, le=MOST_SIDES), WHOLE]] = Field(
        min_length=2, max_length=MOST_SIDES
    )

    def read(self, rule: Rule) -> Result:
        """What it means under the rule. Raises InvalidInputError."""
        fields = [f"sides.{place}" for place in range(len(self.sides))]
        if len(self.ranks) != len(self.sides):
            raise invalid([FieldError("ranks", "must be as many as there are sides")])
        sides = tuple(map(side, self.sides))
        result = Result(self.id, sides, by_ranks(tuple(self.ranks)), self.details or {}, self.played_ms)
        return self.checked(result, rule, fields)


OneReport = Annotated[
    Annotated[ResultReport, Tag("two_sides")] | Annotated[FreeForAllReport, Tag("free_for_all")],
    Discriminator(
        lambda value: "free_for_all" if isinstance(value, dict) and "sides" in value else "two_sides"
    ),
]
_ONE_REPORT: TypeAdapter[ResultReport | FreeForAllReport] = TypeAdapter(OneReport)

Reports = Annotated[
    Annotated[OneReport, Tag("one")]
    | Annotated[list[SkipValidation[OneReport | Any]], Field(max_length=MOST_RESULTS), Tag("many")],
    Discriminator(lambda value: "many" if isinstance(value, list) else "one"),
]
"""One result, or a list of which each is judged by itself."""


class Rejection(BaseModel):
    """A result of a list that was refused, and why."""

    index: int
    code: str
    detail: str


class ReportsOut(BaseModel):
    """What became of a list of results."""

    accepted: int
    duplicates: int
    rejected: list[Rejection]


@endpoints.post(
    "",
    responses={
        202: {"model": ResultOut | ReportsOut, "description": "Accepted; it will be rated in a moment."}
    },
)
async def report(
    engine: EngineDep, key: Reporter, ladder: LadderPath, body: Reports, response: Response, wait: Wait = 0
) -> ResultOut | ReportsOut:
    """Reports a result, or up to 1,000. Scope `report`.

    Each id counts once: sending it again is always safe. The id of a battle settles that battle. Any other
    result between accounts that share an owner or a device is 409 `linked_accounts`, unless the ladder's
    setting of that name is `flag`.
    """
    if isinstance(body, list):
        response.status_code = status.HTTP_202_ACCEPTED
        return await _report_many(engine, ladder, body)
    await _note_devices(engine, ladder, [body])
    receipt, call = await take(engine, ladder, body.id, body.read)
    return await answer(engine, ladder, receipt, call, wait, response)


class RecordOut(ResultOut, SidesOut):
    """A result as it was reported, and how far it has come. `at`: when it was played, or else accepted."""

    details: Details
    at: datetime


@endpoints.get("/{result}")
async def result(
    engine: EngineDep,
    key: Reader,
    ladder: LadderPath,
    result: ResultPath,
) -> RecordOut:
    """A reported result, how far it has come, and what it changed."""
    edition = await engine.store.edition(ladder)
    found = await engine.store.run(reports.find(edition.keys, result))
    reported = found.logged.result
    return RecordOut(
        **dict(ResultOut.of(result, found.status, found)),
        **reported.told,
        details=reported.details,
        at=instant(found.logged.at),
    )


async def _note_devices(
    engine: Engine, ladder: str, reported: Sequence[ResultReport | FreeForAllReport | InvalidInputError]
) -> None:
    """Notes on which devices the players of these reports were seen; not of those that are malformed.

    Before they are judged: that two accounts share a device may come out with their result.
    """
    telling = [each for each in reported if isinstance(each, Reported) and each.devices]
    if not telling:
        return
    rule = (await engine.store.current(ladder)).ladder.rule
    seen: list[tuple[str, str | None]] = []
    for each in telling:
        result = _judge(each, rule)
        if isinstance(result, Result):
            seen += each.seen(result)
    await engine.sightings.note(ladder, seen, engine.now())


async def _report_many(engine: Engine, ladder: str, items: list[Any]) -> ReportsOut:
    reported = [_parse(item) for item in items]
    await _note_devices(engine, ladder, reported)

    def accept(edition: Edition) -> Call[tuple[list[Receipt | MatchmakerError], bool]]:
        # Judged under the settings that the acceptance is fenced with, and again if they were stale.
        judged = [_judge(each, edition.ladder.rule) for each in reported]
        valid = [each for each in judged if isinstance(each, Result)]
        return reports.accept(edition, valid, engine.now()).then(partial(_all_outcomes, judged))

    final, call = await engine.store.on(ladder, accept)
    await _recognize(engine, ladder, reported, final)
    if call:
        engine.alarm.ring(ladder)
    receipts = [each for each in final if isinstance(each, Receipt)]
    await kept(engine, ladder, receipts)
    duplicates = sum(receipt.duplicate for receipt in receipts)
    rejected = list(_rejections(final))
    accepted = len(receipts) - duplicates
    count_reports(accepted, duplicates)
    for each in rejected:
        count_rejection(each.code)
    return ReportsOut(accepted=accepted, duplicates=duplicates, rejected=rejected)


def _all_outcomes(
    judged: list[Result | InvalidInputError], acceptance: Acceptance
) -> tuple[list[Receipt | MatchmakerError], bool]:
    """What became of each result of the list, and whether a folding job must be called."""
    outcomes = iter(acceptance.outcomes)
    return [next(outcomes) if isinstance(each, Result) else each for each in judged], acceptance.call


async def _recognize(
    engine: Engine,
    ladder: str,
    reported: Sequence[ResultReport | FreeForAllReport | InvalidInputError],
    outcomes: list[Receipt | MatchmakerError],
) -> None:
    """Puts receipts in the place of refusals that only the rule of now makes."""
    refused = [place for place, each in enumerate(outcomes) if isinstance(each, InvalidInputError)]
    if not refused:
        return
    edition = await engine.store.current(ladder)
    for place in refused:
        report = reported[place]
        if isinstance(report, Reported):
            receipt = await receipt_of_then(engine, edition, report.id, report.read)
            outcomes[place] = receipt or outcomes[place]


def _parse(item: Any) -> ResultReport | FreeForAllReport | InvalidInputError:
    try:
        return _ONE_REPORT.validate_python(item)
    except ValidationError as error:
        return invalid_input(error)


def _judge(
    report: ResultReport | FreeForAllReport | InvalidInputError, rule: Rule
) -> Result | InvalidInputError:
    if isinstance(report, InvalidInputError):
        return report
    try:
        return report.read(rule)
    except InvalidInputError as error:
        return error


def _rejections(outcomes: list[Receipt | MatchmakerError]) -> Iterator[Rejection]:
    for index, outcome in enumerate(outcomes):
        if isinstance(outcome, MatchmakerError):
            yield Rejection(index=index, code=outcome.code, detail=outcome.detail)

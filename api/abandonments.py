"""Matches that somebody has left."""

from typing import Annotated, Literal

from fastapi import Path, Response
from pydantic import ConfigDict, Field

from api import gammon_process
from api.access import Reporter
from api.engine import Engine, EngineDep
from api.openapi import problem_response
from api.reporting import ResultDevices, ResultOut, Wait, answer, single
from api.routing import router
from api.shapes import OPTIONAL, Body
from matchmaker.backgammon import notation
from matchmaker.backgammon.abandonment import Abandonment, demand_matches
from matchmaker.backgammon.position import Position
from matchmaker.errors import FieldError, NotFoundError
from matchmaker.identifiers import Identifier, LadderId
from matchmaker.rating.match_length import LONGEST_MATCH
from matchmaker.rating.rule import ACROSS, Seat, Share, Whole
from matchmaker.results import Result
from matchmaker.store import reports
from matchmaker.store.call import Call
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.reports import Acceptance
from matchmaker.validation import invalid

endpoints = router("/v1/ladders/{ladder}/abandonments", "abandonments")

MatchLadderPath = Annotated[LadderId, Path(examples=["backgammon"])]
Who = Annotated[Identifier, Field(description="The id of one of the two, or `initiator` or `opponent`.")]


class AbandonmentReport(Body):
    """A match that one side has left, and what speaks for a gammon: `position`, or `gammon_probability`, or
    nothing."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": "match-0002",
                "initiator": "ann",
                "opponent": "bob",
                "leaver": "bob",
                "length": 5,
                "gammon_probability": 0.31,
            }
        }
    )

    id: Identifier
    initiator: Identifier
    opponent: Identifier
    leaver: Who
    length: Whole = Field(ge=1, le=LONGEST_MATCH, description="Points that the match was played to.")
    position: str | None = Field(
        default=None,
        min_length=1,
        max_length=notation.LONGEST_NOTATION,
        description="How the game stood before the dice of whoever is on roll: an XGID, in which the "
        "initiator is the bottom player (capitals; on roll if the fourth field is 1), or a position id of "
        "GNU Backgammon, which is written around the player on roll and needs `on_roll`.",
    )
    on_roll: Who | None = Field(default=None, description="Whose turn it was; an XGID says so itself.")
    gammon_probability: Share | None = Field(
        default=None,
        description="The leaver's probability of losing a gammon or backgammon, if the game knows it.",
    )

    devices: ResultDevices | None = None

    def read(self) -> Abandonment:
        """What it means. Raises InvalidInputError."""
        if self.initiator == self.opponent:
            raise invalid([FieldError("opponent", "must be another player than the initiator")])
        leaver = self._seat("leaver", self.leaver)
        on_roll = None if self.on_roll is None else self._seat("on_roll", self.on_roll)
        evidence: Position | float | None = self.gammon_probability
        if self.position is not None:
            if evidence is not None:
                raise invalid([FieldError("gammon_probability", "must be left out where position says it")])
            evidence = notation.read(self.position, on_roll)
        return Abandonment(self.id, self.initiator, self.opponent, leaver, self.length, evidence)

    def _seat(self, field: str, who: str) -> Seat:
        if who == self.initiator:
            return "initiator"
        if who == self.opponent:
            return "opponent"
        if who in ACROSS:
            return who
        raise invalid([FieldError(field, "must be one of the two players, or initiator or opponent")])


class AbandonmentOut(ResultOut):
    """The result, and what was ruled: the leaver's probability of losing a gammon, if anything says it, and
    the points that the one who stayed gets: 2 if that is at least the ladder's `gammon_threshold`, else 1."""

    gammon_probability: float | None = OPTIONAL
    points: Literal[1, 2]


@endpoints.post(
    "",
    responses={
        202: {"model": AbandonmentOut, "description": "Accepted; it will be rated in a moment."},
        501: problem_response("`position` needs an engine that is not installed: `engine_missing`."),
    },
)
async def report(
    engine: EngineDep,
    key: Reporter,
    ladder: MatchLadderPath,
    body: AbandonmentReport,
    response: Response,
    wait: Wait = 0,
) -> AbandonmentOut:
    """Reports that a player has left a match: the leaver loses it. Scope `report`.

    For ladders that rate by `match_length`. It is a result like any other; `details.abandoned` says who left.
    Sent again, it is a duplicate: what was ruled first stands, whatever has become of the ladder's settings.
    """
    abandonment = body.read()
    edition = await engine.store.current(ladder)
    demand_matches(edition.ladder)
    earlier = await _earlier(engine, edition.keys, abandonment)
    chance = None if earlier else await _gammon_probability(abandonment)

    if body.devices:
        sides = ((body.initiator,), (body.opponent,))
        seen = body.devices.seen(sides)
        await engine.sightings.note(ladder, seen, engine.now())

    def accept(edition: Edition) -> Call[tuple[Result, Acceptance]]:
        result = earlier or abandonment.ruled(edition.ladder, chance)
        return reports.accept(edition, [result], engine.now()).then(lambda acceptance: (result, acceptance))

    result, acceptance = await engine.store.on(ladder, accept)
    reported = await answer(engine, ladder, single(acceptance), acceptance.call, wait, response)
    return AbandonmentOut(
        **dict(reported),
        gammon_probability=result.details.get("gammon_probability"),
        points=result.details["points"],
    )


async def _earlier(engine: Engine, keys: LadderKeys, abandonment: Abandonment) -> Result | None:
    """What the same report has led to before. Raises ConflictError if its id was used for something else."""
    try:
        earlier = (await engine.store.run(reports.find(keys, abandonment.id))).logged.result
    except NotFoundError:
        return None
    if not abandonment.is_told_by(earlier):
        raise reports.conflict(earlier)
    return earlier


async def _gammon_probability(abandonment: Abandonment) -> float | None:
    if isinstance(abandonment.evidence, Position):
        return await gammon_process.gammon_probability(abandonment.evidence, abandonment.leaver)
    return abandonment.evidence

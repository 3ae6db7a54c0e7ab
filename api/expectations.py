"""What a battle would do to the ratings."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ValidationError

from api.access import Reader
from api.engine import EngineDep
from api.routing import router
from api.shapes import OPTIONAL, LadderPath
from matchmaker.errors import FieldError, NotFoundError
from matchmaker.expectation import Expectation, expect
from matchmaker.identifiers import Identifier
from matchmaker.rating.match_length import LONGEST_MATCH
from matchmaker.rating.rule import Move
from matchmaker.standing import Standing
from matchmaker.store import players
from matchmaker.store.call import Call
from matchmaker.store.ladders import Edition
from matchmaker.validation import invalid, invalid_input

endpoints = router("/v1/ladders/{ladder}/expectation", "expectation")


class Sides(BaseModel):
    """A number for the initiator and one for the opponent."""

    initiator: float
    opponent: float


class OutcomesOut(BaseModel):
    """Rating points won or lost by each outcome; no draw where the rule knows none."""

    win: Sides
    draw: Sides | None = OPTIONAL
    loss: Sides


class ExpectationOut(BaseModel):
    """What a battle would do. `k` is null under rules without a K."""

    expected_score: float
    k: Sides | None
    outcomes: OutcomesOut


def _sides(moves: tuple[Move, Move], number: Callable[[Move], float]) -> Sides:
    return Sides(initiator=number(moves[0]), opponent=number(moves[1]))


@endpoints.get("")
async def expectation(
    engine: EngineDep,
    key: Reader,
    ladder: LadderPath,
    initiator: Annotated[Identifier, Query(examples=["ann"])],
    opponent: Annotated[Identifier, Query(examples=["bob"])],
    length: Annotated[
        int | None, Query(ge=1, le=LONGEST_MATCH, description="Points that the match is played to.")
    ] = None,
) -> ExpectationOut:
    """Expected score of the initiator, the K of both, and the points that each outcome would move.

    An unremarkable battle is assumed: no bonuses and penalties, and one point where matches have a length.
    """
    if initiator == opponent:
        raise invalid([FieldError("opponent", "must be another player than the initiator")])

    def expected_under(edition: Edition) -> Call[Expectation]:
        def read(found: dict[str, Standing]) -> Expectation:
            for player in (initiator, opponent):
                if player not in found:
                    raise NotFoundError("player", player)
            return expect(edition.ladder.rule, found[initiator].state, found[opponent].state, length)

        return players.standings(edition, (initiator, opponent)).then(read)

    try:
        expected = await engine.store.on(ladder, expected_under)
    except ValidationError as error:
        raise invalid_input(error) from None
    win = expected.outcomes["win"]
    moves = {outcome: _sides(pair, lambda move: move.delta) for outcome, pair in expected.outcomes.items()}
    return ExpectationOut(
        expected_score=expected.expected_score,
        k=_sides(win, lambda move: move.k) if win[0].k else None,
        outcomes=OutcomesOut(win=moves["win"], draw=moves.get("draw"), loss=moves["loss"]),
    )

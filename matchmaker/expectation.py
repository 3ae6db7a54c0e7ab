"""What a battle between two players would do to their ratings. Pure."""

from dataclasses import dataclass

from matchmaker.rating.rule import Move, Outcome, PlayerState, Rule


@dataclass(frozen=True, slots=True)
class Expectation:
    """The initiator's expected score, and for each possible outcome the moves of initiator and opponent."""

    expected_score: float
    outcomes: dict[Outcome, tuple[Move, Move]]


def expect(
    rule: Rule, initiator: PlayerState, opponent: PlayerState, length: int | None = None
) -> Expectation:
    """What an unremarkable battle would do (to `length` points, 1 unless said, where matches have a length).

    Raises pydantic.ValidationError for a length that the rule does not allow.
    """
    details = rule.typical_details(length)
    possible: tuple[Outcome, ...] = ("win", "draw", "loss") if rule.draws else ("win", "loss")
    outcomes = {outcome: rule.rate(initiator, opponent, outcome, details) for outcome in possible}
    return Expectation(outcomes["win"][0].expected, outcomes)

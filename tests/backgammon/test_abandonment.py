import pytest

from matchmaker.backgammon.abandonment import Abandonment, points
from matchmaker.backgammon.position import Position
from matchmaker.errors import ConflictError
from matchmaker.ladder import Ladder
from matchmaker.rating import InitiatorK, MatchLength
from matchmaker.results import Result
from tests.backgammon.positions import OPENING

LADDER = Ladder(id="backgammon", rule=MatchLength())
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
POSITION = Position(OPENING, OPENING, "initiator")


def _abandonment(evidence: Position | float | None = None) -> Abandonment:
    return Abandonment("m", "ann", "bob", "opponent", 5, evidence)


@pytest.mark.parametrize(
    ("probability", "threshold", "awarded"),
    [
        (None, 0.2, 1),
        (None, 0.0, 1),
        (0.19, 0.2, 1),
        (0.2, 0.2, 2),
        (1.0, 1.0, 2),
        (0.0, 0.0, 1),
        (0.000001, 0.0, 2),
    ],
)
def test_two_points_are_awarded_from_the_threshold_on_and_never_without_a_chance(
    probability: float | None, threshold: float, awarded: int
) -> None:
    assert points(probability, threshold) == awarded


def test_the_leaver_loses_and_what_was_ruled_is_kept_with_the_evidence() -> None:
    assert _abandonment(POSITION).ruled(LADDER, 0.15) == Result.duel(
        *("m", "ann", "bob", "win"),
        {"length": 5, "abandoned": "opponent", "points": 1, "gammon_probability": 0.15, "position": START},
    )
    assert _abandonment().ruled(LADDER, None).details == {"length": 5, "abandoned": "opponent", "points": 1}


@pytest.mark.parametrize("threshold", [0.0, 1.0])
@pytest.mark.parametrize("evidence", [None, 0.3, POSITION])
def test_a_report_is_recognised_whatever_was_ruled(
    evidence: Position | float | None, threshold: float
) -> None:
    ladder = LADDER.model_copy(update={"gammon_threshold": threshold})
    result = _abandonment(evidence).ruled(ladder, 0.3 if evidence else None)
    recognised = [each for each in (None, 0.3, POSITION) if _abandonment(each).is_told_by(result)]
    assert recognised == [evidence]


@pytest.mark.parametrize(
    "result",
    [
        Result.duel("m", "bob", "ann", "win", {"length": 5, "abandoned": "opponent", "points": 1}),
        Result.duel("m", "ann", "bob", "loss", {"length": 5, "abandoned": "initiator", "points": 1}),
        Result.duel("m", "ann", "bob", "win", {"length": 7, "abandoned": "opponent", "points": 1}),
        Result.duel("m", "ann", "bob", "win", {"length": 5, "abandoned": "opponent"}),
        Result.duel("m", "ann", "bob", "win", {"length": 5}),
    ],
)
def test_a_result_that_says_something_else_is_not_taken_for_the_report(result: Result) -> None:
    assert not _abandonment().is_told_by(result)


def test_only_matches_of_backgammon_can_be_left() -> None:
    with pytest.raises(ConflictError) as refused:
        _abandonment().ruled(Ladder(id="nft", rule=InitiatorK()), None)
    assert refused.value.code == "wrong_rule"

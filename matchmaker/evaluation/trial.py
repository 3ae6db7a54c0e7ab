"""Rules on trial: each predicts and rates the same results, in one pass over them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from matchmaker.errors import InvalidInputError
from matchmaker.evaluation import calibration
from matchmaker.evaluation.calibration import Bucket
from matchmaker.evaluation.distribution import Course, Distribution, Milestone, describe, milestone
from matchmaker.evaluation.scores import Duel, Margin, Prediction, Scores, Scoring, log_loss
from matchmaker.fold import fold
from matchmaker.rating.rule import SCORES, PlayerState, Rule
from matchmaker.results import Entry, Join, Result

_PRIOR_RESULTS: Final = 1  # with a score of 1/2: what is foreseen before there is any result


@dataclass(frozen=True, slots=True)
class Contender:
    """A rule, and the rating with which its players start."""

    label: str
    rule: Rule
    initial_rating: float


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a contender. Times, where there are any, are counted in results.

    `against_first` compares its log loss with that of the first contender (None for that one itself).
    """

    label: str
    rule: dict[str, Any]
    initial_rating: float
    scores: Scores
    against_first: Margin | None
    calibration_error: float
    by_chance: tuple[Bucket, ...]
    by_gap: tuple[Bucket, ...]
    ratings: Distribution
    course: tuple[Milestone, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All contenders on the same results. Of `results`, the first `burn_in` were rated but not scored.

    `without_ratings` is who foresees for everybody what initiators have scored on average so far: a rating is
    worth what it is better than that.
    """

    results: int
    burn_in: int
    without_ratings: Scores
    reports: tuple[Report, ...]


class Trial:
    """One contender. `origin` is the rule under which the entries were accepted, with its start rating."""

    def __init__(self, contender: Contender, origin: Contender) -> None:
        self.contender = contender
        self._origin = origin
        self._states: dict[str, PlayerState] = {}
        self._created = 0.0

    def join(self, entry: Join) -> None:
        """Lets a player in, as far from the start as it is where the entry comes from."""
        move = self.contender.initial_rating - self._origin.initial_rating
        settle, brought = self.contender.rule.settle, entry.state
        rating, peak = settle(brought.rating + move), settle(brought.peak + move)
        state = brought._replace(rating=rating, peak=peak)
        fold(self._states, [replace(entry, state=state)], self.contender.rule)

    def predict(self, result: Result) -> Prediction:
        """What was to be expected of the result; only then is it rated. Whom nobody knows joins.

        Raises InvalidInputError if the rule can't rate it.
        """
        rule = self.contender.rule
        for player in result.players:
            if player not in self._states:
                self._states[player] = PlayerState(rule.settle(self.contender.initial_rating))
        if rule.name != self._origin.rule.name:
            result = self._translated(result)
        (changes,) = fold(self._states, [result], rule)
        assert changes is not None
        own, other = changes
        self._created += own.move.delta + other.move.delta
        return Prediction(own.move.expected, SCORES[result.outcome], own.before - other.before)

    def _translated(self, result: Result) -> Result:
        """What another rule can make of it: the details that it has are those of the origin's rule."""
        rule = self.contender.rule
        if result.outcome == "draw" and not rule.draws:
            raise InvalidInputError(f"the rule {rule.name} knows no draws, and result {result.id!r} is one")
        return replace(result, details=rule.typical_details(result.details.get("length")))

    @property
    def ratings(self) -> list[float]:
        """Of all who have played."""
        return [state.rating for state in self._states.values() if state.wins + state.draws + state.losses]

    @property
    def distribution(self) -> Distribution:
        return describe(self.ratings, self._created)


class _Scored:
    """A trial, and all that is noted of it."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self._scoring, self._duel, self._course = Scoring(), Duel(), Course()
        self._by_chance, self._by_gap = calibration.by_chance(), calibration.by_gap()

    def score(self, prediction: Prediction, loss: float, first_loss: float) -> None:
        expected, score, _ = prediction
        self._scoring.add(expected, score, loss)
        self._duel.add(loss, first_loss)
        self._by_chance.add(expected, expected, score)
        self._by_gap.add(*calibration.for_better_side(prediction))

    def pass_by(self, results: int) -> None:
        """So many results are rated."""
        if self._course.due(results):
            self._course.add(results, self.trial.ratings)

    def report(self, results: int, *, first: bool) -> Report:
        contender, scores = self.trial.contender, self._scoring.total()
        by_chance = self._by_chance.filled()
        return Report(
            label=contender.label,
            rule=contender.rule.model_dump(mode="json"),
            initial_rating=contender.initial_rating,
            scores=scores,
            against_first=None if first else self._duel.margin(),
            calibration_error=calibration.error(by_chance),
            by_chance=by_chance,
            by_gap=self._by_gap.filled(),
            ratings=self.trial.distribution,
            course=self._course.until(milestone(results, self.trial.ratings)),
        )


def evaluate(
    entries: Iterable[Entry], contenders: Sequence[Contender], origin: Contender, burn_in: int = 0
) -> Evaluation:
    """Puts all contenders on trial. Nothing but their players' states is kept.

    Raises InvalidInputError for a result that a rule can't rate, and if none is left to be scored.
    """
    everybody = [_Scored(Trial(contender, origin)) for contender in contenders]
    without, total, count = Scoring(), 0.0, 0
    for entry in entries:
        match entry:
            case Join():
                for each in everybody:
                    each.trial.join(entry)
            case Result():
                predictions = [each.trial.predict(entry) for each in everybody]
                score = SCORES[entry.outcome]
                if count >= burn_in:
                    losses = [log_loss(prediction.expected, score) for prediction in predictions]
                    for each, prediction, loss in zip(everybody, predictions, losses, strict=True):
                        each.score(prediction, loss, losses[0])
                    usual = (total + 0.5 * _PRIOR_RESULTS) / (count + _PRIOR_RESULTS)
                    without.add(usual, score, log_loss(usual, score))
                total, count = total + score, count + 1
                for each in everybody:
                    each.pass_by(count)
    reports = tuple(each.report(count, first=not place) for place, each in enumerate(everybody))
    return Evaluation(count, burn_in, without.total(), reports)

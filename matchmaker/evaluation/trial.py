"""Rules on trial: each predicts and rates the same results, in one pass over them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from matchmaker.eras import Accepted, Foreign, plain, translated
from matchmaker.errors import InvalidInputError
from matchmaker.evaluation import calibration
from matchmaker.evaluation.calibration import Bucket
from matchmaker.evaluation.distribution import Course, Distribution, Milestone, describe, milestone
from matchmaker.evaluation.scores import Duel, Margin, Prediction, Scores, Scoring, log_loss
from matchmaker.fold import Changes, Rated, fold
from matchmaker.moderation import Annul
from matchmaker.rating.rule import SCORES, PlayerState, Rule, outcome_for, side_rating
from matchmaker.results import Entry, Result

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
    """One contender. `origin` is the rule under which the entries were accepted, with its start rating;
    `annulled` are ids of results that one of them takes back."""

    def __init__(self, contender: Contender, origin: Contender, annulled: Collection[str] = ()) -> None:
        self.contender = contender
        self._origin = origin
        self._shift = contender.initial_rating - origin.initial_rating
        self._annulled = annulled
        self._rated: dict[str, Rated] = {}
        self._states: dict[str, PlayerState] = {}
        self._created = 0.0

    def take(self, accepted: Accepted) -> None:
        """Takes an entry that is no result. Whoever joins stands as far from the start as in the origin.

        Raises InvalidInputError if it is about a player or a result that did not come before it.
        """
        entry = self._translated(accepted)
        if isinstance(entry, Annul) and entry.result in self._rated:
            self._created -= _created(self._rated[entry.result].changes)
        try:
            fold(self._states, [entry], self.contender.rule, self._rated)
        except KeyError as missing:
            raise InvalidInputError(f"the log speaks of {missing}, which it does not know") from None

    def predict(self, accepted: Accepted) -> tuple[Prediction, ...]:
        """What was to be expected of the result; only then is it rated. Whom nobody knows joins.

        That is one prediction of two sides, and in a free-for-all one of each pair of sides.

        Raises InvalidInputError if the rule can't rate it.
        """
        rule, result = self.contender.rule, self._translated(accepted)
        assert isinstance(result, Result)
        for player in result.players:
            if player not in self._states:
                self._states[player] = rule.newcomer(self.contender.initial_rating)
        foreseen = tuple(self._foreseen(result)) if result.free_for_all else ()
        (changes,) = fold(self._states, [result], rule)
        if result.id in self._annulled:
            self._rated[result.id] = Rated(result, changes)
        self._created += _created(changes)
        if foreseen:
            return foreseen
        size = len(result.sides[0])
        own, other = (
            side_rating([each.strength_before for each in side]) for side in (changes[:size], changes[size:])
        )
        return (Prediction(changes[0].move.expected, SCORES[result.outcomes[0]], own - other),)

    def _foreseen(self, result: Result) -> Iterator[Prediction]:
        """Of each pair of sides, the one with the lower id as the initiator's.

        Games tell sides as they came in: whoever is named first would be the better one, however unexpected.
        """
        told = sorted(zip(result.sides, result.ranks, strict=True), key=lambda side: min(side[0]))
        sides = [([self._states[player] for player in side], rank) for side, rank in told]
        for (own, rank), (other, its_rank) in combinations(sides, 2):
            gap = side_rating([each.strength for each in own]) - side_rating(
                [each.strength for each in other]
            )
            score = SCORES[outcome_for((rank, its_rank))]
            yield Prediction(self.contender.rule.foresee(own, other), score, gap)

    def _translated(self, accepted: Accepted) -> Entry:
        """What the contender's rule can make of it: the details that it has are those of another rule."""
        rule, shift = self.contender.rule, self._shift
        if isinstance(accepted, Foreign):
            return translated(accepted.entry, accepted.era.rule, accepted.era.shift + shift, rule)
        return translated(accepted, self._origin.rule, shift, rule)

    @property
    def states(self) -> Mapping[str, PlayerState]:
        """Of all who are in the ladder."""
        return self._states

    @property
    def ratings(self) -> list[float]:
        """Of all who have played: their strengths, which can be compared whatever the rule."""
        return [state.strength for state in self._states.values() if state.wins + state.draws + state.losses]

    @property
    def created(self) -> float:
        """Points that were there in no start rating."""
        return self._created

    @property
    def distribution(self) -> Distribution:
        return describe(self.ratings, self._created)


def _created(changes: Changes) -> float:
    """Points that there were not before."""
    return sum(change.move.strength for change in changes)


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
    entries: Iterable[Accepted],
    contenders: Sequence[Contender],
    origin: Contender,
    *,
    burn_in: int = 0,
    annulled: Collection[str] = (),
) -> Evaluation:
    """Puts all contenders on trial. Nothing but their players' states is kept.

    `annulled` are the ids of all results that an entry annuls: until then they are in the ratings, as they
    were when it was played, but they are never scored. Raises InvalidInputError for a result that a rule
    can't rate, and if none is left to be scored.
    """
    everybody = [_Scored(Trial(contender, origin, annulled)) for contender in contenders]
    without, total, pairs, count = Scoring(), 0.0, 0, 0
    for accepted in entries:
        entry = plain(accepted)
        if not isinstance(entry, Result):
            for each in everybody:
                each.trial.take(accepted)
            continue
        predictions = [each.trial.predict(accepted) for each in everybody]
        usual = (total + 0.5 * _PRIOR_RESULTS) / (pairs + _PRIOR_RESULTS)
        for of_pair in zip(*predictions, strict=True):
            score = of_pair[0].score
            if count >= burn_in and entry.id not in annulled:
                losses = [log_loss(prediction.expected, score) for prediction in of_pair]
                for each, prediction, loss in zip(everybody, of_pair, losses, strict=True):
                    each.score(prediction, loss, losses[0])
                without.add(usual, score, log_loss(usual, score))
            total, pairs = total + score, pairs + 1
        count += 1
        for each in everybody:
            each.pass_by(count)
    reports = tuple(each.report(count, first=not place) for place, each in enumerate(everybody))
    return Evaluation(count, burn_in, without.total(), reports)

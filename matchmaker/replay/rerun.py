"""One or two rules that rate the same results, from the first to the last."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from matchmaker.eras import Accepted, plain
from matchmaker.evaluation.distribution import Course, Milestone, milestone
from matchmaker.evaluation.trial import Contender, Trial
from matchmaker.moderation import Reinstate, Suspend
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result


@dataclass
class Run:
    """What a contender has made of the results.

    `ratings` are those of all who have played (where the rule has a sigma, their strengths), `course` is how
    these went, `created` the points that were there in no start rating.
    """

    contender: Contender
    states: Mapping[str, PlayerState]
    ratings: Sequence[float]
    created: float
    course: tuple[Milestone, ...]


@dataclass
class Rerun:
    """Folds entries one by one under each of the contenders.

    `origin` is the rule under which they were accepted, with its start rating, `annulled` are ids of results
    that one of them takes back. `off_board` is who is suspended.
    """

    contenders: tuple[Contender, ...]
    origin: Contender
    annulled: Collection[str] = ()
    results: int = 0
    off_board: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._trials = [Trial(each, self.origin, self.annulled) for each in self.contenders]
        self._courses = [Course() for _ in self.contenders]

    def take(self, accepted: Accepted) -> None:
        """Raises InvalidInputError for what a rule can't rate, or what is about nobody."""
        entry = plain(accepted)
        if isinstance(entry, Result):
            self.results += 1
            for trial, course in zip(self._trials, self._courses, strict=True):
                trial.predict(accepted)
                if course.due(self.results):
                    course.add(self.results, trial.ratings)
            return
        for trial in self._trials:
            trial.take(accepted)
        match entry:
            case Suspend(player):
                self.off_board.add(player)
            case Reinstate(player):
                self.off_board.discard(player)

    def take_all(self, entries: Iterable[Accepted]) -> None:
        for each in entries:
            self.take(each)

    @property
    def states(self) -> tuple[Mapping[str, PlayerState], ...]:
        """Of everybody in the ladder, under each of the contenders."""
        return tuple(trial.states for trial in self._trials)

    @property
    def runs(self) -> tuple[Run, ...]:
        """What has become of the contenders by now."""
        return tuple(
            Run(trial.contender, trial.states, trial.ratings, trial.created, self._until_now(trial, course))
            for trial, course in zip(self._trials, self._courses, strict=True)
        )

    def _until_now(self, trial: Trial, course: Course) -> tuple[Milestone, ...]:
        ratings = trial.ratings
        return course.until(milestone(self.results, ratings)) if ratings else ()

"""Which coefficients would have foreseen the results best? A search over what was played first."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from pydantic import ValidationError

from matchmaker.eras import Accepted, plain
from matchmaker.errors import EngineMissingError
from matchmaker.evaluation.coefficients import changed, chosen, usual
from matchmaker.evaluation.scores import Scoring, log_loss
from matchmaker.evaluation.trial import Contender, Trial
from matchmaker.rating.rule import Rule
from matchmaker.results import Result

PACKAGE: Final = "scipy"

_FACTOR: Final = 30.0  # a K, or another positive number, may become so many times larger or smaller
_POINTS: Final = 1000.0  # a number of points that may be negative may move so far
_FIRST_STEP: Final = 0.5  # of the logarithm of a K; of _UNIT points
_LAST_STEP: Final = 0.002
_UNIT: Final = 100.0
_DIGITS: Final = 3
_WORST: Final = log_loss(1.0, 0.0)  # sure, and wrong

Values = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A coefficient before and after the search, by its name among the ladder's settings.

    `matters` is False, and nothing was searched, if another value changed nothing at all.
    """

    name: str
    before: float
    after: float
    matters: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """What a search over the first `training` results has found; losses are of these, without the burn-in."""

    training: int
    coefficients: tuple[Fitted, ...]
    loss_before: float
    loss_after: float
    trials: int


def demand() -> None:
    """Raises EngineMissingError if the optimiser is not here."""
    if find_spec(PACKAGE) is None:
        raise EngineMissingError(PACKAGE)


@dataclass(frozen=True, slots=True)
class Search:
    """A search over the first `share` of the results, of which neither the first `burn_in` nor those that are
    `annulled` count.

    It moves the coefficients in `names`; without any, those that are worth it. Nothing is random: the same
    results give the same values.
    """

    share: float
    burn_in: int = 0
    names: tuple[str, ...] = ()
    annulled: Collection[str] = ()

    def values(self, rule: Rule) -> dict[str, float]:
        """The coefficients that it will move. Raises InvalidInputError for one that can't be moved."""
        return chosen(rule, self.names or usual(rule))

    def run(
        self,
        entries: Sequence[Accepted],
        contender: Contender,
        origin: Contender,
        *,
        told: Callable[[], object] = lambda: None,
    ) -> tuple[Fit, Contender]:
        """Looks for the values with the least log loss; returns the contender with them, too.

        Values are rounded to three digits, so that they can be written down. Calls `told` after each trial.
        """
        training = training_part(entries, self.share)
        trials = 0

        def loss(candidate: Values) -> float:
            nonlocal trials
            trials += 1
            told()
            try:
                rule = changed(contender.rule, candidate)
            except ValidationError:  # such as a ramp that falls below zero
                return _WORST
            return self._loss(training, Trial(replace(contender, rule=rule), origin, self.annulled))

        values = self.values(contender.rule)
        before = loss(values)
        matter = [name for name, value in values.items() if loss({name: _nudged(name, value)}) != before]
        found = {**values, **(_search(loss, {name: values[name] for name in matter}) if matter else {})}
        after = loss(found)
        results = sum(isinstance(plain(entry), Result) for entry in training)
        coefficients = tuple(
            Fitted(f"rule.{name}", values[name], found[name], name in matter) for name in values
        )
        fitted = replace(contender, label="fitted", rule=changed(contender.rule, found))
        return Fit(results, coefficients, before, after, trials), fitted

    def _loss(self, training: Sequence[Accepted], trial: Trial) -> float:
        scoring, count = Scoring(), 0
        for accepted in training:
            entry = plain(accepted)
            if not isinstance(entry, Result):
                trial.take(accepted)
                continue
            predictions = trial.predict(accepted)
            if count >= self.burn_in and entry.id not in self.annulled:
                for expected, score, _ in predictions:
                    scoring.add(expected, score, log_loss(expected, score))
            count += 1
        return scoring.total().log_loss


def _search(loss: Callable[[Values], float], values: Values) -> dict[str, float]:
    """By COBYQA (Ragonneau and Zhang, 2022): ratings are rounded and K jumps, so there is no gradient; it
    lays quadratic models through some dozen trials, each of which is a whole fold."""
    optimize = import_module("scipy.optimize")
    names = tuple(values)
    axes = [_Axis(name, values[name]) for name in names]

    def at(place: Any) -> dict[str, float]:
        return {axis.name: axis.value(float(step)) for axis, step in zip(axes, place, strict=True)}

    found = optimize.minimize(
        lambda place: loss(at(place)),
        [0.0] * len(axes),
        method="COBYQA",
        bounds=[(-axis.reach, axis.reach) for axis in axes],
        options={
            "initial_tr_radius": _FIRST_STEP,
            "final_tr_radius": _LAST_STEP,
            "maxfev": most_trials(len(axes)),
        },
    )
    return {name: _rounded(value) for name, value in at(found.x).items()}


def most_trials(coefficients: int) -> int:
    """After so many a search ends, whatever it has found."""
    return 30 + 20 * coefficients


class _Axis:
    """How the search moves along one coefficient: what must be positive by factors, points by points."""

    def __init__(self, name: str, value: float) -> None:
        self.name = name
        self._start = value
        self._by_points = _is_points(name)
        self.reach = _POINTS / _UNIT if self._by_points else math.log(_FACTOR)

    def value(self, step: float) -> float:
        return self._start + _UNIT * step if self._by_points else self._start * math.exp(step)


def _is_points(name: str) -> bool:
    return name.rpartition(".")[2] in {"initiator_advantage", "master_rating", "below"}


def _nudged(name: str, value: float) -> float:
    return value + _UNIT if _is_points(name) else value * math.exp(_FIRST_STEP)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def training_part(entries: Sequence[Accepted], share: float) -> Sequence[Accepted]:
    """What stands in front of the results that are held out: `share` of all results, from 0 to 1."""
    places = [place for place, entry in enumerate(entries) if isinstance(plain(entry), Result)]
    return entries[: places[int(len(places) * share)]] if places else entries

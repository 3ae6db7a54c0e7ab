"""An evaluation as a picture."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from matchmaker.evaluation.calibration import Bucket
from matchmaker.evaluation.distribution import Distribution, Milestone
from matchmaker.evaluation.trial import Evaluation, Report
from matchmaker.report.picture import Format, compose, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STRETCH: Final = 50
"""Points in which players are counted."""


def picture(evaluation: Evaluation, format_: Format) -> bytes:
    """Calibration by chance and by points ahead, ratings in the end, and how they came there."""
    reports = evaluation.reports
    return compose(
        format_,
        partial(_draw_chances, reports=reports),
        partial(_draw_gaps, reports=reports),
        partial(draw_ratings, ratings=[(report.label, report.ratings) for report in reports]),
        partial(draw_courses, courses=[(report.label, report.course) for report in reports]),
    )


def _draw_chances(axes: "Axes", reports: Sequence[Report]) -> None:
    axes.plot([0, 100], [0, 100], color="gray", linestyle=":", label="as expected")
    for report in reports:
        _draw_buckets(axes, report, [100 * bucket.expected for bucket in report.by_chance], report.by_chance)
    axes.set(title="Initiators", xlabel="expected score, %", ylabel="score, % (bands of 95 %)")
    axes.legend()


def _draw_gaps(axes: "Axes", reports: Sequence[Report]) -> None:
    for report in reports:
        middles = [(bucket.low + (bucket.high or bucket.low)) / 2 for bucket in report.by_gap]
        (line,) = axes.plot(middles, [100 * bucket.expected for bucket in report.by_gap], linestyle=":")
        _draw_buckets(axes, report, middles, report.by_gap, line.get_color())
    axes.set(title="The better rated (dotted: as expected)", xlabel="points ahead", ylabel="score, %")
    axes.legend()


def _draw_buckets(
    axes: "Axes", report: Report, places: list[float], buckets: Sequence[Bucket], color: object = None
) -> None:
    observed = [100 * bucket.observed for bucket in buckets]
    bands = (
        [100 * (bucket.observed - bucket.band_low) for bucket in buckets],
        [100 * (bucket.band_high - bucket.observed) for bucket in buckets],
    )
    axes.errorbar(
        places,
        observed,
        yerr=bands,
        marker="o",
        markersize=3,
        linestyle="none",
        capsize=2,
        color=color,
        label=label(report.label),
    )


def draw_ratings(axes: "Axes", ratings: Sequence[tuple[str, Distribution]]) -> None:
    """How many players have which rating, under the name of each distribution. Their bins differ in width."""
    for name, distribution in ratings:
        bins = distribution.bins
        edges = [bins[0].low, *(each.high for each in bins)]
        density = [each.players * _STRETCH / (each.high - each.low) for each in bins]
        axes.stairs(density, edges, label=label(name))
    axes.set(title="Ratings in the end", xlabel="rating", ylabel=f"players in {_STRETCH} points")
    axes.legend()


def draw_courses(axes: "Axes", courses: Sequence[tuple[str, Sequence[Milestone]]]) -> None:
    """How ratings have gone, under the name of each course."""
    for name, course in courses:
        results = [each.results for each in course]
        (line,) = axes.plot(results, [each.mean for each in course], label=label(name))
        axes.plot(results, [each.best for each in course], color=line.get_color(), linestyle="--")
        axes.fill_between(
            results,
            [each.mean - each.deviation for each in course],
            [each.mean + each.deviation for each in course],
            color=line.get_color(),
            alpha=0.12,
        )
    axes.set(
        title="Mean, one deviation around it, and mean of the best ten (dashed)",
        xlabel="results",
        ylabel="rating",
    )
    axes.legend()

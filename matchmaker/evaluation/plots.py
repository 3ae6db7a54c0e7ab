"""An evaluation as a picture. Needs matplotlib, which is imported when it is asked for the first time."""

import io
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Literal

from matchmaker.errors import EngineMissingError
from matchmaker.evaluation.calibration import Bucket
from matchmaker.evaluation.trial import Evaluation, Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PACKAGE: Final = "matplotlib"
Format = Literal["svg", "png"]

_SIZE: Final = (12.0, 9.0)  # inches
_LONGEST_LABEL: Final = 40


def demand() -> None:
    """Raises EngineMissingError if the package is not here."""
    if find_spec(PACKAGE) is None:
        raise EngineMissingError(PACKAGE)


def picture(evaluation: Evaluation, format_: Format) -> bytes:
    """Calibration by chance and by points ahead, ratings in the end, and how they came there.

    The same evaluation gives the same bytes.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(
        {
            **{"svg.hashsalt": "matchmaker", "text.parse_math": False},
            **{"font.size": 9.0, "axes.grid": True, "grid.alpha": 0.3},
        }
    ):
        figure = Figure(figsize=_SIZE, layout="constrained")
        chances, gaps, ratings, course = figure.subplots(2, 2).flat
        _draw_chances(chances, evaluation.reports)
        _draw_gaps(gaps, evaluation.reports)
        _draw_ratings(ratings, evaluation.reports)
        _draw_course(course, evaluation.reports)
        written = io.BytesIO()
        figure.savefig(written, format=format_, dpi=120, metadata={"Date": None} if format_ == "svg" else {})
    return written.getvalue()


def _label(report: Report) -> str:
    """Cut to what fits, and not one that the library would hide."""
    text = report.label if len(report.label) <= _LONGEST_LABEL else report.label[:_LONGEST_LABEL] + "…"
    return text.lstrip("_")


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
        label=_label(report),
    )


def _draw_ratings(axes: "Axes", reports: Sequence[Report]) -> None:
    for report in reports:
        bins = report.ratings.bins
        edges = [bins[0].low, *(each.high for each in bins)]
        axes.stairs([each.players for each in bins], edges, label=_label(report))
    axes.set(title="Ratings in the end", xlabel="rating", ylabel="players")
    axes.legend()


def _draw_course(axes: "Axes", reports: Sequence[Report]) -> None:
    for report in reports:
        results = [each.results for each in report.course]
        (line,) = axes.plot(results, [each.mean for each in report.course], label=_label(report))
        axes.plot(results, [each.best for each in report.course], color=line.get_color(), linestyle="--")
        axes.fill_between(
            results,
            [each.mean - each.deviation for each in report.course],
            [each.mean + each.deviation for each in report.course],
            color=line.get_color(),
            alpha=0.12,
        )
    axes.set(
        title="Mean, one deviation around it, and mean of the best ten (dashed)",
        xlabel="results",
        ylabel="rating",
    )
    axes.legend()

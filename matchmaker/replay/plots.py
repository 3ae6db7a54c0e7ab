"""A comparison as a picture."""

from functools import partial
from typing import TYPE_CHECKING, Final

from matchmaker.evaluation.plots import draw_courses, draw_ratings
from matchmaker.replay.comparison import PERCENTILES, Comparison
from matchmaker.report.picture import Format, compose, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GRID: Final = 60
_BAR: Final = 0.4


def picture(comparison: Comparison, format_: Format) -> bytes:
    """Ratings before and after, how many have which, how they went, and the tiers or percentiles."""
    sides = (comparison.before, comparison.after)
    return compose(
        format_,
        partial(_draw_pairs, comparison=comparison),
        partial(draw_ratings, ratings=[(side.label, side.ratings) for side in sides]),
        partial(draw_courses, courses=[(side.label, side.course) for side in sides]),
        partial(_draw_tiers if comparison.tiers else _draw_percentiles, comparison=comparison),
    )


def _draw_pairs(axes: "Axes", comparison: Comparison) -> None:
    before, after = zip(*comparison.pairs, strict=True)
    axes.hexbin(before, after, gridsize=_GRID, bins="log", mincnt=1, cmap="viridis_r", linewidths=0.2)
    ends = [min(before), max(before)]
    axes.plot(ends, ends, color="gray", linestyle=":", label="unchanged")
    axes.set(
        title=f"Players on the board (rank correlation {comparison.spearman:.3f})",
        xlabel=label(comparison.before.label),
        ylabel=label(comparison.after.label),
    )
    axes.legend()


def _draw_tiers(axes: "Axes", comparison: Comparison) -> None:
    places = range(len(comparison.tiers))
    for shift, name, counts in (
        (-_BAR / 2, comparison.before.label, [tier.before for tier in comparison.tiers]),
        (_BAR / 2, comparison.after.label, [tier.after for tier in comparison.tiers]),
    ):
        axes.bar([place + shift for place in places], counts, width=_BAR, label=label(name))
    axes.set_xticks(list(places), [label(tier.name) for tier in comparison.tiers], rotation=20)
    axes.set(title="Tiers", ylabel="players")
    axes.legend()


def _draw_percentiles(axes: "Axes", comparison: Comparison) -> None:
    for side in (comparison.before, comparison.after):
        axes.plot(PERCENTILES, side.percentiles, marker="o", markersize=3, label=label(side.label))
    axes.set(title="Percentiles", xlabel="% of players are below", ylabel="rating")
    axes.legend()

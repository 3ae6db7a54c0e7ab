"""Pictures of four plots. They need matplotlib, which is imported when it is asked for the first time."""

import io
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Literal

from matchmaker.errors import EngineMissingError

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


def compose(format_: Format, *plots: "Callable[[Axes], None]") -> bytes:
    """Four plots as one picture, two by two. The same plots give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(
        {
            **{"svg.hashsalt": "matchmaker", "text.parse_math": False},
            **{"font.size": 9.0, "axes.grid": True, "grid.alpha": 0.3},
        }
    ):
        figure = Figure(figsize=_SIZE, layout="constrained")
        for axes, plot in zip(figure.subplots(2, 2).flat, plots, strict=True):
            plot(axes)
        written = io.BytesIO()
        figure.savefig(written, format=format_, dpi=120, metadata={"Date": None} if format_ == "svg" else {})
    return written.getvalue()


def label(text: str) -> str:
    """Cut to what fits, and not one that the library would hide."""
    return (text if len(text) <= _LONGEST_LABEL else text[:_LONGEST_LABEL] + "…").lstrip("_")

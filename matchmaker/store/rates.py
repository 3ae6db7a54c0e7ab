"""Requests in a window of time, as all API processes together have counted them."""

from collections.abc import Mapping
from itertools import chain

from matchmaker.store.call import Call, script
from matchmaker.store.keys import RATES

_MARGIN_SECONDS = 60
"""For so long a window is kept after its end: the clocks of machines differ."""


def count(seconds: int, number: int, made: Mapping[str, int]) -> Call[dict[str, int]]:
    """Adds the requests that each name made in the `number`th window of so many seconds since the epoch.

    Gives for each of the names what all processes have added.
    """

    words: chain[str | int] = chain.from_iterable(made.items())

    def decode(reply: list[int]) -> dict[str, int]:
        return dict(zip(made, reply, strict=True))

    return Call(
        (seconds + _MARGIN_SECONDS, *words),
        decode,
        script("count"),
        (f"{RATES}{seconds}:{number}",),
    )

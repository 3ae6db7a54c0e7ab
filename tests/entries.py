"""Random ids, names and log entries: any that may legally exist, hostile ones included."""

import unicodedata
from typing import Any

from hypothesis import strategies as st

from matchmaker.identifiers import check_identifier
from matchmaker.moderation import Adjust, Annul, Reinstate, Suspend
from matchmaker.rating.elo import on_grid
from matchmaker.rating.rule import Outcome, PlayerState
from matchmaker.results import Join, Reform, Rename, Result
from matchmaker.sides import ranked

HOSTILE_IDS = (
    ":",
    "{nft}",
    "}",
    "{",
    "%s%d%n",
    "a b",
    "Ярослав",
    "日本",
    "👩‍👩‍👧",
    "mm:{nft}:ratings",
    "history:a",
    "battle:1",
    "0",
    "-1",
    "nan",
    "inf",
    "(1500",
    "+inf",
    "stale",
    "unknown",
    "=",
    "-",
    "+a",
    '"',
    "'; return 1 --",
    "\\",
    "*",
    "?",
    "[a]",
    "\u200d",
    "x" * 128,
    "😀" * 128,
)
"""Ids that imitate key names, numbers, reply words, patterns and code."""


def _legal(text: str) -> bool:
    try:
        check_identifier(text)
    except ValueError:
        return False
    return True


IDS = st.one_of(
    st.sampled_from(HOSTILE_IDS),
    st.text(
        st.characters(exclude_categories=["Cc", "Cf", "Cs", "Co", "Zl", "Zp"], exclude_characters="/"),
        min_size=1,
        max_size=128,
    )
    .map(lambda text: unicodedata.normalize("NFC", text).strip(" ")[:128])
    .filter(lambda text: bool(text) and _legal(text)),
)
OUTCOMES: st.SearchStrategy[Outcome] = st.sampled_from(["win", "draw", "loss"])
RATINGS = st.floats(-1_000_000, 1_000_000).map(on_grid)
COUNTS = st.integers(0, 2**31 - 1)
DETAILS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"length": st.integers(1, 64)}),
    st.dictionaries(
        st.sampled_from(["initiator", "opponent"]),
        st.dictionaries(st.sampled_from(["bad_moves", "won_by_16", "won_by_24"]), COUNTS),
    ),
)
REFORMS = st.builds(
    Reform, st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | st.floats(allow_nan=False))
)
REASONS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=500)
NAMES = st.none() | IDS
RENAMES = st.builds(Rename, IDS, NAMES)
MEASURES = st.one_of(
    st.builds(Annul, IDS, IDS, REASONS),
    st.builds(
        Adjust, IDS, st.sampled_from(["set", "shift"]), st.floats(-1_000_000, 1_000_000), IDS, REASONS, NAMES
    ),
    st.builds(Suspend, IDS, IDS, REASONS),
    st.builds(Reinstate, IDS, IDS, REASONS),
)
MOMENTS = st.none() | st.integers(-(10**13), 4 * 10**12)
SIDES = st.lists(IDS, min_size=1, max_size=4).map(tuple)
FREE_FOR_ALLS = st.integers(3, 16).flatmap(
    lambda count: st.builds(
        Result,
        IDS,
        st.lists(SIDES, min_size=count, max_size=count).map(tuple),
        st.lists(st.integers(1, 16), min_size=count, max_size=count).map(ranked),
        DETAILS,
        MOMENTS,
    )
)
RESULTS = st.one_of(
    st.builds(Result.duel, IDS, IDS, IDS, OUTCOMES, DETAILS, MOMENTS),
    st.builds(Result, IDS, st.tuples(SIDES, SIDES), OUTCOMES, DETAILS, MOMENTS),
    FREE_FOR_ALLS,
)
STATES = st.builds(
    lambda rating, games, experience, peak: PlayerState(
        rating, games=games, experience=experience, peak=peak
    ),
    RATINGS,
    COUNTS,
    COUNTS,
    RATINGS,
)
BELIEFS = st.builds(
    lambda state, sigma: state._replace(sigma=sigma), STATES, st.floats(2**-16, 1_000_000).map(on_grid)
)
"""States of players under a rule with a sigma."""
JOINS = st.builds(Join, IDS, STATES | BELIEFS)

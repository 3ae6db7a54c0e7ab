"""Files of whole ladders in which anything may stand anywhere."""

import json
from typing import Any

import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st

from matchmaker.errors import InvalidInputError
from matchmaker.store.client import Store
from tests.transfer.files import bring_in

SETTINGS = {"rule": {"name": "initiator_k"}}
LINES: list[dict[str, Any]] = [
    {"format": "matchmaker-ladder", "version": 1, "ladder": SETTINGS, "cursor": "5-0"},
    {"log": "1-0", "join": ["ann", 1500.0, 0, 0, 1500.0]},
    {"log": "2-0", "join": ["bob", 1500.0, 0, 0, 1500.0]},
    {"log": "3-0", "rename": ["ann", "Ann"]},
    {"log": "4-0", "reform": [{}]},
    {"log": "5-0", "result": ["r", "ann", "bob", "win", {}, None]},
    {"log": "6-0", "result": ["s", "bob", "ann", "draw", {}, 0]},
    {"log": "7-0", "annul": ["r", "cli", "why"]},
    {"log": "8-0", "adjust": ["ann", "shift", -5.5, "cli", "why", "id"]},
    {"log": "9-0", "suspend": ["bob", "cli", "why"]},
    {"log": "9-1", "suspend": ["ann", "cli", "why"]},
    {"log": "9-2", "reinstate": ["ann", "cli", "why"]},
    {"player": "ann", "name": "Ann", "owner": None, "suspended": False, "history": 1},
    {"player": "bob", "name": None, "owner": "cid", "suspended": True, "history": 1},
    {
        "dispute": {"player": "bob", "result": "r", "felt": "too_much", "note": "!", "at": 7}
        | {"closing": {"verdict": "settled", "note": "?", "by": "admin", "at": 8}}
    },
    {"dispute": {"player": "ann", "result": "r", "felt": "wrong_result", "note": None, "at": 7}},
    {"dismissal": {"player": "ann", "flag": "runner", "by": "admin", "at": 9, "note": "?"}},
    {"end": {"entries": 11, "players": 2, "cases": 3}},
]
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=5)
    | st.sampled_from(["ann", "1-0", "99999999999999999999-0", 10**400, -0.0, "\ud800", "\x00", 1e308]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to every value inside."""
    items = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return [inside for key, each in items for inside in ((*path, key), *places(each, (*path, key)))]


def altered(path: tuple[Any, ...], value: Any) -> bytes:
    lines = json.loads(json.dumps(LINES))
    *way, last = path
    group = lines
    for key in way:
        group = group[key]
    group[last] = value
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@given(path=st.sampled_from(places(LINES)), value=JSON)
@settings(max_examples=400)
def test_whatever_stands_in_a_file_is_taken_as_a_whole_or_refused(
    redis_client: redis.Redis, path: tuple[Any, ...], value: Any
) -> None:
    redis_client.flushall()
    try:
        bring_in(Store(redis_client), "copy", altered(path, value))
    except InvalidInputError:
        assert redis_client.keys() == []
    else:
        assert Store(redis_client).edition("copy").ladder.id == "copy"


@pytest.mark.parametrize("cut", range(0, 900, 61))
def test_a_file_that_is_cut_anywhere_is_refused(redis_client: redis.Redis, cut: int) -> None:
    file = altered((0, "version"), 1)
    with pytest.raises(InvalidInputError):
        bring_in(Store(redis_client), "copy", file[: len(file) - 2 - cut])
    assert redis_client.keys() == []

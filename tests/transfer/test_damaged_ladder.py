"""Files of whole ladders that were changed by hand, or cut."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import redis

from matchmaker.errors import InvalidInputError
from matchmaker.store.presets import create_presets
from tests.stage import Stage
from tests.transfer.files import bring_in, exported

Lines = list[dict[str, Any]]


def _set(place: int, **values: Any) -> Callable[[Lines], Any]:
    return lambda lines: lines[place].update(values)


def _measure(kind: str, *fields: Any) -> Callable[[Lines], Any]:
    """Something else than the last adjustment."""

    def damage(lines: Lines) -> None:
        (*_, last) = (line for line in lines if "adjust" in line)
        del last["adjust"]
        last[kind] = fields

    return damage


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda lines: lines.pop(), "ends too early"),
        (lambda lines: lines.pop(6), "before the end"),
        (lambda lines: lines.append({}), "nothing may follow"),
        (lambda lines: lines.clear(), "line 1"),
        (_set(0, version=3), "version 3"),
        (_set(0, version=2), "line 1: eras"),
        (_set(0, version=2, eras=[{"upto": "x"}]), "line 1: eras"),
        (_set(0, ladder={}), "line 1: ladder.rule"),
        (_set(0, ladder=[]), "line 1: ladder"),
        (_set(0, cursor=None), "line 1: cursor"),
        (_set(2, log="1-1"), "line 3: log: must grow"),
        (_set(2, log=7), "line 3: log"),
        (_set(2, join=["zed", float("nan"), 0, 0, 0]), "line 3"),
        (_set(2, join=["zed", 0.1, 0, 0, 0.1]), "line 3"),
        (_set(2, join=["a/b", 1500.0, 0, 0, 1500.0]), "line 3"),
        (_set(2, join=["zed", 1500.0, 2**40, 0, 1500.0]), "line 3"),
        (_set(2, rename=["ann", None]), "line 3: must hold one entry"),
        (_set(3, join=["ann", 1500.0, 0, 0, 1500.0]), "joined before"),
        (_set(8, result=["x", "ann", "ann", "win", {}, None]), "line 9"),
        (_set(8, result=["x", ["ann", "bob"], "ann", "win", {}, None]), "line 9: opponent"),
        (_set(8, result=["x", ["ann", "zed"], "bob", "win", {}, None]), "has not joined"),
        (_set(8, result=["x", ["ann", 7], "bob", "win", {}, None]), "line 9"),
        (_set(8, result=["x", [], "bob", "win", {}, None]), "line 9: initiator"),
        (_set(8, result=["x", ["ann", "bob", "guest"], [1, 2, 3], {}, None]), "line 9: sides"),
        (_set(8, result=["x", ["ann", "bob"], [1, 2], {}, None]), "line 9"),
        (_set(8, result="x"), "line 9"),
        (_set(8, result=["x", "ann", "zed", "win", {}, None]), "has not joined"),
        (_set(8, result=["r0", "ann", "bob", "win", {}, None]), "came before"),
        (_set(8, result=["x", "ann", "bob", "win", {"length": 3}, None]), "line 9: details.length"),
        (_set(8, result=["x", "ann", "bob", "win", {}, 10**30]), "line 9"),
        (_measure("annul", "x", "cli", "why"), "no result with this id came before"),
        (_measure("annul", "r0", "cli", "why"), "was annulled before"),
        (_measure("annul", "r1", "cli", "\a"), r"line \d+"),
        (_measure("suspend", "zed", "cli", "why"), "has not joined before it"),
        (_measure("adjust", "ann", "double", 2, "cli", "why", None), r"line \d+"),
        (_set(-2, history=-1), r"line \d+"),
        (_set(-2, player="\ud800"), r"line \d+"),
    ],
)
def test_a_damaged_file_leaves_nothing_behind(
    season: Stage, redis_client: redis.Redis, damage: Callable[[Lines], Any], reason: str
) -> None:
    lines = [json.loads(line) for line in exported(season.store, season.id).splitlines()]
    damage(lines)
    file = "".join(json.dumps(line) + "\n" for line in lines).encode()
    create_presets(season.store)
    before = {key: redis_client.dump(key) for key in redis_client.scan_iter()}
    with pytest.raises(InvalidInputError, match=reason):
        bring_in(season.store, "copy", file)
    assert {key: redis_client.dump(key) for key in redis_client.scan_iter()} == before

"""Ladders as files, and files as ladders."""

import io
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from matchmaker.results import Result, digest
from matchmaker.standing import Standing
from matchmaker.store import boards, changes, folds, moderation, players
from matchmaker.store.boards import Page
from matchmaker.store.changes import HistoryEntry
from matchmaker.store.client import Store
from matchmaker.store.moderation import LoggedMeasure
from matchmaker.transfer.backup import Restored, restore
from matchmaker.transfer.export import Export
from matchmaker.transfer.exporting import read_log
from matchmaker.transfer.formats import Format
from matchmaker.transfer.ladder_file import read_ladder
from matchmaker.transfer.unfinished import Unfinished
from tests.stage import Stage, wins

T = TypeVar("T")

Seen = tuple[Page, dict[str, Standing], dict[str, list[HistoryEntry]], dict[str, list[LoggedMeasure]]]

NAMES = ["ann", "bob", "Žluťoučký kůň", "guest"]
"""The players of the fixture `season`."""


def untracked(sequence: Iterable[T], total: int, completed: int = 0, *, description: str) -> Iterable[T]:
    """Shows nothing of the progress."""
    return sequence


def export_to(path: Path, store: Store, ladder: str, *, whole: bool = True) -> dict[str, int]:
    """Writes the ladder, or its results, into that file; what the file holds in numbers."""
    with Unfinished(path) as unfinished:
        export = Export(store, ladder, Format.of(path), unfinished, whole=whole)
        export.begin()
        return export.write(untracked)


def exported(store: Store, ladder: str) -> bytes:
    """The file of the whole ladder."""
    with TemporaryDirectory() as directory:
        path = Path(directory) / "ladder.ndjson"
        export_to(path, store, ladder)
        return path.read_bytes()


def bring_in(store: Store, ladder: str, file: bytes) -> Restored:
    """Makes the ladder of that file."""
    return restore(store, *read_ladder(io.BytesIO(file), ladder), digest(file.decode()).hex())


def results_of(store: Store, ladder: str) -> list[Result]:
    """The results of the ladder that count."""
    keys = store.edition(ladder).keys
    _, last = store.run(folds.extent(keys))
    return [result for _, result in read_log(store, keys, last) if result]


def seen(store: Store, ladder: str, names: Sequence[str]) -> Seen:
    """All that anybody can see of the ladder."""
    page = store.on(ladder, lambda edition: boards.page(edition, 0, 1000))
    standings = store.on(ladder, lambda edition: players.standings(edition, names))
    keys = store.edition(ladder).keys
    return (
        page,
        standings,
        {each: store.run(changes.history(keys, each, 10_000)) for each in names},
        {each: store.run(moderation.measures(keys, each, 10_000)) for each in names},
    )


def play(stage: Stage, rule: str) -> Stage:
    """Makes something of everything happen on the ladder, under that rule."""
    settings: dict[str, Any] = {"rule": {"name": rule}, "tiers": [{"name": "Gold", "from": 1500}]}
    stage.put(**settings, history_limit=3)
    stage.join("ann", "bob", "Žluťoučký kůň", owner="cid")
    stage.join("guest", rating=2399.5)
    stage.on(partial(players.join, player="ann", name="Ann\u2028 {x}", owner=None))
    stage.report(*wins(*[("ann", "bob"), ("bob", "guest"), ("guest", "ann")] * 4))
    stage.report(Result.duel("draw", "Žluťoučký kůň", "ann", "draw", {}, -3_063_744_000_000))
    stage.fold()
    stage.put(**settings, history_limit=5, title="Later")
    stage.report(*wins(("ann", "bob"), ("guest", "bob"), prefix="late"))
    stage.report(Result("team", (("bob", "Žluťoučký kůň"), ("ann",)), "loss", {}))
    stage.annul("r0")
    stage.suspend("guest")
    stage.fold()
    stage.annul("late0")
    stage.adjust("ann", "shift", -7.25)
    stage.adjust("guest", "set", 2001.0)
    stage.suspend("bob")
    stage.reinstate("bob")
    stage.fold()
    return stage

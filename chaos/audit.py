"""The audit of one ladder: what the store holds, against what the clients know and what the log says."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from chaos.image import Image
from chaos.ledger import LadderLedger
from matchmaker.archive import Archive
from matchmaker.chronicle import read_entries
from matchmaker.details import check
from matchmaker.eras import era_of
from matchmaker.ladder import Ladder
from matchmaker.results import Result
from matchmaker.store import counters
from matchmaker.store.client import Store
from matchmaker.store.ladders import Edition


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found on one ladder.

    `lost`: ids that were accepted, and are not in the log as they were reported, or are not rated; or that
    were annulled, and are not. `doubled`: how many results (of two players, as far as that shows in their
    games) too many were rated, or too few taken back.
    `superseded`: commits that came second. `unknown`: ids in the log that nobody has reported. `differences`:
    what the store holds otherwise than the pure fold of the log makes it. `total_exact` is None where the
    rule conserves no total.
    """

    ratings: dict[str, float]
    lost: list[str]
    doubled: int
    superseded: int
    unknown: list[str]
    differences: list[str]
    total_exact: bool | None


def audit(client: Any, ladder_id: str, ledger: LadderLedger, archive: Archive | None = None) -> Audit:
    """Compares everything; `client` is one of the store, `archive` where older entries lie. Nobody may be at
    work on the ladder."""
    store = Store(client, archive=archive)
    edition = store.edition(ladder_id)
    log = list(read_entries(store, edition.keys))
    stored, folded = Image.stored(store, edition.keys), Image.folded(log, edition)
    results = [(each.log_id.encode(), each.entry) for each in log if isinstance(each.entry, Result)]
    times = Counter(result.id for _, result in results)
    rated = {result.id: (log_id, result) for log_id, result in results if log_id in stored.changes}
    annulled = {result.id: len(result.players) for log_id, result in results if log_id in stored.annulled}
    games = sum(state.games for state in stored.states.values()) + sum(annulled.values())
    surplus = games - sum(len(result.players) for result in {each.id: each for _, each in results}.values())
    pulse = store.run(counters.pulse(edition.keys))
    assert pulse is not None
    return Audit(
        ratings=stored.ratings,
        lost=[
            each
            for each in ledger.accepted
            if each not in rated
            or rated[each][1] != _as_accepted(edition, rated[each][0], ledger.reported[each])
        ]
        + sorted(ledger.annulled - annulled.keys()),
        doubled=max(0, len(results) - len(times), pulse.rated - len(times), math.ceil(surplus / 2)),
        superseded=pulse.superseded,
        unknown=sorted(times.keys() - ledger.reported.keys()),
        differences=stored.differences(folded),
        total_exact=_total_is_exact(stored, edition.ladder) if edition.ladder.rule.zero_sum else None,
    )


def _as_accepted(edition: Edition, log_id: bytes, reported: Result) -> Result:
    """As it must stand in the log under this id, in whose era the rule may have been another one."""
    era = era_of(edition.eras, log_id.decode())
    return check(era.rule if era else edition.ladder.rule, reported)


def _total_is_exact(stored: Image, ladder: Ladder) -> bool:
    held = (stored.ratings.get(player, state.rating) for player, state in stored.states.items())
    return math.fsum(held) == ladder.initial_rating * len(stored.states)

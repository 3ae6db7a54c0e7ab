"""The audit of one ladder: what the store holds, against what the clients know and what the log says."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from chaos.image import Image
from chaos.ledger import LadderLedger
from matchmaker.details import check
from matchmaker.ladder import Ladder
from matchmaker.results import Result
from matchmaker.store import counters, folds
from matchmaker.store.client import Store
from matchmaker.store.folds import Logged
from matchmaker.store.keys import LadderKeys

_PAGE = 1000


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


def audit(client: Any, ladder_id: str, ledger: LadderLedger) -> Audit:
    """Compares everything; `client` is one of the store. Nobody may be at work on the ladder."""
    store = Store(client)
    edition = store.edition(ladder_id)
    log = _read_log(store, edition.keys)
    stored, folded = Image.stored(client, edition.keys), Image.folded(log, edition.ladder)
    results = [(each.log_id.encode(), each.entry) for each in log if isinstance(each.entry, Result)]
    times = Counter(result.id for _, result in results)
    rated = {result.id: result for log_id, result in results if log_id in stored.changes}
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
            if rated.get(each) != check(edition.ladder.rule, ledger.reported[each])
        ]
        + sorted(ledger.annulled - annulled.keys()),
        doubled=max(0, len(results) - len(times), pulse.rated - len(times), math.ceil(surplus / 2)),
        superseded=pulse.superseded,
        unknown=sorted(times.keys() - ledger.reported.keys()),
        differences=stored.differences(folded),
        total_exact=_total_is_exact(stored, edition.ladder) if edition.ladder.rule.zero_sum else None,
    )


def _read_log(store: Store, keys: LadderKeys) -> list[Logged]:
    log: list[Logged] = []
    last = folds.START
    while page := store.run(folds.after(keys, last, _PAGE)):
        log += page
        last = page[-1].log_id
    return log


def _total_is_exact(stored: Image, ladder: Ladder) -> bool:
    held = (stored.ratings.get(player, state.rating) for player, state in stored.states.items())
    return math.fsum(held) == ladder.initial_rating * len(stored.states)

"""Reviewing players: read the dossier, measure it, keep what stands out.

A review may be killed anywhere, run twice or in two places at once: a player stays among those to review
until what was found is kept, and whoever comes second changes nothing.
"""

from collections.abc import Iterator

from matchmaker.fairplay import FairPlay, Indication, review
from matchmaker.store import dossiers, flags
from matchmaker.store.call import Plan
from matchmaker.store.dossiers import Dossier
from matchmaker.store.ladders import Edition


def outstanding(dossier: Dossier, settings: FairPlay) -> Iterator[Indication]:
    """What a moderator should look at. What was dismissed must have happened again: of a flag that was, only
    what came after its dismissal counts."""
    for indication in review(dossier.record, settings):
        dismissal = dossier.dismissals.get(indication.flag)
        if dismissal is None:
            yield indication
            continue
        anew = review(dossier.since(dismissal.at), settings)
        yield from (each for each in anew if each.flag == indication.flag)


def review_player(edition: Edition, player: str, seen: bytes, now: int) -> Plan[bool]:
    """Reviews a player, of whom `seen` is noted; False if another review was faster.

    `now` is in milliseconds since the epoch. Raises NotFoundError.
    """
    dossier = yield from dossiers.read(edition, player, now)
    raised = tuple(outstanding(dossier, edition.ladder.fair_play))
    kept: bool = yield flags.keep(edition, player, seen, raised, dossier.dismissals, now)
    return kept

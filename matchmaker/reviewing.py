"""Reviewing players: read the dossier, measure it, keep what stands out.

A review may be killed anywhere, run twice or in two places at once: a player stays among those to review
until what was found is kept, and whoever comes second changes nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from matchmaker.fairplay import FLAGS, FairPlay, Flag, Indication, Record, measure, review
from matchmaker.store import dossiers, flags
from matchmaker.store.call import Plan
from matchmaker.store.dossiers import Dossier
from matchmaker.store.flags import Dismissal
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


@dataclass(frozen=True, slots=True)
class Look:
    """What an indicator says: of the record as it is now or, if its flag is raised, when it raised that last.

    `since` is when the flag was raised, in milliseconds since the epoch, `dismissal` the last one of it.
    """

    indication: Indication
    since: int | None
    dismissal: Dismissal | None


def look_at(edition: Edition, player: str, now: int) -> Plan[tuple[Record, list[Look]]]:
    """What moderators see of a player: the record, and the indicators that have something to say, raised or
    not. Raises NotFoundError. `now` is in milliseconds since the epoch."""
    dossier = yield from dossiers.read(edition, player, now)
    raised = yield from flags.raised(edition.keys, player)
    measured = {each.flag: (each, None) for each in measure(dossier.record, edition.ladder.fair_play)}
    said: dict[Flag, tuple[Indication, int | None]] = {**measured, **raised}
    looks = [Look(*said[flag], dismissal=dossier.dismissals.get(flag)) for flag in FLAGS if flag in said]
    return dossier.record, looks

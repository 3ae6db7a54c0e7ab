"""What becomes of the battles that the player asks for."""

from matchmaker.fairplay.chance import superiority, superiority_by_chance
from matchmaker.fairplay.indication import Indication, percent
from matchmaker.fairplay.record import Record
from matchmaker.fairplay.settings import FairPlay


def declined_battles(record: Record, settings: FairPlay) -> Indication | None:
    """How much stronger the opponents of expired battles were than those of battles that were played.

    Who is careless lets them expire whoever the opponent is; who waits for a weaker one does not.
    """
    limits = settings.declined_battles
    expired = [each for each in record.battles if not each.played]
    played = [each for each in record.battles if each.played]
    if len(expired) < limits.expired or not played:
        return None
    value = superiority([each.gap for each in expired], [each.gap for each in played])
    threshold = limits.share + superiority_by_chance(len(expired), len(played), settings.certainty)
    return Indication(
        "declined_battles",
        value,
        threshold,
        tuple(each.id for each in expired),
        f"{len(expired)} of the last {len(record.battles)} battles expired; their opponents were stronger "
        f"than those of the battles it played in {percent(value)} of all pairs "
        f"(limit for so many: {percent(threshold)})",
    )

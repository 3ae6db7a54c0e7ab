"""How the player's games go: how long they are, and who stays to their end."""

from matchmaker.fairplay.chance import tolerated
from matchmaker.fairplay.indication import Indication, percent, results
from matchmaker.fairplay.record import Record
from matchmaker.fairplay.settings import FairPlay


def short_matches(record: Record, settings: FairPlay) -> Indication | None:
    """The share of matches to the fewest points, where matches have a length."""
    limits = settings.short_matches
    matches = [each for each in record.encounters if each.length]
    if len(matches) < limits.results:
        return None
    short = [each for each in matches if each.length <= limits.length]
    value = len(short) / len(matches)
    threshold = tolerated(limits.share, len(matches), settings.certainty)
    points = "one point" if limits.length == 1 else f"{limits.length} points or fewer"
    return Indication(
        "short_matches",
        value,
        threshold,
        results(short),
        f"{percent(value)} of the last {len(matches)} matches were to {points} "
        f"(limit for so many: {percent(threshold)})",
    )


def runner(record: Record, settings: FairPlay) -> Indication | None:
    """The share of lost games that the player left before their end."""
    limits = settings.runner
    lost = [each for each in record.encounters if each.outcome == "loss"]
    if len(lost) < limits.losses:
        return None
    left = [each for each in lost if each.left]
    value = len(left) / len(lost)
    threshold = tolerated(limits.share, len(lost), settings.certainty)
    return Indication(
        "runner",
        value,
        threshold,
        results(left),
        f"{percent(value)} of the last {len(lost)} lost games were left before their end "
        f"(limit for so many: {percent(threshold)})",
    )

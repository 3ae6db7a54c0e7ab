"""How the player's games go: how long they are, and who stays to their end."""

from matchmaker.fairplay.indication import Indication, share
from matchmaker.fairplay.record import Record
from matchmaker.fairplay.settings import FairPlay


def short_matches(record: Record, settings: FairPlay) -> Indication | None:
    """The share of matches to the fewest points, where matches have a length."""
    limits = settings.short_matches
    matches = [each for each in record.encounters if each.length]
    if len(matches) < limits.results:
        return None
    short = [each for each in matches if each.length <= limits.length]
    points = "one point" if limits.length == 1 else f"{limits.length} points or fewer"
    what = f"matches were to {points}"
    return share("short_matches", short, matches, limits.share, settings.certainty, what)


def runner(record: Record, settings: FairPlay) -> Indication | None:
    """The share of lost games that the player left before their end."""
    limits = settings.runner
    lost = [each for each in record.encounters if each.outcome == "loss"]
    if len(lost) < limits.losses:
        return None
    left = [each for each in lost if each.left]
    what = "lost games were left before their end"
    return share("runner", left, lost, limits.share, settings.certainty, what)

"""Whom the player meets: accounts of its own, the inexperienced, those who stand too high."""

from matchmaker.fairplay.indication import Indication, results, share
from matchmaker.fairplay.record import Record
from matchmaker.fairplay.settings import FairPlay

_PRIOR = 10  # challengers that the limit counts for, against those that came


def linked_accounts(record: Record, settings: FairPlay) -> Indication | None:
    """How many results were against accounts on the same device or of the same owner."""
    limit = settings.linked_accounts.results
    if not record.encounters:
        return None
    linked = [each for each in record.encounters if each.shared]
    owners = sum(each.shared == "owner" for each in linked)
    return Indication(
        "linked_accounts",
        len(linked),
        limit,
        results(linked),
        f"{len(linked)} of the last {len(record.encounters)} results were against accounts "
        f"of the same owner ({owners}) or on the same device ({len(linked) - owners}) (limit {limit})",
    )


def novice_farming(record: Record, settings: FairPlay) -> Indication | None:
    """The share of novices among those whom the player challenged and beat.

    Who stands where newcomers start meets many of them without looking for them. Those who challenge the
    player show how many: their share raises the limit.
    """
    limits = settings.novice_farming
    known = [
        each for each in record.encounters if each.opponent_games is not None and each.games >= limits.games
    ]
    novice = {each.result for each in known if (each.opponent_games or 0) < limits.games}
    won = [each for each in known if each.initiated and each.outcome == "win"]
    if len(won) < limits.results:
        return None
    farmed = [each for each in won if each.result in novice]
    came = [each for each in known if not each.initiated]
    usual = (sum(each.result in novice for each in came) + _PRIOR * limits.share) / (len(came) + _PRIOR)
    what = f"wins as the challenger were against players with fewer than {limits.games} games"
    return share("novice_farming", farmed, won, max(limits.share, usual), settings.certainty, what)


def spike_hunting(record: Record, settings: FairPlay) -> Indication | None:
    """The share of opponents, among those whom the player challenged, who stood far above their own form."""
    limits = settings.spike_hunting
    chosen = [each for each in record.encounters if each.initiated and each.opponent_form]
    if len(chosen) < limits.results:
        return None
    high = [
        each
        for each in chosen
        if each.opponent_form and each.opponent_form.excess(each.opponent_rating) >= limits.spread
    ]
    what = "opponents that it challenged stood far above their own recent average"
    return share("spike_hunting", high, chosen, limits.share, settings.certainty, what)

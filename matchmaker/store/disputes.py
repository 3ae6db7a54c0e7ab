"""Disputes on their way to moderators, and what becomes of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from matchmaker.dispute import KINDS, Closing, Dispute, Felt, Status
from matchmaker.errors import ConflictError, FieldError, NotFoundError
from matchmaker.store import reports
from matchmaker.store.call import Call, Plan, script
from matchmaker.store.keys import LadderKeys
from matchmaker.store.reports import Report
from matchmaker.validation import invalid


def file(keys: LadderKeys, dispute: Dispute) -> Plan[Dispute]:
    """Puts a dispute in the moderators' queue; the same again changes nothing. Returns the one that is there.

    Raises NotFoundError `unknown_result`, InvalidInputError if the player has no part in it, ConflictError
    `not_rated`, and `dispute_conflict` if the player has disputed the result in other words.
    """
    earlier: Dispute | None = yield find(keys, dispute.player, dispute.result)
    if earlier is None:
        report: Report = yield reports.find(keys, dispute.result)
        if dispute.player not in report.logged.result.players:
            raise invalid([FieldError("player", "must be one of the players of the result")])
        if report.status != "rated":
            raise ConflictError(
                "not_rated", f"Only a rated result can be disputed; {dispute.result!r} is {report.status}."
            )
        earlier = yield _file(keys, dispute)
    if earlier and (earlier.felt, earlier.note) != (dispute.felt, dispute.note):
        raise ConflictError(
            "dispute_conflict",
            f"Player {dispute.player!r} has disputed result {dispute.result!r} with other content.",
        )
    return earlier or dispute


def _file(keys: LadderKeys, dispute: Dispute) -> Call[Dispute | None]:
    """None if that filed it, else the one that is there."""
    return Call(
        (dispute.name, dispute.encode(), dispute.at, counter(dispute.felt)),
        lambda reply: Dispute.decode(reply[1]) if reply[0] == b"known" else None,
        script("dispute"),
        (keys.disputes, queue(keys, "open"), keys.counters),
    )


def close(keys: LadderKeys, player: str, result: str, closing: Closing) -> Plan[Dispute]:
    """Closes a dispute; the same again changes nothing.

    Raises NotFoundError `unknown_dispute`, ConflictError `dispute_closed` if it ended differently.
    """
    while True:
        dispute: Dispute | None = yield find(keys, player, result)
        if dispute is None:
            raise NotFoundError("dispute", f"{player}/{result}")
        if dispute.closing:
            if (dispute.closing.verdict, dispute.closing.note) == (closing.verdict, closing.note):
                return dispute
            raise ConflictError("dispute_closed", f"This dispute is {dispute.status} already.")
        closed = replace(dispute, closing=closing)
        if (yield _close(keys, dispute, closed, closing)):
            return closed


def _close(keys: LadderKeys, read: Dispute, written: Dispute, closing: Closing) -> Call[bool]:
    return Call(
        (read.name, read.encode(), written.encode(), closing.at),
        lambda reply: bool(reply == b"closed"),
        script("close_dispute"),
        (keys.disputes, queue(keys, "open"), queue(keys, closing.verdict)),
    )


def find(keys: LadderKeys, player: str, result: str) -> Call[Dispute | None]:
    """What the player says of the result; None if nothing."""
    return Call(("HGET", keys.disputes, f"{player}/{result}"), lambda reply: reply and Dispute.decode(reply))


def holds(keys: LadderKeys, dispute: Dispute) -> Call[bool]:
    """Whether the dispute is (still) there as it is."""
    return find(keys, dispute.player, dispute.result).then(lambda found: found == dispute)


def page(
    keys: LadderKeys, status: Status, offset: int, limit: int
) -> Plan[tuple[int, list[tuple[Dispute, Report]]]]:
    """How many disputes have this status; a page of them with their results, those first that came first."""
    total, disputes = yield _page(keys, status, offset, limit)
    found: dict[str, Report] = {}
    for each in disputes:
        found[each.result] = yield reports.find(keys, each.result)
    return total, [(each, found[each.result]) for each in disputes]


def _page(keys: LadderKeys, status: Status, offset: int, limit: int) -> Call[tuple[int, list[Dispute]]]:
    def decode(reply: list[Any]) -> tuple[int, list[Dispute]]:
        total, *rows = reply
        return total, [Dispute.decode(text) for text in rows]

    return Call((offset, limit), decode, script("disputes"), (queue(keys, status), keys.disputes))


def queue(keys: LadderKeys, status: Status) -> str:
    """The key under which disputes of that status wait."""
    return keys.queue(f"disputes:{status}")


def counter(felt: Felt) -> str:
    """The counter of disputes of that kind."""
    return f"disputes:{felt}"


def counts(keys: LadderKeys) -> Call[dict[Felt, int]]:
    """How many disputes of each kind were filed since the ladder exists."""

    def decode(reply: Sequence[bytes | None]) -> dict[Felt, int]:
        return {felt: int(number or 0) for felt, number in zip(KINDS, reply, strict=True)}

    return Call(("HMGET", keys.counters, *map(counter, KINDS)), decode)

"""Reports: results on their way into the log, and what became of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from string import ascii_lowercase
from typing import Any, Literal

from matchmaker.errors import BattleClosedError, ConflictError, MatchmakerError, NotFoundError
from matchmaker.fold import Change, Changes
from matchmaker.rating.explanation import Explanation
from matchmaker.results import DIGEST_SIZE, Result, digest, log_order
from matchmaker.store.call import Argument, Call, Gap, script
from matchmaker.store.changes import Annulment, LoggedResult, change_gap, entry_gap, unpack_changes
from matchmaker.store.keys import AWAKE_MS, LadderKeys
from matchmaker.store.ladders import Edition

_LINKS = {"owner": "have the same owner", "device": "were seen on the same device"}


@dataclass(frozen=True, slots=True)
class Receipt:
    """The log holds the result, under `log_id`; `duplicate` if it did before."""

    result: str
    log_id: str
    duplicate: bool


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What became of each result of a report, in its order: a receipt, or the reason why it was refused.

    `call` says whether a folding job must be called.
    """

    outcomes: list[Receipt | MatchmakerError]
    call: bool


def accept(edition: Edition, results: Sequence[Result], now: int) -> Call[Acceptance]:
    """Takes results (at most 1,000) into the log, each id once, all in one step.

    A result that carries the id of a battle settles it, and is refused if the battle is closed or has other
    players. Any other result of accounts that share a device or an owner is refused if the ladder says so.
    `now` is in milliseconds since the epoch.
    """
    return _accept(edition, results, now, judges_only=False)


def judge(edition: Edition, results: Sequence[Result], now: int) -> Call[list[MatchmakerError | None]]:
    """For each result (at most 1,000) the reason why it would be refused if its players were in the ladder.

    Changes nothing. Each is held against what the log and the battles are now, and not against the others.
    """
    return _accept(edition, results, now, judges_only=True).then(
        lambda acceptance: [
            outcome if isinstance(outcome, MatchmakerError) else None for outcome in acceptance.outcomes
        ]
    )


def _accept(edition: Edition, results: Sequence[Result], now: int, *, judges_only: bool) -> Call[Acceptance]:
    keys = edition.keys
    arguments: list[Argument] = [edition.revision, AWAKE_MS, now, "0" if judges_only else "1"]
    arguments.append(edition.ladder.linked_accounts)
    players: list[Argument] = []
    places: list[str] = []
    reported: list[Argument] = []
    for result in results:
        entry, before = result.encode(), len(players)
        for place, side in zip(ascii_lowercase, result.sides, strict=False):
            players += side
            places.append(place * len(side))
        reported += (digest(result.id), digest(entry), entry, len(players) - before)
    arguments += ("".join(places), len(players), *players, *reported)

    def decode(reply: list[Any]) -> Acceptance:
        _, called, *words = reply
        return Acceptance([_outcome(*pair) for pair in zip(results, words, strict=True)], called == 1)

    return Call(
        arguments,
        decode,
        script("accept"),
        (
            *(keys.ladder, keys.states, keys.ids, keys.log, keys.awake, keys.open),
            *(keys.owners, keys.devices),
            *(keys.battle(result.id) for result in results),
        ),
    )


def conflict(result: Result) -> ConflictError:
    """The reason why a result is refused whose id was accepted with other content."""
    return ConflictError("result_conflict", f"Result {result.id!r} was reported with other content.")


def _outcome(result: Result, word: bytes) -> Receipt | MatchmakerError:
    sign, text = word[:1], word[1:].decode()
    match sign:
        case b"+":
            return Receipt(result.id, text, duplicate=False)
        case b"=":
            return Receipt(result.id, text, duplicate=True)
        case b"!":
            return conflict(result)
        case b"~":
            return ConflictError("result_conflict", f"{result.id!r} is a battle between other players.")
        case b"&":
            shared, one, other = text.split("/")
            return ConflictError(
                "linked_accounts",
                f"{one!r} and {other!r} {_LINKS[shared]}: this ladder rates no results between them.",
            )
        case b"x":
            return BattleClosedError(text)
        case _:
            return NotFoundError("player", text)


@dataclass(frozen=True, slots=True)
class Report:
    """An accepted result; `changes` once it is rated, also if they were taken back since."""

    logged: LoggedResult
    changes: Changes | None
    annulment: Annulment | None

    @property
    def status(self) -> Literal["accepted", "rated", "annulled"]:
        if self.annulment:
            return "annulled"
        return "accepted" if self.changes is None else "rated"

    def explained(self, edition: Edition) -> list[tuple[Change, Explanation]]:
        """What it changed, and the arithmetic of it, for all players; empty as long as it is not rated."""
        if self.changes is None:
            return []
        result, changes = self.logged.present(edition), iter(self.changes)
        sides = [list(islice(changes, size)) for size in result.sizes]
        explanations = edition.ladder.rule.explain(
            [[change.before for change in side] for side in sides],
            [[change.move for change in side] for side in sides],
            result.ranks,
            result.details,
        )
        return list(zip(self.changes, chain.from_iterable(explanations), strict=True))


def find(keys: LadderKeys, result_id: str) -> Call[Report]:
    """The result with this id. Raises NotFoundError `unknown_result`."""

    def decode(reply: list[Any]) -> Report:
        if reply == [b"unknown"]:
            raise NotFoundError("result", result_id)
        _, log_id, entry, packed, cursor, annul_id, annul = reply
        logged = LoggedResult.read(log_id, entry)
        changes = unpack_changes(packed, logged.result) if packed else None
        return Report(logged, changes, Annulment.read(annul_id, annul, cursor))

    def gaps(reply: list[Any]) -> list[Gap]:
        if reply == [b"unknown"]:
            return []
        _, log_id, entry, packed, cursor, annul_id, annul = reply
        folded = log_order(log_id.decode()) <= log_order(cursor.decode())
        return [
            *entry_gap(keys, 2, log_id, entry),
            *(change_gap(keys, 3, log_id, packed) if folded else ()),
            *entry_gap(keys, 6, annul_id, annul),
        ]

    return Call(
        (digest(result_id),),
        decode,
        script("result"),
        (keys.ids, keys.log, keys.changes, keys.annulled, keys.cursor),
        gaps,
    )


def witness(keys: LadderKeys, receipts: Sequence[Receipt]) -> Call[bool]:
    """Whether the log (still) has the results of these receipts, of which there is at least one."""
    # Whatever happens to a log, a beginning of it stays: if the last entry is there, all are. Its id is noted
    # in the same step.
    last = max(receipts, key=lambda receipt: log_order(receipt.log_id))
    return Call(
        ("HGET", keys.ids, digest(last.result)),
        lambda known: known is not None and known[DIGEST_SIZE:].decode() == last.log_id,
    )


def count(keys: LadderKeys) -> Call[int]:
    """Number of results that the log has taken."""
    return Call(("HLEN", keys.ids), int)

"""Reports: results on their way into the log, and what became of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from matchmaker.errors import BattleClosedError, ConflictError, MatchmakerError, NotFoundError
from matchmaker.fold import Changes
from matchmaker.results import DIGEST_SIZE, Result, digest, log_order
from matchmaker.store.call import Argument, Call, script
from matchmaker.store.changes import LoggedResult, unpack_changes
from matchmaker.store.keys import AWAKE_MS, LadderKeys
from matchmaker.store.ladders import Edition


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
    players. `now` is in milliseconds since the epoch.
    """
    keys = edition.keys
    arguments: list[Argument] = [edition.revision, AWAKE_MS, now]
    for result in results:
        arguments += (
            result.id_digest,
            result.content_digest,
            result.initiator,
            result.opponent,
            result.encode(),
        )

    def decode(reply: list[Any]) -> Acceptance:
        _, called, *words = reply
        return Acceptance([_outcome(*pair) for pair in zip(results, words, strict=True)], called == 1)

    return Call(
        arguments,
        decode,
        script("accept"),
        (
            *(keys.ladder, keys.states, keys.ids, keys.log, keys.awake, keys.open),
            *(keys.battle(result.id) for result in results),
        ),
    )


def _outcome(result: Result, word: bytes) -> Receipt | MatchmakerError:
    sign, text = word[:1], word[1:].decode()
    match sign:
        case b"+":
            return Receipt(result.id, text, duplicate=False)
        case b"=":
            return Receipt(result.id, text, duplicate=True)
        case b"!":
            return ConflictError("result_conflict", f"Result {result.id!r} was reported with other content.")
        case b"~":
            return ConflictError("result_conflict", f"{result.id!r} is a battle between other players.")
        case b"x":
            return BattleClosedError(text)
        case _:
            return NotFoundError("player", text)


@dataclass(frozen=True, slots=True)
class Report:
    """An accepted result; `changes` once it is rated."""

    logged: LoggedResult
    changes: Changes | None

    @property
    def status(self) -> Literal["accepted", "rated"]:
        return "accepted" if self.changes is None else "rated"


def find(keys: LadderKeys, result_id: str) -> Call[Report]:
    """The result with this id. Raises NotFoundError `unknown_result`."""

    def decode(reply: list[Any]) -> Report:
        if reply == [b"unknown"]:
            raise NotFoundError("result", result_id)
        _, log_id, entry, *packed = reply
        logged = LoggedResult.read(log_id, entry)
        return Report(logged, unpack_changes(packed[0], logged.result) if packed else None)

    return Call((digest(result_id),), decode, script("result"), (keys.ids, keys.log, keys.changes))


def witness(keys: LadderKeys, receipts: Sequence[Receipt]) -> Call[bool]:
    """Whether the log (still) holds the results of these receipts, of which there is at least one."""
    # Whatever happens to a log, a beginning of it stays: if the last entry is there, all are.
    last = max(receipts, key=lambda receipt: log_order(receipt.log_id))
    return find(keys, last.result).then(lambda report: report.logged.log_id == last.log_id)


def count(keys: LadderKeys) -> Call[int]:
    """Number of results that the log has taken."""
    return Call(("HLEN", keys.ids), int)


def contents(keys: LadderKeys, results: Sequence[Result]) -> Call[list[bytes | None]]:
    """For each result the digest of the content that its id was accepted with; None for a new id."""

    def decode(reply: list[bytes | None]) -> list[bytes | None]:
        return [known and known[:DIGEST_SIZE] for known in reply]

    return Call(("HMGET", keys.ids, *(result.id_digest for result in results)), decode)

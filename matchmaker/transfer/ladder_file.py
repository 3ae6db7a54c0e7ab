"""A whole ladder as lines of JSON: what it is, its log, its players, and how much of either there was.

Behind the players stand disputes and dismissals, if there are any: see matchmaker.transfer.cases.

    {"format": "matchmaker-ladder", "version": 1, "ladder": {settings}, "cursor": "1796045942984-0"}
    {"log": "1796045942984-0", "result": ["match-1", "ann", "bob", "win", {}, null]}
    {"player": "ann", "name": "Ann", "owner": null, "suspended": false, "history": 1}
    {"end": {"entries": 1, "players": 1}}

The log makes the ladder: what stands behind the cursor was not rated yet. Of the players only what the log
does not tell is written. If the ladder has gone over to another rule, the first line says as "eras" which
entries were accepted under which, and the version is 2.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import count
from typing import Annotated, Any, BinaryIO, Final, TextIO

from pydantic import Field, TypeAdapter, ValidationError

from matchmaker.eras import Eras, era_of
from matchmaker.eras import decode as decode_eras
from matchmaker.errors import InvalidInputError, MatchmakerError
from matchmaker.identifiers import DisplayName, Identifier
from matchmaker.ladder import Ladder
from matchmaker.rating.rule import Rule
from matchmaker.results import log_order
from matchmaker.store.cases import Case
from matchmaker.store.folds import START, Logged
from matchmaker.store.members import Member
from matchmaker.transfer.cases import is_case, read_case, write_case
from matchmaker.transfer.formats import DAMAGED
from matchmaker.transfer.ladder_entries import read_entry
from matchmaker.validation import invalid_input

FORMAT: Final = "matchmaker-ladder"
PLAIN: Final = 1
"""Version of the format for a ladder that has always had its rule."""

WITH_ERAS: Final = 2
"""The other one. A program that knows nothing of eras must not read it."""

MOST_HISTORY: Final = 10_000

_LONGEST_LINE = 1 << 20
_LONGEST_PLACE = 64
"""Bytes in front of what an entry says."""
_LOG_ID = re.compile(r"\d{1,19}-\d{1,19}", re.ASCII)

_MEMBER: TypeAdapter[tuple[str, str | None, str | None, bool, int]] = TypeAdapter(
    tuple[
        Identifier,
        DisplayName | None,
        Identifier | None,
        bool,
        Annotated[int, Field(ge=0, le=MOST_HISTORY)],
    ]
)


Content = Logged | Member | Case


@dataclass(frozen=True, slots=True)
class Head:
    """A ladder, the id of the last entry of its log that was rated, and the eras of that log."""

    ladder: Ladder
    cursor: str
    eras: Eras = ()

    def accepted_under(self, log_id: str) -> Rule:
        """The rule under which that entry was accepted."""
        era = era_of(self.eras, log_id) if self.eras else None
        return self.ladder.rule if era is None else era.rule


def write_head(text: TextIO, head: Head) -> None:
    """Writes the first line."""
    first: dict[str, Any] = {"ladder": head.ladder.model_dump(mode="json"), "cursor": head.cursor}
    if head.eras:
        first["eras"] = [era.model_dump(mode="json") for era in head.eras]
    text.write(_line({"format": FORMAT, "version": WITH_ERAS if head.eras else PLAIN, **first}))


def write_entries(text: TextIO, entries: Iterable[Logged]) -> None:
    """Writes lines of the log."""
    for logged in entries:
        # As it stands in the log: that text is what tells a duplicate from a conflict.
        text.write(f'{{"log": "{logged.log_id}", "{logged.entry.kind}": {logged.entry.encode()}}}\n')


def read_joined(text: BinaryIO) -> Iterator[str]:
    """Who joins in the lines that `write_head` and `write_entries` have written."""
    for line in text:
        if b', "join": [' in line[:_LONGEST_PLACE]:
            yield json.loads(line)["join"][0]


def read_suspended(text: BinaryIO) -> set[str]:
    """Who is suspended at the end of these lines."""
    suspended: set[str] = set()
    for line in text:
        place = line[:_LONGEST_PLACE]
        if b', "suspend": [' in place:
            suspended.add(json.loads(line)["suspend"][0])
        elif b', "reinstate": [' in place:
            suspended.discard(json.loads(line)["reinstate"][0])
    return suspended


def write_rest(
    text: TextIO, entries: int, members: Iterable[Member], cases: Iterable[Case]
) -> dict[str, int]:
    """Writes what follows so many lines of the log; says how many entries, players and cases (if any) the
    file holds."""
    counts = {"entries": entries, "players": 0}
    for member in members:
        counts["players"] += 1
        text.write(_line(asdict(member)))
    for case in cases:
        counts["cases"] = counts.get("cases", 0) + 1
        text.write(_line(write_case(case)))
    text.write(_line({"end": counts}))
    return counts


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def is_ladder_file(text: BinaryIO) -> bool:
    """Whether this is the beginning of a whole ladder, and not of results."""
    try:
        first = json.loads(text.readline(_LONGEST_LINE))
    except (ValueError, RecursionError, *DAMAGED):
        return False
    return isinstance(first, dict) and first.get("format") == FORMAT


def read_ladder(text: BinaryIO, ladder_id: str) -> tuple[Head, Iterator[Content]]:
    """The ladder, under its new id, and what follows: first its log, in order, then its players, then cases.

    Both raise InvalidInputError for a line that makes no sense, and for a file that ends too early.
    """
    lines = _objects(text)
    number, head = next(lines, (1, {}))
    if head.get("format") != FORMAT:
        raise InvalidInputError("line 1: this is not the beginning of a whole ladder")
    version = head.get("version")
    if version not in (PLAIN, WITH_ERAS):
        raise InvalidInputError(
            f"line 1: this is version {version!r} of the format; this program reads {PLAIN} and {WITH_ERAS}"
        )
    settings, cursor = head.get("ladder"), head.get("cursor")
    if not isinstance(settings, dict):
        raise InvalidInputError("line 1: ladder: must be an object")
    if not (isinstance(cursor, str) and _LOG_ID.fullmatch(cursor)):
        raise InvalidInputError("line 1: cursor: must be the id of an entry")
    try:
        ladder = Ladder.model_validate_json(json.dumps({**settings, "id": ladder_id}))
    except ValidationError as error:
        raise _at(number, invalid_input(error, "ladder")) from None
    try:
        known_eras = decode_eras(json.dumps(head["eras"])) if version == WITH_ERAS else ()
    except (KeyError, ValidationError):
        raise InvalidInputError("line 1: eras: must say up to which entry which rule was in force") from None
    read = Head(ladder, cursor, known_eras)
    return read, _contents(lines, read)


def _objects(text: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    for number in count(1):
        try:
            written = text.readline(_LONGEST_LINE)
        except DAMAGED as error:
            raise InvalidInputError(f"line {number}: the packed file is damaged: {error}") from None
        if not written:
            return
        try:
            value = json.loads(written)
        except (ValueError, RecursionError) as error:
            raise InvalidInputError(f"line {number}: is not JSON: {error}") from None
        if not isinstance(value, dict):
            raise InvalidInputError(f"line {number}: must be a JSON object")
        yield number, value


def _contents(lines: Iterator[tuple[int, dict[str, Any]]], head: Head) -> Iterator[Content]:
    last, entries, members, cases = START, 0, 0, 0
    for number, value in lines:
        try:
            if "end" in value:
                counts = {"entries": entries, "players": members}
                if value["end"] != counts | ({"cases": cases} if cases else {}):
                    raise ValueError(
                        f"there were {entries} entries, {members} players and {cases} cases before the end"
                    )
                if next(lines, None):
                    raise ValueError("nothing may follow the end")
                return
            if "log" in value and not members and not cases:
                logged = _logged(value, head)
                if log_order(logged.log_id) <= log_order(last):
                    raise ValueError("log: must grow from entry to entry")
                last, entries = logged.log_id, entries + 1
                yield logged
            elif "player" in value and not cases:
                members += 1
                yield _member(value)
            elif is_case(value):
                cases += 1
                yield read_case(value)
            else:
                raise ValueError("must be an entry of the log, or after these a player, or then a case")
        except ValidationError as error:
            raise _at(number, invalid_input(error)) from None
        except MatchmakerError as error:
            raise _at(number, error) from None
        except (ValueError, OverflowError, RecursionError) as error:
            raise InvalidInputError(f"line {number}: {error}") from None
    raise InvalidInputError("the file ends too early: its last line is missing")


def _at(line: int, error: MatchmakerError) -> InvalidInputError:
    return InvalidInputError(f"line {line}: {error.detail}")


def _logged(value: Mapping[str, Any], head: Head) -> Logged:
    log_id = value["log"]
    if not (isinstance(log_id, str) and _LOG_ID.fullmatch(log_id)):
        raise ValueError("log: must be the id of an entry")
    kinds = value.keys() - {"log"}
    if len(kinds) != 1:
        raise ValueError("must hold one entry")
    (kind,) = kinds
    return Logged(log_id, read_entry(kind, value[kind], head.accepted_under(log_id)))


def _member(value: Mapping[str, Any]) -> Member:
    fields = [value.get(name) for name in ("player", "name", "owner", "suspended", "history")]
    return Member(*_MEMBER.validate_json(json.dumps(fields), strict=True))

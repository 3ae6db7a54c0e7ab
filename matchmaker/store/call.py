"""One call of the store, as a value: what to send and how to read the reply.

Every operation of the store is a function that returns a `Call`. It costs one round trip, and the same call
runs on a synchronous client (workers, command line) and on an asynchronous one (API).
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from importlib.resources import files
from typing import Any, Generic, NamedTuple, TypeVar

from matchmaker.archive import Kind

T = TypeVar("T")
U = TypeVar("U")

Argument = str | bytes | int | float


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script of this package."""

    source: str
    sha: str


@cache
def script(name: str) -> Script:
    """The script in `lua/<name>.lua`."""
    source = files("matchmaker.store").joinpath("lua", f"{name}.lua").read_text(encoding="utf-8")
    return Script(source, sha1(source.encode(), usedforsecurity=False).hexdigest())


@dataclass(frozen=True, slots=True)
class Shelf:
    """One data set of a ladder's archive: keys of the stream that it continues backwards, of the list of its
    files and of the archive's id; and where its files lie."""

    kind: Kind
    ladder_id: str
    stream: str
    files: str
    archive: str

    def directory(self, archive_id: str, generation: int) -> str:
        """Of its files, below the archive's root. The log is the same for all generations."""
        of_ladder = f"{self.kind}/ladder={self.ladder_id}/archive={archive_id}"
        return of_ladder if self.kind == "log" else f"{of_ladder}/generation={generation}"


class Gap(NamedTuple):
    """What a stream no longer holds: the last `width` columns of a row, to be put at a place of the reply."""

    place: int
    shelf: Shelf
    log_id: str
    width: int = 1


class StaleLadderError(Exception):
    """The ladder's settings are not what the caller believes; it must read them again."""


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A script with its keys and arguments, or (without script) a plain command.

    `gaps` finds in a reply what stands in the archive by now.
    """

    arguments: Sequence[Argument]
    decode: Callable[[Any], T]
    script: Script | None = None
    keys: Sequence[str] = ()
    gaps: Callable[[Any], Sequence[Gap]] | None = None

    def then(self, read: Callable[[T], U]) -> "Call[U]":
        """The same call, whose result is what `read` makes of this one's."""
        return Call(self.arguments, lambda reply: read(self.decode(reply)), self.script, self.keys, self.gaps)

    def command(self, *, by_source: bool) -> tuple[Argument, ...]:
        """The words to send. A server that does not know a script yet wants its source."""
        if self.script is None:
            return tuple(self.arguments)
        head = ("EVAL", self.script.source) if by_source else ("EVALSHA", self.script.sha)
        return (*head, len(self.keys), *self.keys, *self.arguments)

    def read(self, reply: Any) -> T:
        """The decoded reply. Raises StaleLadderError if the script saw other settings than the caller."""
        if self.script is not None and reply == [b"stale"]:
            raise StaleLadderError
        return self.decode(reply)


Plan = Generator[Call[Any], Any, T]
"""Several calls, one after the other: yields each, is sent its result, and returns what it makes of them."""

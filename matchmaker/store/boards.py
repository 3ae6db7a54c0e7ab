"""Pages of the board."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from matchmaker.errors import NotFoundError
from matchmaker.store.call import Argument, Call, script
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.states import unpack

Mark = tuple[bytes, ...]
"""Of a board: it changes whenever anything on the board does."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the board. `rank` is 1 + the number of strictly better players."""

    rank: int
    player: str
    name: str | None
    rating: float
    games: int
    tier: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of the board. `version` is the cursor of the log that it shows, `total` all players on it,
    `mark` that of the board from which it was read."""

    version: str
    total: int
    entries: list[Row]
    mark: Mark = field(default=(), compare=False)


@lru_cache(maxsize=1024)
def mark(ladder_id: str) -> Call[Mark]:
    """The board's mark. Raises NotFoundError for an unknown ladder."""
    keys = LadderKeys(ladder_id)

    def decode(reply: list[bytes]) -> Mark:
        if not reply:
            raise NotFoundError("ladder", ladder_id)
        return tuple(reply)

    return Call((), decode, script("mark"), (keys.ladder, keys.cursor))


def page(edition: Edition, offset: int, limit: int) -> Call[Page]:
    """`limit` rows (at most 1,000) after the first `offset`."""
    return _page(edition, ("offset", offset, limit))


def around(edition: Edition, player: str, span: int) -> Call[Page]:
    """`span` rows (at most 100) on either side of the player, filled up at both ends of the board.

    Empty for a player who is off the board. Raises NotFoundError `unknown_player`.
    """
    return _page(edition, ("around", player, span))


def _page(edition: Edition, arguments: tuple[Argument, ...]) -> Call[Page]:
    ladder, keys = edition.ladder, edition.keys

    def decode(reply: list[Any]) -> Page:
        if reply == [b"unknown"]:
            raise NotFoundError("player", str(arguments[1]))
        if reply == [b"off"]:
            return Page("0-0", 0, [])
        _, touched, version, total, offset, rank, *cells = reply
        entries: list[Row] = []
        for index in range(0, len(cells), 4):
            player, rating_text, packed, name = cells[index : index + 4]
            rating = float(rating_text)
            if entries and rating != entries[-1].rating:
                rank = offset + len(entries) + 1
            entries.append(
                Row(
                    rank,
                    player.decode(),
                    name and name.decode(),
                    rating,
                    unpack(packed).games,
                    ladder.tier(rating),
                )
            )
        return Page(version.decode(), total, entries, (edition.revision, touched, version))

    return Call(
        (edition.revision, *arguments),
        decode,
        script("page"),
        (keys.ladder, keys.ratings, keys.states, keys.names, keys.cursor),
    )

"""The players of a whole ladder, for its backup: what the log does not tell of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from matchmaker.store.call import Call, script
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Member:
    """A player of a ladder; `history` is the number of results that its history holds."""

    player: str
    name: str | None
    owner: str | None
    suspended: bool
    history: int


def all_members(store: Store, keys: LadderKeys) -> Iterator[Member]:
    """Everybody who is in the ladder for as long as this takes, in no order; some may come twice."""
    for players in all_players(store, keys):
        yield from store.run(_members(keys, players))


def all_players(store: Store, keys: LadderKeys) -> Iterator[list[str]]:
    """The same, page by page, by their ids alone."""
    cursor = 0
    while True:
        cursor, players = store.run(_page(keys, cursor))
        if players:
            yield players
        if not cursor:
            return


def _page(keys: LadderKeys, cursor: int) -> Call[tuple[int, list[str]]]:
    return Call(
        ("HSCAN", keys.states, cursor, "COUNT", _PAGE),
        lambda reply: (int(reply[0]), [player.decode() for player in reply[1]]),
    )


def _members(keys: LadderKeys, players: Sequence[str]) -> Call[list[Member]]:
    def decode(reply: list[Any]) -> list[Member]:
        return [
            Member(player, name and name.decode(), owner and owner.decode(), not on_board, history)
            for player, (name, owner, on_board, history) in zip(players, reply, strict=True)
        ]

    return Call(
        players,
        decode,
        script("members"),
        (keys.ratings, keys.names, keys.owners, *map(keys.history, players)),
    )

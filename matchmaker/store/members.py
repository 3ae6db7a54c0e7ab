"""The players of a whole ladder, for its backup: what the log does not tell of them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
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


def of_players(
    store: Store, keys: LadderKeys, players: Iterable[str], suspended: Collection[str]
) -> Iterator[Member]:
    """These players of the ladder, as they are now but for who is suspended, which a log has told."""
    names = iter(players)
    while page := list(islice(names, _PAGE)):
        yield from store.run(_members(keys, page, suspended))


def count(keys: LadderKeys) -> Call[int]:
    """How many there are."""
    return Call(("HLEN", keys.states), int)


def all_players(store: Store, keys: LadderKeys) -> Iterator[list[str]]:
    """Everybody who is in the ladder for as long as this takes, in no order; some may come twice."""
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


def _members(keys: LadderKeys, players: Sequence[str], suspended: Collection[str]) -> Call[list[Member]]:
    def decode(reply: list[Any]) -> list[Member]:
        return [
            Member(player, name and name.decode(), owner and owner.decode(), player in suspended, history)
            for player, (name, owner, history) in zip(players, reply, strict=True)
        ]

    return Call(
        players,
        decode,
        script("members"),
        (keys.names, keys.owners, *map(keys.history, players)),
    )

"""What people did in a ladder beside playing, for its backup: disputes and dismissals."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from matchmaker.dispute import Dispute
from matchmaker.fairplay import Flag
from matchmaker.store.call import Call
from matchmaker.store.client import Store
from matchmaker.store.flags import Dismissal
from matchmaker.store.keys import LadderKeys

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Dismissed:
    """A flag of a player, and its dismissal."""

    player: str
    flag: Flag
    dismissal: Dismissal


Case = Dispute | Dismissed


def all_cases(store: Store, keys: LadderKeys) -> Iterator[Case]:
    """All disputes and dismissals, in no order; some may come twice."""
    for _, text in _fields(store, keys.disputes):
        yield Dispute.decode(text)
    for name, text in _fields(store, keys.dismissals):
        flag, _, player = name.decode().partition("/")
        yield Dismissed(player, cast(Flag, flag), Dismissal.decode(text))


def _fields(store: Store, key: str) -> Iterator[tuple[bytes, bytes]]:
    cursor = 0
    while True:
        cursor, fields = store.run(_page(key, cursor))
        yield from fields.items()
        if not cursor:
            return


def _page(key: str, cursor: int) -> Call[tuple[int, dict[bytes, bytes]]]:
    def decode(reply: list[Any]) -> tuple[int, dict[bytes, bytes]]:
        return int(reply[0]), reply[1]

    return Call(("HSCAN", key, cursor, "COUNT", _PAGE), decode)

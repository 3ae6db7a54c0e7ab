"""Players: joining, standings, states."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, Literal

from matchmaker.errors import ConflictError, NotFoundError
from matchmaker.ladder import Ladder
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Join, Rename
from matchmaker.standing import Place, Standing, percentile
from matchmaker.store.call import Call, script
from matchmaker.store.keys import AWAKE_MS, LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.states import pack, strength_word, unpack


class Keep(Enum):
    """Says that a name or an owner stays what it is."""

    IT = "="


def _note(text: str | Keep | None) -> str:
    if text is Keep.IT:
        return "="
    return "-" if text is None else f"+{text}"


def join(
    edition: Edition,
    player: str,
    *,
    name: str | Keep | None = Keep.IT,
    owner: str | Keep | None = Keep.IT,
    brought: PlayerState | None = None,
) -> Call[tuple[Literal["joined", "known"], bool]]:
    """Lets a player into the ladder, at its initial rating or with what it brings from elsewhere.

    Somebody who is in the ladder already only changes name and owner. Returns which of the two it was, and
    whether a folding job must be called. Raises ConflictError `already_joined` if the player is in the ladder
    with another state than the one it brings.
    """
    ladder, keys = edition.ladder, edition.keys
    state = brought or ladder.newcomer

    def decode(reply: list[Any]) -> tuple[Literal["joined", "known"], bool]:
        match reply:
            case [b"joined", called]:
                return "joined", called == 1
            case [b"known", called]:
                return "known", called == 1
            case _:
                raise ConflictError(
                    "already_joined",
                    f"Player {player!r} is in this ladder already; only a new player may bring a rating.",
                )

    return Call(
        (
            edition.revision,
            AWAKE_MS,
            player,
            pack(state),
            repr(state.rating),
            strength_word(state),
            Join(player, state).encode(),
            Rename(player, None if name is Keep.IT else name).encode(),
            "0" if brought is None else "1",
            _note(name),
            _note(owner),
        ),
        decode,
        script("join"),
        (
            *(keys.ladder, keys.states, keys.ratings, keys.strengths, keys.names, keys.owners, keys.log),
            keys.awake,
        ),
    )


def admit(edition: Edition, players: Sequence[str]) -> Call[tuple[int, bool]]:
    """Lets players (some thousands) into the ladder at its initial rating; who is in it stays as it is.

    Returns how many joined, and whether a folding job must be called.
    """
    keys, state = edition.keys, edition.ladder.newcomer
    words = (word for player in players for word in (player, Join(player, state).encode()))
    return Call(
        (edition.revision, AWAKE_MS, pack(state), repr(state.rating), strength_word(state), *words),
        lambda reply: (reply[1], reply[2] == 1),
        script("admit"),
        (keys.ladder, keys.states, keys.ratings, keys.strengths, keys.log, keys.awake),
    )


def standing(edition: Edition, player: str) -> Call[Standing]:
    """Where the player stands. Raises NotFoundError `unknown_player`."""

    def only(found: dict[str, Standing]) -> Standing:
        if player not in found:
            raise NotFoundError("player", player)
        return found[player]

    return standings(edition, (player,)).then(only)


def standings(edition: Edition, players: Sequence[str]) -> Call[dict[str, Standing]]:
    """Where those of these players (at most 1,000) stand who are in the ladder."""
    keys = edition.keys

    def decode(reply: list[Any]) -> dict[str, Standing]:
        _, of, *found = reply
        return {
            player: _standing(edition.ladder, player, of, *cells)
            for player, cells in zip(players, found, strict=True)
            if cells is not None
        }

    return Call(
        (edition.revision, *players),
        decode,
        script("standings"),
        (keys.ladder, keys.ratings, keys.states, keys.names, keys.owners),
    )


def _standing(
    ladder: Ladder, player: str, of: int, packed: bytes, name: bytes | None, owner: bytes | None, *place: int
) -> Standing:
    state = unpack(packed)
    where = Place(rank=1 + place[0], worse=place[1], of=of) if place else None
    return Standing(
        player=player,
        name=name.decode() if name else None,
        owner=owner.decode() if owner else None,
        status="active" if where else "suspended",
        rating=state.rating,
        rank=None if where is None else where.rank,
        of=of,
        percentile=None if where is None else percentile(where),
        tier=ladder.tier(state.rating),
        games=state.games,
        wins=state.wins,
        draws=state.draws,
        losses=state.losses,
        k=ladder.rule.k(state),
        provisional=ladder.rule.provisional(state),
        experience=state.experience,
        peak=state.peak,
        mu=state.strength if state.sigma else None,
        sigma=state.sigma or None,
    )


def states(edition: Edition, players: Iterable[str]) -> Call[dict[str, PlayerState]]:
    """States of those of these players (at least one) that are in the ladder."""
    wanted = tuple(dict.fromkeys(players))

    def decode(reply: list[bytes | None]) -> dict[str, PlayerState]:
        return {
            player: unpack(packed) for player, packed in zip(wanted, reply, strict=True) if packed is not None
        }

    return Call(("HMGET", edition.keys.states, *wanted), decode)


def names(keys: LadderKeys, players: Iterable[str]) -> Call[dict[str, str]]:
    """Names of those of these players that have one."""
    wanted = tuple(dict.fromkeys(players))

    def decode(reply: list[bytes | None]) -> dict[str, str]:
        return {player: name.decode() for player, name in zip(wanted, reply, strict=True) if name is not None}

    return Call(("HMGET", keys.names, *wanted), decode)


def snapshot(
    edition: Edition, players: Sequence[str]
) -> Call[tuple[str, dict[str, tuple[PlayerState | None, float | None]]]]:
    """The cursor, and of each of these players (some hundreds) the state and the rating on the board, all at
    one moment. None is for a state of somebody who is not in the ladder, and a rating off the board."""
    keys = edition.keys

    def decode(reply: list[Any]) -> tuple[str, dict[str, tuple[PlayerState | None, float | None]]]:
        cursor, *cells = reply
        return cursor.decode(), {
            player: (packed and unpack(packed), None if rating is None else float(rating))
            for player, packed, rating in zip(players, cells[::2], cells[1::2], strict=True)
        }

    return Call(
        (edition.revision, *players),
        decode,
        script("snapshot"),
        (keys.ladder, keys.cursor, keys.states, keys.ratings),
    )

"""A player's dossier: its recent record for the indicators of fair play, and what was dismissed before."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from matchmaker.errors import NotFoundError
from matchmaker.fairplay import Encounter, Flag, Form, IssuedBattle, Record
from matchmaker.fairplay.record import FORM_LENGTH, Shared
from matchmaker.fold import Change, Changes
from matchmaker.rating.rule import PlayerState, Rule
from matchmaker.results import Result, digest, milliseconds
from matchmaker.store import devices, flags
from matchmaker.store.call import Call, Gap, Plan, script
from matchmaker.store.changes import LoggedResult, change_gap, entry_gap, unpack_changes
from matchmaker.store.flags import Dismissal
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.states import unpack

RESULTS: Final = 100
"""Of a player, the last so many make its record; fewer if the ladder keeps fewer."""

_OPPONENTS_AT_ONCE: Final = 25
_RESULTS_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True)
class Dossier:
    """All that a review needs to know.

    `rated_at` says when the log took each encounter, `due_at` when each battle expired or would have, in
    milliseconds since the epoch; both in the order of the record.
    """

    record: Record
    rated_at: tuple[int, ...]
    due_at: tuple[int, ...]
    dismissals: Mapping[Flag, Dismissal]

    def since(self, at: int) -> Record:
        """What of the record came from that moment on."""
        encounters = zip(self.record.encounters, self.rated_at, strict=True)
        battles = zip(self.record.battles, self.due_at, strict=True)
        return Record(
            tuple(encounter for encounter, rated_at in encounters if rated_at >= at),
            tuple(battle for battle, due_at in battles if due_at >= at),
        )


class _Career(NamedTuple):
    """Where a player stands; `places` are the results of its history: log id -> number of newer ones. Those
    that were annulled are neither in the history nor among the games."""

    state: PlayerState
    places: dict[str, int]

    def games_before(self, log_id: str) -> int:
        """Rated games before this result; those of now if it is too long ago to tell."""
        place = self.places.get(log_id)
        return self.state.games if place is None else self.state.games - place - 1

    def results_before(self, log_id: str) -> list[str]:
        """The last results before this one of which its form is made, newest first."""
        place = self.places.get(log_id)
        return [] if place is None else list(self.places)[place + 1 : place + 1 + FORM_LENGTH]


class _Rated(NamedTuple):
    result: Result
    changes: Changes

    def change_of(self, player: str) -> Change:
        return next(change for change in self.changes if change.player == player)


_Ratings = dict[str, _Rated]
"""Rated results by log id."""


def read(edition: Edition, player: str, now: int) -> Plan[Dossier]:
    """The player's dossier. Raises NotFoundError `unknown_player`. `now` in milliseconds since the epoch."""
    keys = edition.keys
    careers: dict[str, _Career] = yield _careers(edition, (player,))
    if player not in careers:
        raise NotFoundError("player", player)
    own = careers[player]
    latest = list(own.places)[:RESULTS]
    ratings: _Ratings = {}
    if latest:
        ratings |= yield _rated(edition, latest)
    duels = {log_id: rated for log_id, rated in ratings.items() if rated.result.pair}
    encounters = [log_id for log_id in reversed(latest) if log_id in duels]
    opponents = dict.fromkeys(_opponent(duels[log_id].result, player) for log_id in encounters)
    links: dict[str, Shared] = {}
    for others in _slices(opponents, _OPPONENTS_AT_ONCE):
        careers |= yield _careers(edition, others)
        links |= yield devices.links(keys, player, others)
    forms = yield from _forms(edition, player, careers, ratings)
    battles = yield from _battles(keys, player, now)
    dismissals = yield flags.dismissals(keys, player)
    rule = edition.ladder.rule
    return Dossier(
        Record(
            tuple(
                _encounter(player, log_id, ratings[log_id], careers, links, forms.get(log_id), rule)
                for log_id in encounters
            ),
            tuple(battle for battle, _ in battles),
        ),
        tuple(map(milliseconds, encounters)),
        tuple(due_at for _, due_at in battles),
        dismissals,
    )


def _forms(
    edition: Edition, player: str, careers: Mapping[str, _Career], ratings: _Ratings
) -> Plan[dict[str, Form | None]]:
    """The forms of those whom the player challenged, by log id; none if it challenged too few for the
    indicator that asks for them. They take most of the reading."""
    pairs = {log_id: rated.result.pair for log_id, rated in ratings.items()}
    chosen = {log_id: pair[1] for log_id, pair in pairs.items() if pair and pair[0] == player}
    if len(chosen) < edition.ladder.fair_play.spike_hunting.results:
        return {}
    earlier = {log_id: careers[opponent].results_before(log_id) for log_id, opponent in chosen.items()}
    known = dict(ratings)
    needed = dict.fromkeys(each for results in earlier.values() for each in results if each not in known)
    for some in _slices(needed, _RESULTS_AT_ONCE):
        known |= yield _rated(edition, some)
    return {
        log_id: Form.of(
            [
                known[each].change_of(opponent).strength_before
                for each in reversed(earlier[log_id])
                if each in known
            ]
        )
        for log_id, opponent in chosen.items()
    }


def _slices(items: Iterable[str], size: int) -> Iterator[list[str]]:
    """The store does other work between two of them."""
    iterator = iter(items)
    while some := list(islice(iterator, size)):
        yield some


def _opponent(result: Result, player: str) -> str:
    """Of a duel."""
    one, other = result.players
    return other if player == one else one


def _encounter(
    player: str,
    log_id: str,
    rated: _Rated,
    careers: Mapping[str, _Career],
    links: Mapping[str, Shared],
    form: Form | None,
    rule: Rule,
) -> Encounter:
    opponent = _opponent(rated.result, player)
    own, other = careers[player], careers[opponent]
    return Encounter.seen_by(
        player,
        rated.result,
        rated.changes,
        rule,
        games=own.games_before(log_id),
        opponent_games=other.games_before(log_id),
        opponent_form=form,
        shared=links.get(opponent),
    )


def _battles(keys: LadderKeys, player: str, now: int) -> Plan[list[tuple[IssuedBattle, int]]]:
    """The battles that the player was given and that are over, oldest first, and when each was due."""
    issued: list[tuple[str, int, float]] = yield _issued(keys, player)
    if not issued:
        return []
    played: list[bool] = yield _reported(keys, [battle_id for battle_id, _, _ in issued])
    return [
        (IssuedBattle(battle_id, gap, reported), due_at)
        for (battle_id, due_at, gap), reported in zip(issued, played, strict=True)
        if reported or due_at <= now
    ]


def _careers(edition: Edition, players: Sequence[str]) -> Call[dict[str, _Career]]:
    keys = edition.keys

    def decode(reply: list[Any]) -> dict[str, _Career]:
        return {
            player: _Career(
                unpack(packed),
                {log_id.decode(): place for place, log_id in enumerate(history)},
            )
            for player, (packed, history) in zip(players, reply, strict=True)
            if packed is not None
        }

    return Call(
        (edition.revision, RESULTS + FORM_LENGTH, *players),
        decode,
        script("careers"),
        (keys.ladder, keys.states, keys.annulled, *map(keys.history, players)),
    )


def _rated(edition: Edition, log_ids: Sequence[str]) -> Call[_Ratings]:
    """The results with these log ids, as the rule of now reads them."""
    keys = edition.keys

    def read_all(reply: list[bytes]) -> Iterator[tuple[str, _Rated]]:
        cells = iter(reply)
        for log_id, entry, packed in zip(cells, cells, cells, strict=True):
            if not entry or not packed:
                continue
            result = LoggedResult.read(log_id, entry).present(edition)
            yield log_id.decode(), _Rated(result, unpack_changes(packed, result))

    def gaps(reply: list[bytes]) -> list[Gap]:
        found: list[Gap] = []
        for at in range(0, len(reply), 3):
            log_id, entry, packed = reply[at : at + 3]
            found += entry_gap(keys, at + 1, log_id, entry)
            found += change_gap(keys, at + 2, log_id, packed)
        return found

    return Call(log_ids, lambda reply: dict(read_all(reply)), script("rated"), (keys.log, keys.changes), gaps)


def _issued(keys: LadderKeys, player: str) -> Call[list[tuple[str, int, float]]]:
    """Id, time when it expires, and gap of the battles that are remembered, oldest first."""

    def decode(reply: list[bytes]) -> list[tuple[str, int, float]]:
        words = (each.decode().split() for each in reversed(reply))
        return [(battle_id, int(expires), float(gap)) for battle_id, expires, gap in words]

    return Call(("LRANGE", keys.issued(player), 0, -1), decode)


def _reported(keys: LadderKeys, battle_ids: Sequence[str]) -> Call[list[bool]]:
    """For each battle whether the log has its result."""
    return Call(
        ("HMGET", keys.ids, *map(digest, battle_ids)), lambda reply: [each is not None for each in reply]
    )

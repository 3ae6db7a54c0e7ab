"""What a ladder holds besides its log: as the store keeps it, and as the pure fold of the log makes it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from matchmaker.chronicle import read_rows
from matchmaker.fold import Adjustment, fold
from matchmaker.moderation import Annul, Measure, Reinstate, Suspend
from matchmaker.rating.rule import PlayerState
from matchmaker.results import DIGEST_SIZE, Result, digest
from matchmaker.store import archives, folds
from matchmaker.store.changes import pack_changes
from matchmaker.store.client import Store
from matchmaker.store.folds import Logged
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.moderation import pack_adjustment
from matchmaker.store.states import unpack


@dataclass(frozen=True, slots=True)
class Image:
    """Log ids and digests are bytes, as in the store; histories and measures stand for each player
    who has any."""

    states: dict[str, PlayerState]
    ratings: dict[str, float]
    strengths: dict[str, float]
    changes: dict[bytes, bytes]
    histories: dict[str, list[bytes]]
    ids: dict[bytes, bytes]
    annulled: dict[bytes, bytes]
    measures: dict[str, list[bytes]]
    cursor: bytes

    @classmethod
    def stored(cls, store: Store, keys: LadderKeys) -> Self:
        """As the store keeps it, and of the changes its archive."""
        client: Any = store.client
        states = {player.decode(): unpack(packed) for player, packed in client.hgetall(keys.states).items()}
        histories = {player: client.lrange(keys.history(player), 0, -1) for player in states}
        measures = {player: client.lrange(keys.measures(player), 0, -1) for player in states}
        return cls(
            states=states,
            ratings=_scores(client, keys.ratings),
            strengths=_scores(client, keys.strengths),
            changes={
                log_id: change
                for rows in read_rows(store, archives.changes_shelf(keys))
                for log_id, change in rows
            },
            histories={player: history for player, history in histories.items() if history},
            ids=client.hgetall(keys.ids),
            annulled=client.hgetall(keys.annulled),
            measures={player: ids for player, ids in measures.items() if ids},
            cursor=client.get(keys.cursor) or folds.START.encode(),
        )

    @classmethod
    def folded(cls, log: Sequence[Logged], edition: Edition) -> Self:
        """As it must be when the whole log is folded under the present settings."""
        states: dict[str, PlayerState] = {}
        ladder = edition.ladder
        changes = fold(states, [edition.present(each.log_id, each.entry) for each in log], ladder.rule)
        histories: dict[str, list[bytes]] = {}
        measures: dict[str, list[bytes]] = {}
        ids: dict[bytes, bytes] = {}
        annulled: dict[bytes, bytes] = {}
        suspended: set[str] = set()
        for each in log:
            log_id = each.log_id.encode()
            match each.entry:
                case Result() as result:
                    ids.setdefault(result.id_digest, result.content_digest + log_id)
                    for player in result.players:
                        histories.setdefault(player, []).append(log_id)
                case Annul(result_id):
                    annulled[ids[digest(result_id)][DIGEST_SIZE:]] = log_id
                case Suspend(player):
                    suspended.add(player)
                case Reinstate(player):
                    suspended.remove(player)
            if isinstance(each.entry, Measure):
                measures.setdefault(each.entry.player, []).append(log_id)
        return cls(
            states=states,
            ratings={player: state.rating for player, state in states.items() if player not in suspended},
            strengths={
                player: state.strength
                for player, state in states.items()
                if state.sigma and player not in suspended
            },
            changes={
                each.log_id.encode(): pack_adjustment(change)
                if isinstance(change, Adjustment)
                else pack_changes(change)
                for each, change in zip(log, changes, strict=True)
                if change is not None
            },
            histories={player: ids[::-1][: ladder.history_limit] for player, ids in histories.items()},
            ids=ids,
            annulled=annulled,
            measures={player: ids[::-1] for player, ids in measures.items()},
            cursor=(log[-1].log_id if log else folds.START).encode(),
        )

    def differences(self, other: "Image") -> list[str]:
        """Names of the fields in which the two are not equal."""
        return [each.name for each in fields(self) if getattr(self, each.name) != getattr(other, each.name)]


def _scores(client: Any, key: str) -> dict[str, float]:
    return {player.decode(): score for player, score in client.zrange(key, 0, -1, withscores=True)}

"""A ladder on the real store, with the verbs that tests speak in."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from typing import Any, Self, TypeVar

from matchmaker.errors import MatchmakerError
from matchmaker.folding import fold_all
from matchmaker.ladder import Ladder
from matchmaker.moderation import Adjust, Annul, Reinstate, Suspend, Way
from matchmaker.rating.rule import Outcome, PlayerState
from matchmaker.results import Result
from matchmaker.standing import Standing
from matchmaker.store import battles, boards, changes, ladders, moderation, players, reports
from matchmaker.store.battles import Battle, Request
from matchmaker.store.boards import Page
from matchmaker.store.call import Call
from matchmaker.store.changes import HistoryEntry
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from matchmaker.store.ladders import Edition
from matchmaker.store.moderation import Ruling
from matchmaker.store.reports import Acceptance, Receipt

T = TypeVar("T")

NOW = 1_800_000_000_000
"""Milliseconds since the epoch at which nearly every test plays."""

_numbers = count(1)


class Stage:
    """A fresh ladder (rule `initiator_k` unless said), and what can be done on it."""

    def __init__(self, store: Store, **settings: Any) -> None:
        self.store = store
        self.id = f"stage-{next(_numbers)}"
        self.put(**settings)
        self.keys = store.edition(self.id).keys

    @classmethod
    def known(cls, store: Store, ladder_id: str) -> Self:
        """A ladder that is there already, on a store of one's own."""
        stage = cls.__new__(cls)
        stage.store, stage.id, stage.keys = store, ladder_id, LadderKeys(ladder_id)
        return stage

    def put(self, **settings: Any) -> str:
        """Creates or changes the ladder."""
        settings = {"id": self.id, "rule": {"name": "initiator_k"}, **settings}
        self.store.run(ladders.announce(self.id))
        return self.store.run(ladders.put(Ladder.model_validate(settings)))[0]

    def on(self, operation: Callable[[Edition], Call[T]]) -> T:
        """The result of a call under the ladder's current settings."""
        return self.store.on(self.id, operation)

    def join(self, *names: str, rating: float | None = None, owner: str | None = None) -> None:
        """Lets players join, at the initial rating or with another one (by mu, where there is one)."""
        sigma = self.store.edition(self.id).ladder.newcomer.sigma
        brought = None if rating is None else PlayerState(rating - 3 * sigma, sigma=sigma)
        for name in names:
            self.on(partial(players.join, player=name, owner=owner, brought=brought))

    def report(self, *results: Result, now: int = NOW) -> list[Receipt | MatchmakerError]:
        """Reports results from outside; what became of each."""
        return self.on(lambda edition: reports.accept(edition, results, now)).outcomes

    def issue(
        self,
        challenger: str,
        exclude: Sequence[str] = (),
        *,
        battle_id: str = "",
        seed: int = 1,
        now: int = NOW,
    ) -> Battle | str:
        """Asks for an opponent; the battle, or the id of the one that is open."""
        request = Request(challenger, exclude, battle_id or f"battle-{next(_numbers)}", seed, now)
        return self.on(lambda edition: battles.issue(edition, request))

    def battle(
        self, challenger: str, exclude: Sequence[str] = (), *, seed: int = 1, now: int = NOW
    ) -> Battle:
        """A new battle."""
        issued = self.issue(challenger, exclude, seed=seed, now=now)
        assert isinstance(issued, Battle)
        return issued

    def settle(self, battle: Battle, outcome: Outcome = "win", *, now: int = NOW) -> Acceptance:
        """Reports the result of a battle."""
        result = Result.duel(battle.id, battle.challenger.player, battle.opponent.player, outcome, {})
        return self.on(lambda edition: reports.accept(edition, (result,), now))

    def cancel(self, battle_id: str, now: int = NOW) -> None:
        battle, _ = self.store.run(battles.find(self.keys, battle_id))
        self.store.run(battles.cancel(self.keys, battle, now))

    def status(self, battle_id: str, now: int = NOW) -> str:
        """The battle's status at that time."""
        battle, cursor = self.store.run(battles.find(self.keys, battle_id))
        return battle.status_at(now, cursor)

    def suspend(self, player: str, *, by: str = "cli", reason: str = "cheats") -> Ruling:
        return self.on(lambda edition: moderation.take(edition, Suspend(player, by, reason)))

    def reinstate(self, player: str) -> Ruling:
        return self.on(
            lambda edition: moderation.take(edition, Reinstate(player, "cli", "has learnt from it"))
        )

    def adjust(self, player: str, way: Way, points: float) -> Ruling:
        measure = Adjust(player, way, points, "cli", "was mistaken")
        return self.on(lambda edition: moderation.take(edition, measure))

    def annul(self, result: str) -> Ruling:
        annulment = Annul(result, "cli", "was arranged")
        return self.on(lambda edition: moderation.annul(edition, annulment))

    def fold(self) -> int:
        """Folds all there is; returns the number of entries."""
        return fold_all(self.store, self.id)

    def standing(self, player: str) -> Standing:
        return self.on(lambda edition: players.standing(edition, player))

    def page(self, offset: int = 0, limit: int = 1_000) -> Page:
        return self.on(lambda edition: boards.page(edition, offset, limit))

    def around(self, player: str, span: int) -> Page:
        return self.on(lambda edition: boards.around(edition, player, span))

    def history(self, player: str, limit: int = 1_000) -> list[HistoryEntry]:
        return self.store.run(changes.history(self.keys, player, limit))

    def strengths(self) -> dict[str, float]:
        """Everybody in the pools of a ladder whose rule has a sigma."""
        return strengths(self.store, self.keys)

    def ratings(self) -> dict[str, float]:
        """Everybody on the board."""
        return {row.player: row.rating for row in self.page().entries}


def strengths(store: Store, keys: LadderKeys) -> dict[str, float]:
    """Who stands in the second sorted set, and where."""
    found = store.client.execute_command("ZRANGE", keys.strengths, 0, -1, "WITHSCORES")
    return {
        player.decode(): float(strength) for player, strength in zip(found[::2], found[1::2], strict=True)
    }


def wins(*pairs: tuple[str, str], prefix: str = "r") -> Iterable[Result]:
    """Results `r0`, `r1`, … in which the first of each pair won."""
    return [Result.duel(f"{prefix}{n}", one, two, "win", {}) for n, (one, two) in enumerate(pairs)]

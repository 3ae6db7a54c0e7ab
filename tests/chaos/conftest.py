"""A ladder on which the auditors find nothing wrong, until a test does something to it."""

from dataclasses import dataclass
from functools import partial

import pytest
import redis

from chaos.audit import Audit, audit
from chaos.leaks import leaks
from chaos.ledger import LadderLedger
from matchmaker.results import Result
from matchmaker.store import folds, players
from matchmaker.store.battles import Battle
from matchmaker.store.client import Store
from tests.stage import Stage


@dataclass(frozen=True)
class Scene:
    """The ladder, what its clients know of it, and a client of the store."""

    stage: Stage
    ledger: LadderLedger
    client: redis.Redis

    def report(self, *results: Result) -> None:
        """Reports results and is answered."""
        for result in results:
            self.ledger.note(result)
        self.stage.report(*results)
        self.ledger.accept(*(result.id for result in results))

    def settle(self, battle: Battle) -> None:
        """Reports that a battle was won, and is answered."""
        sides = battle.challenger.player, battle.opponent.player
        self.ledger.note(Result.duel(battle.id, *sides, "win", {}))
        self.stage.settle(battle)
        self.ledger.accept(battle.id)

    def fold(self) -> None:
        """Folds all there is and goes to rest."""
        self.stage.fold()
        self.stage.store.run(folds.rest(self.stage.keys))

    def audit(self) -> Audit:
        return audit(self.client, self.stage.id, self.ledger, self.stage.store.archive)

    def leaks(self, workers: int = 1) -> list[str]:
        return leaks(self.client, [self.stage.store.edition(self.stage.id)], workers=workers)


@pytest.fixture
def scene(store: Store, redis_client: redis.Redis) -> Scene:
    """Ann, bob and cid, who have fought three times, once in a battle; everything is rated."""
    scene = Scene(Stage(store), LadderLedger(), redis_client)
    for player in ("ann", "bob", "cid"):
        scene.stage.on(partial(players.join, player=player, name=player.title(), owner=player))
    scene.report(Result.duel("r0", "ann", "bob", "win", {}), Result.duel("r1", "bob", "cid", "draw", {}))
    scene.settle(scene.stage.battle("cid"))
    scene.fold()
    return scene

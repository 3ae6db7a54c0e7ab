"""What tests say of ladders that are rebuilt."""

from collections.abc import Callable, Sequence
from typing import Any

from matchmaker.fold import fold
from matchmaker.moderation import Reinstate, Suspend
from matchmaker.rating import InitiatorK
from matchmaker.rating.rule import PlayerState, Rule
from matchmaker.rebuilding import apply, undo
from matchmaker.store import folds, players
from matchmaker.store.client import Client
from tests.stage import Stage

K60 = InitiatorK.model_validate({"k": {"provisional": 60}})


def rebuild(stage: Stage, rule: Rule = K60, initial_rating: float = 1500.0) -> None:
    """Applies the settings, and folds what is left."""
    apply(stage.store, stage.id, rule, initial_rating, lambda _: None)
    stage.fold()


def take_back(stage: Stage) -> None:
    """Undoes that, and folds what is left."""
    undo(stage.store, stage.id, lambda _: None)
    stage.fold()


def seen(stage: Stage, *names: str) -> Any:
    """All that the fold makes: standings, and histories with the changes."""
    standings = stage.on(lambda edition: players.standings(edition, names))
    histories = {name: [(each.result, each.change) for each in stage.history(name)] for name in standings}
    return stage.ratings(), standings, histories


def pool(stage: Stage) -> dict[str, float]:
    """By what opponents are drawn, where that is not the rating."""
    words = stage.store.client.execute_command("ZRANGE", stage.keys.strengths, 0, -1, "WITHSCORES")
    return {player.decode(): float(score) for player, score in zip(words[::2], words[1::2], strict=True)}


def strengths(stage: Stage, names: Sequence[str]) -> dict[str, float]:
    """What that should be."""
    found = stage.on(lambda edition: players.standings(edition, names))
    return {name: each.mu for name, each in found.items() if each.mu is not None and each.rank}


def folded_from_scratch(stage: Stage, rule: Rule) -> dict[str, float]:
    """What the whole log makes of the board under the rule, in memory."""
    logged = stage.store.run(folds.after(stage.keys, folds.START, 1_000_000))
    states: dict[str, PlayerState] = {}
    entries = [each.entry for each in logged]
    fold(states, entries, rule)
    off: set[str] = set()
    for entry in entries:
        if isinstance(entry, Suspend):
            off.add(entry.player)
        elif isinstance(entry, Reinstate):
            off.discard(entry.player)
    return {player: state.rating for player, state in states.items() if player not in off}


class KilledError(BaseException):
    """Stands for the end of the process."""


class Mortal:
    """A client that dies before the command of that number, or lets something happen before each."""

    def __init__(self, client: Client, before: Callable[[int], object]) -> None:
        self._client = client
        self._before = before
        self.commands = 0

    def execute_command(self, *words: Any) -> Any:
        self.commands += 1
        self._before(self.commands)
        return self._client.execute_command(*words)

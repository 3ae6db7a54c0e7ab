"""A ladder in plain Python: dictionaries, a list for a log, and the fold, one entry at a time."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from matchmaker.fold import Adjustment, Change, fold
from matchmaker.ladder import Ladder
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Entry, Join, Reform, Rename, Result


@dataclass
class PlainBattle:
    """A battle as it was issued, and what became of it."""

    challenger: str
    opponent: str
    expires_at: int
    cancelled: bool = False
    reported_at: int | None = None
    """Place of its result in the log."""


@dataclass
class PlainLadder:
    """What the real ladder should be."""

    ladder: Ladder
    states: dict[str, PlayerState] = field(default_factory=dict)
    names: dict[str, str | None] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    log: list[Entry] = field(default_factory=list)
    folded: int = 0
    places: dict[str, int] = field(default_factory=dict)
    """Place in the log of each result, by its id."""
    changes: dict[str, tuple[Change, Change]] = field(default_factory=dict)
    histories: dict[str, list[str]] = field(default_factory=dict)
    """Ids of each player's last results, newest first."""
    battles: dict[str, PlainBattle] = field(default_factory=dict)
    met: dict[str, list[str]] = field(default_factory=dict)
    total: float = 0.0
    """Of all that the players came with."""

    def join(self, player: str, name: str | None, owner: str | None, brought: PlayerState | None) -> str:
        """`joined`, `known` or `already_joined`."""
        known = player in self.states
        if known and brought not in (None, self.states[player]):
            return "already_joined"
        renamed = known and self.names[player] != name
        self.names[player] = name
        self.owners.pop(player, None)
        if owner is not None:
            self.owners[player] = owner
        if renamed:
            self.log.append(Rename(player, name))
        if known:
            return "known"
        state = brought or PlayerState(self.ladder.initial_rating)
        self.states[player], self.histories[player], self.met[player] = state, [], []
        self.log.append(Join(player, state))
        self.total += state.rating
        return "joined"

    def reform(self, ladder: Ladder) -> str:
        """`same` or `changed`."""
        if ladder == self.ladder:
            return "same"
        self.ladder = ladder
        self.log.append(Reform(ladder.model_dump(mode="json")))
        return "changed"

    def report(self, result: Result, now: int) -> str:
        """`new`, `duplicate`, `result_conflict`, `unknown_player`, `battle_expired` or `battle_cancelled`."""
        if result.id in self.places:
            same = self.log[self.places[result.id]] == result
            return "duplicate" if same else "result_conflict"
        battle = self.battles.get(result.id)
        if battle is not None:
            if (battle.challenger, battle.opponent) != (result.initiator, result.opponent):
                return "result_conflict"
            if self.status(result.id, now) != "open":
                return f"battle_{self.status(result.id, now)}"
            battle.reported_at = len(self.log)
        if not {result.initiator, result.opponent} <= self.states.keys():
            return "unknown_player"
        self.places[result.id] = len(self.log)
        self.log.append(result)
        return "new"

    def open_battle(self, challenger: str, now: int) -> str | None:
        """Id of the battle that the challenger has open."""
        return next(
            (
                battle_id
                for battle_id, battle in self.battles.items()
                if battle.challenger == challenger and self.status(battle_id, now) == "open"
            ),
            None,
        )

    def issue(self, battle_id: str, challenger: str, opponent: str, now: int) -> None:
        expires_at = now + 1_000 * self.ladder.battle_ttl
        self.battles[battle_id] = PlainBattle(challenger, opponent, expires_at)
        self.met[challenger].insert(0, opponent)

    def cancel(self, battle_id: str, now: int) -> str:
        """`cancelled`, `battle_expired` or `battle_reported`."""
        status = self.status(battle_id, now)
        if status in ("open", "cancelled"):
            self.battles[battle_id].cancelled = True
            return "cancelled"
        return "battle_expired" if status == "expired" else "battle_reported"

    def status(self, battle_id: str, now: int) -> str:
        battle = self.battles[battle_id]
        if battle.cancelled:
            return "cancelled"
        if battle.reported_at is not None:
            return "rated" if battle.reported_at < self.folded else "reported"
        return "expired" if battle.expires_at <= now else "open"

    def fold(self, batch: int) -> int:
        """Folds up to `batch` entries; returns how many."""
        entries = self.log[self.folded : self.folded + batch]
        for entry in entries:
            (changes,) = fold(self.states, [entry], self.ladder.rule)
            if isinstance(entry, Result) and changes is not None and not isinstance(changes, Adjustment):
                self.changes[entry.id] = changes
                for player in entry.players:
                    self.histories[player].insert(0, entry.id)
                    del self.histories[player][self.ladder.history_limit :]
        self.folded += len(entries)
        return len(entries)

    def board(self) -> list[tuple[int, str, float]]:
        """Rank, player and rating, best first; among equals the later in the order of bytes comes first."""
        order = sorted(
            self.states, key=lambda player: (self.states[player].rating, player.encode()), reverse=True
        )
        return [(self.rank(player), player, self.states[player].rating) for player in order]

    def rank(self, player: str) -> int:
        return 1 + sum(other.rating > self.states[player].rating for other in self.states.values())

    def around(self, player: str, span: int) -> list[tuple[int, str, float]]:
        """`span` rows on either side of the player, filled up at both ends."""
        board = self.board()
        (index,) = (at for at, row in enumerate(board) if row[1] == player)
        rows = range(len(board))
        first = max(0, min(index - span, len(rows) - (2 * span + 1)))
        return board[first : first + 2 * span + 1]

    def recent(self, challenger: str) -> Sequence[str]:
        """The opponents that the challenger is to avoid."""
        return self.met[challenger][: self.ladder.pool.avoid_recent]

    def ratings(self) -> dict[str, float]:
        return {player: state.rating for player, state in self.states.items()}

    def known(self, names: Collection[str]) -> list[str]:
        return [name for name in names if name in self.states]

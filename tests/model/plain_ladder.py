"""A ladder in plain Python: dictionaries, a list for a log, and the fold, one entry at a time."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from matchmaker.devices import BY_BLOCK
from matchmaker.fold import Changes, fold
from matchmaker.ladder import Ladder
from matchmaker.moderation import Adjust, Annul, Measure, Reinstate, Suspend
from matchmaker.rating import AnyRule
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Entry, Join, Reform, Rename, Result
from matchmaker.store.blocks import UNBLOCKED


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
    kept: AnyRule | None = None
    """The rule before the ladder was last rebuilt."""
    states: dict[str, PlayerState] = field(default_factory=dict)
    names: dict[str, str | None] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    devices: dict[str, set[bytes]] = field(default_factory=dict)
    """Tags of the devices that each player was seen on."""
    blocked: dict[bytes, str] = field(default_factory=dict)
    """Why each of the blocked devices is so."""
    held: dict[str, set[bytes]] = field(default_factory=dict)
    """Blocked devices for whose sake alone a player is suspended."""
    log: list[Entry] = field(default_factory=list)
    folded: int = 0
    places: dict[str, int] = field(default_factory=dict)
    """Place in the log of each result, by its id."""
    changes: dict[str, Changes] = field(default_factory=dict)
    histories: dict[str, list[str]] = field(default_factory=dict)
    """Ids of each player's last results, newest first."""
    suspended: set[str] = field(default_factory=set)
    annulments: dict[str, int] = field(default_factory=dict)
    """Place in the log of each annulment, by the id of its result."""
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
        state = brought or self.ladder.newcomer
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

    def rebuild(self, rule: AnyRule) -> None:
        """All that is folded is rated anew under this rule, from the beginning."""
        self.kept, self.ladder = self.ladder.rule, self.ladder.model_copy(update={"rule": rule})
        folded, histories = self.folded, self.histories
        joins = [entry for entry in self.log if isinstance(entry, Join)]
        self.states = {join.player: join.state for join in joins}
        self.total = sum(join.state.rating for join in joins)
        self.folded, self.changes, self.histories = 0, {}, {player: [] for player in self.states}
        while self.folded < folded:
            self.fold(1)
        self.histories = histories
        self.log.append(Reform(self.ladder.model_dump(mode="json")))

    def report(self, result: Result, now: int) -> str:
        """`new`, `duplicate`, `result_conflict`, `linked_accounts`, `unknown_player`, `battle_expired` or
        `battle_cancelled`."""
        if result.id in self.places:
            same = self.log[self.places[result.id]] == result
            return "duplicate" if same else "result_conflict"
        battle = self.battles.get(result.id)
        if battle is not None:
            if result.pair != (battle.challenger, battle.opponent):
                return "result_conflict"
            if self.status(result.id, now) != "open":
                return f"battle_{self.status(result.id, now)}"
            battle.reported_at = len(self.log)
        elif any(
            self.linked(one, other)
            for ours, theirs in combinations(result.sides, 2)
            for one in ours
            for other in theirs
        ):
            return "linked_accounts"
        if not set(result.players) <= self.states.keys():
            return "unknown_player"
        self.places[result.id] = len(self.log)
        self.log.append(result)
        return "new"

    def annul(self, annulment: Annul) -> str:
        """`new`, `same` or `unknown_result`."""
        if annulment.result not in self.places:
            return "unknown_result"
        if annulment.result in self.annulments:
            return "same"
        self.annulments[annulment.result] = len(self.log)
        self.log.append(annulment)
        return "new"

    def take(self, measure: Measure) -> str:
        """`new`, `same`, `unknown_player` or `adjustment_conflict`."""
        player = measure.player
        if player not in self.states:
            return "unknown_player"
        freed = not isinstance(measure, Adjust) and self.held.pop(player, None) is not None
        match measure:
            case Suspend():
                if player in self.suspended and not freed:
                    return "same"
                self.suspended.add(player)
            case Adjust(id=str()):
                for earlier in self.log:
                    if isinstance(earlier, Adjust) and (earlier.player, earlier.id) == (player, measure.id):
                        return "same" if replace(earlier, by=measure.by) == measure else "adjustment_conflict"
            case Reinstate():
                if player not in self.suspended:
                    return "same"
                self.suspended.remove(player)
        self.log.append(measure)
        return "new"

    def see(self, player: str, tag: bytes) -> None:
        """A player of the ladder is seen on a device."""
        seen = self.devices.setdefault(player, set())
        if tag not in seen and tag in self.blocked:
            self._hold(player, tag)
        seen.add(tag)

    def block(self, tag: bytes, reason: str) -> None:
        self.blocked.setdefault(tag, reason)
        for player, seen in self.devices.items():
            if tag in seen:
                self._hold(player, tag)

    def _hold(self, player: str, tag: bytes) -> None:
        if player in self.held:
            self.held[player].add(tag)
        elif player not in self.suspended:
            self.suspended.add(player)
            self.held[player] = {tag}
            self.log.append(Suspend(player, BY_BLOCK, self.blocked[tag]))

    def unblock(self, tag: bytes) -> None:
        self.blocked.pop(tag, None)
        for player in [player for player, tags in self.held.items() if tag in tags]:
            self.held[player].remove(tag)
            if not self.held[player]:
                del self.held[player]
                self.suspended.remove(player)
                self.log.append(Reinstate(player, BY_BLOCK, UNBLOCKED))

    def measures(self, player: str) -> list[Measure]:
        """What moderators did to the player, newest first; adjustments from when they are folded on."""
        return [
            entry
            for place, entry in enumerate(self.log)
            if isinstance(entry, Measure) and entry.player == player
            if place < self.folded or not isinstance(entry, Adjust)
        ][::-1]

    def result_status(self, result_id: str) -> str:
        """`accepted`, `rated` or `annulled`."""
        if self.annulments.get(result_id, self.folded) < self.folded:
            return "annulled"
        return "rated" if result_id in self.changes else "accepted"

    def linked(self, one: str, other: str) -> bool:
        """Whether the two share an owner or a device."""
        owner = self.owners.get(one)
        same_owner = owner is not None and owner == self.owners.get(other)
        return same_owner or bool(self.devices.get(one, set()) & self.devices.get(other, set()))

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
        """Folds up to `batch` entries, or fewer: no more than 4 players each; returns how many."""
        entries = self.log[self.folded : self.folded + batch]
        while len(entries) > 1 and sum(len(entry.players) for entry in entries) > 4 * batch:
            entries.pop()
        for entry in entries:
            match entry:
                case Annul(result_id):
                    self._take_back(result_id)
                case Adjust(player):
                    before = self.states[player]
                    self.states[player] = entry.applied(before, self.ladder.rule)
                    self.total += self.states[player].rating - before.rating
                case Result():
                    (changes,) = fold(self.states, [entry], self.ladder.rule)
                    self.changes[entry.id] = changes
                    for player in entry.players:
                        self.histories[player].insert(0, entry.id)
                        del self.histories[player][self.ladder.history_limit :]
        self.folded += len(entries)
        return len(entries)

    def _take_back(self, result_id: str) -> None:
        result = self.log[self.places[result_id]]
        assert isinstance(result, Result)
        outcomes = [
            outcome for side, outcome in zip(result.sides, result.outcomes, strict=True) for _ in side
        ]
        for change, outcome in zip(self.changes[result_id], outcomes, strict=True):
            state = self.states[change.player]
            counter = {"win": "wins", "draw": "draws", "loss": "losses"}[outcome]
            sigma = self.ladder.rule.within(state.sigma - change.move.sigma)
            rating = state.strength - change.move.strength - 3 * sigma
            self.states[change.player] = state._replace(
                rating=rating,
                sigma=sigma,
                games=state.games - 1,
                peak=max(state.peak, rating),
                **{counter: getattr(state, counter) - 1},
            )

    def board(self) -> list[tuple[int, str, float]]:
        """Rank, player and rating, best first; among equals the later in the order of bytes comes first."""
        order = sorted(
            self.ratings(), key=lambda player: (self.states[player].rating, player.encode()), reverse=True
        )
        return [(self.rank(player), player, self.states[player].rating) for player in order]

    def rank(self, player: str) -> int:
        return 1 + sum(rating > self.states[player].rating for rating in self.ratings().values())

    def around(self, player: str, span: int) -> list[tuple[int, str, float]]:
        """`span` rows on either side of the player, filled up at both ends; none for a suspended player."""
        if player in self.suspended:
            return []
        board = self.board()
        (index,) = (at for at, row in enumerate(board) if row[1] == player)
        rows = range(len(board))
        first = max(0, min(index - span, len(rows) - (2 * span + 1)))
        return board[first : first + 2 * span + 1]

    def recent(self, challenger: str) -> Sequence[str]:
        """The opponents that the challenger is to avoid."""
        return self.met[challenger][: self.ladder.pool.avoid_recent]

    def ratings(self) -> dict[str, float]:
        """Of everybody on the board."""
        return {player: state.rating for player, state in self.states.items() if player not in self.suspended}

    def strengths(self) -> dict[str, float]:
        """Of the same: what pools go by."""
        return {player: self.states[player].strength for player in self.ratings()}

    def known(self, names: Collection[str]) -> list[str]:
        return [name for name in names if name in self.states]

"""Every player's record, kept while a ladder is played: what the service reads from its store."""

from collections import defaultdict, deque

from matchmaker.fairplay import Encounter, Form, IssuedBattle, Record
from matchmaker.fairplay.record import FORM_LENGTH, Shared
from matchmaker.fold import fold
from matchmaker.rating.rule import PlayerState, Rule
from matchmaker.results import Result

RESULTS = 100  # in a history, by default
BATTLES = 60


class Chronicle:
    """Folds results one by one and remembers the last of each player."""

    def __init__(self, rule: Rule) -> None:
        self.states: dict[str, PlayerState] = {}
        self.results = 0
        self._rule = rule
        self._encounters: dict[str, deque[Encounter]] = defaultdict(lambda: deque(maxlen=RESULTS))
        self._battles: dict[str, deque[IssuedBattle]] = defaultdict(lambda: deque(maxlen=BATTLES))
        self._ratings: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=FORM_LENGTH))

    def rate(self, result: Result, shared: Shared | None = None) -> None:
        """Folds the result; both sides have met then."""
        before = {player: self.states[player].games for player in result.players}
        form = {player: self.form(player) for player in result.players}
        (changes,) = fold(self.states, [result], self._rule)
        assert changes is not None
        self.results += 1
        for own, other in (changes, changes[::-1]):
            self._encounters[own.player].append(
                Encounter.seen_by(
                    own.player,
                    result,
                    changes,
                    self._rule,
                    games=before[own.player],
                    opponent_games=before[other.player],
                    opponent_form=form[other.player],
                    shared=shared,
                )
            )
            self._ratings[own.player].append(own.before)

    def issue(self, challenger: str, opponent: str, *, played: bool) -> None:
        """Notes what became of a battle between the two."""
        battles = self._battles[challenger]
        gap = self.states[opponent].rating - self.states[challenger].rating
        battles.append(IssuedBattle(f"{challenger}-{opponent}-{self.results}", gap, played))

    def form(self, player: str) -> Form | None:
        return Form.of(tuple(self._ratings[player]))

    def record(self, player: str) -> Record:
        return Record(tuple(self._encounters[player]), tuple(self._battles[player]))

"""The rules of the opponent pool in plain Python, against which draws are checked.

They say which pools are allowed, not which one is drawn.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field

from matchmaker.ladder import PoolSettings
from matchmaker.store.battles import Battle


@dataclass(frozen=True)
class Sides:
    """Candidates below, level with, and above the challenger, and how many each side of the pool may take."""

    worse: int
    level: int
    better: int
    below_quota: int
    above_quota: int

    @property
    def most(self) -> int:
        """Size of the largest strict pool, with the level candidates spread over the sides at will."""
        return max(
            min(self.below_quota, self.worse + share)
            + min(self.above_quota, self.better + self.level - share)
            for share in range(self.level + 1)
        )

    @property
    def least(self) -> int:
        """Size of the smallest strict pool: a side takes its quota, but may miss candidates who are level."""
        level = self.level > 0 and self.below_quota > 0 and self.above_quota > 0
        apart = min(self.below_quota, self.worse) + min(self.above_quota, self.better)
        return apart or int(level)


@dataclass(frozen=True)
class PoolRules:
    """A board, who owns whom, who was seen where, and how pools are drawn there."""

    settings: PoolSettings
    ratings: Mapping[str, float]
    owners: Mapping[str, str] = field(default_factory=dict)
    devices: Mapping[str, Set[bytes]] = field(default_factory=dict)

    def eligible(self, challenger: str, exclude: Collection[str]) -> dict[str, float]:
        """Everybody the challenger may ever meet."""
        owner, own = self.owners.get(challenger), self.devices.get(challenger, frozenset())
        return {
            player: rating
            for player, rating in self.ratings.items()
            if player != challenger
            and player not in exclude
            and (owner is None or self.owners.get(player) != owner)
            and not own & self.devices.get(player, frozenset())
        }

    def window(self, challenger: str, exclude: Collection[str], deviation: float) -> dict[str, float]:
        """Those of them within the deviation, both ends included."""
        rating = self.ratings[challenger]
        eligible = self.eligible(challenger, exclude)
        return {
            player: other
            for player, other in eligible.items()
            if rating - deviation <= other <= rating + deviation
        }

    def sides(self, challenger: str, candidates: Mapping[str, float]) -> Sides:
        rating, below_quota = self.ratings[challenger], self.settings.size // 2
        return Sides(
            worse=sum(other < rating for other in candidates.values()),
            level=sum(other == rating for other in candidates.values()),
            better=sum(other > rating for other in candidates.values()),
            below_quota=below_quota,
            above_quota=self.settings.size - below_quota,
        )

    def must_offer(self, challenger: str, candidates: Mapping[str, float]) -> bool:
        """Whether these candidates cannot but make a pool."""
        if self.settings.shortfall == "backfill":
            return bool(candidates)
        return self.sides(challenger, candidates).least > 0

    def check_none(self, challenger: str, exclude: Collection[str]) -> float | None:
        """Asserts that there may be no opponent; returns how far off the nearest candidate is."""
        for deviation in (self.settings.deviation, *self.settings.widen):
            assert not self.must_offer(challenger, self.window(challenger, exclude, deviation))
        rating = self.ratings[challenger]
        return min(
            (abs(other - rating) for other in self.eligible(challenger, exclude).values()), default=None
        )

    def check(self, battle: Battle, challenger: str, exclude: Collection[str], recent: Sequence[str]) -> None:
        """Asserts that the battle is one that the rules allow. `recent` are the opponents to avoid."""
        pool, size = battle.pool, self.settings.size
        drawn = dict(pool.opponents)
        assert len(drawn) == len(pool.opponents) == pool.size == pool.below + pool.above > 0
        assert battle.challenger.player == challenger
        assert battle.challenger.rating == self.ratings[challenger]
        assert drawn[battle.opponent.player] == battle.opponent.rating
        assert (pool.low, pool.high) == (min(drawn.values()), max(drawn.values()))

        deviations = [self.settings.deviation, *self.settings.widen]
        for narrower in deviations[: deviations.index(pool.deviation)]:
            assert not self.must_offer(challenger, self.window(challenger, exclude, narrower))

        candidates = self.window(challenger, exclude, pool.deviation)
        assert drawn.items() <= candidates.items()
        fresh = {player: rating for player, rating in candidates.items() if player not in recent}
        if drawn.keys() <= fresh.keys():
            candidates = fresh
        else:
            assert not self.must_offer(challenger, fresh)

        sides, taken = self.sides(challenger, candidates), self.sides(challenger, drawn)
        assert taken.worse <= pool.below <= taken.worse + taken.level
        assert taken.better <= pool.above <= taken.better + taken.level
        if self.settings.shortfall == "strict":
            assert pool.below <= sides.below_quota
            assert pool.above <= sides.above_quota
            assert sides.least <= pool.size <= sides.most
            if len(candidates) == self._neighbours(challenger, pool.deviation):
                assert pool.size == sides.most
        else:
            assert pool.size == min(size, len(candidates))
            assert pool.below <= sides.below_quota or taken.better == sides.better
            assert pool.above <= sides.above_quota or taken.worse == sides.worse

    def _neighbours(self, challenger: str, deviation: float) -> int:
        """Everybody within the deviation, candidates or not."""
        rating = self.ratings[challenger]
        return sum(rating - deviation <= other <= rating + deviation for other in self.ratings.values()) - 1

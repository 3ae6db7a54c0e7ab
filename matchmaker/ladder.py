"""What a ladder is: one competition with its rule, its way of drawing opponents, and its tiers."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from matchmaker.fairplay.settings import FairPlay
from matchmaker.identifiers import TEXT_PATTERN, DisplayName, LadderId, check_text
from matchmaker.rating import AnyRule
from matchmaker.rating.rule import WHOLE, Coefficients, PlayerState, Points, Positive, Share, Whole

Title = Annotated[
    str, Field(max_length=128, json_schema_extra={"pattern": TEXT_PATTERN}), AfterValidator(check_text)
]


class PoolSettings(Coefficients):
    """How opponents are drawn.

    `size` opponents, half from below and half from above, all within `deviation` points of the challenger;
    `shortfall` says whether a side that has too few is topped up from the other. `widen` lists larger
    deviations to try when a pool comes out empty. The opponents of the challenger's last `avoid_recent`
    battles stay out while anyone else is left.
    """

    size: Whole = Field(default=30, ge=1, le=500)
    deviation: Positive = 100.0
    shortfall: Literal["backfill", "strict"] = "backfill"
    widen: tuple[Positive, ...] = Field(default=(), strict=False, max_length=16)
    avoid_recent: Whole = Field(default=1, ge=0, le=100)

    @field_validator("widen")
    @classmethod
    def _widens(cls, widen: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        deviations = (info.data.get("deviation", 0.0), *widen)
        if list(deviations) != sorted(set(deviations)):
            raise ValueError("must list deviations that grow, each larger than deviation")
        return widen


class Tier(Coefficients):
    """A named stretch of the ladder, from a rating upwards to the next tier."""

    name: DisplayName
    from_rating: Points = Field(alias="from")


class LadderSettings(Coefficients):
    """All of a ladder but its id; everything but `rule.name` has a default.

    `linked_accounts` says what becomes of a battle or a result between accounts on one device or of one
    owner: it is refused, or counted and flagged. `gammon_threshold` is how likely it must be that who leaves
    a match of backgammon would have lost a gammon, for the other to be awarded two points; 0 is any chance.
    Entries of the log that are older than `keep_days` go to the archive; None keeps all of them in the store.
    """

    title: Title = ""
    rule: AnyRule
    initial_rating: Points = 1500.0
    pool: PoolSettings = PoolSettings()
    battle_ttl: Whole = Field(default=3600, ge=1, le=30 * 24 * 3600)
    history_limit: Whole = Field(default=100, ge=0, le=10_000)
    tiers: tuple[Tier, ...] = Field(default=(), strict=False, max_length=64)
    linked_accounts: Literal["refuse", "flag"] = "refuse"
    gammon_threshold: Share = 0.2
    keep_days: Annotated[int, Field(ge=1, le=36_500), WHOLE] | None = None
    fair_play: FairPlay = FairPlay()

    @field_validator("tiers")
    @classmethod
    def _ascend(cls, tiers: tuple[Tier, ...]) -> tuple[Tier, ...]:
        borders = [tier.from_rating for tier in tiers]
        if borders != sorted(set(borders)):
            raise ValueError("must have ascending borders")
        return tiers


class Ladder(LadderSettings):
    """One competition."""

    id: LadderId

    @property
    def newcomer(self) -> PlayerState:
        """Who joins and brings nothing."""
        return self.rule.newcomer(self.initial_rating)

    def tier(self, rating: float) -> str | None:
        """Name of the tier that `rating` falls into; None below the first, or without tiers."""
        return next((tier.name for tier in reversed(self.tiers) if tier.from_rating <= rating), None)

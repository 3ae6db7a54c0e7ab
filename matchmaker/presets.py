"""The three ladders that a first start creates."""

from matchmaker.ladder import Ladder, Tier
from matchmaker.rating import InitiatorK, MatchLength, Performance

_LOWEST = -1_000_000.0


def _tiers(**borders: float) -> tuple[Tier, ...]:
    return tuple(Tier.model_validate({"name": name, "from": border}) for name, border in borders.items())


PRESETS = (
    Ladder(
        id="nft",
        title="NFT ranked battles",
        rule=InitiatorK(),
        tiers=_tiers(
            Bronze=_LOWEST,
            Silver=1300.0,
            Gold=1500.0,
            Platinum=1700.0,
            Diamond=1900.0,
            Master=2100.0,
            Legend=2400.0,
        ),
    ),
    Ladder(
        id="cards",
        title="Card game",
        rule=Performance(),
        initial_rating=1000.0,
        tiers=_tiers(Novice=_LOWEST, Player=1200.0, Skilled=1500.0, Expert=1800.0, Master=2200.0),
    ),
    Ladder(
        id="backgammon",
        title="Backgammon matches",
        rule=MatchLength(),
        tiers=_tiers(
            Beginner=_LOWEST,
            Casual=1400.0,
            Intermediate=1500.0,
            Advanced=1600.0,
            Expert=1750.0,
            Master=1900.0,
        ),
    ),
)

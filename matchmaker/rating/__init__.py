"""Rating rules: pure functions, one file each. `AnyRule` tells them apart by name."""

from typing import Annotated

from pydantic import Field

from matchmaker.rating.initiator_k import InitiatorK
from matchmaker.rating.match_length import Match, MatchLength
from matchmaker.rating.performance import Performance
from matchmaker.rating.plays import BothPlays
from matchmaker.rating.rule import NoDetails
from matchmaker.rating.weng_lin import OpenSkill

AnyRule = Annotated[InitiatorK | Performance | MatchLength | OpenSkill, Field(discriminator="name")]
AnyDetails = NoDetails | BothPlays | Match
"""The `details` of a result, by the ladder's rule."""

__all__ = ["AnyDetails", "AnyRule", "InitiatorK", "MatchLength", "OpenSkill", "Performance"]

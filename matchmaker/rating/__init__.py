"""Rating rules: pure functions, one file each. `AnyRule` tells them apart by name."""

from typing import Annotated

from pydantic import Field

from matchmaker.rating.initiator_k import InitiatorK
from matchmaker.rating.match_length import MatchLength
from matchmaker.rating.performance import Performance

AnyRule = Annotated[InitiatorK | Performance | MatchLength, Field(discriminator="name")]

__all__ = ["AnyRule", "InitiatorK", "MatchLength", "Performance"]

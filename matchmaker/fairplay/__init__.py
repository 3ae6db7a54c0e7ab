"""Fair play: indicators over a player's recent record, for moderators to look at. Pure.

No indicator proves anything, and none changes a rating: each says in one sentence what it saw, with the ids
of the results that it saw it in.
"""

from matchmaker.fairplay.indication import FLAGS, Flag, Indication
from matchmaker.fairplay.record import Encounter, Form, IssuedBattle, Record
from matchmaker.fairplay.review import INDICATORS, measure, review
from matchmaker.fairplay.settings import FairPlay

__all__ = [
    "FLAGS",
    "INDICATORS",
    "Encounter",
    "FairPlay",
    "Flag",
    "Form",
    "Indication",
    "IssuedBattle",
    "Record",
    "measure",
    "review",
]

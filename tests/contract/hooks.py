"""Checks of our own for `schemathesis run`."""

import re
from typing import Any

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

_BEYOND_SCHEMAS = re.compile(
    "|".join(
        (
            # Two fields, or the body and the address, must fit each other.
            "opponent: must be another player than the initiator",
            "id: must be the id in the address",
            "peak: must not be below the rating",
            r"pool\.widen: must list deviations that grow, each larger than deviation",
            r"rule\.ramp\.start: must not be below until: a winner would lose points",
            # Items of a list must ascend.
            r"(tiers|rule\.bands): must have ascending borders",
            # What a rule knows of players is up to the ladder.
            r"sigma: (the rule \w+ knows none|must not be above a newcomer's, .*)",
            "shift: must be given, or rating, and not both",
            # What a rule can rate, and whether the players of a result are different ones.
            r"sides: must be two: the rule \w+ knows no free-for-all",
            r"(initiator|opponent|sides\.\d+): must be one player: the rule \w+ knows no teams",
            r"(initiator|opponent|sides\.\d+): must not name anybody for the second time",
            r"ranks: must (be as many as there are sides|not be draw: the rule \w+ knows none)",
            r"devices\.players: has no part in the result: .*",
            r"devices\.\w+: is no single player: use devices\.players",
            # Which of the documented details a result has, and whether it may be a draw, is up to the ladder.
            r"details(\.\w+)*: .*",
            "outcome: must not be draw: the rule match_length knows none",
            # Who left is one of the two; how a game stood is a notation of its own, with a meaning.
            "(leaver|on_roll): must be one of the two players, or initiator or opponent",
            "position: .*",
            "on_roll: (is missing: a position id does not say it|must be who the XGID says: .*)",
            "gammon_probability: must be left out where position says it",
            # Only who has played can dispute a result.
            "player: must be one of the players of the result",
            # Patterns don't know normal forms, and ours names no characters beyond U+FFFF.
            r"(\w+(\.\d+){0,2}|devices\.players\.[\s\S]*): must "
            "(be in Unicode normal form NFC|consist of printable characters)",
        )
    )
)
"""Fields and messages of the rules that the document states in words alone."""


@schemathesis.check
def valid_requests_are_taken(ctx: Any, response: Any, case: Any) -> bool | None:
    """As `positive_data_acceptance`, which is off, but for the rules that no schema can express."""
    if response.status_code == 422:
        errors = response.json()["errors"]
        if all(_BEYOND_SCHEMAS.fullmatch(f"{each['field']}: {each['message']}") for each in errors):
            return None
    return positive_data_acceptance(ctx, response, case)


@schemathesis.check
class EveryOperationIsReached:
    """Each has succeeded at least once: the other checks saw more than refusals."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._succeeded: set[str] = set()

    def after_response(self, ctx: Any, response: Any, case: Any) -> None:
        self._seen.add(case.operation.label)
        if response.status_code < 300:
            self._succeeded.add(case.operation.label)

    def after_run(self, ctx: Any) -> None:
        assert self._seen == self._succeeded, f"never succeeded: {sorted(self._seen - self._succeeded)}"

"""Ladders: their settings, and which ones there are."""

from dataclasses import dataclass
from typing import Any, Literal, cast

from matchmaker import eras
from matchmaker.eras import E, Eras
from matchmaker.errors import ConflictError
from matchmaker.ladder import Ladder
from matchmaker.results import Reform
from matchmaker.store.call import Call, script
from matchmaker.store.keys import AWAKE_MS, LADDERS, LADDERS_FENCE, LadderKeys


@dataclass(frozen=True, slots=True)
class Edition:
    """A ladder as it was at one revision of its settings.

    `eras` say which entries of its log were accepted under another rule. `generation` is the number of what
    the fold has made of the log under the present one.
    """

    ladder: Ladder
    revision: bytes
    keys: LadderKeys
    generation: int = 0
    eras: Eras = ()

    def present(self, log_id: str, entry: E) -> E:
        """What an entry of the log says under the present rule."""
        return eras.present(self.eras, self.ladder.rule, log_id, entry) if self.eras else entry


def read(ladder_id: str) -> Call[Edition | None]:
    """The ladder as it is now; None if there is none of that name."""
    keys = LadderKeys(ladder_id)

    def decode(reply: Any) -> Edition | None:
        body, revision, generation, known_eras = reply
        if not body:
            return None
        ladder = Ladder.model_validate_json(body)
        return Edition(
            ladder, revision, keys, int(generation or 0), eras.decode(known_eras) if known_eras else ()
        )

    return Call(("HMGET", keys.ladder, "body", "revision", "generation", "eras"), decode)


def announce(ladder_id: str) -> Call[None]:
    """Enters the ladder in the index. Comes before `put`, so that no ladder exists outside the index."""
    return Call(("SADD", LADDERS, ladder_id), lambda reply: None)


def put(ladder: Ladder) -> Call[tuple[Literal["created", "changed", "same"], bool]]:
    """Creates the ladder or changes its settings; says which, and whether a folding job must be called.

    Raises ConflictError `rule_in_use` if that would change the rule of a ladder that has results, or the
    sigma of one that has players, and `ladder_restoring` while it is being imported.
    """
    keys = LadderKeys(ladder.id)
    defaults = Ladder(id=ladder.id, rule=type(ladder.rule)())

    def decode(reply: list[Any]) -> tuple[Literal["created", "changed", "same"], bool]:
        word, called = reply
        if word == b"restoring":
            raise ConflictError(
                "ladder_restoring", f"Ladder {ladder.id!r} is being imported; its settings come with it."
            )
        if word == b"rule_in_use":
            raise ConflictError(
                "rule_in_use",
                f"Ladder {ladder.id!r} has results; its rule changes only together with all that they led "
                "to: see `matchmaker replay --apply`.",
            )
        if word == b"players_in_use":
            raise ConflictError(
                "rule_in_use",
                f"Ladder {ladder.id!r} has players, who came with another sigma than this rule has, or one "
                "of the two rules has none: see `matchmaker replay --apply`.",
            )
        return cast(Literal["created", "changed", "same"], word.decode()), called == 1

    return Call(
        (
            ladder.model_dump_json(),
            defaults.model_dump_json(),
            AWAKE_MS,
            Reform(ladder.model_dump(mode="json")).encode(),
        ),
        decode,
        script("put_ladder"),
        (keys.ladder, keys.ids, keys.states, keys.log, keys.awake),
    )


def witnesses(ladder_id: str) -> tuple[tuple[str, Call[bool]], ...]:
    """Where to look whether the ladder was put (and still is there): fence keys with reads in their slots."""
    return (
        (LADDERS_FENCE, index().then(lambda ids: ladder_id in ids)),
        (LadderKeys(ladder_id).fence, read(ladder_id).then(bool)),
    )


def index() -> Call[list[str]]:
    """Ids of all ladders, in alphabetical order (a few may not exist yet: see `announce`)."""
    return Call(("SMEMBERS", LADDERS), lambda reply: sorted(member.decode() for member in reply))

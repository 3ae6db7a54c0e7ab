"""Eras of a ladder's log: under which rule its entries were accepted, where that is not the present one.

The log is never rewritten. When a ladder goes over to another rule or another initial rating for all that was
ever played, what stands in the log is read as it would have been written under these.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Final, NamedTuple, TypeVar

from pydantic import Field, TypeAdapter

from matchmaker.errors import InvalidInputError
from matchmaker.moderation import Adjust
from matchmaker.rating import AnyRule
from matchmaker.rating.rule import Coefficients, Rule
from matchmaker.results import Entry, Join, Result, log_order

OPEN_END: Final = f"{2**63 - 1}-0"
"""Where an era ends that lasts until now."""

E = TypeVar("E", bound=Entry)


class Era(Coefficients):
    """A stretch of the log, from the era before it up to the entry `upto`.

    `rule` is the one under which its entries were accepted. Ratings that they bring are to be raised by
    `shift` points, so that they stand as far from the present initial rating as they did from that one.
    """

    upto: Annotated[str, Field(pattern=r"^\d{1,19}-\d{1,19}$")]
    rule: AnyRule
    shift: float


Eras = tuple[Era, ...]
"""In the order of the log. What comes after the last needs no translation."""

_ERAS: TypeAdapter[Eras] = TypeAdapter(Eras)


class Foreign(NamedTuple):
    """An entry that was accepted in an era."""

    entry: Entry
    era: Era


Accepted = Entry | Foreign
"""An entry, with its era if it has one."""


def plain(accepted: Accepted) -> Entry:
    """The entry as it stands in the log."""
    return accepted.entry if isinstance(accepted, Foreign) else accepted


def dated(eras: Eras, log_id: str, entry: Entry) -> Accepted:
    """The entry with this id, with its era if it has one."""
    era = era_of(eras, log_id) if eras else None
    return entry if era is None else Foreign(entry, era)


def encode(eras: Eras) -> str:
    """As JSON."""
    return _ERAS.dump_json(eras).decode()


def decode(text: str | bytes) -> Eras:
    """The eras that were encoded so. Raises pydantic.ValidationError."""
    return _ERAS.validate_json(text)


def era_of(eras: Eras, log_id: str) -> Era | None:
    """The era of the entry with this id; None for one of the present."""
    place = bisect_left(eras, log_order(log_id), key=lambda era: log_order(era.upto))
    return eras[place] if place < len(eras) else None


def translated(entry: E, accepted: Rule, shift: float, rule: Rule) -> E:
    """What an entry that was accepted under one rule says under another one, `shift` points higher.

    Whoever joined stands as far from the start as it did then. Of a result, another rule knows nothing but
    who won, and to how many points they played. Raises InvalidInputError for a draw, a team or a free-for-all
    under a rule without.
    """
    if not shift and _is_alike(accepted, rule):
        return entry
    match entry:
        case Result() if rule.name != accepted.name:
            _check(entry, rule)
            return replace(entry, details=rule.typical_details(entry.details.get("length")))
        case Join(_, brought):
            return replace(entry, state=rule.adopted(brought, accepted, shift))
        case Adjust(way="set", points=points):
            is_strength = rule.has_sigma and not accepted.has_sigma
            return replace(entry, way="strength" if is_strength else "set", points=points + shift)
    return entry


def _check(result: Result, rule: Rule) -> None:
    """Raises InvalidInputError for a result that the rule can't rate."""
    if not rule.draws and len(set(result.ranks)) < len(result.ranks):
        raise InvalidInputError(f"the rule {rule.name} knows no draws, and result {result.id!r} is one")
    if not rule.free_for_all and result.free_for_all:
        raise InvalidInputError(
            f"the rule {rule.name} knows no free-for-alls, and result {result.id!r} is one"
        )
    if not rule.teams and max(result.sizes) > 1:
        raise InvalidInputError(f"the rule {rule.name} knows no teams, and result {result.id!r} has one")


def rates_all(rule: Rule) -> bool:
    """Whether the rule can rate whatever any rule can."""
    return rule.draws and rule.teams and rule.free_for_all


def present(eras: Eras, rule: Rule, log_id: str, entry: E) -> E:
    """What the entry with this id says under the present rule. Raises InvalidInputError, see `translated`."""
    era = era_of(eras, log_id) if eras else None
    return entry if era is None else translated(entry, era.rule, era.shift, rule)


def entered(eras: Eras, rule: AnyRule, shift: float, upto: str, new: Rule) -> Eras:
    """The eras of a ladder that goes over from `rule` to `new`, whose initial rating is `shift` higher.

    `upto` is the last entry that was accepted under `rule`.
    """
    moved = [era.model_copy(update={"shift": era.shift + shift}) for era in eras]
    return shortened([*moved, Era(upto=upto, rule=rule, shift=shift)], new)


def shortened(eras: Iterable[Era], rule: Rule) -> Eras:
    """The same, with neighbours that are translated alike as one, without a last one that needs nothing."""
    kept: list[Era] = []
    for era in eras:
        if kept and kept[-1].shift == era.shift and _is_alike(kept[-1].rule, era.rule):
            kept.pop()
        kept.append(era)
    if kept and not kept[-1].shift and _is_alike(kept[-1].rule, rule):
        kept.pop()
    return tuple(kept)


def _is_alike(one: Rule, other: Rule) -> bool:
    """Whether entries say the same under both: other coefficients matter only if players begin so."""
    return one.name == other.name and one.newcomer(0.0).sigma == other.newcomer(0.0).sigma

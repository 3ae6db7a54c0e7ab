"""Shapes of JSON that several endpoints share."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Self

from fastapi import Path
from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from matchmaker.devices import Block
from matchmaker.fold import Change
from matchmaker.identifiers import Identifier, LadderId
from matchmaker.rating.rule import Outcome
from matchmaker.standing import Standing
from matchmaker.store.boards import Page, Row
from matchmaker.store.changes import Annulment
from matchmaker.timestamps import RFC_3339

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)

LadderPath = Annotated[LadderId, Path(examples=["nft"])]
PlayerPath = Annotated[Identifier, Path(examples=["ann"])]
ResultPath = Annotated[Identifier, Path(examples=["match-0001"])]


def instant(milliseconds: int) -> datetime:
    """The time that lies so many milliseconds after (or before) the epoch."""
    return EPOCH + milliseconds * MILLISECOND


def _rfc_3339(value: Any) -> Any:
    if not (isinstance(value, str) and RFC_3339.fullmatch(value)):
        raise ValueError("must be a time in RFC 3339, such as 2026-11-30T18:00:00Z")
    return value


def _absent(value: object) -> bool:
    return value is None


OPTIONAL = Field(default=None, exclude_if=_absent)
"""A field that is left out of the answer when there is nothing to say."""


def _in_utc(value: datetime) -> datetime:
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("must lie in the years 1 to 9999 in UTC") from None


Instant = Annotated[AwareDatetime, BeforeValidator(_rfc_3339), AfterValidator(_in_utc), Field(strict=False)]
"""A time in RFC 3339."""


class Body(BaseModel):
    """What clients send: unknown fields, wrong types, infinities are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, frozen=True)


class BeforeAfter(BaseModel):
    """A number before and after a result."""

    before: float
    after: float


class ChangeOut(BaseModel):
    """What a result did to one player: rating before and after, the K and the expected score it took.

    Under rules with a sigma there is no K, but mu and sigma before and after, of which the rating is made.
    """

    player: str
    before: float
    after: float
    delta: float
    k: float | None
    expected: float
    mu: BeforeAfter | None = OPTIONAL
    sigma: BeforeAfter | None = OPTIONAL

    @classmethod
    def of(cls, change: Change) -> Self:
        return cls(**change.told)


class SidesOut(BaseModel):
    """Who met, and how it ended: `initiator`, `opponent` (each an id, or of a team a list) and the `outcome`
    as the initiator's side sees it; or of a free-for-all `sides` and their `ranks`."""

    initiator: str | list[str] | None = OPTIONAL
    opponent: str | list[str] | None = OPTIONAL
    outcome: Outcome | None = OPTIONAL
    sides: list[str | list[str]] | None = OPTIONAL
    ranks: list[int] | None = OPTIONAL


class DecisionOut(BaseModel):
    """Who has decided something (the id of a key, `admin` or `cli`), why, and when."""

    by: str
    reason: str
    at: datetime

    @classmethod
    def of(cls, decision: Annulment | Block) -> Self:
        return cls(by=decision.by, reason=decision.reason, at=instant(decision.at))


class BoardOut(BaseModel):
    """A page of the board. `version` changes whenever the board does."""

    ladder: str
    version: str
    total: int
    entries: list[Row]
    viewer: Standing | None

    @classmethod
    def of(cls, ladder: str, page: Page, viewer: Standing | None) -> Self:
        return cls(ladder=ladder, version=page.version, total=page.total, entries=page.entries, viewer=viewer)

"""Every failure that a caller can meet: an HTTP status, a stable code and a sentence.

The API answers them as problem documents, the command line as one line on stderr.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field of the input; `field` is a dotted path such as `details.length`."""

    field: str
    message: str


class MatchmakerError(Exception):
    """Base of all named failures. `status` is the HTTP status, `code` never changes between releases."""

    status: ClassVar[int] = 500
    code: str = "internal"

    def __init__(self, detail: str, *, errors: Sequence[FieldError] = ()) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = tuple(errors)


class NotFoundError(MatchmakerError):
    """Something that the caller named does not exist."""

    status = 404

    def __init__(self, what: str, name: str) -> None:
        super().__init__(f"There is no {what} {name!r} here.")
        self.code = f"unknown_{what}"


class ConflictError(MatchmakerError):
    """The request is well formed but does not fit what is already there."""

    status = 409

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class NoOpponentError(ConflictError):
    """Nobody may be drawn within `reach` points; the nearest candidate, if any, is `nearest` points away."""

    def __init__(self, challenger: str, reach: float, nearest: float | None) -> None:
        where = "there is no candidate at all"
        if nearest is not None:
            where = f"the nearest candidate is {nearest:g} points away"
        super().__init__(
            "no_opponent", f"There is no opponent within {reach:g} points of {challenger!r}: {where}."
        )
        self.nearest = nearest


class BattleClosedError(MatchmakerError):
    """The battle has expired or was cancelled: it takes no result any more."""

    status = 410

    def __init__(self, state: str) -> None:
        super().__init__(f"This battle is {state}: it can be neither reported nor cancelled.")
        self.code = f"battle_{state}"


class InvalidInputError(MatchmakerError):
    """The input is malformed; `errors` names the fields."""

    status = 422
    code = "invalid"


class UnauthorizedError(MatchmakerError):
    """No key, or one that is not (or no longer) valid."""

    status = 401
    code = "unauthorized"


class ForbiddenError(MatchmakerError):
    """The key is valid, its scope or its ladders do not reach this far."""

    status = 403
    code = "forbidden"


class RateLimitedError(MatchmakerError):
    """Too many requests; `retry_after` is the number of whole seconds after which there may be more."""

    status = 429
    code = "rate_limited"

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"Too many requests; there may be more in {retry_after} s.")
        self.retry_after = retry_after


class StoreUnavailableError(MatchmakerError):
    """The store does not answer at the moment; the request may be repeated as it is."""

    status = 503
    code = "store_unavailable"


class ArchiveUnavailableError(MatchmakerError):
    """A file of the archive cannot be read or written at the moment; the request may be repeated as it is."""

    status = 503
    code = "archive_unavailable"

    def __init__(self, path: str, what: str) -> None:
        super().__init__(f"The archive's file {path} {what}.")


class EngineMissingError(MatchmakerError):
    """An optional package that the request needs is not installed."""

    status = 501
    code = "engine_missing"

    def __init__(self, package: str) -> None:
        super().__init__(f"This needs the package {package}, which is not installed: pip install {package}")


class EngineUnavailableError(MatchmakerError):
    """The engine has broken down, or takes too long; the request may be repeated as it is."""

    status = 503
    code = "engine_unavailable"

    def __init__(self) -> None:
        super().__init__("The engine does not answer at the moment; try again shortly.")

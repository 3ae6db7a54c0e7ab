"""Problem documents (RFC 9457): the one place where failures become HTTP answers."""

import json
import logging
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, ValidationError
from redis.exceptions import RedisError, ResponseError
from starlette.exceptions import HTTPException

from matchmaker.errors import FieldError, InvalidInputError, MatchmakerError, StoreUnavailableError

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER = "1"
"""Seconds after which a client should try again when the store was out of reach."""

# Names that pydantic puts into the path of an error where the input may take several shapes.
_SHAPES = frozenset({"one", "many", "initiator_k", "performance", "match_length"})
_PARTS = frozenset({"body", "path", "query", "header"})

_log = logging.getLogger(__name__)


class ProblemField(BaseModel):
    """One field that is wrong."""

    field: str
    message: str


class Problem(BaseModel):
    """Why a request failed. `code` is stable; `errors` names the fields when the input was malformed."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "about:blank",
                "title": "Not Found",
                "status": 404,
                "detail": "There is no player 'zed' here.",
                "code": "unknown_player",
            }
        }
    )

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    errors: list[ProblemField] | None = None


def field_errors(error: ValidationError | RequestValidationError, *prefix: str) -> list[FieldError]:
    """What is wrong with which fields, without repeating any input."""
    return [_field_error(each, prefix) for each in error.errors()]


def _field_error(error: dict[str, Any] | Any, prefix: Sequence[str]) -> FieldError:
    parts = [str(part) for part in error["loc"]]
    if error["type"] == "json_invalid":
        return FieldError("body", f"is not JSON: {error.get('ctx', {}).get('error', 'malformed')}")
    where = parts[0] if parts and parts[0] in _PARTS and not prefix else ""
    path = [*prefix, *(part for part in parts[bool(where) :] if part not in _SHAPES)]
    return FieldError(".".join(path) or where or "body", error["msg"].removeprefix("Value error, "))


def problem(error: MatchmakerError, headers: dict[str, str] | None = None) -> Response:
    """The answer to a failed request."""
    extra = dict(headers or {})
    if isinstance(error, StoreUnavailableError):
        extra["Retry-After"] = RETRY_AFTER
    if error.status == HTTPStatus.UNAUTHORIZED:
        extra["WWW-Authenticate"] = "Bearer"
    errors = [ProblemField(field=each.field, message=each.message) for each in error.errors]
    return _answer(error.status, error.code, error.detail, errors or None, extra)


def _answer(
    status: int, code: str, detail: str, errors: list[ProblemField] | None, headers: dict[str, str]
) -> Response:
    document = Problem(
        title=HTTPStatus(status).phrase, status=status, detail=detail, code=code, errors=errors
    )
    # As ASCII: the names of unknown fields may hold anything, lone surrogates included.
    text = json.dumps(document.model_dump(exclude_none=True))
    return Response(text, status, headers, MEDIA_TYPE)


async def _on_matchmaker_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, MatchmakerError)
    return problem(error)


async def _on_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem(invalid(field_errors(error)))


def invalid(errors: Sequence[FieldError]) -> InvalidInputError:
    """The failure that names these fields."""
    return InvalidInputError("; ".join(f"{each.field}: {each.message}" for each in errors), errors=errors)


# What a store says that is not itself at the moment: it loads, follows, lacks memory or a majority.
_PASSING = ("LOADING", "READONLY", "OOM", "MISCONF", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS", "MASTERDOWN")


async def _on_store_error(request: Request, error: Exception) -> Response:
    if isinstance(error, ResponseError) and not any(word in str(error) for word in _PASSING):
        _log.error("%s %s", request.method, request.url.path, exc_info=error)
        return await _on_fault(request, error)
    _log.warning("the store did not answer %s %s: %s", request.method, request.url.path, error)
    return problem(StoreUnavailableError("The store does not answer at the moment; try again shortly."))


def too_large() -> Response:
    """The answer to a body over the limit."""
    return _answer(413, "content_too_large", "The body is larger than 1 MiB.", None, {"Connection": "close"})


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return too_large()
    phrase = HTTPStatus(error.status_code).phrase
    code = phrase.lower().replace(" ", "_").replace("-", "_")
    detail = f"{phrase}: {request.method} {request.url.path}" if error.detail == phrase else error.detail
    return _answer(error.status_code, code, detail, None, dict(error.headers or {}))


async def _on_fault(request: Request, error: Exception) -> Response:
    return _answer(500, "internal", "Something is wrong on our side; it has been logged.", None, {})


def install(app: FastAPI) -> None:
    """Has the app answer every failure with a problem document."""
    app.add_exception_handler(MatchmakerError, _on_matchmaker_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(RedisError, _on_store_error)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(Exception, _on_fault)

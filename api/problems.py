"""Problem documents (RFC 9457): the one place where failures become HTTP answers."""

import json
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import iter_route_contexts
from pydantic import BaseModel, ConfigDict, Field
from redis.exceptions import RedisError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from api.current_request import current
from api.metrics import count_rejection
from matchmaker.errors import (
    FieldError,
    MatchmakerError,
    NoOpponentError,
    RateLimitedError,
    StoreUnavailableError,
)
from matchmaker.store.outages import is_passing
from matchmaker.validation import field_errors, invalid

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER = "1"
"""Seconds after which a client should try again when the store or an engine was out of reach."""


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
    nearest: float | None = Field(None, description="With `no_opponent`: points to the nearest candidate.")


def problem(error: MatchmakerError, headers: dict[str, str] | None = None) -> Response:
    """The answer to a failed request."""
    extra = dict(headers or {})
    if error.status == HTTPStatus.SERVICE_UNAVAILABLE:
        extra["Retry-After"] = RETRY_AFTER
    if isinstance(error, RateLimitedError):
        extra["Retry-After"] = str(error.retry_after)
    if error.status == HTTPStatus.UNAUTHORIZED:
        extra["WWW-Authenticate"] = "Bearer"
    errors = [ProblemField(field=each.field, message=each.message) for each in error.errors]
    nearest = error.nearest if isinstance(error, NoOpponentError) else None
    return _answer(error.status, error.code, error.detail, extra, errors=errors or None, nearest=nearest)


def _answer(status: int, code: str, detail: str, headers: dict[str, str], **members: Any) -> Response:
    document = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, code=code, **members)
    # As ASCII: the names of unknown fields may hold anything, lone surrogates included.
    text = json.dumps(document.model_dump(exclude_none=True))
    return Response(text, status, headers, MEDIA_TYPE)


async def _on_matchmaker_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, MatchmakerError)
    if _reports_results(request) and error.status < HTTPStatus.INTERNAL_SERVER_ERROR:
        count_rejection(error.code)
    if isinstance(error.__cause__, Exception):
        current().cause = error.__cause__
    return problem(error)


def _reports_results(request: Request) -> bool:
    """Whether the request came to report results; what refuses it, refuses them."""
    path = getattr(request.scope.get("route"), "path", "")
    return request.method == "POST" and path.endswith(("/results", "/result", "/abandonments"))


async def _on_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = [_without_place(each) for each in field_errors(error.errors())]
    if errors == [_NO_OBJECT] and "json" not in request.headers.get("content-type", ""):
        errors = [FieldError("body", "must be JSON; send it with Content-Type: application/json")]
    return await _on_matchmaker_error(request, invalid(errors))


_NO_OBJECT = FieldError("body", "must be an object")


def _without_place(error: FieldError) -> FieldError:
    """Fields are named as clients know them, without the part of the request that they came in."""
    place, _, path = error.field.partition(".")
    return FieldError(path or place, error.message)


async def _on_store_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RedisError)
    current().cause = error
    if not is_passing(error):
        return fault()
    return problem(StoreUnavailableError("The store does not answer at the moment; try again shortly."))


def too_large() -> Response:
    """The answer to a body over the limit."""
    return _answer(413, "content_too_large", "The body is larger than 1 MiB.", {"Connection": "close"})


_REFUSALS = {
    HTTPStatus.BAD_REQUEST: ("bad_request", "This is not HTTP/1.1."),
    HTTPStatus.REQUEST_TIMEOUT: ("request_timeout", "The request did not arrive in time."),
    HTTPStatus.REQUEST_URI_TOO_LONG: ("uri_too_long", "The address is longer than 8 KiB."),
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: (
        "request_header_fields_too_large",
        "The headers are larger than 64 KiB.",
    ),
}


def refusal(status: HTTPStatus) -> Response:
    """The answer to what does not even become a request: 400, 408, 414 or 431."""
    return _answer(status, *_REFUSALS[status], {"Connection": "close"})


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return too_large()
    phrase = HTTPStatus(error.status_code).phrase
    code = phrase.lower().replace(" ", "_").replace("-", "_")
    detail = f"{phrase}: {request.method} {request.url.path}" if error.detail == phrase else error.detail
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(sorted(_methods(request)))
    return _answer(error.status_code, code, detail, headers)


def _methods(request: Request) -> set[str]:
    """All that the address of the request takes; the framework names those of one endpoint only."""
    routes = iter_route_contexts(request.app.routes)
    matching = (route for route in routes if route.matches(request.scope)[0] is not Match.NONE)
    return {method for route in matching for method in route.methods or ()} or _OF_FILES


_OF_FILES = {"GET", "HEAD"}


def fault() -> Response:
    """The answer to a request that met a defect of ours."""
    return _answer(500, "internal", "Something is wrong on our side; it has been logged.", {})


def install(app: FastAPI) -> None:
    """Has the app answer every failure with a problem document."""
    app.add_exception_handler(MatchmakerError, _on_matchmaker_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(RedisError, _on_store_error)
    app.add_exception_handler(HTTPException, _on_http_error)

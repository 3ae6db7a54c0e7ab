"""Routes that run an endpoint without the framework's own machinery, which costs more than the endpoints do.

Endpoints are declared as usual, and the OpenAPI document comes from the framework. Only what is used here is
supported: dependencies that take the request alone, parameters in path and query, one body of JSON, and a
`Response` whose status the endpoint may change. See docs/decisions/0017.
"""

from codecs import BOM_UTF8
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from inspect import Parameter, signature
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from fastapi import APIRouter
from fastapi.exceptions import HTTPException, RequestValidationError
from fastapi.params import Body, Depends, Param, Path, Query
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from api.openapi import PROBLEMS

JSON: Final = "application/json"

LARGEST_BODY: Final = 1024 * 1024
"""Bytes of a request body."""


def router(prefix: str, tag: str) -> APIRouter:
    """Endpoints under one prefix, run by direct routes."""
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        route_class=DirectRoute,
        responses=PROBLEMS,
        generate_unique_id_function=lambda route: f"{tag}-{route.name}",
    )


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter in path or query. `default` is Parameter.empty if it must be there."""

    name: str
    place: str
    type: TypeAdapter[Any]
    default: Any

    def take(self, sent: Mapping[str, str], errors: list[Any]) -> Any:
        """Its value; what is wrong is added to the errors."""
        if self.name not in sent:
            if self.default is Parameter.empty:
                errors.append(_missing(self.place, self.name))
            return self.default
        try:
            return self.type.validate_python(sent[self.name])
        except ValidationError as error:
            errors += _placed(error, self.place, self.name)
            return None


@dataclass(frozen=True, slots=True)
class _Body:
    """The parameter that takes the body. `default` is Parameter.empty if there must be one."""

    name: str
    type: TypeAdapter[Any]
    default: Any

    async def take(self, request: Request, errors: list[Any]) -> Any:
        """See _Parameter.take."""
        content = await _read(request)
        if not content:
            if self.default is Parameter.empty:
                errors.append(_missing("body"))
            return self.default
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        try:
            if kind == JSON or (kind.startswith("application/") and kind.endswith("+json")):
                return self.type.validate_json(content.removeprefix(BOM_UTF8))
            return self.type.validate_python(content)
        except ValidationError as error:
            errors += _placed(error, "body")
            return None


async def _read(request: Request) -> bytes:
    announced = request.headers.get("content-length", "0")
    size, chunks = 0, []
    if int(announced) <= LARGEST_BODY:
        async for chunk in request.stream():
            size += len(chunk)
            chunks.append(chunk)
            if size > LARGEST_BODY:
                break
        else:
            return b"".join(chunks)
    raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def _missing(*place: str) -> Any:
    return {"type": "missing", "loc": place, "msg": "Field required", "input": None}


def _placed(error: ValidationError, *place: str) -> list[Any]:
    found = error.errors(include_url=False)
    return [{**each, "loc": (*place, *each["loc"])} for each in found]


class _Endpoint:
    """An endpoint, and where its arguments come from."""

    def __init__(self, function: Callable[..., Awaitable[Any]], answer: Any, status: int | None) -> None:
        self._function = function
        self._status = status or HTTPStatus.OK
        self._dependencies: list[tuple[str, Callable[[Request], Awaitable[Any]]]] = []
        self._path: list[_Parameter] = []
        self._query: list[_Parameter] = []
        self._body: _Body | None = None
        self._request: str | None = None
        self._response: str | None = None
        hints = get_type_hints(function, include_extras=True)
        for parameter in signature(function).parameters.values():
            self._declare(parameter, hints[parameter.name])
        self._defaults = {each.name: each.default for each in self._query}
        self._required = any(each.default is Parameter.empty for each in self._query)
        self._answer: TypeAdapter[Any] = TypeAdapter(answer)

    def _declare(self, parameter: Parameter, hint: Any) -> None:
        name = parameter.name
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        mark = next((each for each in marks if isinstance(each, Depends | Param | Body)), None)
        if isinstance(mark, Depends):
            assert mark.dependency is not None
            self._dependencies.append((name, mark.dependency))
        elif isinstance(mark, Path):
            self._path.append(_Parameter(name, "path", TypeAdapter(hint), parameter.default))
        elif isinstance(mark, Query):
            self._query.append(_Parameter(name, "query", TypeAdapter(hint), parameter.default))
        elif hint is Request:
            self._request = name
        elif hint is Response:
            self._response = name
        elif mark is None and self._body is None:
            self._body = _Body(name, TypeAdapter(hint), parameter.default)
        else:
            raise TypeError(f"direct routes do not know what to do with the parameter {name}")

    async def respond(self, request: Request) -> Response:
        """Its answer. Raises what the endpoint and its dependencies raise, and RequestValidationError."""
        values: dict[str, Any] = {}
        for name, dependency in self._dependencies:
            values[name] = await dependency(request)
        errors: list[Any] = []
        for parameter in self._path:
            values[parameter.name] = parameter.take(request.path_params, errors)
        if self._required or request.scope["query_string"]:
            for parameter in self._query:
                values[parameter.name] = parameter.take(request.query_params, errors)
        else:
            values |= self._defaults
        if self._body:
            values[self._body.name] = await self._body.take(request, errors)
        if errors:
            raise RequestValidationError(errors)
        if self._request:
            values[self._request] = request
        status = self._status
        if self._response:
            values[self._response] = head = Response(status_code=status)
        answer = await self._function(**values)
        if isinstance(answer, Response):
            return answer
        if self._response:
            status = head.status_code
        if answer is None:
            return Response(status_code=status)
        return Response(self._answer.dump_json(answer, by_alias=True), status, media_type=JSON)


class DirectRoute(APIRoute):
    """A route of the framework's to look at; `respond` runs nothing but the endpoint: see api.service."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        self.respond = _Endpoint(endpoint, self.response_model, self.status_code).respond

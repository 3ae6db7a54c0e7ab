"""What the OpenAPI document says beyond the endpoints: problem documents, live events, who needs a key."""

from typing import Any

from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

from api.feed import ChangesOut
from api.problems import MEDIA_TYPE, RETRY_AFTER, Problem

_TEMPLATE = "#/components/schemas/{model}"
_EVENTS = {"board": "BoardOut", "changes": ChangesOut.__name__}
_CONTENT = {MEDIA_TYPE: {"schema": {"$ref": _TEMPLATE.format(model=Problem.__name__)}}}


def problem_response(description: str) -> dict[str, Any]:
    """An answer that is a problem document."""
    return {"description": description, "content": _CONTENT}


PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": problem_response("The request cannot be served as it is."),
    "503": {
        **problem_response("The store does not answer at the moment."),
        "headers": {"Retry-After": {"schema": {"type": "string", "examples": [RETRY_AFTER]}}},
    },
}
"""Answers that every endpoint may give."""

EVENT = {
    "oneOf": [
        {
            "type": "object",
            "required": ["event", "id", "data"],
            "properties": {
                "event": {"const": event},
                "id": {"type": "string"},
                "data": {
                    "type": "string",
                    "contentMediaType": "application/json",
                    "contentSchema": {"$ref": _TEMPLATE.format(model=model)},
                },
            },
        }
        for event, model in _EVENTS.items()
    ]
}
"""One event of a live board. The keyword for it, `itemSchema`, comes from OpenAPI 3.2."""


def install(app: FastAPI, *, public_read: bool) -> None:
    """Adds to the app's OpenAPI document the schema of problem documents, and whether reading takes a key."""
    generate = app.openapi
    _, definitions = models_json_schema(
        [(Problem, "serialization"), (ChangesOut, "serialization")], ref_template=_TEMPLATE
    )

    def openapi() -> dict[str, Any]:
        document = generate()
        document["components"]["schemas"].update(definitions["$defs"])
        for calls in document["paths"].values():
            keys = calls.get("get", {}).get("security")
            if public_read and keys and {} not in keys:
                keys.append({})
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's documented way to extend it

"""What the OpenAPI document says beyond the endpoints: every failure is a problem document."""

from typing import Any

from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

from api.problems import MEDIA_TYPE, RETRY_AFTER, Problem

_TEMPLATE = "#/components/schemas/{model}"
_CONTENT = {MEDIA_TYPE: {"schema": {"$ref": _TEMPLATE.format(model=Problem.__name__)}}}

PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "The request cannot be served as it is.", "content": _CONTENT},
    "503": {
        "description": "The store does not answer at the moment.",
        "content": _CONTENT,
        "headers": {"Retry-After": {"schema": {"type": "string", "examples": [RETRY_AFTER]}}},
    },
}
"""Answers that every endpoint may give."""


def install(app: FastAPI) -> None:
    """Adds the schema of problem documents to the app's OpenAPI document."""
    generate = app.openapi
    _, definitions = models_json_schema([(Problem, "serialization")], ref_template=_TEMPLATE)

    def openapi() -> dict[str, Any]:
        document = generate()
        document["components"]["schemas"].update(definitions["$defs"])
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's documented way to extend it

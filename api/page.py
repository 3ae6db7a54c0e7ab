"""The web page at / and its files under /web."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

router = APIRouter(tags=["page"], include_in_schema=False)

DIRECTORY: Final = Path(__file__).parent / "web"

_FILE_HEADERS: Final[Mapping[str, str]] = {
    # Browsers ask each time whether a file has changed: files of two releases must not meet.
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

_PAGE_HEADERS: Final[Mapping[str, str]] = {
    **_FILE_HEADERS,
    # The page runs its own files and talks to its own origin; nothing else, whatever a name contains.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
}


class PageFiles(StaticFiles):
    """The modules, styles and pictures that the page consists of."""

    def __init__(self) -> None:
        super().__init__(directory=DIRECTORY)

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(_FILE_HEADERS)
        return response


@router.get("/")
async def index() -> FileResponse:
    """The board, for people."""
    return FileResponse(DIRECTORY / "index.html", headers=_PAGE_HEADERS)

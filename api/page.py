"""The web page at /."""

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse

router = APIRouter(tags=["page"], include_in_schema=False)

FILES = Path(__file__).parent / "web"

_HEADERS = {
    # The page runs its own files and talks to its own origin; nothing else, whatever a name contains.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@router.get("/")
async def index() -> FileResponse:
    """The board, for people."""
    return FileResponse(FILES / "index.html", headers=_HEADERS)

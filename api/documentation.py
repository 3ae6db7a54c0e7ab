"""The documentation at /docs, from our own origin: whoever types a key there runs nobody else's code."""

from importlib.resources import files
from typing import Final

from fastapi import APIRouter, Request
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

router = APIRouter(tags=["page"], include_in_schema=False)

PATH: Final = "/docs/assets"

# Swagger UI starts from a script in the page and styles itself.
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def assets() -> StaticFiles:
    """Swagger UI, as the package fastapi-offline carries it."""
    return StaticFiles(directory=str(files("fastapi_offline").joinpath("static")))


@router.get("/docs")
async def documentation(request: Request) -> HTMLResponse:
    """Every call, to read and to try."""
    page = get_swagger_ui_html(
        openapi_url=str(request.app.openapi_url),
        title=request.app.title,
        swagger_js_url=f"{PATH}/swagger-ui-bundle.js",
        swagger_css_url=f"{PATH}/swagger-ui.css",
        swagger_favicon_url="/web/favicon.svg",
    )
    page.headers["Content-Security-Policy"] = _POLICY
    return page

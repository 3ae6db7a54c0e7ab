"""The page's files as they are served."""

import re

import pytest
from httpx import AsyncClient

from api import page

pytestmark = pytest.mark.anyio

TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


async def test_the_page_may_run_and_reach_nothing_but_its_own_origin(public: AsyncClient) -> None:
    response = await public.get("http://test/")
    assert response.headers["content-type"].startswith("text/html")
    directives = response.headers["content-security-policy"].split("; ")
    policy = dict(each.split(" ", 1) for each in directives)
    assert policy["default-src"] == "'none'"
    assert {policy[name] for name in ("script-src", "style-src", "img-src", "connect-src")} == {"'self'"}
    assert not re.search(r"<style|<script(?! type=\"module\" src=)|style=|onclick|https?:", response.text)


async def test_every_file_has_its_type_and_is_checked_for_changes(public: AsyncClient) -> None:
    files = [path for path in page.DIRECTORY.rglob("*") if path.is_file()]
    assert len(files) > len(TYPES)
    for path in files:
        response = await public.get(f"http://test/web/{path.relative_to(page.DIRECTORY)}")
        assert response.headers["content-type"].startswith(TYPES[path.suffix[1:]])
        assert response.headers["cache-control"] == "no-cache"
        assert response.headers["x-content-type-options"] == "nosniff"
        again = {"If-None-Match": response.headers["etag"]}
        assert (await public.get(str(response.url), headers=again)).status_code == 304


async def test_no_other_file_is_served(public: AsyncClient) -> None:
    for path in ("page.py", "..%2fpage.py", "%2e%2e/page.py", ""):
        assert (await public.get(f"http://test/web/{path}")).status_code == 404


async def test_whoever_asks_for_a_part_of_a_file_is_given_the_whole(public: AsyncClient) -> None:
    whole = await public.get("http://test/")
    for part in ("bytes=0-3", "bytes=9-1", "lines=1-2", "bytes=999999999-"):
        response = await public.get("http://test/", headers={"Range": part})
        assert (response.status_code, response.content) == (200, whole.content)


async def test_no_address_is_redirected_to_the_host_that_a_client_names(public: AsyncClient) -> None:
    for path in ("/v1/ladders/", "/docs/", "/web"):
        response = await public.get(f"http://test{path}", headers={"Host": "elsewhere.example"})
        assert response.status_code == 404
        assert "location" not in response.headers

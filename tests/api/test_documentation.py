import re

import pytest
from httpx import AsyncClient

pytestmark = pytest.mark.anyio


async def test_the_documentation_loads_nothing_from_elsewhere(public: AsyncClient) -> None:
    page = await public.get("http://test/docs")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    places = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert places
    for place in places:
        assert place.startswith("/")
        assert (await public.get(f"http://test{place}")).status_code == 200


async def test_the_documentation_lists_every_code_that_a_failure_may_carry(public: AsyncClient) -> None:
    description = (await public.get("http://test/openapi.json")).json()["info"]["description"]
    for code in ("no_opponent", "result_conflict", "rule_in_use", "battle_expired", "unknown_player"):
        assert f"`{code}`" in description


async def test_browsers_of_any_origin_may_read_what_everybody_may_read(public: AsyncClient) -> None:
    response = await public.get("/ladders", headers={"Origin": "https://game.example"})
    assert response.headers["access-control-allow-origin"] == "*"


async def test_browsers_of_other_origins_read_nothing_where_reading_takes_a_key(private: AsyncClient) -> None:
    response = await private.get("/ladders", headers={"Origin": "https://game.example"})
    assert "access-control-allow-origin" not in response.headers

"""The OpenAPI document: complete, and its examples work as pasted."""

from collections.abc import Callable
from typing import Any

import pytest
from httpx import AsyncClient

from tests.api.conftest import problem

pytestmark = pytest.mark.anyio


async def document(client: AsyncClient) -> dict[str, Any]:
    response: dict[str, Any] = (await client.get("http://test/openapi.json")).json()
    return response


async def test_every_call_says_that_failures_are_problem_documents(client: AsyncClient) -> None:
    spec = await document(client)
    assert "Problem" in spec["components"]["schemas"]
    for path, calls in spec["paths"].items():
        for call in calls.values():
            schema = call["responses"]["4XX"]["content"]["application/problem+json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Problem"}, path


async def test_every_reference_leads_somewhere(client: AsyncClient) -> None:
    spec = await document(client)

    def references(node: Any) -> list[str]:
        if isinstance(node, dict):
            own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
            return own + [each for value in node.values() for each in references(value)]
        return [each for value in node for each in references(value)] if isinstance(node, list) else []

    for reference in references(spec):
        assert reference.removeprefix("#/components/schemas/") in spec["components"]["schemas"]


def _example(schema: dict[str, Any], spec: dict[str, Any]) -> Any:
    """What the documentation page offers as the body of a call: the first of several shapes."""
    if "oneOf" in schema:
        return _example(schema["oneOf"][0], spec)
    return spec["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]["example"]


async def test_the_examples_work_when_pasted_in_order(
    client: AsyncClient, fold: Callable[[str], int]
) -> None:
    spec = await document(client)
    calls = {
        call["operationId"]: (path, verb)
        for path, each in spec["paths"].items()
        for verb, call in each.items()
    }

    async def paste(operation: str, **values: str) -> Any:
        path, verb = calls[operation]
        call = spec["paths"][path][verb]
        query = {}
        for parameter in call.get("parameters", []):
            name, place = parameter["name"], parameter["in"]
            value = values.get(name) or next(iter(parameter["schema"].get("examples", [])), None)
            if place == "path":
                path = path.replace(f"{{{name}}}", str(value))
            elif parameter.get("required"):
                query[name] = value
            elif name == "wait":  # nobody folds here
                query[name] = 0
        body = call.get("requestBody")
        content = body and _example(body["content"]["application/json"]["schema"], spec)
        response = await client.request(verb, f"http://test{path}", params=query, json=content)
        assert response.is_success, (operation, response.text)
        return response.json() if response.content and "json" in response.headers["content-type"] else None

    await paste("ladders-put", ladder="arena")
    for ladder in ("nft", "backgammon"):
        await paste("players-join", ladder=ladder, player="ann")
        await paste("players-join", ladder=ladder, player="bob")
    battle = await paste("battles-request_opponent")
    await paste("battles-battle", battle=battle["id"])
    await paste("battles-report", battle=battle["id"])
    await paste("results-report")
    fold("nft")
    await paste("disputes-dispute")
    done = {"ladders-put", "players-join", "battles-request_opponent", "battles-report", "results-report"}
    done |= {"disputes-dispute", "fairplay-dismiss"}  # a flag must be raised first
    others = calls.keys() - done - {"battles-cancel", "battles-battle", "board-live"}
    for operation in sorted(others):
        await paste(operation)
    await client.delete(f"http://test/v1/ladders/nft/battles/{battle['id']}")


async def test_what_is_not_there_is_a_problem_document_too(client: AsyncClient) -> None:
    assert problem(await client.get("/nothing")) == (404, "not_found")
    assert problem(await client.put("/nothing")) == (404, "not_found")
    assert problem(await client.delete("/ladders/nft/board")) == (405, "method_not_allowed")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/ladders/nft", "GET, PUT"),
        ("/ladders/nft/battles/b", "DELETE, GET"),
        ("/ladders/nft/results", "POST"),
        ("http://test/web/app.js", "GET, HEAD"),
    ],
)
async def test_a_wrong_method_is_told_every_right_one(client: AsyncClient, path: str, allowed: str) -> None:
    response = await client.patch(path)
    assert problem(response) == (405, "method_not_allowed")
    assert response.headers["allow"] == allowed


def _keys(spec: dict[str, Any], verb: str) -> list[dict[str, Any]]:
    keys: list[dict[str, Any]] = spec["paths"]["/v1/ladders/{ladder}"][verb]["security"]
    return keys


async def test_a_key_is_optional_for_what_everybody_may_read(client: AsyncClient) -> None:
    spec = await document(client)
    assert _keys(spec, "get") == [{"HTTPBearer": []}, {}]
    assert _keys(spec, "put") == [{"HTTPBearer": []}]


async def test_a_key_is_required_where_nobody_reads_without(private: AsyncClient) -> None:
    assert _keys(await document(private), "get") == [{"HTTPBearer": []}]


async def test_bounds_stand_beside_null(client: AsyncClient) -> None:
    joining = (await document(client))["components"]["schemas"]["Joining"]["properties"]
    for field in ("games", "experience"):
        number, null = joining[field]["anyOf"]
        assert (number["minimum"], number["maximum"], null) == (0, 2**31 - 1, {"type": "null"})


async def test_details_are_those_of_the_rules(client: AsyncClient) -> None:
    details = (await document(client))["components"]["schemas"]["ResultReport"]["properties"]["details"]
    *rules, null = details["anyOf"]
    names = [each["$ref"].rsplit("/", 1)[1] for each in rules]
    assert (names, null) == (["NoDetails", "BothPlays", "Match"], {"type": "null"})


async def test_an_answer_links_to_what_its_battle_is_for(client: AsyncClient) -> None:
    call = (await document(client))["paths"]["/v1/ladders/{ladder}/battles"]["post"]
    for status in ("200", "201"):
        links = call["responses"][status]["links"]
        assert [link["operationId"] for link in links.values()] == [
            *("battles-battle", "battles-cancel", "battles-report")
        ]

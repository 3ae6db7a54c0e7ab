"""What a simulated game does when the service does not answer as hoped."""

from collections.abc import Callable

import httpx
import pytest

from matchmaker.demo.client import Client, RefusedError

Answer = httpx.Response | Exception


@pytest.fixture
def answering() -> Callable[..., Client]:
    """A client of a service that gives these answers, one after the other."""

    def make(*answers: Answer, patience: float = 30.0) -> Client:
        left = iter(answers)

        def answer(request: httpx.Request) -> httpx.Response:
            each = next(left)
            if isinstance(each, Exception):
                raise each
            return each

        http = httpx.AsyncClient(transport=httpx.MockTransport(answer), base_url="http://service")
        return Client(http, "nft", pause=0.0, patience=patience)

    return make


def problem(status: int, code: str) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "detail": "Because."})


ANN, BOB, CID = ({"player": player} for player in ("ann", "bob", "cid"))
LADDER = httpx.Response(200, json={"rule": {"name": "initiator_k"}})


@pytest.mark.parametrize(
    "hindrance",
    [
        problem(503, "store_unavailable"),
        problem(429, "too_many_requests"),
        httpx.Response(502, text="Bad Gateway"),
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
    ],
)
async def test_a_busy_service_is_asked_again(answering: Callable[..., Client], hindrance: Answer) -> None:
    client = answering(hindrance, LADDER)
    assert await client.rule() == "initiator_k"
    assert client.repeated == 1


async def test_patience_ends(answering: Callable[..., Client]) -> None:
    with pytest.raises(RefusedError, match="does not answer"):
        await answering(httpx.ConnectError("refused"), patience=-1.0).rule()


async def test_a_refusal_is_told_by_its_code(answering: Callable[..., Client]) -> None:
    with pytest.raises(RefusedError, match="Because") as refused:
        await answering(problem(409, "no_opponent")).opponent("ann")
    assert refused.value.code == "no_opponent"


async def test_an_answer_from_something_else_is_a_refusal(answering: Callable[..., Client]) -> None:
    with pytest.raises(RefusedError, match="404"):
        await answering(httpx.Response(404, text="<html>")).rule()


async def test_the_board_is_read_to_its_end(answering: Callable[..., Client]) -> None:
    pages = [httpx.Response(200, json={"total": 3, "entries": entries}) for entries in ([ANN, BOB], [CID])]
    assert await answering(*pages).board() == [ANN, BOB, CID]

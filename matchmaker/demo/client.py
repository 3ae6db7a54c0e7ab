"""The few requests that a game makes, repeated while the service is busy or coming up again."""

import asyncio
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

import httpx

from matchmaker.errors import MatchmakerError

_LATER: Final = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)


class RefusedError(MatchmakerError):
    """The service said no; `code` is what it calls the reason."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class Client:
    """One ladder of a service, as a game sees it. Every call raises RefusedError.

    What got no answer is sent again after `pause` seconds, for up to `patience` seconds; `repeated` counts
    how often that happened.
    """

    def __init__(
        self, http: httpx.AsyncClient, ladder: str, *, pause: float = 0.5, patience: float = 30.0
    ) -> None:
        self.repeated = 0
        self._http = http
        self._ladder = f"/v1/ladders/{quote(ladder, safe='')}"
        self._pause = pause
        self._patience = patience

    async def rule(self) -> str:
        """Name of the ladder's rating rule."""
        ladder = await self.send("GET", "")
        return str(ladder["rule"]["name"])

    async def join(self, player: str, name: str, owner: str) -> None:
        await self.send("PUT", f"/players/{quote(player, safe='')}", {"name": name, "owner": owner})

    async def opponent(self, challenger: str) -> dict[str, Any]:
        """A battle for the challenger: the one that it has open, or a new one."""
        return await self.send("POST", "/battles", {"challenger": challenger})

    async def report(self, battle: str, outcome: str, details: dict[str, Any], wait: float) -> None:
        """Says how the battle ended, and waits up to `wait` seconds until it is rated."""
        body = {"outcome": outcome, "details": details}
        await self.send("POST", f"/battles/{quote(battle, safe='')}/result?wait={wait:g}", body)

    async def board(self, rows_at_once: int = 1000) -> list[dict[str, Any]]:
        """All rows of the board."""
        rows: list[dict[str, Any]] = []
        while True:
            page = await self.send("GET", f"/board?limit={rows_at_once}&offset={len(rows)}")
            rows += page["entries"]
            if not page["entries"] or len(rows) >= page["total"]:
                return rows

    async def send(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Any request below the ladder's address, and the document that it was answered with."""
        deadline = asyncio.get_running_loop().time() + self._patience
        while True:
            try:
                response = await self._http.request(method, self._ladder + path, json=body)
            except httpx.TransportError as error:
                refusal = RefusedError("unreachable", f"{self._http.base_url} does not answer: {error}")
            else:
                if response.is_success:
                    document: dict[str, Any] = response.json()
                    return document
                refusal = _refusal(response)
                if response.status_code not in _LATER:
                    raise refusal
            if asyncio.get_running_loop().time() > deadline:
                raise refusal
            self.repeated += 1
            await asyncio.sleep(self._pause)


def _refusal(response: httpx.Response) -> RefusedError:
    try:
        problem = response.json()
        return RefusedError(problem["code"], problem["detail"])
    except (ValueError, LookupError, TypeError):
        return RefusedError("unexpected", f"{response.request.url} answered {response.status_code}")

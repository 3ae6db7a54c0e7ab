"""A ladder of a running service, with what a game does on it."""

from itertools import count
from typing import Any
from urllib.parse import quote, urlencode

from httpx import Client

TIERS = [{"name": "Squire", "from": 0}, {"name": "Knight", "from": 1500}, {"name": "King", "from": 1600}]

_numbers = count(1)


class Arena:
    """A fresh ladder with three tiers (rule `initiator_k` unless said). `client` has the admin key."""

    def __init__(self, client: Client, **settings: Any) -> None:
        number = next(_numbers)
        self.id, self.title = f"arena-{number}", f"Arena {number}"
        self._client = client
        self._results = count(1)
        document = {"title": self.title, "rule": {"name": "initiator_k"}, "tiers": TIERS, **settings}
        self._send("PUT", "", document)

    def _send(self, method: str, path: str, body: Any) -> Any:
        response = self._client.request(method, f"/v1/ladders/{self.id}{path}", json=body)
        assert response.is_success, response.text
        return response.json()

    @property
    def home(self) -> str:
        """Address of the list of all ladders."""
        return str(self._client.base_url)

    def page(self, **query: str) -> str:
        """Address of the board, or of what else the query says."""
        return f"{self.home}?" + urlencode({"ladder": self.id, **query})

    def join(self, *players: str, **body: Any) -> None:
        for player in players:
            self._send("PUT", f"/players/{quote(player, safe='')}", body)

    def crowd(self, size: int, best: float = 2000.0) -> None:
        """Players `p000`, `p001`, … from `best` down, ten points apart."""
        for number in range(size):
            self.join(f"p{number:03}", rating=best - 10 * number)

    def play(
        self, initiator: str | list[str], opponent: str | list[str], outcome: str = "win", **more: Any
    ) -> None:
        """Reports a result, with `more` fields if need be, and waits until it is rated. A list is a team."""
        self._report(initiator=initiator, opponent=opponent, outcome=outcome, **more)

    def meet(self, sides: list[str], ranks: list[int]) -> None:
        """Does so with a free-for-all."""
        self._report(sides=sides, ranks=ranks)

    def _report(self, **result: Any) -> None:
        body = {"id": f"r{next(self._results)}", **result}
        assert self._send("POST", "/results?wait=10", body)["status"] == "rated"

    def annul(self, result: str, reason: str) -> None:
        annulled = self._send("POST", f"/results/{result}/annul?wait=10", {"reason": reason})
        assert annulled["status"] == "annulled"

    def adjust(self, player: str, reason: str, **by: float) -> None:
        self._send("POST", f"/players/{player}/adjust?wait=10", {**by, "reason": reason})

    def suspend(self, player: str, reason: str) -> None:
        self._send("PATCH", f"/players/{player}", {"status": "suspended", "reason": reason})

    def reinstate(self, player: str, reason: str) -> None:
        self._send("PATCH", f"/players/{player}", {"status": "active", "reason": reason})

"""A client of the service: the server of a game, which reports results until each has been answered."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final
from urllib.parse import quote

from chaos.ledger import LadderLedger, Ledger
from matchmaker.demo.client import Client, RefusedError
from matchmaker.demo.combat import fight
from matchmaker.rating.rule import REVERSED
from matchmaker.results import Result

RULES: Final = {"nft": "initiator_k", "cards": "performance", "backgammon": "match_length"}
"""The preset ladders, and the rule of each."""

_FIGHTERS: Final = 8  # of each game server on each ladder, at the start
_LONGEST_LIST: Final = 40
_WITH_TEAMS: Final = ("nft", "cards")
_FIRST_SIDES: Final = (None, None, 1, 2)  # members of it, of four; None: a duel
_SPREAD: Final = 200.0  # of the advantage of one side, in points

Document = dict[str, Any]


class GameServer:
    """Number `number` of several; its fighters ask for opponents, and fight those of the others as well."""

    def __init__(self, number: int, clients: Mapping[str, Client], ledger: Ledger, seed: int) -> None:
        self._number = number
        self._clients = clients
        self._ledger = ledger
        self._random = Random(f"{seed}/{number}")  # a text: the same numbers for the same seed
        self._own: dict[str, list[str]] = {ladder: [] for ladder in clients}
        self._results = 0

    async def enter(self) -> None:
        """Has its fighters join all ladders."""
        for ladder in self._clients:
            for _ in range(_FIGHTERS):
                await self._try(ladder, self._join)

    async def play(self, stop: asyncio.Event) -> None:
        """Reports until it is told to stop and its last request is answered."""
        actions = (
            *(self._one, self._many, self._battle, self._again, self._contradict, self._join),
            *(self._annul, self._suspend),
        )
        while not stop.is_set():
            ladder = self._random.choices(list(self._clients), (3, 1, 1))[0]
            (action,) = self._random.choices(actions, (9, 3, 6, 2, 1, 1, 1, 1))
            await self._try(ladder, action)

    async def _try(self, ladder: str, action: Any) -> None:
        try:
            await action(ladder, self._clients[ladder], self._ledger.ladders[ladder])
        except RefusedError as refusal:
            self._ledger.surprises.append(f"{ladder}, {action.__name__}: {refusal.code}, {refusal.detail}")

    async def _join(self, ladder: str, client: Client, ledger: LadderLedger) -> None:
        player = f"fighter {self._number}-{len(self._own[ladder])}"
        await client.join(player, player.title(), owner=player)  # or some results would be refused
        self._own[ladder].append(player)
        ledger.players.append(player)

    async def _one(self, ladder: str, client: Client, ledger: LadderLedger) -> None:
        result = ledger.note(self._result(ladder, ledger))
        await client.send("POST", "/results", document(result))
        ledger.accept(result.id)

    async def _many(self, ladder: str, client: Client, ledger: LadderLedger) -> None:
        fresh = [self._result(ladder, ledger) for _ in range(self._random.randint(2, _LONGEST_LIST))]
        known = self._sample(ledger, 3)
        results = [*map(ledger.note, fresh), *known]
        self._random.shuffle(results)
        answer = await client.send("POST", "/results", [document(result) for result in results])
        if answer["rejected"] or answer["accepted"] + answer["duplicates"] != len(results):
            self._ledger.surprises.append(f"{ladder}, a list of {len(results)}: {answer}")
        if answer["duplicates"] < len(known):
            self._ledger.surprises.append(f"{ladder}, {len(known)} were known, but: {answer}")
        self._ledger.sent_again += len(known)
        ledger.accept(*(result.id for result in fresh))

    async def _battle(self, ladder: str, client: Client, ledger: LadderLedger) -> None:
        try:
            battle = await client.opponent(self._random.choice(self._own[ladder]))
        except RefusedError as refusal:
            if refusal.code == "no_opponent":
                return
            raise
        sides = battle["challenger"]["player"], battle["opponent"]["player"]
        result = ledger.note(self._fight(ladder, battle["id"], *sides))
        await client.report(result.id, result.outcome, result.details, self._random.choice((0.0, 0.0, 0.5)))
        ledger.accept(result.id)

    async def _again(self, ladder: str, client: Client, ledger: LadderLedger) -> None:
        for result in self._sample(ledger, 1):
            answer = await client.send("POST", "/results", document(result))
            self._ledger.sent_again += 1
            if answer["status"] != "duplicate":
                self._ledger.surprises.append(f"{ladder}, {result.id} again: {answer}")

    async def _contradict(self, ladder: str, client: Client, ledger: LadderLedger) -> None:
        for result in self._sample(ledger, 1):
            other = "win" if result.outcome == "draw" else REVERSED[result.outcome]
            self._ledger.contradicted += 1
            try:
                answer = await client.send("POST", "/results", document(result) | {"outcome": other})
            except RefusedError as refusal:
                if refusal.code != "result_conflict":
                    raise
            else:
                self._ledger.surprises.append(f"{ladder}, {result.id} with another outcome: {answer}")

    async def _annul(self, ladder: str, client: Client, ledger: LadderLedger) -> None:
        for result in self._sample(ledger, 1):
            path = f"/results/{quote(result.id, safe='')}/annul?wait=0"
            await client.send("POST", path, {"reason": "to see whether that is kept"})
            ledger.annulled.add(result.id)

    async def _suspend(self, ladder: str, client: Client, ledger: LadderLedger) -> None:
        """For a moment, in which none of its other fighters asks for an opponent."""
        path = f"/players/{quote(self._random.choice(self._own[ladder]), safe='')}"
        for status in ("suspended", "active"):
            await client.send("PATCH", path, {"status": status, "reason": "to see whether that is kept"})

    def _result(self, ladder: str, ledger: LadderLedger) -> Result:
        self._results += 1
        players = self._random.sample(ledger.players, 4)
        duel = self._fight(ladder, f"match {self._number}-{self._results}", players[0], players[1])
        first = self._random.choice(_FIRST_SIDES)
        if ladder not in _WITH_TEAMS or first is None:
            return duel
        sides = (tuple(players[:first]), tuple(players[first:]))
        plays = {
            seat: [play] * len(side)
            for (seat, play), side in zip(duel.details.items(), sides, strict=False)  # there may be none
        }
        return replace(duel, sides=sides, details=plays)

    def _fight(self, ladder: str, result_id: str, initiator: str, opponent: str) -> Result:
        ending = fight(RULES[ladder], self._random.gauss(0.0, _SPREAD), self._random)
        return Result.duel(result_id, initiator, opponent, ending.outcome, ending.details)

    def _sample(self, ledger: LadderLedger, most: int) -> list[Result]:
        """Results that are accepted already."""
        ids = list(ledger.accepted)
        return [ledger.reported[each] for each in self._random.sample(ids, min(most, len(ids)))]


def document(result: Result) -> Document:
    """The body that reports this result."""
    return {"id": result.id, **result.told, "details": result.details}

"""How long the service takes to recover, as a client sees it."""

import asyncio
from dataclasses import dataclass

from chaos.game_server import document
from chaos.ledger import LadderLedger
from chaos.reaper import Blow
from matchmaker.demo.client import Client
from matchmaker.results import Result

_WAIT = 5  # seconds that one request waits for the rating


@dataclass(frozen=True, slots=True)
class Recovery:
    """Of a result that was reported at the moment of a blow: seconds until it was answered and rated."""

    part: str
    answered: float
    rated: float


async def probe(blow: Blow, client: Client, ledger: LadderLedger) -> Recovery:
    """Reports a result and waits until it is rated, whatever else is killed. Raises RefusedError."""
    clock = asyncio.get_running_loop().time
    one, other = ledger.players[:2]
    result = ledger.note(Result.duel(f"probe {blow.part} {blow.at}", one, other, "win", {}))
    await client.send("POST", "/results", document(result))
    answered = clock()
    ledger.accept(result.id)
    while "changes" not in await client.send("POST", f"/results?wait={_WAIT}", document(result)):
        pass
    return Recovery(blow.part, answered - blow.at, clock() - blow.at)

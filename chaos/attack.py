"""The attack: a service, its clients, the reaper and the rivals, all at work at once; then the audit."""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx

from chaos.audit import audit
from chaos.board import board_faults
from chaos.game_server import RULES, GameServer
from chaos.leaks import leaks
from chaos.ledger import Ledger
from chaos.reaper import Blow, Reaper
from chaos.recovery import Recovery, probe
from chaos.report import Report
from chaos.rest import settle
from chaos.rivals import rivals
from chaos.running import Running, up
from matchmaker.config import Durability
from matchmaker.demo.client import Client, RefusedError
from matchmaker.store.client import Store
from matchmaker.store.connect import connect
from matchmaker.store.embedded import embedded_url

_PAUSE: Final = 0.1  # seconds after which a client sends again what was not answered
_PATIENCE: Final = 120.0  # seconds after which it gives up
_ANSWER_SECONDS: Final = 10.0
_ROWS_AT_ONCE: Final = 25  # so that equal ratings stand across the borders of pages


@dataclass(frozen=True)
class Plan:
    """Clients report for `seconds` (longer, if the kills take longer) while `kills` processes are killed."""

    seconds: float = 60.0
    kills: int = 60
    clients: int = 8
    workers: int = 3
    rivals: int = 2
    seed: int = 1
    durability: Durability = "second"


async def attack(plan: Plan, directory: Path) -> Report:
    """Carries out the plan on a service in `directory`. Raises NotUpError."""
    with up(directory, WORKERS=str(plan.workers), DURABILITY=plan.durability) as running:
        url = embedded_url(running.data)
        assert url is not None
        with connect(url) as store:
            report = await _attack(running, url, store, plan)
    report.exit_code = running.process.returncode
    return report


async def _attack(running: Running, url: str, store: Any, plan: Plan) -> Report:
    ledger = Ledger()
    recoveries: list[Recovery] = []
    headers = {"Authorization": f"Bearer {running.admin_key()}"}
    async with httpx.AsyncClient(base_url=running.url, headers=headers, timeout=_ANSWER_SECONDS) as http:
        clients = {ladder: Client(http, ladder, pause=_PAUSE, patience=_PATIENCE) for ladder in RULES}
        servers = [GameServer(number, clients, ledger, plan.seed) for number in range(plan.clients)]
        await asyncio.gather(*(server.enter() for server in servers))
        reaper = Reaper(running, store, kills=plan.kills, seconds=plan.seconds, random=Random(plan.seed))

        async def watch(blow: Blow) -> None:
            try:
                recoveries.append(await probe(blow, clients["nft"], ledger.ladders["nft"]))
            except RefusedError as refusal:
                ledger.surprises.append(f"after {blow}: {refusal}")

        begin = time.monotonic()
        with rivals(plan.rivals, url, plan.seed, running.data.parent) as rivalry:
            stop = asyncio.Event()
            async with asyncio.TaskGroup() as group:
                for server in servers:
                    group.create_task(server.play(stop))
                await reaper.run(lambda blow: group.create_task(watch(blow)))
                await asyncio.sleep(begin + plan.seconds - time.monotonic())
                stop.set()
        lasted = time.monotonic() - begin
        settled = settle(store, lambda: len(running.children()) == plan.workers + 2)
        boards = {ladder: await client.board(_ROWS_AT_ONCE) for ladder, client in clients.items()}
    audits = {ladder: audit(store, ladder, ledger.ladders[ladder]) for ladder in RULES}
    return Report(
        seconds=lasted,
        ledger=ledger,
        requests_retried=sum(client.repeated for client in clients.values()),
        kills=reaper.kills,
        recoveries=recoveries,
        rq_keys_wiped=reaper.rq_keys_wiped,
        rivals=rivalry,
        audits=audits,
        board_faults=[
            f"{ladder}: {fault}"
            for ladder, rows in boards.items()
            for fault in board_faults(rows, audits[ladder].ratings)
        ],
        leaks=leaks(store, [Store(store).edition(ladder) for ladder in RULES], workers=plan.workers),
        settled=settled,
    )

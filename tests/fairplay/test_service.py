"""The whole service, with workers that review: planted cheats are in the queue, and hardly anybody else."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from chaos.running import Running, up
from matchmaker.demo.arena import Arena
from matchmaker.demo.client import Client
from matchmaker.demo.fighters import draw_fighters
from matchmaker.fairplay.record import Shared
from matchmaker.rating import MatchLength
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result
from tests.fairplay.chronicle import Chronicle
from tests.fairplay.populations import honest_style
from tests.fairplay.season import Member, Season
from tests.fairplay.styles import Farmer, Hunter, Leaver, Linked, Shortener, Style, Trader
from tests.waiting import wait_until

HONEST = 60
GAMES_EACH = 110
NEWCOMERS = 50
SEED = 4


class Scribe(Chronicle):
    """Writes down what was played, to be played once more."""

    def __init__(self, rule: MatchLength) -> None:
        super().__init__(rule)
        self.played: list[Result] = []

    def rate(self, result: Result, shared: Shared | None = None) -> None:
        super().rate(result, shared)
        self.played.append(result)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Running]:
    with up(tmp_path) as running:
        yield running


@pytest.fixture
def client(service: Running) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {service.admin_key()}"}
    with httpx.Client(base_url=f"{service.url}/v1", headers=headers, timeout=30) as client:
        yield client


def _cheats() -> dict[str, Style]:
    """Three pairs of each kind; the decliners need battles that expire, and are not here."""
    lone: dict[str, type[Style]] = {
        "shortener": Shortener,
        "farmer": Farmer,
        "hunter": Hunter,
        "leaver": Leaver,
    }
    found: dict[str, Style] = {}
    for number in range(6):
        other = number ^ 1
        found |= {f"{kind}{number}": style() for kind, style in lone.items()}
        found[f"linked{number}"] = Linked(partner=f"linked{other}")
        found[f"swapper{number}"] = Trader(partner=f"swapper{other}", takes=None)
    return found


def _season() -> tuple[Season, Scribe, dict[str, PlayerState]]:
    """A season, what was played in it, and how its members began."""
    rule, random = MatchLength(), Random(SEED)
    season, scribe = Season(rule, SEED, lambda player, record: None), Scribe(rule)
    season.chronicle = scribe
    beginnings: dict[str, PlayerState] = {}

    def join(name: str, style: Style, strength: float, state: PlayerState) -> None:
        season.join(Member(name, strength, style), state)
        beginnings[name] = state

    for name, style in ({f"honest{n}": honest_style(n, random) for n in range(HONEST)} | _cheats()).items():
        strength, games = random.gauss(1550, 90), random.randrange(40, 400)
        join(
            name, style, strength, PlayerState(round(random.gauss(strength, 40)), games, experience=5 * games)
        )
    turns = len(season.members) * GAMES_EACH // 2
    for number in range(turns):
        if number % (turns // NEWCOMERS) == 0:
            style = honest_style(8, random)
            join(f"newcomer{number}", style, random.gauss(1450, 90), PlayerState(1500.0))
        season.turn()
    return season, scribe, beginnings


def _body(result: Result) -> dict[str, Any]:
    details = dict(result.details)
    if details.pop("abandoned", False):
        details["abandoned"] = "initiator" if result.outcome == "loss" else "opponent"
    return {
        "id": result.id,
        **result.told,
        "details": details,
    }


def _play(client: httpx.Client, scribe: Scribe, beginnings: dict[str, PlayerState]) -> None:
    settings = {"rule": {"name": "match_length"}, "linked_accounts": "flag"}
    assert client.put("/ladders/club", json=settings).is_success
    for name, state in beginnings.items():
        career = {"rating": state.rating, "games": state.games, "experience": state.experience}
        owner = f"owner{int(name[-1]) // 2}" if name.startswith("linked") else None
        assert client.put(f"/ladders/club/players/{name}", json=career | {"owner": owner}).is_success
    for at in range(0, len(scribe.played), 1000):
        bodies = [_body(result) for result in scribe.played[at : at + 1000]]
        assert client.post("/ladders/club/results", json=bodies).json()["accepted"] == len(bodies)


def _count(client: httpx.Client, name: str, ladder: str) -> float:
    text = client.get(str(client.base_url.copy_with(path="/metrics"))).text
    families = text_string_to_metric_families(text)
    return next(
        sample.value
        for family in families
        for sample in family.samples
        if sample.name == f"matchmaker_{name}" and sample.labels.get("ladder") == ladder
    )


def _review_everybody(client: httpx.Client, ladder: str, results: int) -> dict[str, set[str]]:
    """Waits until all is rated and reviewed; who is flagged for what."""
    wait_until(lambda: _count(client, "rated_total", ladder) == results, timeout=60)
    wait_until(lambda: _count(client, "to_review", ladder) == 0, timeout=60)
    flagged: dict[str, set[str]] = {}
    for entry in client.get(f"/ladders/{ladder}/fairplay", params={"limit": 1000}).json()["entries"]:
        flagged.setdefault(entry["flag"], set()).add(entry["player"])
    return flagged


def test_planted_cheats_are_in_the_queue_and_hardly_anybody_else(client: httpx.Client) -> None:
    season, scribe, beginnings = _season()
    _play(client, scribe, beginnings)
    flagged = _review_everybody(client, "club", len(scribe.played))
    print(f"\n{len(scribe.played)} results; {'indicator':16} planted flagged right")
    wrong = set()
    for flag in sorted({style.flag for style in _cheats().values() if style.flag}):
        planted = {name for name, member in season.members.items() if member.style.flag == flag}
        found = flagged.get(flag, set())
        print(f"{flag:18} {len(planted):7} {len(found):7} {len(planted & found):5}")
        assert len(planted & found) >= len(planted) - 1, flag
        wrong |= found - planted
    assert len(wrong) <= 2
    board = client.get("/ladders/club/players/leaver0").json()
    assert board["rating"] == scribe.states["leaver0"].rating


def test_the_fighters_of_the_demo_are_left_in_peace(service: Running, client: httpx.Client) -> None:
    battles, fighters = 1_500, 50

    async def fight() -> None:
        headers = {"Authorization": f"Bearer {service.admin_key()}"}
        async with httpx.AsyncClient(base_url=service.url, headers=headers, timeout=15) as http:
            arena = Arena(Client(http, "nft"), draw_fighters(fighters, SEED), seed=SEED, battles=battles)
            await arena.run(asyncio.Event(), lambda measure: None)

    asyncio.run(fight())
    flagged = _review_everybody(client, "nft", battles)
    print(f"\nflagged of {fighters} fighters after {battles} battles: {flagged}")
    assert _count(client, "reviewed_total", "nft") >= fighters
    assert sum(map(len, flagged.values())) <= 1

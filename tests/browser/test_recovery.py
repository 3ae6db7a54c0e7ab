"""Lost connections: the page says so, and recovers by itself."""

import os
import signal
from collections.abc import Callable

import httpx
from playwright.sync_api import Page, Route, expect

from chaos.running import Running
from tests.browser.arena import Arena
from tests.waiting import wait_until

Window = Callable[..., Page]

SLOW = 20_000  # milliseconds that a restart and the browser's own pause may take


def _forgive(complaints: list[str]) -> None:
    """The browser notes every request that failed; anything else would be the page's own fault."""
    complaints[:] = [each for each in complaints if not each.startswith("Failed to load resource")]


def test_a_page_outlives_a_restart_of_the_service(
    arena: Arena, window: Window, service: Running, game: httpx.Client, complaints: list[str]
) -> None:
    arena.join("ann", rating=1510)
    arena.join("bob", rating=1500)
    page = window(arena.page())
    expect(page.locator(".pulse")).to_have_text("Live")
    page.evaluate("window.same = true")
    victim = service.child("matchmaker api")
    assert victim is not None
    os.kill(victim, signal.SIGKILL)
    expect(page.get_by_role("status").first).to_contain_text("The connection is lost; what you see is from")
    expect(page.locator(".pulse")).to_have_text("Offline")
    expect(page.locator("tbody tr")).to_have_count(2)
    wait_until(lambda: _ready(game), timeout=30)
    arena.play("bob", "ann")
    expect(page.locator("tbody tr").first).to_contain_text("bob", timeout=SLOW)
    expect(page.locator("tbody tr").first).to_contain_text("▲ 1")
    expect(page.locator(".pulse")).to_have_text("Live")
    expect(page.get_by_role("status").first).to_have_text("Connected again.")
    expect(page.get_by_role("status").first).to_be_empty()
    assert page.evaluate("window.same")
    _forgive(complaints)


def _ready(game: httpx.Client) -> bool:
    try:
        return game.get("/readyz").is_success
    except httpx.TransportError:
        return False


def test_a_stream_that_is_refused_is_asked_for_again(
    arena: Arena, window: Window, complaints: list[str]
) -> None:
    arena.join("ann")
    refusals = iter((503, 502))

    def refuse(route: Route) -> None:
        status = next(refusals, None)
        if status is None:
            route.continue_()
        else:
            route.fulfill(status=status, body="<h1>no</h1>")

    page = window(arena.home)
    page.route("**/board/live?*", refuse)
    page.goto(arena.page())
    expect(page.locator("#connection")).to_have_text("The connection is lost. Trying again…")
    expect(page.locator("tbody tr")).to_have_count(1, timeout=SLOW)
    expect(page.locator(".pulse")).to_have_text("Live")
    _forgive(complaints)


def test_a_page_that_is_opened_while_the_service_is_away_waits_for_it(
    arena: Arena, window: Window, complaints: list[str]
) -> None:
    arena.join("ann")
    page = window(arena.page())
    page.route("**/v1/**", lambda route: route.abort())
    page.reload(wait_until="load")
    expect(page.locator("#connection")).to_have_text(
        "The service does not answer at the moment. Trying again…"
    )
    page.unroute("**/v1/**")
    expect(page.locator("tbody tr")).to_have_count(1, timeout=SLOW)
    expect(page.locator("#connection")).to_be_empty()
    _forgive(complaints)


def test_a_hidden_page_hangs_up_and_is_current_when_it_is_seen_again(arena: Arena, window: Window) -> None:
    arena.join("ann", rating=1510)
    arena.join("bob", rating=1500)
    page = window(arena.page())
    expect(page.locator("tbody tr").first).to_contain_text("ann")
    _set_hidden(page, True)
    arena.play("bob", "ann")
    assert page.locator("tbody tr").first.inner_text().find("ann") >= 0
    _set_hidden(page, False)
    expect(page.locator("tbody tr").first).to_contain_text("bob")


def _set_hidden(page: Page, hidden: bool) -> None:
    page.evaluate(
        """(hidden) => {
            Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_a_board_that_needs_a_key_says_so(arena: Arena, window: Window, complaints: list[str]) -> None:
    page = window(arena.page())
    refusal = {"status": 401, "title": "Unauthorized", "code": "unauthorized", "detail": "A key is needed."}
    page.route("**/v1/**", lambda route: route.fulfill(status=401, json=refusal))
    page.reload()
    expect(page.locator("h1")).to_contain_text("This board is not public")
    _forgive(complaints)

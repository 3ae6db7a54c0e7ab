"""One service and one browser for all tests of the page; each test has a ladder and a window of its own."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from chaos.running import Running, up
from tests.browser import chromium
from tests.browser.arena import Arena

expect.set_options(timeout=10_000)  # milliseconds; nothing waits longer than it must


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    program = chromium.executable()
    if program is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    with chromium.launched(program) as browser:
        yield browser


@pytest.fixture(scope="package")
def service(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with up(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture(scope="package")
def game(service: Running) -> Iterator[httpx.Client]:
    """A client with the admin key."""
    with service.client() as client:
        client.headers["Authorization"] = f"Bearer {service.admin_key()}"
        yield client


@pytest.fixture
def arena(game: httpx.Client) -> Arena:
    return Arena(game)


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the consoles of the test's windows say. At the end of the test, nothing may be left."""
    said: list[str] = []
    yield said
    assert said == []


@pytest.fixture(scope="package")
def profiles(browser: Browser) -> Callable[..., BrowserContext]:
    """A browser profile with these options; equal ones are shared, for the page keeps nothing in them."""
    known: dict[str, BrowserContext] = {}

    def profile(**options: Any) -> BrowserContext:
        key = repr(sorted(options.items()))
        if key not in known:
            known[key] = browser.new_context(**options)
            known[key].set_default_timeout(10_000)
        return known[key]

    return profile


@pytest.fixture
def window(profiles: Callable[..., BrowserContext], complaints: list[str]) -> Iterator[Callable[..., Page]]:
    """Opens an address in a window of its own; keywords are those of a browser context."""
    pages: list[Page] = []

    def window(address: str, **options: Any) -> Page:
        page = profiles(**{"locale": "en-GB", **options}).new_page()
        pages.append(page)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        page.wait_for_selector("h1")
        return page

    yield window
    for page in pages:
        page.close()

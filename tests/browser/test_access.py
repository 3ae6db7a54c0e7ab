"""The page for everybody: by keyboard, by ear, on phones, in both colour schemes."""

from collections.abc import Callable
from typing import Literal

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.arena import Arena

Window = Callable[..., Page]

VIEWS = {
    "ladders": {},
    "board": {"me": "p009"},
    "player": {"player": "p003", "opponent": "p004", "me": "p003"},
    "unknown player": {"player": "nobody"},
    "unknown ladder": {"ladder": "no-such"},
}
SIZES: dict[str, ViewportSize] = {
    "desktop": {"width": 1280, "height": 900},
    "phone": {"width": 360, "height": 740},
}
DRAWN = {
    "ladders": ".leaders .medal",
    "board": "tbody tr",
    "player": ".odds",
    "unknown player": ".finder",
    "unknown ladder": ".button",
}
"""What shows that a view is complete."""

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture(scope="module")
def crowded(game: httpx.Client) -> Arena:
    """A ladder with a dozen players, some of whom have played."""
    arena = Arena(game)
    arena.crowd(12)
    for outcome in ("win", "loss", "draw"):
        arena.play("p003", "p004", outcome)
    return arena


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_in_either_scheme_on_any_size(crowded: Arena, window: Window, view: str) -> None:
    page = window(crowded.page(**VIEWS[view]) if view != "ladders" else crowded.home, reduced_motion="reduce")
    expect(page.locator(DRAWN[view]).first).to_be_visible()
    for size in SIZES.values():
        page.set_viewport_size(size)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.mark.parametrize("size", SIZES)
def test_a_board_is_a_table_to_those_who_listen(crowded: Arena, window: Window, size: str) -> None:
    page = window(crowded.page(), viewport=SIZES[size])
    table = page.get_by_role("table", name=f"Board: {crowded.title}")
    expect(table.get_by_role("columnheader")).to_have_count(6)
    expect(table.get_by_role("rowheader")).to_have_count(12)
    expect(table.get_by_role("cell")).to_have_count(60)


def test_the_page_is_used_by_keyboard_alone(crowded: Arena, window: Window) -> None:
    page = window(crowded.page())
    expect(page.locator("tbody tr")).to_have_count(12)
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    expect(page.get_by_text("Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Find a player")).to_be_focused()
    page.keyboard.type("p010")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("p010")
    expect(page.locator("h1")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="This is me")).to_be_focused()
    width = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert width == "3px"
    page.go_back()
    expect(page.locator("h1")).to_be_focused()


def test_a_focused_row_keeps_the_focus_while_it_moves(arena: Arena, window: Window) -> None:
    arena.join("ann", rating=1510)
    arena.join("bob", rating=1500)
    page = window(arena.page())
    page.get_by_role("link", name="bob").focus()
    arena.play("bob", "ann")
    expect(page.locator("tbody tr").first).to_contain_text("bob")
    expect(page.get_by_role("link", name="bob")).to_be_focused()


def test_those_who_listen_hear_of_their_own_place_and_of_nothing_else(arena: Arena, window: Window) -> None:
    arena.join("ann", rating=1540)
    arena.join("bob", rating=1520)
    arena.join("cid", rating=1500)
    page = window(arena.page(me="cid"))
    news = page.locator("#news")
    expect(page.locator("#place")).to_contain_text("cid")
    arena.play("bob", "ann")
    expect(page.locator("tbody tr").first).to_contain_text("bob")
    expect(news).to_be_empty()
    arena.play("cid", "ann")
    expect(news).to_have_text("Your place: 2 of 3. Rating 1,521.")
    assert page.locator("main [aria-live], main [role=status]").count() == 0

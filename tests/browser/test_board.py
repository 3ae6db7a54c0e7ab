"""The board as people see it."""

from collections.abc import Callable

import httpx
from playwright.sync_api import Page, expect

from tests.browser.arena import Arena

Window = Callable[..., Page]


def _order(page: Page) -> list[str]:
    return page.locator("tbody .name").all_inner_texts()


def test_the_ladders_are_listed_with_their_leaders(arena: Arena, window: Window) -> None:
    arena.join("ann", name="Ann")
    page = window(arena.home)
    card = page.locator(".ladders > li").filter(has=page.locator(f"h2 a[href='?ladder={arena.id}']"))
    expect(card).to_contain_text("1 player")
    expect(card.locator(".leaders")).to_contain_text("Ann")
    card.get_by_role("link", name=arena.title).click()
    expect(page.locator("tbody .name")).to_have_text(["Ann"])


def test_a_board_shows_rank_name_rating_games_and_tier(arena: Arena, window: Window) -> None:
    arena.join("ann", name="Ann", rating=1612.4, games=1234)
    arena.join("bob", rating=1500)
    arena.join("cid", rating=1500)
    page = window(arena.page())
    expect(page.get_by_role("columnheader")).to_have_text(
        ["Rank", "Change", "Player", "Rating", "Games", "Tier"]
    )
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0).get_by_role("rowheader", name="Ann")).to_be_visible()
    expect(rows.nth(0).locator("td")).to_contain_text(["1", "same place", "1,612", "1,234", "King"])
    assert _order(page) == ["Ann", "cid", "bob"]
    expect(rows.locator(".rank")).to_have_text(["1", "2", "2"])


def test_a_reported_result_moves_the_rows_of_an_open_page(arena: Arena, window: Window) -> None:
    arena.join("ann", rating=1510)
    arena.join("bob", rating=1500)
    page = window(arena.page())
    expect(page.locator(".pulse")).to_have_text("Live")
    assert _order(page) == ["ann", "bob"]
    page.evaluate("window.same = true")
    page.evaluate("""() => {
        window.glides = 0;
        new MutationObserver(() => requestAnimationFrame(() => {
            window.glides += document.getAnimations().filter(({id}) => id === "glide").length;
        })).observe(document.querySelector("tbody"), {childList: true});
    }""")
    arena.play("bob", "ann")
    expect(page.locator("tbody tr").first).to_contain_text("bob")
    first, second = page.locator("tbody tr").all()
    expect(first.locator(".movement")).to_have_text("▲ 1up 1 place")
    expect(second.locator(".movement")).to_have_text("▼ 1down 1 place")
    expect(first.locator(".rating")).to_have_text("1,521")
    page.wait_for_function("window.glides === 2 && window.same")


def test_who_prefers_less_motion_sees_rows_change_without_animation(arena: Arena, window: Window) -> None:
    arena.join("ann", rating=1510)
    arena.join("bob", rating=1500)
    page = window(arena.page(), reduced_motion="reduce")
    expect(page.locator("tbody tr")).to_have_count(2)
    page.evaluate("""() => {
        window.animated = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...given) {
            window.animated++;
            return animate.apply(this, given);
        };
    }""")
    arena.play("bob", "ann")
    expect(page.locator("tbody tr").first).to_contain_text("bob")
    assert page.evaluate("window.animated") == 0


def test_players_come_into_the_top_and_leave_it(arena: Arena, window: Window) -> None:
    arena.crowd(100)
    page = window(arena.page())
    expect(page.locator("tbody tr")).to_have_count(100)
    expect(page.locator(".count")).to_have_text("100 players")
    arena.join("newcomer", rating=1500)
    expect(page.locator(".count")).to_have_text("Top 100 of 101 players")
    expect(page.locator("tbody tr")).to_have_count(100)
    expect(page.get_by_role("row").filter(has_text="newcomer").locator(".movement")).to_have_text("newnew")
    assert "p099" not in _order(page)


def test_equals_stand_as_the_service_orders_them(arena: Arena, game: httpx.Client, window: Window) -> None:
    players = ["a", "aa", "b", "é", "ﬀ", "\uffee", "𐀀", "😀", "Z", "10", "9"]
    arena.join(*players)
    page = window(arena.page())
    expect(page.locator("tbody tr")).to_have_count(len(players))
    board = game.get(f"/v1/ladders/{arena.id}/board").json()["entries"]
    assert _order(page) == [row["player"] for row in board]


def test_ones_own_place_is_in_the_header_even_far_below_the_top(arena: Arena, window: Window) -> None:
    arena.crowd(110)
    page = window(arena.page(me="p105"))
    place = page.locator("#place")
    expect(place).to_contain_text("p105")
    expect(place.locator(".rank")).to_contain_text("106 of 110")
    expect(place.locator(".rating")).to_contain_text("950")
    arena.play("p105", "p103")
    expect(place.locator(".rank")).to_contain_text("104 of 110")
    expect(place.locator(".movement")).to_contain_text("▲ 2")
    page.get_by_role("link", name="Forget").click()
    expect(place).to_be_hidden()
    assert "me=" not in page.url


def test_ones_own_row_is_marked(arena: Arena, window: Window) -> None:
    arena.join("ann", "bob")
    page = window(arena.page(me="bob"))
    expect(page.locator("tr[aria-current=true]")).to_contain_text("bob")


def test_an_empty_ladder_says_so(arena: Arena, window: Window) -> None:
    expect(window(arena.page()).locator("main")).to_contain_text("Nobody has joined this ladder yet.")


def test_an_unknown_ladder_gets_a_friendly_message(arena: Arena, window: Window) -> None:
    page = window(arena.page(ladder="no-such"))
    expect(page.locator("h1")).to_have_text("There is no ladder no-such here.")
    page.get_by_role("link", name="To all ladders").click()
    expect(page.locator("h1")).to_have_text("Ladders")


def test_an_unknown_viewer_is_told_so(arena: Arena, window: Window) -> None:
    arena.join("ann")
    page = window(arena.page(me="nobody"))
    expect(page.locator("#place")).to_contain_text("nobody is not on this ladder.")
    arena.join("nobody")
    expect(page.locator("#place")).to_contain_text("1 of 2")

"""Names are text, whatever they contain."""

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.arena import Arena

Window = Callable[..., Page]

NAMES = {
    "markup": "<script>window.broken = true</script><img src=x onerror='window.broken = true'>",
    "wide": "\ufdfd" * 128,
    "ideographs": "龘" * 128,
    "unbroken": "W" * 128,
    "right-to-left": "\u202eevil\u202e \u2067ملك\u200f",
    "unclosed": "\u202d\u2068\u2066" * 20 + "x",
    "stacked": "Z" + "\u0336\u0353\u0489\u0311" * 31,
    "family": "👨‍👩‍👧‍👦" * 18,
    "brackets": "{count} {player} ${alert(1)} %s &amp; &lt;b&gt;",
    "line separators": "a\u2028b\u2029c",
}


def _scrolls_sideways(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


@pytest.mark.parametrize("width", [360, 1280])
def test_no_name_breaks_the_board(arena: Arena, window: Window, width: int) -> None:
    for number, name in enumerate(NAMES.values()):
        arena.join(f"p{number}", name=name, rating=1600 - number)
    page = window(arena.page(me="p1"), viewport={"width": width, "height": 800})
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(len(NAMES))
    assert page.locator("tbody .name").all_text_contents() == list(NAMES.values())
    assert not _scrolls_sideways(page)
    for row in rows.all():
        assert row.evaluate("(row) => row.offsetHeight") < 100
        rating = row.locator(".rating").bounding_box()
        link = row.locator(".name").bounding_box()
        assert rating is not None
        assert link is not None
        assert link["x"] + link["width"] <= rating["x"] + rating["width"] <= width
    assert page.evaluate("window.broken") is None


def test_no_name_breaks_a_players_page(arena: Arena, window: Window) -> None:
    page = window(arena.home, viewport={"width": 360, "height": 740})
    for number, name in enumerate(NAMES.values()):
        ann, bob = f"ann-{number}", f"bob-{number}"
        arena.join(ann, bob, name=name)
        arena.play(ann, bob)
        arena.annul(f"r{number + 1}", name)
        arena.suspend(ann, name)
        page.goto(arena.page(player=ann, opponent=bob, me=ann, lang="ru"))
        expect(page.locator(".odds")).to_be_visible()
        assert page.locator("h1").text_content() == name
        assert page.locator(".because bdi:first-child").all_text_contents() == [name, name]
        assert page.title() == f"{name} · Matchmaker"
        assert not _scrolls_sideways(page)
        assert page.evaluate("window.broken") is None


def test_a_name_in_which_nothing_can_be_seen_gives_way_to_the_id(arena: Arena, window: Window) -> None:
    arena.join("ann", name="\u200b \u2067")
    page = window(arena.page())
    expect(page.locator("tbody .name")).to_have_text("ann")


def test_no_title_of_a_ladder_or_a_tier_breaks_the_page(game: httpx.Client, window: Window) -> None:
    tiers = [{"name": "W" * 128, "from": 0}, {"name": NAMES["markup"], "from": 1500}]
    arena = Arena(game, title=NAMES["wide"], tiers=tiers)
    arena.join("ann", rating=1400)
    arena.join("bob", rating=1600)
    page = window(arena.page(me="ann"), viewport={"width": 360, "height": 740})
    expect(page.locator("tbody tr")).to_have_count(2)
    assert page.locator("tbody .tier bdi").all_text_contents() == [NAMES["markup"], "W" * 128]
    assert not _scrolls_sideways(page)
    assert page.evaluate("window.broken") is None


def test_ids_may_hold_what_addresses_treat_specially(arena: Arena, window: Window) -> None:
    page = window(arena.home)
    for player in ("a?b#c", "100%", "a&player=b", "a+b c", "'\"><b>", "..."):
        arena.join(player)
        page.goto(arena.page(me=player))
        page.locator("tbody").get_by_role("link", name=player, exact=True).click()
        expect(page.locator("h1")).to_have_text(player)
        expect(page.locator("#place .name")).to_have_text(player)


def test_ids_that_are_words_of_javascript_are_ids(arena: Arena, window: Window) -> None:
    arena.join("ann", "constructor", "toString", "__proto__")
    arena.play(["ann", "constructor"], ["toString", "__proto__"])
    page = window(arena.page(player="ann"))
    expect(page.locator(".games td.opponent")).to_have_text("toString, __proto__Own team: constructor")


def test_no_names_of_a_team_break_a_players_page(arena: Arena, window: Window) -> None:
    for number, text in enumerate(NAMES.values()):
        arena.join(f"p{number}", name=text)
    arena.play(["p0", "p1", "p2", "p3"], ["p4", "p5", "p6", "p7"])
    arena.play(["p8", "p9", "p2", "p3"], ["p4", "p5", "p1", "p7"])
    for player in ("p2", "p4"):
        page = window(arena.page(player=player, me=player), viewport={"width": 360, "height": 740})
        expect(page.locator(".games tbody tr")).to_have_count(2)
        assert not _scrolls_sideways(page)
        assert page.locator(".games .opponent a").count() == 14

"""A player's page."""

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.arena import Arena

Window = Callable[..., Page]


def _figure(page: Page, title: str) -> Locator:
    return page.locator(f".figures .{title} dd")


def test_a_player_is_found_by_id_or_by_a_name_of_the_top(arena: Arena, window: Window) -> None:
    arena.join("ann", name="Ann the First")
    page = window(arena.page())
    for wanted in ("ann", "Ann the First"):
        page.get_by_label("Find a player").fill(wanted)
        page.get_by_role("button", name="Find").click()
        expect(page.locator("h1")).to_have_text("Ann the First")
        page.go_back()
        expect(page.locator("h1")).to_have_text(arena.title)


def test_an_unknown_player_gets_a_friendly_message_and_another_try(arena: Arena, window: Window) -> None:
    arena.join("ann")
    page = window(arena.page(player="nobody"))
    expect(page.locator("h1")).to_have_text("There is no player nobody on this ladder.")
    page.get_by_label("Find a player").fill("ann")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("h1")).to_have_text("ann")


def test_figures_tell_all_of_a_standing(arena: Arena, window: Window) -> None:
    arena.join("ann", name="Ann", rating=1700, peak=1800)
    arena.join("bob", "cid", "dan")
    for outcome in ("win", "win", "draw", "loss"):
        arena.play("ann", "bob", outcome)
    page = window(arena.page(player="ann"))
    expect(page.locator("h1")).to_have_text("Ann")
    expect(_figure(page, "rating")).to_contain_text("King")
    expect(_figure(page, "rank")).to_have_text("1 of 4")
    expect(_figure(page, "percentile")).to_have_text("100% of players")
    expect(_figure(page, "peak")).to_have_text("1,800")
    for title, value in {
        "games": "4",
        "wins": "2",
        "draws": "1",
        "losses": "1",
        "k": "40still finding its level",
    }.items():
        expect(_figure(page, title)).to_have_text(value)


def test_a_team_match_is_listed_with_the_own_team_and_all_opponents(arena: Arena, window: Window) -> None:
    arena.join("ann", "cid")
    arena.join("bob", name="Bob")
    arena.join("dan", name="Dan")
    arena.play(["ann", "bob"], ["cid", "dan"])
    page = window(arena.page(player="ann"))
    game = page.locator(".games tbody tr")
    expect(game.locator("td")).to_contain_text(["", "cid, DanOwn team: Bob", "Win", "+20.0", "1,520"])
    tops = game.locator(".opponent span > a").evaluate_all("links => links.map((link) => link.offsetTop)")
    assert len(tops) == 2
    assert tops[0] == tops[1], "the opponents are to stand in one line"
    game.get_by_role("link", name="Bob").click()
    expect(page.locator("h1")).to_have_text("Bob")
    expect(page.locator(".games .opponent a")).to_have_text(["cid", "Dan", "ann"])
    page.go_back()
    page.get_by_role("img", name="Rating over the last games").hover(position={"x": 600, "y": 50})
    expect(page.locator(".readout")).to_contain_text("1,520 (+20.0) · cid, Dan ·")


def test_a_free_for_all_is_listed_with_the_place_and_the_first_few_of_the_others(
    game: httpx.Client, window: Window
) -> None:
    arena = Arena(game, rule={"name": "openskill"})
    players = [f"p{number}" for number in range(7)]
    arena.join(*players)
    arena.meet(players, [2, 1, 2, 3, 4, 5, 6])
    page = window(arena.page(player="p0"))
    cells = page.locator(".games tbody td")
    expect(cells.nth(1)).to_have_text("p1, p2, p3, p4 +2")
    expect(cells.nth(2)).to_have_text("Loss (2 of 7)")


def test_last_games_are_listed_and_drawn(arena: Arena, window: Window) -> None:
    arena.join("ann")
    arena.join("bob", name="Bob")
    for outcome in ("win", "loss", "draw"):
        arena.play("ann", "bob", outcome)
    page = window(arena.page(player="ann"))
    games = page.locator(".games tbody tr")
    expect(games).to_have_count(3)
    expect(games.nth(2).locator("td")).to_contain_text(["", "Bob", "Win", "+20.0", "1,520"])
    expect(games.locator(".outcome")).to_have_text(["Draw", "Loss", "Win"])
    drawing = page.get_by_role(
        "img", name="Rating over the last games: from 1,500 to 1,498, lowest 1,498, highest 1,520."
    )
    expect(drawing).to_be_visible()
    assert len((drawing.locator(".line").get_attribute("points") or "").split()) == 4
    drawing.hover(position={"x": 60, "y": 50})
    expect(page.locator(".readout")).to_have_text("1,500")
    games.nth(0).get_by_role("link", name="Bob").click()
    expect(page.locator("h1")).to_have_text("Bob")


def test_the_page_around_the_player_marks_the_player(arena: Arena, window: Window) -> None:
    arena.crowd(20)
    page = window(arena.page(player="p010"))
    expect(page.locator(".around tbody tr")).to_have_count(7)
    expect(page.locator(".around .rank:not(th)")).to_have_text([str(rank) for rank in range(8, 15)])
    expect(page.locator(".around tr[aria-current=true]")).to_contain_text("p010")


def test_a_page_follows_its_player_while_it_is_open(arena: Arena, window: Window) -> None:
    arena.crowd(104)
    page = window(arena.page(player="p102"))
    expect(_figure(page, "rank")).to_have_text("103 of 104")
    arena.play("p102", "p101")
    expect(_figure(page, "rank")).to_have_text("101 of 104")
    expect(page.locator(".games tbody tr")).to_have_count(1)


def test_choosing_oneself_keeps_ones_place_in_the_address(arena: Arena, window: Window) -> None:
    arena.join("ann", "bob")
    page = window(arena.page(player="ann"))
    page.get_by_role("link", name="This is me").click()
    expect(page.get_by_text("This is you")).to_be_visible()
    expect(page.locator("#place")).to_contain_text("ann")
    page.get_by_role("link", name=arena.title, exact=True).click()
    expect(page.locator("tr[aria-current=true]")).to_contain_text("ann")
    assert "me=ann" in page.url
    page.reload()
    expect(page.locator("#place")).to_contain_text("ann")


def test_the_expectation_against_a_chosen_opponent(arena: Arena, window: Window) -> None:
    arena.join("ann", rating=1500)
    arena.join("bob", rating=1600, name="Bob")
    page = window(arena.page(player="ann"))
    page.get_by_label("Opponent").fill("bob")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator(".odds strong")).to_have_text(["36%", "64%"])
    table = page.locator(".answer table")
    expect(table.get_by_role("columnheader")).to_have_text(["Result", "ann", "Bob"])
    expect(table.get_by_role("row", name="Win")).to_contain_text("+25.6−25.6")
    expect(table.get_by_role("row", name="Draw")).to_contain_text("+5.6−5.6")
    expect(table.get_by_role("row", name="K-factor")).to_contain_text("4040")
    assert "opponent=bob" in page.url
    page.reload()
    expect(page.locator(".odds")).to_be_visible()


def test_an_expectation_that_there_is_not_says_why(arena: Arena, window: Window) -> None:
    arena.join("ann")
    page = window(arena.page(player="ann", opponent="ann"))
    expect(page.locator(".answer")).to_have_text("Choose another player as the opponent.")
    page.get_by_label("Opponent").fill("nobody")
    page.get_by_label("Opponent").press("Enter")
    expect(page.locator(".answer")).to_have_text("There is no player nobody on this ladder.")


def test_matches_have_a_length_and_no_draws(game: httpx.Client, window: Window) -> None:
    arena = Arena(game, rule={"name": "match_length"})
    arena.join("ann", rating=1100, experience=1000)
    arena.join("bob", rating=1500, experience=1000)
    page = window(arena.page(player="ann"))
    expect(_figure(page, "experience")).to_have_text("1,000")
    expect(_figure(page, "draws")).to_have_count(0)
    page.get_by_label("Opponent").fill("bob")
    page.get_by_label("Match length").fill("3")
    page.get_by_label("Match length").press("Enter")
    expect(page.locator(".answer tbody th")).to_have_text(["Win", "Loss", "K-factor"])
    expect(page.get_by_role("row", name="Win")).to_contain_text("+4.8")
    assert "length=3" in page.url


def test_a_suspended_player_is_shown_as_such_while_the_page_is_open(arena: Arena, window: Window) -> None:
    arena.join("ann", "bob")
    page = window(arena.page(player="ann"))
    expect(_figure(page, "rank")).to_have_text("1 of 2")
    arena.suspend("ann", "Trades wins with <b>bob</b>.")
    expect(page.get_by_text("This player is suspended")).to_be_visible()
    expect(_figure(page, "rank")).to_have_text("Suspended")
    expect(page.locator(".measures li")).to_contain_text(["SuspendedTrades wins with <b>bob</b>. · admin"])
    page.goto(arena.page())
    expect(page.locator("tbody .name")).to_have_text(["bob"])
    page.goto(arena.page(player="ann"))
    arena.reinstate("ann", "Has learnt from it.")
    expect(page.get_by_text("This player is suspended")).to_have_count(0)
    expect(page.locator(".measures strong")).to_have_text(["Reinstated", "Suspended"])


def test_an_annulled_result_is_struck_through_and_says_so_in_words(arena: Arena, window: Window) -> None:
    arena.join("ann", "bob")
    arena.play("ann", "bob")
    arena.play("ann", "bob")
    page = window(arena.page(player="ann"))
    games = page.locator(".games tbody tr")
    expect(games).to_have_count(2)
    arena.annul("r1", "Was arranged.")
    expect(games.nth(1).locator(".opponent")).to_contain_text("bobAnnulled: Was arranged. · admin")
    for struck in games.nth(1).locator("s").all():
        assert "line-through" in struck.evaluate("(node) => getComputedStyle(node).textDecorationLine")
    expect(games.nth(1).locator("s")).to_have_count(4)
    expect(games.nth(0).locator("s")).to_have_count(0)
    expect(_figure(page, "games")).to_have_text("1")
    expect(page.get_by_role("img", name="from 1,500 to 1,518")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("en-GB", "Rating adjusted from 1,500 to 1,234"),
        ("ru-RU", "Рейтинг изменён с 1\xa0500 на 1\xa0234"),
        ("sk-SK", "Rating upravený z 1\xa0500 na 1\xa0234"),
    ],
)
def test_an_adjusted_rating_is_told_in_every_language(
    arena: Arena, window: Window, locale: str, told: str
) -> None:
    arena.join("ann")
    arena.adjust("ann", "Was mistaken.", rating=1234)
    page = window(arena.page(player="ann"), locale=locale)
    assert page.locator(".measures strong").all_inner_texts() == [told]


def test_where_there_is_a_sigma_it_stands_in_the_place_of_k(game: httpx.Client, window: Window) -> None:
    arena = Arena(game, rule={"name": "openskill"})
    arena.join("ann")
    arena.join("bob", rating=1400, sigma=40)
    arena.play("bob", "ann", "draw")
    page = window(arena.page(player="ann"))
    expect(_figure(page, "k")).to_have_count(0)
    expect(_figure(page, "mu")).to_contain_text("1,5")
    expect(_figure(page, "sigma")).to_contain_text("still finding its level")
    page.get_by_label("Opponent").fill("bob")
    page.get_by_label("Opponent").press("Enter")
    expect(page.locator(".answer tbody th")).to_have_text(["Win", "Draw", "Loss"])
    expect(page.locator(".odds")).to_be_visible()

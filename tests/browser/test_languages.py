"""English, Russian and Slovak."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.arena import Arena

Window = Callable[..., Page]

HEADS = {
    "en": ["Rank", "Change", "Player", "Rating", "Games", "Tier"],
    "ru": ["Место", "±", "Игрок", "Рейтинг", "Игры", "Лига"],
    "sk": ["Miesto", "±", "Hráč", "Rating", "Zápasy", "Liga"],
}


LOCALES = {"en-GB": "en", "ru-RU": "ru", "sk-SK": "sk", "fr-FR": "en"}


@pytest.mark.parametrize(("locale", "language"), LOCALES.items())
def test_the_page_speaks_the_browsers_language_or_english(
    arena: Arena, window: Window, locale: str, language: str
) -> None:
    arena.join("ann")
    page = window(arena.page(), locale=locale)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_role("columnheader")).to_have_text(HEADS[language])


def test_the_switch_changes_the_language_and_the_address_keeps_it(arena: Arena, window: Window) -> None:
    arena.join("ann")
    page = window(arena.page(), locale="sk-SK")
    page.get_by_label("Jazyk").select_option("Русский")
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page.get_by_role("columnheader")).to_have_text(HEADS["ru"])
    expect(page.get_by_text("К содержанию")).to_be_attached()
    page.get_by_role("link", name="ann").click()
    expect(page.locator(".figures .rating dt")).to_have_text("Рейтинг")
    assert "lang=ru" in page.url


PLURALS = {
    "en": {1: "1 game", 2: "2 games", 5: "5 games"},
    "ru": {21: "21 игра", 2: "2 игры", 11: "11 игр"},
    "sk": {1: "1 zápas", 4: "4 zápasy", 5: "5 zápasov"},
}


@pytest.mark.parametrize("language", PLURALS)
def test_plurals_are_those_of_the_language(arena: Arena, window: Window, language: str) -> None:
    phrases = PLURALS[language]
    for games in phrases:
        arena.join(f"p{games}", rating=1500 - games, games=games)
    page = window(arena.page(lang=language), viewport={"width": 360, "height": 740})
    expect(page.locator(".worded")).to_have_text([phrases[games] for games in sorted(phrases)])


FIGURES = {
    "en-GB": ("1,520", "+20.0", "30 Nov 1872"),
    "ru-RU": ("1 520", "+20,0", "30 нояб. 1872 г."),
    "sk-SK": ("1 520", "+20,0", "30. 11. 1872"),
}


@pytest.mark.parametrize("locale", FIGURES)
def test_numbers_and_dates_are_those_of_the_locale(arena: Arena, window: Window, locale: str) -> None:
    arena.join("ann", "bob")
    arena.play("ann", "bob", played_at="1872-11-30T15:00:00Z")
    page = window(arena.page(player="ann"), locale=locale, timezone_id="Europe/Bratislava")
    cells = page.locator(".games tbody").get_by_role("cell")
    expect(cells).to_have_count(5)
    shown = [text.replace("\xa0", " ") for text in cells.all_inner_texts()]
    assert (shown[4], shown[3], shown[0]) == FIGURES[locale]


def test_all_languages_say_the_same_things(arena: Arena, window: Window) -> None:
    page = window(arena.page())
    texts = page.evaluate("""async () => {
        const codes = ["en", "ru", "sk"];
        const modules = await Promise.all(codes.map((code) => import(`/web/languages/${code}.js`)));
        const words = (text) => [...new Set(JSON.stringify(text).match(/\\{\\w+\\}/g) ?? [])].sort();
        return modules.map(({default: {messages}}) =>
            Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, words(text)])));
    }""")
    assert texts[0] == texts[1] == texts[2]


def test_every_plural_has_the_forms_that_its_language_needs(arena: Arena, window: Window) -> None:
    page = window(arena.page())
    lacking = page.evaluate("""async () => {
        const lacking = [];
        for (const code of ["en", "ru", "sk"]) {
            const {default: {messages}} = await import(`/web/languages/${code}.js`);
            const needed = new Intl.PluralRules(code).resolvedOptions().pluralCategories.sort().join();
            for (const [key, text] of Object.entries(messages)) {
                if (typeof text !== "object") continue;
                if (Object.keys(text).sort().join() !== needed) lacking.push([code, key]);
            }
        }
        return lacking;
    }""")
    assert lacking == []

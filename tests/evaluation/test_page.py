"""The picture, the tables and the page."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Final, get_args
from xml.etree import ElementTree

import pytest

from matchmaker.dispute import Felt
from matchmaker.evaluation.plots import picture
from matchmaker.evaluation.sheets import sheets
from matchmaker.evaluation.trial import Contender, Evaluation, evaluate
from matchmaker.rating import Performance
from matchmaker.report.page import page
from matchmaker.report.picture import Format
from tests.evaluation.simulation import ELO, true_strengths

pytest.importorskip("matplotlib", reason="the optional package matplotlib is not installed")

FILED: Final[Mapping[Felt, int]] = {"too_much": 3, "too_little": 0, "wrong_result": 1}
HOSTILE = '_<script>alert(1)</script> $\\frac{$ & "quotes"'


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    rivals = (ELO, Contender(HOSTILE, Performance(), 1000.0))
    return evaluate(true_strengths(20, 600), rivals, ELO, burn_in=50)


@pytest.fixture(scope="module")
def document(evaluation: Evaluation) -> str:
    return page("nft <&>", picture(evaluation, "svg"), sheets(evaluation, None, FILED))


@pytest.mark.parametrize(("format_", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG\r\n")])
def test_a_picture_is_of_its_format(evaluation: Evaluation, format_: Format, magic: bytes) -> None:
    assert picture(evaluation, format_).startswith(magic)


def test_there_is_a_case_for_each_format() -> None:
    assert set(get_args(Format)) == {"svg", "png"}


def test_the_same_evaluation_makes_the_same_picture(evaluation: Evaluation) -> None:
    assert picture(evaluation, "svg") == picture(evaluation, "svg")


def test_the_picture_has_four_parts(evaluation: Evaluation) -> None:
    drawing = ElementTree.fromstring(picture(evaluation, "svg"))
    assert {f"axes_{number}" for number in range(1, 5)} <= {each.get("id") for each in drawing.iter()}


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in {"src", "href", "xlink:href"}]


def test_the_page_needs_nothing_beside_itself(document: str) -> None:
    elements = _Elements()
    elements.feed(document)
    assert elements.tags.count("svg") == 1
    assert elements.links
    assert all(link.startswith("#") for link in elements.links)
    assert not re.search(r"@import|url\((?!#)", document)


def test_names_are_text_on_the_page(document: str) -> None:
    elements = _Elements()
    elements.feed(document)
    assert "script" not in elements.tags
    assert "<title>nft &lt;&amp;&gt;</title>" in document
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in document


def test_every_row_of_a_table_is_as_long_as_its_head(evaluation: Evaluation) -> None:
    for sheet in sheets(evaluation, None, FILED):
        assert {len(row) for row in sheet.rows} == {len(sheet.columns)}


def test_a_bucket_outside_its_band_is_marked(evaluation: Evaluation) -> None:
    (elo, _) = evaluation.reports
    (sheet,) = (each for each in sheets(evaluation, None, FILED) if each.title.startswith("elo: initiators"))
    for row, bucket in zip(sheet.rows, elo.by_chance, strict=True):
        assert (row[-1] == "") == bucket.kept


def test_disputes_are_told_where_there_are_any(evaluation: Evaluation) -> None:
    (sheet,) = (each for each in sheets(evaluation, None, FILED) if "disputed" in each.title)
    assert sheet.rows == (
        ("too much", "3", "5.0"),
        ("too little", "0", "0.0"),
        ("wrong result", "1", "1.7"),
    )
    none = dict.fromkeys(FILED, 0)
    assert all("disputed" not in each.title for each in sheets(evaluation, None, none))

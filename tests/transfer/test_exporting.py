"""Results out of a ladder, and back in."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.details import check
from matchmaker.errors import NotFoundError
from matchmaker.ladder import Ladder
from matchmaker.moderation import Annul
from matchmaker.rating import Performance
from matchmaker.rating.rule import Rule
from matchmaker.results import Result
from matchmaker.store import boards, ladders, moderation
from matchmaker.store.client import Store
from matchmaker.transfer.columns import Columns, ReadResult, read_results
from matchmaker.transfer.exporting import replacing, write_results
from matchmaker.transfer.formats import Format
from matchmaker.transfer.importing import import_results
from matchmaker.transfer.rows import Row
from matchmaker.transfer.table import read_rows
from tests.entries import IDS, MOMENTS, OUTCOMES
from tests.podium import Podium
from tests.transfer.files import results_of

CARD_GAME = Performance()
FORMATS = [
    *(Format("csv", None), Format("csv", "gzip"), Format("csv", "zstd")),
    *(Format("ndjson", None), Format("ndjson", "gzip"), Format("ndjson", "zstd")),
    Format("parquet", None),
]
PLAYS = {"initiator": {"bad_moves": 1}, "opponent": {"won_by_24": 2}}
RESULTS = [
    Result.duel("r:{1}", "ann", "Žluťoučký kůň", "win", PLAYS, -3_063_744_000_000),
    Result.duel('r "2",', "👩\u200d🚀", "bob, jr", "draw", {}, 1),
    Result.duel("r-3", "=1+1", "ann", "loss", {}),
    Result("r-4", (("ann", "bob, jr"), ("=1+1", "[clan] x")), "draw", {"opponent": [{}, {"bad_moves": 1}]}),
    Result.duel("r-5", '["ann"]', "[clan] x", "win", {}),
    Result("r-6", (("[1,2]", "ann"), ("[]",)), "loss", {}),
]
FREE_FOR_ALLS = [
    Result("f-1", (("ann",), ("bob, jr", "[1]"), ("[2]",)), (2, 1, 2), {}, 1),
    Result.duel("f-2", "ann", "[1]", "win", {}),
    Result("f-3", (("ann", "bob, jr"), ("[1]",)), "loss", {}),
]


def fill(store: Store, ladder: str, results: list[Result]) -> None:
    reads = (ReadResult(Row(number, number, {}), result) for number, result in enumerate(results))
    list(import_results(store, ladder, reads))


def reread(file: io.BytesIO, format_: Format, columns: Columns, rule: Rule = CARD_GAME) -> list[Result]:
    file.seek(0)
    reads = read_results(read_rows(format_.reader(file), format_, columns.required), columns, rule, "file")
    return [read.result for read in reads if isinstance(read, ReadResult)]


def test_results_come_in_the_order_of_the_log(store: Store) -> None:
    fill(store, "cards", RESULTS)
    assert results_of(store, "cards") == RESULTS


def test_annulled_results_are_left_out(store: Store) -> None:
    fill(store, "cards", RESULTS)
    annulment = Annul("r-3", "cli", "arranged")
    store.on("cards", lambda edition: moderation.annul(edition, annulment))
    assert results_of(store, "cards") == RESULTS[:2] + RESULTS[3:]


def test_an_unknown_ladder_is_refused(store: Store) -> None:
    with pytest.raises(NotFoundError):
        results_of(store, "no-such-ladder")


@pytest.mark.parametrize("format_", FORMATS)
def test_what_is_written_reads_back(format_: Format) -> None:
    file = io.BytesIO()
    write_results(RESULTS, file, format_)
    assert reread(file, format_, Columns(id="id")) == RESULTS


@st.composite
def played(draw: st.DrawFn) -> Result:
    """Any result that a ladder of the rule `performance` may hold."""
    names = draw(st.lists(IDS, min_size=2, max_size=8, unique=True))
    middle = draw(st.integers(1, len(names) - 1))
    sides = tuple(names[:middle][:4]), tuple(names[middle:][:4])
    plays = st.dictionaries(
        st.sampled_from(["bad_moves", "won_by_16", "won_by_24"]), st.integers(0, 1_000_000)
    )
    details = st.dictionaries(st.sampled_from(["initiator", "opponent"]), plays)
    told = draw(details) if len(names) == 2 else {}
    return check(Performance(), Result(draw(IDS), sides, draw(OUTCOMES), told, draw(MOMENTS)))


@pytest.mark.parametrize("format_", [*FORMATS[::3], FORMATS[-1]])
@given(results=st.lists(played(), max_size=5))
def test_any_results_read_back_as_they_were(format_: Format, results: list[Result]) -> None:
    file = io.BytesIO()
    write_results(results, file, format_)
    assert reread(file, format_, Columns(id="id")) == results


@pytest.mark.parametrize("format_", FORMATS)
def test_free_for_alls_read_back(format_: Format) -> None:
    file = io.BytesIO()
    write_results(FREE_FOR_ALLS, file, format_, free_for_all=True)
    assert reread(file, format_, Columns(id="id"), Podium()) == FREE_FOR_ALLS


def test_only_ladders_that_know_free_for_alls_have_columns_for_them() -> None:
    files = [io.BytesIO(), io.BytesIO()]
    for file, free_for_all in zip(files, (False, True), strict=True):
        write_results(RESULTS[:1], file, FORMATS[0], free_for_all=free_for_all)
    headers = [file.getvalue().splitlines()[0] for file in files]
    assert headers == [
        b"id,initiator,opponent,outcome,details,played_at",
        b"id,initiator,opponent,outcome,sides,ranks,details,played_at",
    ]


@pytest.mark.parametrize("format_", FORMATS)
def test_the_same_results_give_the_same_file(format_: Format) -> None:
    files = [io.BytesIO(), io.BytesIO()]
    for file in files:
        write_results(RESULTS, file, format_)
    assert files[0].getvalue() == files[1].getvalue()


def test_an_export_under_default_names_gives_the_same_board(store: Store) -> None:
    fill(store, "cards", RESULTS)
    copy = Ladder(id="copy", rule=Performance(), initial_rating=1000.0)
    store.run(ladders.put(copy))
    file = io.BytesIO()
    write_results(results_of(store, "cards"), file, FORMATS[0])
    fill(store, "copy", reread(file, FORMATS[0], Columns()))
    boards_ = [store.on(each, lambda edition: boards.page(edition, 0, 10)) for each in ("cards", "copy")]
    rows = [[(row.rank, row.player, row.rating, row.games) for row in page.entries] for page in boards_]
    assert rows[0] == rows[1]


def test_a_finished_file_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("old")
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("old")

    def fail() -> None:
        with replacing(path) as file:
            file.write(b"new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]

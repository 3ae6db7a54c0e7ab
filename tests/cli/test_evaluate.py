"""`matchmaker evaluate`."""

import csv
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from matchmaker.dispute import Dispute, Felt
from matchmaker.store import disputes
from matchmaker.store.call import Plan
from matchmaker.store.client import Store
from matchmaker.store.ladders import Edition
from tests.cli.conftest import Program

FOOTBALL = Path(__file__).parents[3] / "shared" / "data" / "international_results.csv"
FELT: Final[dict[str, Felt]] = {"ann": "too_little", "bob": "too_much"}
HEADER = "initiator,opponent,outcome,played_at\n"
BATTLES = [
    *[("ann", "bob", "win"), ("bob", "cid", "draw"), ("cid", "ann", "loss"), ("ann", "cid", "win")],
    *[("bob", "ann", "loss"), ("cid", "bob", "win"), ("ann", "bob", "draw"), ("bob", "cid", "loss")],
]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A file of forty results."""
    file = tmp_path / "results.csv"
    rows = [",".join((*battle, f"2020-01-{day:02d}")) for day in range(1, 6) for battle in BATTLES]
    file.write_text(HEADER + "\n".join(rows) + "\n")
    return file


def _scores(document: Any) -> list[tuple[str, float]]:
    return [(report["label"], report["scores"]["log_loss"]) for report in document["reports"]]


def test_a_file_of_results_is_foretold_without_any_store(results: Path, program: Program) -> None:
    found = program("evaluate", str(results), "--burn-in", "10", "--json").json
    assert (found["results"], found["burn_in"], found["rejected"], found["fit"]) == (40, 10, 0, None)
    (report,) = found["reports"]
    assert (report["label"], report["rule"]["name"], report["initial_rating"]) == (
        *("initiator_k", "initiator_k", 1500.0),
    )
    assert report["scores"]["results"] == found["without_ratings"]["results"] == 30
    assert sum(bucket["results"] for bucket in report["by_chance"]) == 30


def test_a_ladder_is_foretold_as_the_file_that_it_was_imported_from(
    results: Path, program: Program, tmp_path: Path
) -> None:
    program("import", "nft", str(results))
    whole = tmp_path / "backup.ndjson.zst"
    program("export", "nft", str(whole))
    found = [program("evaluate", each, "--json").json for each in ("nft", str(results), str(whole))]
    assert found[0] == found[1] == found[2]


def test_what_is_foretold_is_what_the_ladder_expected(results: Path, program: Program) -> None:
    program("import", "nft", str(results))
    history = program("evaluate", "nft", "--json").json["reports"][0]["ratings"]
    board = [row["rating"] for row in program("board", "nft", "--json").json["entries"]]
    assert (history["highest"], history["lowest"]) == (max(board), min(board))


def test_annulled_results_are_not_scored(results: Path, program: Program, tmp_path: Path) -> None:
    file = tmp_path / "with-ids.csv"
    rows = list(csv.reader(results.read_text().splitlines()))[1:]
    file.write_text(
        "id," + HEADER + "".join(f"r{number},{','.join(row)}\n" for number, row in enumerate(rows))
    )
    program("import", "nft", str(file), "--id", "id")
    annulled = program("annul", "nft", "r3", "--reason", "a bug")
    assert annulled.code == 0, annulled.err
    found = program("evaluate", "nft", "--json").json
    assert (found["results"], found["reports"][0]["scores"]["results"]) == (40, 39)
    whole = tmp_path / "backup.ndjson"
    program("export", "nft", str(whole))
    assert program("evaluate", str(whole), "--json").json == found


def test_what_players_disputed_is_in_the_report(
    results: Path, program: Program, store: Store, tmp_path: Path
) -> None:
    file, whole = tmp_path / "with-ids.csv", tmp_path / "backup.ndjson"
    first, *rows = results.read_text().splitlines()
    file.write_text("\n".join((f"id,{first}", *(f"r{number},{row}" for number, row in enumerate(rows)))))
    program("import", "nft", str(file), "--id", "id")
    for player, felt in FELT.items():
        dispute = Dispute(player, "r0", felt, None, 0)
        store.follow("nft", partial(_file, dispute=dispute))
    program("export", "nft", str(whole))
    filed = {"too_much": 1, "too_little": 1, "wrong_result": 0}
    for subject in ("nft", str(whole)):
        assert program("evaluate", subject, "--json").json["disputes"] == filed
    assert "too little" in program("evaluate", "nft").out


def _file(edition: Edition, dispute: Dispute) -> Plan[Dispute]:
    return disputes.file(edition.keys, dispute)


def test_nothing_in_the_ladder_changes(results: Path, program: Program) -> None:
    program("import", "nft", str(results))
    before = program("board", "nft", "--json").json
    program("evaluate", "nft", "--set", "rule.k.provisional=80", "--compare", "performance")
    assert program("board", "nft", "--json").json == before


def test_rules_stand_side_by_side(results: Path, program: Program, tmp_path: Path) -> None:
    settings = tmp_path / "steep.json"
    settings.write_text('{"title": "Steep", "rule": {"name": "initiator_k", "scale": 200}}')
    found = program(
        *("evaluate", str(results), "--set", "rule.k.provisional=32"),
        *("--compare", "as cards: performance", "--compare", "rule.k.established=8,rule.provisional_games=3"),
        *("--compare", 'rule.name=performance,rule.bands=[{"below":900,"k":50},{"below":950,"k":30}]'),
        *("--compare", str(settings), "--json"),
    ).json
    labels = [label for label, _ in _scores(found)]
    assert labels[:3] == [
        "initiator_k k.provisional=32",
        "as cards",
        "k.established=8,provisional_games=3",
    ]
    assert labels[4] == "steep"
    first, cards, slow, banded, steep = found["reports"]
    assert first["rule"]["k"]["provisional"] == 32
    assert cards["initial_rating"] == banded["initial_rating"] == 1000
    assert (slow["rule"]["k"]["provisional"], slow["rule"]["k"]["established"]) == (32, 8)
    assert [band["k"] for band in banded["rule"]["bands"]] == [50, 30]
    assert (steep["rule"]["scale"], steep["rule"]["k"]["provisional"]) == (200, 40)
    assert len({loss for _, loss in _scores(found)}) == 5


def test_people_see_scores_calibration_and_ratings(results: Path, program: Program) -> None:
    shown = program("evaluate", str(results), "--compare", "performance").out
    titles = [line for line in shown.splitlines() if line and not line.startswith((" ", "─"))]
    assert titles[0] == "Predictions of 40 results"
    assert "(without ratings)" in shown
    assert [title for title in titles if ": " in title] == [
        *(
            "initiator_k: initiators by what they could expect",
            "initiator_k: the better rated by points ahead",
        ),
        *(
            "performance: initiators by what they could expect",
            "performance: the better rated by points ahead",
        ),
    ]
    assert "Ratings in the end" in titles


def test_bad_rows_are_told_and_left_out(results: Path, program: Program) -> None:
    with results.open("a") as file:
        file.write("ann,ann,win,2020-02-01\n")
    ended = program("evaluate", str(results), "--json")
    assert (ended.json["results"], ended.json["rejected"]) == (40, 1)
    assert ended.err == "line 42: opponent: must be another player than the initiator\n"


def test_a_result_that_comes_again_counts_once(program: Program, tmp_path: Path) -> None:
    """As it would in a ladder: the same again is a duplicate, the same id with other content is refused."""
    file = tmp_path / "results.csv"
    rows = ("a,ann,bob,win", "b,bob,ann,draw", "a,ann,bob,win", "b,bob,ann,win")
    file.write_text("id,initiator,opponent,outcome\n" + "\n".join(rows) + "\n")
    ended = program("evaluate", str(file), "--id", "id", "--json")
    assert (ended.json["results"], ended.json["duplicates"], ended.json["rejected"]) == (2, 1, 1)
    assert ended.err == "line 5: Result 'b' was reported with other content.\n"
    assert program("evaluate", str(file), "--json").json["results"] == 4


def test_results_out_of_order_are_told(results: Path, program: Program) -> None:
    """A rating that has seen the future foretells it well."""
    with results.open("a") as file:
        file.write("ann,bob,win,2019-12-31\nann,bob,win,2020-02-01\n")
    ended = program("evaluate", str(results), "--json")
    assert ended.json["out_of_order"] == 1
    assert ended.err.startswith("1 result played before one that stands in front: ")


def test_columns_are_named_as_for_an_import(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "matches.ndjson"
    match = {"white": "ann", "black": "bob", "w": 7, "b": 3, "to": 7}
    file.write_text(json.dumps(match) + "\n" + json.dumps(match | {"w": 1, "b": 7}) + "\n")
    found = program(
        *("evaluate", str(file), "--initiator", "white", "--opponent", "black", "--score", "w,b"),
        *("--length", "to", "--rule", "match_length", "--json"),
    ).json
    assert found["reports"][0]["scores"]["observed"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("chess",), 1, "There is no ladder 'chess'"),
        (("missing.csv",), 1, "missing.csv: No such file"),
        (("results.txt",), 1, "tells no format"),
        (("nft", "--initiator", "home"), 2, "a whole ladder has no columns"),
        (("nft",), 1, "there is no result to be predicted"),
        (("FILE", "--burn-in", "40"), 1, "there is no result to be predicted"),
        (("FILE", "--set", "pool.size=3"), 2, "pool.size moves no rating"),
        (("FILE", "--set", "rule.speed=3"), 1, "rule.speed: is not a known field"),
        (("FILE", "--compare", "chess"), 1, "rule.name: must be one of"),
        (("FILE", "--compare", "match_length"), 1, "match_length knows no draws"),
        (("FILE", "--free", "rule.scale"), 2, "it belongs to --fit"),
        (("FILE", "--fit", "--free", "rule.speed"), 1, "speed is no coefficient"),
        (("FILE", "--plot", "plot.pdf"), 2, "must end in .svg or .png"),
        (("FILE", "--score", "home"), 2, "names no two columns"),
    ],
)
def test_what_cannot_be_evaluated_fails_in_one_line(
    results: Path, program: Program, arguments: tuple[str, ...], code: int, reason: str
) -> None:
    ended = program("evaluate", *(str(results) if each == "FILE" else each for each in arguments))
    assert ended.code == code
    assert reason in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("package", "option"),
    [("scipy", ("--fit",)), ("matplotlib", ("--plot", "a.svg")), ("matplotlib", ("--html", "a.html"))],
)
def test_without_the_optional_package_it_says_how_to_get_it(
    results: Path,
    program: Program,
    package: str,
    option: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    ended = program("evaluate", str(results), *option)
    assert ended.code == 1
    assert ended.err.endswith(f"pip install {package}\n")


def test_figures_alone_need_no_optional_package(
    results: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("matplotlib", "scipy", "numpy"):
        monkeypatch.setitem(sys.modules, package, None)
    assert program("evaluate", str(results)).code == 0


def test_a_search_reports_on_results_that_it_has_not_seen(results: Path, program: Program) -> None:
    pytest.importorskip("scipy", reason="the optional package scipy is not installed")
    found = program("evaluate", str(results), "--fit", "--train", "0.5", "--json").json
    assert found["fit"]["training"] == found["burn_in"] == 20
    assert [label for label, _ in _scores(found)] == ["initiator_k", "fitted"]
    assert found["reports"][1]["scores"]["results"] == 20
    fitted = {each["name"]: each["after"] for each in found["fit"]["coefficients"]}
    assert sorted(fitted) == [
        *("rule.initiator_advantage", "rule.k.established", "rule.k.master", "rule.k.provisional"),
    ]
    assert found["reports"][1]["rule"]["initiator_advantage"] == fitted["rule.initiator_advantage"]
    shown = program("evaluate", str(results), "--fit", "--free", "rule.initiator_advantage").out
    assert "Fitted to the first 28 results" in shown


def test_a_page_and_a_picture_are_written(results: Path, program: Program, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the optional package matplotlib is not installed")
    html, svg, png = (tmp_path / name for name in ("page.html", "plot.svg", "plot.png"))
    assert program("evaluate", str(results), "--html", str(html), "--plot", str(svg)).code == 0
    assert program("evaluate", str(results), "--plot", str(png)).code == 0
    assert "<h1>results.csv: is the rating any good?</h1>" in html.read_text()
    assert svg.read_bytes().startswith(b"<?xml")
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(not FOOTBALL.exists(), reason="the football results are not beside the repository")
def test_football_is_foretold_better_with_ratings_and_best_with_an_advantage_at_home(
    program: Program,
) -> None:
    columns = ("--initiator", "home_team", "--opponent", "away_team", "--score", "home_score,away_score")
    found = program(
        *("evaluate", str(FOOTBALL), *columns, "--played-at", "date", "--burn-in", "5000"),
        *("--compare", "rule.initiator_advantage=80", "--json"),
    ).json
    assert (found["results"], found["out_of_order"]) == (49_520, 0)
    (_, plain), (_, home) = _scores(found)
    assert home < plain - 0.01 < found["without_ratings"]["log_loss"] - 0.07
    assert found["reports"][1]["calibration_error"] < 0.03 < found["reports"][0]["calibration_error"]

"""`matchmaker replay`."""

from pathlib import Path

import pytest
import redis

from matchmaker.rating.rule import PlayerState
from matchmaker.store.client import Store
from matchmaker.store.states import pack
from tests.cli.conftest import Program

HEADER = "initiator,opponent,outcome\n"
BATTLES = [("ann", "bob", "win"), ("bob", "cid", "draw"), ("cid", "ann", "win"), ("ann", "bob", "win")]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A file of eighty results."""
    file = tmp_path / "results.csv"
    file.write_text(HEADER + "".join(f"{','.join(battle)}\n" for _ in range(20) for battle in BATTLES))
    return file


@pytest.fixture
def played(results: Path, program: Program) -> Program:
    """The program; the ladder `nft` has these results, and another player who is suspended."""
    program("import", "nft", str(results))
    program("suspend", "nft", "bob", "--reason", "cheats")
    return program


def test_a_ladder_that_is_what_its_log_makes_of_it_is_identical(played: Program) -> None:
    ended = played("replay", "nft")
    assert ended.code == 0
    assert ended.out.startswith(
        "The board is identical with what the log makes of it, rank and rating, bit for"
    )
    assert ended.out.endswith(": 3 players, 80 results.\n")
    assert played("replay", "nft", "--json").json == {
        **{"identical": True, "players": 3, "results": 80, "differences": []}
    }


def test_a_ladder_that_is_not_is_told_and_ends_with_1(played: Program, redis_client: redis.Redis) -> None:
    keys = Store(redis_client).edition("nft").keys
    redis_client.hset(keys.states, "cid", pack(PlayerState(1500.0, games=3)))
    ended = played("replay", "nft")
    assert ended.code == 1
    assert ended.out.startswith("1 player not as the log makes them, of 3 players, 80 results:")
    assert "cid" in ended.out
    ended = played("replay", "nft", "--json")
    assert ended.code == 1
    assert '"identical": false' in ended.out


def test_whoever_is_on_the_board_and_should_not_be_is_told(
    played: Program, redis_client: redis.Redis
) -> None:
    redis_client.zadd(Store(redis_client).edition("nft").keys.ratings, {"bob": 1500.0})
    assert played("replay", "nft").code == 1


def test_other_coefficients_are_laid_beside_the_ladder_and_change_nothing(
    played: Program, redis_client: redis.Redis
) -> None:
    before = {key: redis_client.dump(key) for key in redis_client.scan_iter()}
    found = played("replay", "nft", "--set", "rule.k.provisional=20", "--json").json
    assert {key: redis_client.dump(key) for key in redis_client.scan_iter()} == before
    assert (found["results"], found["players"], found["identical"]) == (80, 2, False)
    assert found["before"]["rule"]["k"]["provisional"] == 40
    assert found["after"]["rule"]["k"]["provisional"] == 20
    board = played("board", "nft", "--json").json["entries"]
    assert [(row[0]["player"], row[0]["rating"]) for row in found["top"]] == [
        (row["player"], row["rating"]) for row in board
    ]
    assert found["spearman"] == pytest.approx(1.0)
    assert sum(tier["before"] for tier in found["tiers"]) == 2


def test_the_tables_show_what_changes(played: Program) -> None:
    out = played("replay", "nft", "--rule", "performance", "--set", "rule.top_k=8").out
    for expected in (
        *("nft as it is | performance top_k=8: 80 results, 2 players", "rank correlation (Spearman)"),
        *("points created", "95 % are below", "Players in each tier", "The top 2 side by side"),
    ):
        assert expected in out


def test_settings_as_they_are_make_no_difference(played: Program) -> None:
    out = played("replay", "nft", "--set", "rule.k.provisional=40").out
    assert out == "The board is identical: 2 players, 80 results.\n"


def test_results_of_a_file_are_rated_instead(played: Program, results: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.ndjson"
    played("export", "nft", str(whole))
    own, file, copy = (
        played("replay", "nft", "--set", "rule.k.provisional=20", *options, "--json").json
        for options in ((), ("--from", str(results)), ("--from", str(whole)))
    )
    assert own == copy
    assert (file["results"], file["players"]) == (80, 3)
    assert file["after"]["ratings"] == own["after"]["ratings"]


def test_a_page_and_a_picture_are_written(played: Program, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the optional package matplotlib is not installed")
    page, picture = tmp_path / "what-if.html", tmp_path / "what-if.png"
    options = ("--set", "rule.k.provisional=20", "--html", str(page), "--plot", str(picture))
    assert played("replay", "nft", *options).code == 0
    document = page.read_text()
    assert "<svg" in document
    assert "The top 2 side by side" in document
    assert "http://" not in document.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    )
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_what_is_applied_is_live_and_can_be_undone(played: Program) -> None:
    before = played("board", "nft", "--json").json
    foretold = played("replay", "nft", "--set", "rule.k.provisional=20", "--json").json["top"]
    applied = played("replay", "nft", "--set", "rule.k.provisional=20", "--apply", "--json").json
    assert (applied["generation"], applied["kept"], applied["rule"]["k"]["provisional"]) == (1, 0, 20)
    board = played("board", "nft", "--json").json["entries"]
    assert [(row["player"], row["rating"]) for row in board] == [
        (row[1]["player"], row[1]["rating"]) for row in foretold
    ]
    assert played("replay", "nft").code == 0
    shown = played("ladder", "show", "nft").out
    assert "Generation 1 is live, 0 is kept for `replay --undo` (initiator_k, initial rating 1500)" in shown
    undone = played("replay", "nft", "--undo").out
    assert "generation 0 is live" in undone
    assert "Generation 1 is kept" in undone
    assert played("board", "nft", "--json").json["entries"] == before["entries"]
    assert played("replay", "nft", "--forget").out == "What was kept is free.\n"
    assert played("replay", "nft", "--forget").out == "Nothing was kept.\n"
    refused = played("replay", "nft", "--undo")
    assert (refused.code, refused.out) == (1, "")
    assert "Nothing is kept of ladder 'nft'" in refused.err


def test_who_applies_the_same_settings_twice_keeps_what_was_kept(played: Program) -> None:
    options = ("--set", "rule.k.provisional=20", "--apply")
    assert played("replay", "nft", *options).code == 0
    again = played("replay", "nft", *options)
    assert (again.code, again.out) == (1, "")
    assert "has these settings already; nothing was done" in again.err
    assert "0 is kept for" in played("ladder", "show", "nft").out


def test_a_board_that_was_damaged_is_rebuilt_under_its_own_settings(
    played: Program, redis_client: redis.Redis
) -> None:
    keys = Store(redis_client).edition("nft").keys
    board = played("board", "nft", "--json").json["entries"]
    redis_client.zadd(keys.ratings, {"cid": 3000.0})
    assert played("replay", "nft").code == 1
    assert played("replay", "nft", "--apply").code == 0
    assert played("replay", "nft").code == 0
    assert played("board", "nft", "--json").json["entries"] == board


@pytest.mark.parametrize(
    ("options", "code", "reason"),
    [
        (("--apply", "--undo"), 2, "can't be combined with --undo"),
        (("--apply", "--from", "x.csv"), 2, "what is in a file can't take a ladder's place"),
        (("--apply", "--html", "x.html"), 2, "look at the pictures first"),
        (("--undo", "--set", "rule.k.master=5"), 2, "it takes no settings"),
        (("--html", "x.html"), 2, "nothing to draw without other settings"),
        (("--set", "rule.k.master=5", "--plot", "x.pdf"), 2, "must end in .svg or .png"),
        (("--set", "title=New"), 2, "title moves no rating"),
        (("--set", "rule.k.master=-5"), 1, "rule"),
        (("--rule", "match_length"), 1, "knows no draws"),
        (("--rule", "match_length", "--apply"), 1, "knows no draws"),
        (("--from", "missing.csv"), 1, "missing.csv"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    played: Program, options: tuple[str, ...], code: int, reason: str
) -> None:
    ended = played("replay", "nft", *options)
    assert (ended.code, ended.out) == (code, "")
    assert reason in ended.err
    assert ended.err.count("\n") == 1


def test_a_ladder_on_which_nobody_has_played_has_nothing_to_compare(program: Program) -> None:
    assert program("replay", "nft").out.endswith(": 0 players, 0 results.\n")
    assert "nothing to compare" in program("replay", "nft", "--set", "rule.k.provisional=20").err


def test_an_unknown_ladder_is_unknown(program: Program) -> None:
    for options in ((), ("--set", "rule.k.provisional=20"), ("--apply",), ("--undo",), ("--forget",)):
        ended = program("replay", "nowhere", *options)
        assert (ended.code, ended.err) == (1, "matchmaker: There is no ladder 'nowhere' here.\n")

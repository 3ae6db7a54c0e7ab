"""`matchmaker board`, `standing` and `opponent`."""

from pathlib import Path

import pytest

from matchmaker.store import players
from matchmaker.store.client import Store
from tests.cli.conftest import Program


@pytest.fixture
def fought(program: Program, store: Store, tmp_path: Path) -> Program:
    """Ann has beaten Bob; Cid and Dee have drawn."""
    file = tmp_path / "results.csv"
    file.write_text("initiator,opponent,outcome\nann,bob,win\ncid,dee,draw\n")
    assert program("import", "nft", str(file)).code == 0
    store.on("nft", lambda edition: players.join(edition, "ann", name="[i]Ann[/i]"))
    return program


def test_the_board_shows_players_in_their_order(fought: Program) -> None:
    lines = [line.split() for line in fought("board", "nft").out.splitlines()[2:]]
    assert lines == [
        ["1", "ann", "[i]Ann[/i]", "1520.0", "1", "Gold"],
        ["2", "dee", "1500.0", "1", "Gold"],
        ["2", "cid", "1500.0", "1", "Gold"],
        ["4", "bob", "1480.0", "1", "Silver"],
        ["4", "of", "4", "players"],
    ]


def test_a_page_of_the_board_keeps_the_ranks(fought: Program) -> None:
    page = fought("board", "nft", "--limit", "2", "--offset", "2", "--json").json
    assert [(row["rank"], row["player"]) for row in page["entries"]] == [(2, "cid"), (4, "bob")]
    assert (page["ladder"], page["total"], page["viewer"]) == ("nft", 4, None)


@pytest.mark.parametrize("options", [("--limit", "0"), ("--limit", "1001"), ("--offset", "-1")])
def test_a_page_out_of_bounds_is_wrong_usage(program: Program, options: tuple[str, ...]) -> None:
    assert program("board", "nft", *options).code == 2


def test_an_empty_board_is_shown(program: Program) -> None:
    assert program("board", "nft").out.endswith("0 of 0 players\n")


def test_a_standing_tells_all(fought: Program) -> None:
    found = fought("standing", "nft", "ann", "--json").json
    assert (found["rank"], found["rating"], found["wins"], found["tier"]) == (1, 1520.0, 1, "Gold")
    shown = fought("standing", "nft", "ann").out
    assert "1 of 4" in shown
    assert "[i]Ann[/i]" in shown
    assert "1520.0 (provisional)" in shown


def test_an_unknown_player_is_told(program: Program) -> None:
    ended = program("standing", "nft", "zed\x1b[31m")
    assert (ended.code, ended.err) == (1, "matchmaker: There is no player 'zed\\x1b[31m' here.\n")


def test_an_opponent_is_drawn_and_stays_the_same(fought: Program) -> None:
    excluded = ("--exclude", "cid", "--exclude", "dee")
    battle = fought("opponent", "nft", "ann", *excluded, "--json").json
    assert battle["status"] == "open"
    assert battle["opponent"] == {"player": "bob", "name": None, "rating": 1480.0}
    assert battle["pool"] == {
        "size": 1, "below": 1, "above": 0, "low": 1480.0, "high": 1480.0, "deviation": 100.0
    }  # fmt: skip
    assert 0.5 < battle["expected_score"] < 0.6
    assert fought("opponent", "nft", "ann", "--json").json == battle
    assert battle["id"] in fought("opponent", "nft", "ann").out


def test_nobody_to_fight_is_told(fought: Program) -> None:
    ended = fought("opponent", "nft", "ann", *(f"--exclude={each}" for each in ("bob", "cid", "dee")))
    assert ended.code == 1
    assert "no opponent" in ended.err

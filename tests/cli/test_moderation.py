"""`matchmaker annul`, `adjust`, `suspend` and `reinstate`."""

import json
from pathlib import Path

import pytest

from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from tests.cli.conftest import Program

WHY = ("--reason", "Was arranged.")


@pytest.fixture
def fought(program: Program, tmp_path: Path) -> Program:
    """Ann has beaten Bob."""
    file = tmp_path / "results.csv"
    file.write_text("id,initiator,opponent,outcome\nr1,ann,bob,win\n")
    assert program("import", "nft", str(file), "--id", "id").code == 0
    return program


def test_an_annulled_result_is_taken_back_on_the_spot(fought: Program) -> None:
    document = fought("annul", "nft", "r1", *WHY, "--json").json
    assert (document["id"], document["status"]) == ("r1", "annulled")
    assert document["changes"][0] == {
        "player": "ann", "before": 1500.0, "after": 1520.0, "delta": 20.0, "k": 40.0, "expected": 0.5
    }  # fmt: skip
    assert document["annulment"].items() >= {"by": "cli", "reason": "Was arranged."}.items()
    assert fought("standing", "nft", "ann", "--json").json["rating"] == 1500.0
    again = fought("annul", "nft", "r1", "--reason", "Another one.")
    assert [line.split(maxsplit=1)[-1] for line in again.out.splitlines()] == [
        *("r1", "annulled", "cli", "Was arranged.", "back  ann -20.0", "back  bob +20.0")
    ]


def test_a_rating_is_set_or_shifted_on_the_spot(fought: Program) -> None:
    assert fought("adjust", "nft", "ann", "--rating", "1400", *WHY, "--json").json["rating"] == 1400.0
    assert fought("adjust", "nft", "ann", "--shift", "-0.5", *WHY, "--json").json["rating"] == 1399.5


def test_a_suspended_player_leaves_the_board_and_comes_back(fought: Program) -> None:
    assert "suspended" in fought("suspend", "nft", "ann", *WHY).out
    page = fought("board", "nft", "--json").json
    assert [row["player"] for row in page["entries"]] == ["bob"]
    assert fought("reinstate", "nft", "ann", *WHY, "--json").json["rank"] == 1


def test_nobody_is_left_awake(fought: Program, store: Store) -> None:
    fought("suspend", "nft", "ann", *WHY)
    assert not store.client.execute_command("EXISTS", LadderKeys("nft").awake)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("annul", "nft", "r2", *WHY), "There is no result 'r2' here."),
        (("suspend", "nft", "zed", *WHY), "There is no player 'zed' here."),
        (("suspend", "none", "ann", *WHY), "There is no ladder 'none' here."),
    ],
)
def test_what_is_not_there_is_told(fought: Program, arguments: tuple[str, ...], told: str) -> None:
    ended = fought(*arguments)
    assert (ended.code, ended.err) == (1, f"matchmaker: {told}\n")


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("annul", "nft", "r1"), "--reason"),
        (("suspend", "nft", "ann", "--reason", ""), "--reason"),
        (("reinstate", "nft", "ann", "--reason", "a\x1bb"), "--reason"),
        (("adjust", "nft", "ann", *WHY), "--rating"),
        (("adjust", "nft", "ann", "--rating", "1", "--shift", "1", *WHY), "--shift"),
        (("adjust", "nft", "ann", "--rating", "nan", *WHY), "--rating"),
        (("adjust", "nft", "ann", "--shift", "-1e7", *WHY), "--shift"),
    ],
)
def test_wrong_usage_names_the_option_and_changes_nothing(
    fought: Program, arguments: tuple[str, ...], option: str
) -> None:
    before = fought("standing", "nft", "ann", "--json").out
    ended = fought(*arguments)
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert option in ended.err
    assert json.loads(fought("standing", "nft", "ann", "--json").out) == json.loads(before)

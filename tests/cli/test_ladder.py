"""`matchmaker ladder`."""

import json
from pathlib import Path

import pytest

from matchmaker.store import ladders, players
from matchmaker.store.client import Store
from tests.cli.conftest import Program


def test_a_ladder_is_created_from_options(program: Program, store: Store) -> None:
    ended = program(
        *("ladder", "create", "arena", "--rule", "initiator_k", "--title", "Arena", "--set", "pool.size=20"),
        *("--set", "rule.k.master=8", "--set", 'tiers=[{"name": "Squire", "from": 0}]', "--json"),
    )
    ladder = store.edition("arena").ladder
    assert ended.json == json.loads(ladder.model_dump_json())
    assert (ladder.title, ladder.pool.size, ladder.rule.model_dump()["k"]["master"]) == ("Arena", 20, 8.0)
    assert ladder.tier(10) == "Squire"
    assert "arena" in store.run(ladders.index())


def test_options_count_more_than_the_file(program: Program, store: Store, tmp_path: Path) -> None:
    file = tmp_path / "ladder.json"
    file.write_text('{"title": "Old", "rule": {"name": "performance"}, "battle_ttl": 60}')
    assert program("ladder", "create", "arena", "--file", str(file), "--title", "New").code == 0
    ladder = store.edition("arena").ladder
    assert (ladder.title, ladder.rule.name, ladder.battle_ttl) == ("New", "performance", 60)


def test_what_show_writes_can_be_created_again(program: Program, tmp_path: Path) -> None:
    shown = program("ladder", "show", "nft", "--json").out
    file = tmp_path / "ladder.json"
    file.write_text(shown)
    assert program("ladder", "create", "nft", "--file", str(file)).out == "Ladder nft: same\n"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--rule", "chess"), "rule.name: must be one of"),
        (("--rule", "initiator_k", "--set", "pool.size=0"), "pool.size: must be greater"),
        (("--rule", "initiator_k", "--set", "pool.size=NaN"), "pool.size: "),
        (("--rule", "initiator_k", "--set", "pool.colour=red"), "pool.colour: is not a known field"),
        (("--rule", "initiator_k", "--set", "id=other"), "a ladder 'other', not of 'arena'"),
    ],
)
def test_bad_settings_name_the_setting(program: Program, options: tuple[str, ...], reason: str) -> None:
    ended = program("ladder", "create", "arena", *options)
    assert ended.code == 1
    assert ended.err.startswith("matchmaker: ")
    assert reason in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("setting", ["pool.size", "=5", "pool.=5", ".size=5", ""])
def test_what_is_no_name_with_a_value_is_wrong_usage(program: Program, setting: str) -> None:
    ended = program("ladder", "create", "arena", "--rule", "initiator_k", "--set", setting)
    assert ended.code == 2
    assert f"{setting!r} is not of the form NAME=VALUE" in ended.err


@pytest.mark.parametrize("options", [(), ("--set", "rule.k.master=8"), ("--replace",)])
def test_a_ladder_without_a_rule_is_wrong_usage(program: Program, options: tuple[str, ...]) -> None:
    ended = program("ladder", "create", "arena", *options)
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "--rule" in ended.err
    assert "--file" in ended.err


@pytest.mark.parametrize(
    ("text", "title"), [("7", "7"), ("true", "true"), ("[1]", "[1]"), ("Arena", "Arena"), ('"7"', "7")]
)
def test_a_title_is_text_whatever_it_looks_like(program: Program, text: str, title: str) -> None:
    created = program(
        "ladder", "create", "arena", "--rule", "initiator_k", "--set", f"title={text}", "--json"
    )
    assert created.json["title"] == title


@pytest.mark.parametrize("content", ["{", "[]", "\udcff"])
def test_a_file_without_settings_is_refused(program: Program, tmp_path: Path, content: str) -> None:
    file = tmp_path / "ladder.json"
    file.write_bytes(content.encode(errors="surrogateescape"))
    assert program("ladder", "create", "arena", "--file", str(file)).code == 1


def test_a_ladder_that_exists_is_changed_only_when_told_so(program: Program, store: Store) -> None:
    change = ("ladder", "create", "nft", "--rule", "initiator_k", "--title", "New")
    refused = program(*change)
    assert refused.code == 1
    assert "--replace" in refused.err
    assert program(*change, "--replace").out == "Ladder nft: changed\n"
    assert program("ladder", "show", "nft", "--json").json["title"] == "New"


def test_a_change_reaches_the_board_without_a_worker(program: Program) -> None:
    before = program("board", "nft", "--json").json["version"]
    program("ladder", "create", "nft", "--title", "New", "--replace")
    assert program("board", "nft", "--json").json["version"] != before


def test_a_change_leaves_what_it_does_not_name(program: Program) -> None:
    program("ladder", "create", "nft", "--set", "rule.k.master=8", "--title", "New", "--replace")
    before = program("ladder", "show", "nft", "--json").json
    assert program("ladder", "create", "nft", "--set", "pool.size=21", "--replace").code == 0
    before["pool"]["size"] = 21
    assert program("ladder", "show", "nft", "--json").json == before
    assert (before["title"], before["rule"]["k"]["master"], len(before["tiers"])) == ("New", 8, 7)


def test_a_change_from_a_file_starts_from_the_defaults(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "ladder.json"
    file.write_text('{"rule": {"name": "initiator_k"}, "battle_ttl": 60}')
    changed = program("ladder", "create", "nft", "--file", str(file), "--replace", "--json").json
    assert (changed["title"], changed["tiers"], changed["battle_ttl"]) == ("", [], 60)


def test_another_rule_does_not_inherit_coefficients(program: Program) -> None:
    options = ("--set", "rule.scale=3000", "--rule", "match_length")
    changed = program("ladder", "create", "nft", *options, "--replace", "--json")
    assert changed.json["rule"]["scale"] == 3000, changed.err
    assert "provisional_games" not in changed.json["rule"]


def test_the_rule_of_a_ladder_with_results_stays(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("initiator,opponent,outcome\nann,bob,win\n")
    program("import", "nft", str(file))
    ended = program("ladder", "create", "nft", "--rule", "performance", "--replace")
    assert ended.code == 1
    assert "matchmaker replay --apply" in ended.err


def test_show_names_every_setting(program: Program) -> None:
    shown = [line.split() for line in program("ladder", "show", "nft").out.splitlines()]
    assert ["rule.k.provisional", "40.0"] in shown
    assert ["pool.size", "30"] in shown
    assert ["fair_play.runner.share", "0.15"] in shown


def test_all_ladders_are_listed(program: Program) -> None:
    assert [each["id"] for each in program("ladder", "list", "--json").json] == ["backgammon", "cards", "nft"]
    assert "NFT ranked battles" in program("ladder", "list").out


def test_the_list_counts_players(program: Program, store: Store) -> None:
    store.on("nft", lambda edition: players.join(edition, "ann"))
    listed = {each["id"]: each["players"] for each in program("ladder", "list", "--json").json}
    assert listed == {"backgammon": 0, "cards": 0, "nft": 1}


def test_presets_brings_back_only_what_is_missing(program: Program, store: Store) -> None:
    store.client.execute_command("DEL", "mm:{cards}:ladder")
    program("ladder", "create", "nft", "--rule", "initiator_k", "--title", "Changed", "--replace")
    assert program("ladder", "presets", "--json").json == ["cards"]
    assert program("ladder", "show", "nft", "--json").json["title"] == "Changed"


def test_an_unknown_ladder_is_told(program: Program) -> None:
    ended = program("ladder", "show", "chess")
    assert (ended.code, ended.err) == (1, "matchmaker: There is no ladder 'chess' here.\n")


def test_a_ladder_with_a_sigma_tells_it_in_the_place_of_k(program: Program, store: Store) -> None:
    assert program("ladder", "create", "skill", "--rule", "openskill", "--set", "rule.sigma=400").code == 0
    store.on("skill", lambda edition: players.join(edition, "ann"))
    store.on("skill", lambda edition: players.join(edition, "bob"))
    found = program("standing", "skill", "ann", "--json").json
    assert (found["rating"], found["mu"], found["sigma"], found["k"]) == (300.0, 1500.0, 400.0, None)
    shown = program("standing", "skill", "ann").out
    assert "sigma" in shown
    assert "K" not in shown
    battle = program("opponent", "skill", "ann", "--json").json
    assert battle["opponent"] == {"player": "bob", "name": None, "rating": 1500.0, "sigma": 400.0}
    assert battle["expected_score"] == 0.5

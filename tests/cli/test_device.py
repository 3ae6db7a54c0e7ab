"""`matchmaker device`."""

from pathlib import Path

import pytest

from matchmaker.devices import tag_of
from matchmaker.store import blocks, players
from matchmaker.store.client import Store
from tests.cli.conftest import Program


@pytest.fixture(autouse=True)
def _seen_on_a_phone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann, on two ladders."""
    monkeypatch.setenv("MATCHMAKER_DEVICE_KEY", "secret")
    for at, ladder in enumerate(("nft", "cards")):
        store.on(ladder, lambda edition: players.join(edition, "ann"))
        store.run(blocks.see(tag_of("phone", b"secret"), ladder, "ann", 1_800_000_000_000 + at))


def _statuses(store: Store) -> list[str]:
    return [
        store.on(ladder, lambda edition: players.standing(edition, "ann")).status
        for ladder in ("nft", "cards")
    ]


def test_show_tells_who_was_seen_on_a_device(program: Program) -> None:
    assert program("device", "show", "phone", "--json").json == {
        "blocked": False,
        "block": None,
        "accounts": [
            {"ladder": "nft", "player": "ann", "since": "2027-01-15T08:00:00Z"},
            {"ladder": "cards", "player": "ann", "since": "2027-01-15T08:00:00.001Z"},
        ],
    }
    shown = program("device", "show", "phone").out.splitlines()
    assert shown[0] == "not blocked"
    assert [line.split() for line in shown[-2:]] == [
        ["nft", "ann", "2027-01-15T08:00:00Z"],
        ["cards", "ann", "2027-01-15T08:00:00.001Z"],
    ]


def test_block_suspends_and_unblock_takes_back(program: Program, store: Store) -> None:
    blocked = program("device", "block", "phone", "--reason", "trades wins", "--json").json
    assert (blocked["blocked"], blocked["block"]["by"], blocked["block"]["reason"]) == (
        *(True, "cli", "trades wins"),
    )
    assert _statuses(store) == ["suspended"] * 2
    assert program("device", "show", "phone").out.startswith("blocked by cli at ")
    assert not program("device", "unblock", "phone", "--json").json["blocked"]
    assert _statuses(store) == ["active"] * 2


@pytest.mark.parametrize(
    "words", [("block", "phone"), ("block", "phone", "--reason", ""), ("show", "x" * 257), ("show", "")]
)
def test_a_block_needs_a_reason_and_all_need_a_device(program: Program, words: tuple[str, ...]) -> None:
    assert program("device", *words).code == 2


def test_under_another_key_than_the_services_nothing_is_looked_up(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program("device", "show", "phone")
    monkeypatch.delenv("MATCHMAKER_DEVICE_KEY")
    monkeypatch.setenv("MATCHMAKER_DATA_DIR", str(tmp_path))
    refused = program("device", "show", "phone")
    assert refused.code == 1
    assert "set MATCHMAKER_DEVICE_KEY" in refused.err

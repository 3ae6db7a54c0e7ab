"""`matchmaker keys`."""

import pytest

from matchmaker.apikeys import parse
from matchmaker.store import apikeys
from matchmaker.store.client import Store
from tests.cli.conftest import Program


def test_a_new_key_opens(program: Program, store: Store) -> None:
    text = program("keys", "create", "--scope", "report").out.strip()
    parts = parse(text)
    assert parts is not None
    key = store.run(apikeys.find(parts[0]))
    assert key is not None
    assert key.verify(parts[1])
    assert key.allows("report", "nft")
    assert not key.allows("admin", "nft")


def test_json_tells_all_but_the_digest(program: Program) -> None:
    made = program("keys", "create", "--scope", "play", "--ladder", "nft", "--label", "game", "--json").json
    assert made.keys() == {"key", "id", "scope", "ladders", "label", "created_at", "last_used"}
    assert (made["scope"], made["ladders"], made["label"]) == ("play", ["nft"], "game")


def test_two_keys_are_never_the_same(program: Program) -> None:
    assert (
        program("keys", "create", "--scope", "read").out != program("keys", "create", "--scope", "read").out
    )


@pytest.mark.parametrize("options", [(), ("--scope", "write")])
def test_a_key_needs_a_scope(program: Program, options: tuple[str, ...]) -> None:
    assert program("keys", "create", *options).code == 2


def test_a_key_for_an_unknown_ladder_is_not_made(program: Program) -> None:
    assert program("keys", "create", "--scope", "read", "--ladder", "chess").code == 1
    assert program("keys", "list", "--json").json == []


def test_the_list_shows_keys_and_no_secrets(program: Program) -> None:
    made = program("keys", "create", "--scope", "play", "--label", "[red]game[/]", "--json").json
    listed = program("keys", "list").out
    assert made["id"] in listed
    assert "[red]game[/]" in listed
    assert made["key"].rsplit("_")[2] not in listed + program("keys", "list", "--json").out


def test_a_revoked_key_is_gone(program: Program) -> None:
    made = program("keys", "create", "--scope", "play", "--json").json
    assert program("keys", "revoke", made["id"]).code == 0
    assert program("keys", "list", "--json").json == []
    assert program("keys", "revoke", made["id"]).code == 1


def test_the_list_tells_when_a_key_was_last_used(program: Program, store: Store) -> None:
    made = program("keys", "create", "--scope", "play", "--json").json
    assert "never" in program("keys", "list").out
    assert program("keys", "list", "--json").json[0]["last_used"] is None
    store.run(apikeys.note_use(made["id"], 1_800_000_000_000))
    assert program("keys", "list", "--json").json[0]["last_used"] == "2027-01-15T08:00:00Z"


def test_of_a_revoked_key_nothing_is_left(program: Program, store: Store) -> None:
    made = program("keys", "create", "--scope", "play", "--json").json
    store.run(apikeys.note_use(made["id"], 1))
    program("keys", "revoke", made["id"])
    assert store.run(apikeys.uses([made["id"]])) == [None]

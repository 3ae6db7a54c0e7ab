"""`matchmaker fairplay`, `dismiss` and `dispute`."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from matchmaker.dispute import Dispute
from matchmaker.reviewing import review_player
from matchmaker.store import disputes, flags, ladders, players
from matchmaker.store.client import Store
from tests.cli.conftest import Program

AT = 1_800_000_000_000
NOTE = ("--note", "Sisters, one computer.")


@pytest.fixture
def flagged(program: Program, store: Store, tmp_path: Path) -> Program:
    """Ann has beaten bob, who belongs to the same owner, and both were reviewed; bob finds it too much."""
    ladder = store.edition("nft").ladder
    store.run(ladders.put(ladder.model_copy(update={"linked_accounts": "flag"})))
    store.on("nft", partial(players.join, player="ann", name="[b]Ann[/b]", owner="red"))
    store.on("nft", partial(players.join, player="bob", owner="red"))
    file = tmp_path / "results.csv"
    file.write_text("id,initiator,opponent,outcome\nmatch-1,ann,bob,win\n")
    assert program("import", "nft", str(file), "--id", "id").code == 0
    keys = store.edition("nft").keys
    for player, seen in store.run(flags.to_review(keys, 10)).items():
        store.follow("nft", partial(review_player, player=player, seen=seen, now=AT))
    dispute = Dispute("bob", "match-1", "too_much", "[i]why[/i]\u202e?", AT)
    store.follow("nft", lambda edition: disputes.file(edition.keys, dispute))
    return program


def by_player(document: Any) -> dict[str, Any]:
    return {entry["player"]: entry for entry in document["entries"]}


def test_the_queue_is_shown_to_people_and_to_programs(flagged: Program) -> None:
    document = flagged("fairplay", "nft", "--json").json
    assert document["total"] == 2
    ann = by_player(document)["ann"]
    assert (ann["flag"], ann["evidence"], ann["since"]) == (
        "linked_accounts", ["match-1"], "2027-01-15T08:00:00Z"
    )  # fmt: skip
    shown = flagged("fairplay", "nft").out
    assert "[b]Ann[/b]" in shown
    assert ann["sentence"] in shown
    assert shown.endswith("2 of 2 flags\n")


def test_the_queue_is_narrowed_by_flag(flagged: Program) -> None:
    assert flagged("fairplay", "nft", "--flag", "runner", "--json").json == {"total": 0, "entries": []}
    wrong = flagged("fairplay", "nft", "--flag", "cheating")
    assert wrong.code == 2
    assert "linked_accounts" in wrong.err


def test_a_player_is_shown_with_all_indicators(flagged: Program) -> None:
    document = flagged("fairplay", "nft", "ann", "--json").json
    assert (document["player"], document["results"], document["battles"]) == ("ann", 1, 0)
    (indicator,) = document["indicators"]
    assert indicator["since"] == "2027-01-15T08:00:00Z"
    line = flagged("fairplay", "nft", "ann").out.splitlines()[2]
    assert line.split()[:4] == ["linked_accounts", "1", "0", "raised"]


def test_a_flag_is_dismissed(flagged: Program) -> None:
    dismissed = flagged("dismiss", "nft", "ann", "linked_accounts", *NOTE, "--json").json
    assert (dismissed["by"], dismissed["note"]) == ("cli", NOTE[1])
    assert by_player(flagged("fairplay", "nft", "--json").json).keys() == {"bob"}
    (indicator,) = flagged("fairplay", "nft", "ann", "--json").json["indicators"]
    assert indicator["dismissed"] == dismissed
    assert "dismissed" in flagged("fairplay", "nft", "ann").out
    assert flagged("dismiss", "nft", "ann", "runner", *NOTE).code == 1


@pytest.mark.parametrize("note", ["", "\x1b[31m", "x" * 1001])
def test_a_note_that_nobody_can_read_is_wrong_usage(flagged: Program, note: str) -> None:
    ended = flagged("dismiss", "nft", "ann", "linked_accounts", "--note", note)
    assert ended.code == 2
    assert "--note" in ended.err


def test_disputes_are_shown_with_their_arithmetic(flagged: Program) -> None:
    document = flagged("dispute", "list", "nft", "--json").json
    (case,) = document["entries"]
    assert (case["player"], case["felt"], case["status"]) == ("bob", "too_much", "open")
    assert [each["terms"][-1]["value"] for each in case["arithmetic"]] == [20.0, -20.0]
    shown = flagged("dispute", "list", "nft").out
    assert "[i]why[/i]?" in shown
    assert "k = 40: " in shown
    assert shown.endswith("1 of 1 open dispute\n")


def test_a_dispute_is_closed(flagged: Program) -> None:
    close = ("dispute", "close", "nft", "match-1", "bob", "--as", "settled", "--note", "Annulled.")
    closed = flagged(*close, "--json").json
    assert (closed["status"], closed["closing"]["by"]) == ("settled", "cli")
    assert flagged(*close).out == "The dispute is settled.\n"
    assert flagged("dispute", "list", "nft", "--json").json["entries"] == []
    (case,) = flagged("dispute", "list", "nft", "--status", "settled", "--json").json["entries"]
    assert case["closing"] == closed["closing"]
    assert "Annulled." in flagged("dispute", "list", "nft", "--status", "settled").out
    assert flagged(*close[:-1], "Another note.").code == 1

"""Team matches and free-for-alls in the store."""

from dataclasses import replace

import pytest

from matchmaker.devices import tag_of
from matchmaker.dispute import Dispute
from matchmaker.errors import ConflictError, InvalidInputError, NotFoundError
from matchmaker.folding import fold_once
from matchmaker.results import Result
from matchmaker.sides import Sides
from matchmaker.store import devices, disputes, reports
from matchmaker.store.client import Store
from matchmaker.store.reports import Receipt
from tests.stage import NOW, Stage

MATCH = Result("m", (("ann", "bob"), ("cat", "dan")), "win", {})
"""At equal ratings: E = 1/2, each initiator's K of 40 moves it by 20."""


@pytest.fixture
def stage(store: Store) -> Stage:
    stage = Stage(store)
    stage.join("ann", "bob", "cat", "dan", "eve")
    return stage


def test_a_team_match_moves_all_its_players_and_conserves_the_total(stage: Stage) -> None:
    stage.report(MATCH)
    stage.fold()
    assert stage.ratings() == {"ann": 1520.0, "bob": 1520.0, "cat": 1480.0, "dan": 1480.0, "eve": 1500.0}
    ann, dan = stage.standing("ann"), stage.standing("dan")
    assert (ann.games, ann.wins, dan.games, dan.losses) == (1, 1, 1, 1)


def test_a_rated_team_match_tells_the_changes_of_all_players_in_their_order(stage: Stage) -> None:
    stage.report(replace(MATCH, sides=(("bob", "ann"), ("cat",))))
    stage.fold()
    report = stage.store.run(reports.find(stage.keys, "m"))
    assert report.changes is not None
    assert [(each.player, each.before, each.after) for each in report.changes] == [
        ("bob", 1500.0, 1520.0),
        ("ann", 1500.0, 1520.0),
        ("cat", 1500.0, 1460.0),
    ]
    explained = report.explained(stage.store.edition(stage.id))
    assert [change.player for change, _ in explained] == ["bob", "ann", "cat"]


def test_histories_tell_partners_opponents_and_the_own_change(stage: Stage) -> None:
    stage.report(MATCH)
    stage.fold()
    (ann,), (dan,) = stage.history("ann"), stage.history("dan")
    assert (ann.partners, ann.opponents, ann.outcome, ann.change.move.delta) == (
        ("bob",),
        ("cat", "dan"),
        "win",
        20.0,
    )
    assert (dan.partners, dan.opponents, dan.outcome, dan.rank) == (("cat",), ("ann", "bob"), "loss", 2)
    assert (dan.change.player, dan.change.after) == ("dan", 1480.0)


def test_an_annulled_team_match_gives_everybody_back_what_it_took(stage: Stage) -> None:
    stage.report(MATCH)
    stage.fold()
    stage.annul("m")
    stage.fold()
    assert set(stage.ratings().values()) == {1500.0}
    assert {stage.standing(player).games for player in MATCH.players} == {0}


@pytest.mark.parametrize("stranger", ["ann", "bob", "cat", "dan"])
def test_all_players_of_a_team_match_must_be_in_the_ladder(store: Store, stranger: str) -> None:
    stage = Stage(store)
    stage.join(*(player for player in MATCH.players if player != stranger))
    (refusal,) = stage.report(MATCH)
    assert isinstance(refusal, NotFoundError)
    assert repr(stranger) in str(refusal)


def test_the_same_team_match_is_a_duplicate_and_with_other_members_a_conflict(stage: Stage) -> None:
    first, same, other = stage.report(MATCH, MATCH, replace(MATCH, sides=(("ann", "bob"), ("cat", "eve"))))
    assert isinstance(first, Receipt)
    assert same == replace(first, duplicate=True)
    assert isinstance(other, ConflictError)


@pytest.mark.parametrize(
    ("sides", "linked"),
    [
        ((("ann", "bob"), ("cat",)), None),
        ((("ann",), ("bob",)), "'ann' and 'bob'"),
        ((("cat", "ann"), ("dan", "bob")), "'ann' and 'bob'"),
        ((("cat",), ("ann", "dan", "bob")), None),
        ((("cat", "bob"), ("dan",), ("eve", "ann")), "'bob' and 'ann'"),
    ],
)
@pytest.mark.parametrize("shared", ["owner", "device"])
def test_linked_accounts_may_stand_side_by_side_but_not_against_each_other(
    store: Store, sides: Sides, linked: str | None, shared: str
) -> None:
    stage = Stage(store)
    stage.join("ann", "bob", owner="their owner" if shared == "owner" else None)
    stage.join("cat", "dan", "eve")
    if shared == "device":
        for player in ("ann", "bob"):
            stage.store.run(devices.note(stage.keys, player, tag_of("a phone", b"key")))
    (outcome,) = stage.report(Result("m", sides, "win" if len(sides) == 2 else (1, 2, 3), {}))
    if linked is None:
        assert isinstance(outcome, Receipt)
    else:
        assert isinstance(outcome, ConflictError)
        assert outcome.code == "linked_accounts"
        assert linked in outcome.detail


@pytest.mark.parametrize("with_others", [True, False])
def test_a_team_match_does_not_settle_a_battle(stage: Stage, with_others: bool) -> None:
    battle = stage.battle("ann")
    rival = battle.opponent.player
    partner = next(each for each in ("bob", "cat") if each != rival)
    sides = (("ann", partner), (rival,)) if with_others else (("ann",), (rival, partner))
    (refusal,) = stage.report(Result(battle.id, sides, "win", {}))
    assert isinstance(refusal, ConflictError)
    assert refusal.code == "result_conflict"
    assert stage.status(battle.id) == "open"


def test_the_longest_list_of_the_largest_free_for_alls_is_accepted_at_once(store: Store) -> None:
    stage = Stage(store)
    names = [f"player {number}" for number in range(64)]
    stage.join(*names)
    sides = tuple(tuple(names[first : first + 4]) for first in range(0, 64, 4))
    results = [Result(f"m{number}", sides, tuple(range(1, 17)), {}) for number in range(1_000)]
    assert all(isinstance(each, Receipt) for each in stage.report(*results))


def test_a_long_list_of_large_team_matches_is_rated_in_smaller_batches(store: Store) -> None:
    stage = Stage(store)
    names = [f"player {number}" for number in range(8)]
    stage.join(*names)
    stage.fold()
    results = [Result(f"m{n}", (tuple(names[:4]), tuple(names[4:])), "win", {}) for n in range(1_000)]
    stage.report(*results)
    batches = []
    while folded := stage.store.under(stage.id, lambda edition: fold_once(stage.store, edition)):
        batches.append(folded)
    assert sum(batches) == 1_000
    assert max(batches) == 500
    assert sum(stage.ratings().values()) == 8 * 1500.0
    assert {stage.standing(name).games for name in names} == {1_000}


def test_every_player_of_a_team_match_may_dispute_it_and_nobody_else(stage: Stage) -> None:
    stage.report(MATCH)
    stage.fold()
    for player in MATCH.players:
        filed = Dispute(player, "m", "too_much", None, NOW)
        assert stage.store.follow(stage.id, lambda edition: disputes.file(edition.keys, filed)) == filed  # noqa: B023
    with pytest.raises(InvalidInputError, match="one of the players of the result"):
        stage.store.follow(
            stage.id,
            lambda edition: disputes.file(edition.keys, Dispute("eve", "m", "too_much", None, NOW)),
        )

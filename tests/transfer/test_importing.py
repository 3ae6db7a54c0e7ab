"""Results into a ladder."""

import time
from collections.abc import Iterable, Iterator
from functools import partial

import pytest

from matchmaker.errors import NotFoundError
from matchmaker.folding import fold_all
from matchmaker.results import Result
from matchmaker.store import battles, boards, folds, players, reports
from matchmaker.store.battles import Battle, Request
from matchmaker.store.boards import Page
from matchmaker.store.client import Store
from matchmaker.store.keys import LadderKeys
from matchmaker.transfer.columns import ReadResult
from matchmaker.transfer.importing import BATCH, Step, find_bad_rows, import_results
from matchmaker.transfer.rows import BadRow, Row

KEYS = LadderKeys("nft")
CONFLICT = "Result 'r-1' was reported with other content."


def fight(number: int, initiator: str = "ann", opponent: str = "bob") -> ReadResult:
    return ReadResult(Row(number, number + 1, {}), Result.duel(f"r-{number}", initiator, opponent, "win", {}))


def round_robin(count: int) -> list[ReadResult]:
    """So many results between ten players, in every pairing."""
    pairs = [(first, second) for first in range(10) for second in range(10) if first != second]
    return [
        fight(number, f"player {first}", f"player {second}")
        for number, (first, second) in zip(range(count), pairs * (count // len(pairs) + 1), strict=False)
    ]


def total(steps: Iterable[Step]) -> tuple[int, int, list[BadRow]]:
    rated = duplicates = 0
    rejected: list[BadRow] = []
    for step in steps:
        rated, duplicates = rated + step.rated, duplicates + step.duplicates
        rejected += step.rejected
    return rated, duplicates, rejected


def board(store: Store) -> Page:
    return store.on("nft", lambda edition: boards.page(edition, 0, 1000))


def test_unknown_players_join_and_are_rated(store: Store) -> None:
    assert total(import_results(store, "nft", [fight(1)])) == (1, 0, [])
    assert [(row.player, row.rating) for row in board(store).entries] == [("ann", 1520.0), ("bob", 1480.0)]


def test_players_who_are_there_keep_what_they_have(store: Store) -> None:
    store.on("nft", lambda edition: players.join(edition, "ann", name="Ann", owner="studio"))
    total(import_results(store, "nft", [fight(1)]))
    ann = store.on("nft", lambda edition: players.standing(edition, "ann"))
    assert (ann.name, ann.owner, ann.rating) == ("Ann", "studio", 1520.0)


def test_the_same_again_adds_nothing(store: Store) -> None:
    total(import_results(store, "nft", round_robin(50)))
    before = board(store)
    assert total(import_results(store, "nft", round_robin(50))) == (0, 50, [])
    assert board(store) == before


def test_an_import_that_was_left_half_way_adds_what_is_missing(store: Store) -> None:
    rows = round_robin(2 * BATCH)
    next(import_results(store, "nft", rows))
    assert total(import_results(store, "nft", rows)) == (BATCH, BATCH, [])
    assert sum(row.games for row in board(store).entries) == 4 * BATCH


def test_the_total_of_all_ratings_is_kept(store: Store) -> None:
    total(import_results(store, "nft", round_robin(500)))
    assert sum(row.rating for row in board(store).entries) == 1500.0 * 10


def test_bad_rows_and_conflicts_are_rejected_in_their_order(store: Store) -> None:
    changed = ReadResult(Row(2, 3, {}), Result.duel("r-1", "ann", "bob", "loss", {}))
    bad = BadRow(3, 4, "is not JSON")
    rated, duplicates, rejected = total(import_results(store, "nft", [fight(1), bad, changed]))
    assert (rated, duplicates) == (1, 0)
    assert [row.number for row in rejected] == [2, 3]


@pytest.mark.parametrize("earlier", [0, 1])
def test_a_row_in_conflict_lets_nobody_in(store: Store, earlier: int) -> None:
    rows = [fight(1), fight(1, "cid", "dan"), fight(2, "ann", "eve")]
    total(import_results(store, "nft", rows[:earlier]))
    assert total(import_results(store, "nft", rows))[2] == [BadRow(1, 2, CONFLICT)]
    assert {row.player for row in board(store).entries} == {"ann", "bob", "eve"}


def open_battle(store: Store) -> Battle:
    """A battle of ann against bob."""
    for player in ("ann", "bob"):
        store.on("nft", partial(players.join, player=player))
    battle = store.on(
        "nft",
        lambda edition: battles.issue(edition, Request("ann", [], "r-1", 1, time.time_ns() // 1_000_000)),
    )
    assert isinstance(battle, Battle)
    return battle


def test_a_row_with_the_id_of_another_battle_is_bad_and_lets_nobody_in(store: Store) -> None:
    open_battle(store)
    (bad,) = bad_rows(store, [fight(1, "cid", "dan"), fight(2)])
    assert bad == BadRow(1, 2, "'r-1' is a battle between other players.")
    assert total(import_results(store, "nft", [fight(1, "cid", "dan"), fight(2)])) == (1, 0, [bad])
    assert board(store).total == 2


def test_looking_for_bad_rows_settles_no_battle(store: Store) -> None:
    open_battle(store)
    assert bad_rows(store, [fight(1)]) == []
    assert store.run(battles.find(KEYS, "r-1"))[0].status == "open"
    assert store.run(reports.count(KEYS)) == 0


def test_nothing_but_bad_rows_writes_nothing(store: Store) -> None:
    total(import_results(store, "nft", [BadRow(1, 2, "is not JSON")]))
    assert board(store).total == 0


def test_an_unknown_ladder_is_refused(store: Store) -> None:
    with pytest.raises(NotFoundError):
        total(import_results(store, "no-such-ladder", [fight(1)]))


def test_no_worker_is_called_meanwhile(store: Store) -> None:
    def rows() -> Iterator[ReadResult]:
        for row in round_robin(BATCH + 1):
            yield row
            if row.row.number >= BATCH:
                assert not store.run(folds.rouse(KEYS))

    total(import_results(store, "nft", rows()))


def test_the_ladder_rests_afterwards(store: Store) -> None:
    total(import_results(store, "nft", [fight(1)]))
    late = Result.duel("late", "bob", "ann", "win", {})
    assert store.on("nft", lambda edition: reports.accept(edition, [late], 0)).call


def test_results_that_others_report_meanwhile_are_rated_too(store: Store) -> None:
    steps = import_results(store, "nft", round_robin(2 * BATCH))
    next(steps)
    late = Result.duel("late", "player 1", "player 2", "win", {})
    store.on("nft", lambda edition: reports.accept(edition, [late], 0))
    total(steps)
    assert fold_all(store, "nft") == 0
    assert store.run(reports.find(KEYS, "late")).status == "rated"


def bad_rows(store: Store, rows: Iterable[ReadResult | BadRow], *, own_ids: bool = True) -> list[BadRow]:
    return [bad for found in find_bad_rows(store, "nft", rows, own_ids=own_ids) for bad in found]


def test_looking_for_bad_rows_writes_nothing(store: Store) -> None:
    assert bad_rows(store, [fight(1), BadRow(2, 3, "is not JSON")]) == [BadRow(2, 3, "is not JSON")]
    assert board(store).total == 0


def test_a_repeated_row_is_not_bad(store: Store) -> None:
    total(import_results(store, "nft", [fight(1)]))
    assert bad_rows(store, [fight(1), fight(1)]) == []


def test_a_conflict_with_the_ladder_is_bad(store: Store) -> None:
    total(import_results(store, "nft", [fight(1)]))
    assert bad_rows(store, [fight(1, "bob", "ann")], own_ids=False) == [BadRow(1, 2, CONFLICT)]


def test_a_conflict_within_the_file_is_bad(store: Store) -> None:
    assert bad_rows(store, [fight(1), fight(1, "bob", "ann")]) == [BadRow(1, 2, CONFLICT)]

"""Pages of the board and standings: a rank means the same everywhere."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.errors import NotFoundError
from matchmaker.store.boards import Row
from matchmaker.store.client import Store
from tests.stage import Stage


class Board(NamedTuple):
    ratings: list[float]
    limit: int
    span: int


BOARDS = st.builds(
    Board,
    st.lists(st.sampled_from([-1.5, -1.0, 0.0, 0.5, 1500.0, 1500.25]), min_size=1, max_size=25),
    st.integers(1, 7),
    st.integers(0, 4),
)


def _ranks(ratings: dict[str, float]) -> dict[str, int]:
    """1 + the number of strictly better players."""
    return {
        player: 1 + sum(other > rating for other in ratings.values()) for player, rating in ratings.items()
    }


def _pages(stage: Stage, limit: int) -> list[Row]:
    """The whole board, page by page."""
    rows: list[Row] = []
    while page := stage.page(len(rows), limit).entries:
        rows += page
    return rows


@given(BOARDS)
def test_a_rank_is_the_same_on_every_page_in_the_standing_and_among_neighbours(
    store: Store, board: Board
) -> None:
    stage = Stage(store)
    ratings = {f"p{n}": rating for n, rating in enumerate(board.ratings)}
    for player, rating in ratings.items():
        stage.join(player, rating=rating)
    ranks, size = _ranks(ratings), len(ratings)

    rows = _pages(stage, board.limit)
    assert rows == stage.page().entries
    assert {row.player: (row.rank, row.rating) for row in rows} == {
        player: (ranks[player], ratings[player]) for player in ratings
    }
    assert [row.rating for row in rows] == sorted(ratings.values(), reverse=True)

    for index, row in enumerate(rows):
        standing = stage.standing(row.player)
        assert (standing.rank, standing.of) == (row.rank, size)
        page = stage.around(row.player, board.span)
        assert page.total == size
        full = 2 * board.span + 1
        start = max(0, min(index - board.span, size - full))
        assert page.entries == rows[start : start + full]


@pytest.fixture
def row_of_ten(stage: Stage) -> Stage:
    """p0 leads, p9 is last."""
    for n in range(10):
        stage.join(f"p{n}", rating=1000.0 - n)
    return stage


@pytest.mark.parametrize(
    ("player", "first", "last"),
    [
        *(("p0", "p0", "p4"), ("p1", "p0", "p4"), ("p2", "p0", "p4"), ("p3", "p1", "p5")),
        *(("p5", "p3", "p7"), ("p7", "p5", "p9"), ("p8", "p5", "p9"), ("p9", "p5", "p9")),
    ],
)
def test_a_page_around_a_player_is_full_at_both_ends(
    row_of_ten: Stage, player: str, first: str, last: str
) -> None:
    entries = row_of_ten.around(player, 2).entries
    assert (len(entries), entries[0].player, entries[-1].player) == (5, first, last)


def test_a_page_around_a_player_of_a_small_board_is_the_board(row_of_ten: Stage) -> None:
    assert row_of_ten.around("p4", 100) == row_of_ten.page()


@pytest.mark.parametrize(
    ("offset", "limit", "rows"), [(0, 3, 3), (8, 3, 2), (10, 3, 0), (10**18, 3, 0), (0, 0, 0)]
)
def test_a_page_holds_what_is_left_of_the_board(
    row_of_ten: Stage, offset: int, limit: int, rows: int
) -> None:
    page = row_of_ten.page(offset, limit)
    assert (len(page.entries), page.total) == (rows, 10)


def test_an_empty_ladder_has_an_empty_board(stage: Stage) -> None:
    page = stage.page()
    assert (page.version, page.total, page.entries) == ("0-0", 0, [])


def test_a_row_tells_name_games_and_tier(stage: Stage) -> None:
    stage.put(tiers=[{"name": "all", "from": 1000}])
    stage.join("ann")
    (row,) = stage.page().entries
    assert row == Row(rank=1, player="ann", name=None, rating=1500.0, games=0, tier="all")


def test_nobody_unknown_has_a_place(stage: Stage) -> None:
    for look in (stage.standing, lambda player: stage.around(player, 5)):
        with pytest.raises(NotFoundError) as refused:
            look("ann")
        assert refused.value.code == "unknown_player"


def test_a_player_off_the_board_has_a_standing_but_no_place(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.store.client.execute_command("ZREM", stage.keys.ratings, "ann")
    standing = stage.standing("ann")
    assert (standing.status, standing.rank, standing.percentile, standing.of) == ("suspended", None, None, 1)
    assert stage.around("ann", 5).entries == []
    assert stage.page().total == 1


def test_a_standing_tells_what_the_rule_makes_of_the_player(stage: Stage) -> None:
    stage.put(tiers=[{"name": "low", "from": 0}, {"name": "high", "from": 1600}])
    stage.join("ann", rating=1700.0)
    stage.join("bob", rating=1400.0)
    standing = stage.standing("ann")
    assert (standing.tier, standing.k, standing.provisional) == ("high", 40.0, True)
    assert (standing.percentile, stage.standing("bob").percentile) == (100.0, 0.0)

"""Players joining a ladder."""

from functools import partial
from typing import Any

import pytest
import redis

from matchmaker.errors import ConflictError
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Rename
from matchmaker.store import folds, players
from matchmaker.store.players import Keep
from tests.stage import Stage, wins

BROUGHT = PlayerState(1800.0, games=40, experience=7, peak=1900.0)


def _join(stage: Stage, **arguments: Any) -> tuple[str, bool]:
    return stage.on(lambda edition: players.join(edition, "ann", **arguments))


def _called(stage: Stage) -> tuple[str | None, str | None]:
    """Name and owner of ann."""
    standing = stage.standing("ann")
    return standing.name, standing.owner


def test_a_new_player_stands_on_the_board_at_the_initial_rating_at_once(stage: Stage) -> None:
    assert _join(stage) == ("joined", True)
    assert stage.ratings() == {"ann": 1500.0}


def test_a_join_stands_in_the_log(stage: Stage) -> None:
    _join(stage, brought=BROUGHT)
    (logged,) = stage.store.run(folds.after(stage.keys, folds.START, 10))
    assert (logged.entry.player, logged.entry.state) == ("ann", BROUGHT)  # type: ignore[union-attr]


def test_the_initial_rating_is_one_that_the_rule_can_hold(stage: Stage) -> None:
    stage.put(rule={"name": "performance"}, initial_rating=1000.4)
    _join(stage)
    assert stage.standing("ann").rating == 1000.0


def test_joining_again_adds_nothing(stage: Stage, redis_client: redis.Redis) -> None:
    _join(stage)
    assert _join(stage) == ("known", False)
    assert redis_client.xlen(stage.keys.log) == 1


def test_a_new_name_stands_in_the_log_so_that_the_board_gets_a_new_version(stage: Stage) -> None:
    _join(stage, name="Ann")
    for name in ("Ann", "Anna", "Anna", None):
        _join(stage, name=name)
    entries = [logged.entry for logged in stage.store.run(folds.after(stage.keys, folds.START, 10))]
    assert entries[1:] == [Rename("ann", "Anna"), Rename("ann", None)]


def test_only_the_first_of_many_joins_calls_a_folding_job(stage: Stage) -> None:
    calls = [stage.on(partial(players.join, player=player))[1] for player in ("ann", "bob", "eve")]
    assert calls == [True, False, False]


def test_a_new_player_may_bring_a_rating(stage: Stage) -> None:
    _join(stage, brought=BROUGHT)
    standing = stage.standing("ann")
    assert (standing.rating, standing.games, standing.experience, standing.peak) == (1800.0, 40, 7, 1900.0)
    assert (standing.wins, standing.draws, standing.losses) == (0, 0, 0)


def test_bringing_the_same_again_is_no_conflict(stage: Stage) -> None:
    _join(stage, brought=BROUGHT)
    assert _join(stage, brought=BROUGHT) == ("known", False)


def test_a_known_player_may_not_bring_another_rating_and_nothing_changes(stage: Stage) -> None:
    _join(stage, name="Ann")
    with pytest.raises(ConflictError) as refused:
        _join(stage, name="Eve", owner="mallory", brought=BROUGHT)
    assert refused.value.code == "already_joined"
    assert stage.standing("ann").rating == 1500.0
    assert _called(stage) == ("Ann", None)


def test_a_rated_player_may_not_bring_its_rating_again(stage: Stage) -> None:
    _join(stage, brought=BROUGHT)
    stage.join("bob")
    stage.report(*wins(("ann", "bob")))
    stage.fold()
    with pytest.raises(ConflictError):
        _join(stage, brought=BROUGHT)


def test_name_and_owner_are_set_kept_and_removed(stage: Stage) -> None:
    _join(stage, name="Ann", owner="studio")
    assert _called(stage) == ("Ann", "studio")
    _join(stage)
    assert _called(stage) == ("Ann", "studio")
    _join(stage, name="Anna", owner=Keep.IT)
    assert _called(stage) == ("Anna", "studio")
    _join(stage, name=None)
    assert _called(stage) == (None, "studio")
    _join(stage, owner=None)
    assert _called(stage) == (None, None)


@pytest.mark.parametrize("text", ["=", "-", "+", "+x"])
def test_a_name_that_looks_like_an_instruction_is_a_name(stage: Stage, text: str) -> None:
    _join(stage, name=text, owner=text)
    assert _called(stage) == (text, text)


def test_a_join_never_takes_a_player_back(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob")))
    stage.fold()
    rated = stage.standing("ann")
    _join(stage)
    stage.fold()
    assert stage.standing("ann") == rated


@pytest.mark.parametrize("rating", [0.0, -0.5, -1_000_000.0, 1_000_000.0])
def test_ratings_of_zero_and_less_are_ratings(stage: Stage, rating: float) -> None:
    _join(stage, brought=PlayerState(rating))
    stage.join("bob", rating=rating)
    standing = stage.standing("ann")
    assert (standing.rating, standing.peak, standing.rank, standing.of) == (rating, rating, 1, 2)


def test_a_join_under_outdated_settings_uses_the_current_ones(stage: Stage) -> None:
    stage.join("bob")
    other = stage.store.edition(stage.id)
    stage.put(initial_rating=1000)
    assert stage.store.edition(stage.id) is other
    _join(stage)
    assert stage.standing("ann").rating == 1000.0

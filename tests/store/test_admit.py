"""Many players joining at once."""

from matchmaker.results import Join
from matchmaker.store import folds, players
from tests.stage import Stage


def _admit(stage: Stage, *names: str) -> tuple[int, bool]:
    return stage.on(lambda edition: players.admit(edition, names))


def test_all_of_them_stand_on_the_board_at_once(stage: Stage) -> None:
    assert _admit(stage, "ann", "bob") == (2, True)
    assert stage.ratings() == {"ann": 1500.0, "bob": 1500.0}


def test_each_of_them_has_an_entry_in_the_log(stage: Stage) -> None:
    _admit(stage, "ann", "bob")
    logged = stage.store.run(folds.after(stage.keys, folds.START, 10))
    assert [each.entry.player for each in logged if isinstance(each.entry, Join)] == ["ann", "bob"]


def test_who_is_in_the_ladder_already_stays_as_it_is(stage: Stage) -> None:
    stage.on(lambda edition: players.join(edition, "ann", name="Ann", owner="studio"))
    assert _admit(stage, "ann", "bob", "bob") == (1, False)
    standing = stage.standing("ann")
    assert (standing.name, standing.owner) == ("Ann", "studio")
    assert len(stage.store.run(folds.after(stage.keys, folds.START, 10))) == 2


def test_nobody_new_calls_no_job(stage: Stage) -> None:
    _admit(stage, "ann")
    stage.fold()
    assert _admit(stage, "ann") == (0, False)

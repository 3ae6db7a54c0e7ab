"""The dossier that a review reads: the same record as if somebody had kept it all along."""

from dataclasses import replace
from random import Random

import pytest

from matchmaker.devices import tag_of
from matchmaker.errors import NotFoundError
from matchmaker.fairplay import Encounter, IssuedBattle, Record
from matchmaker.rating import MatchLength
from matchmaker.rating.rule import PlayerState
from matchmaker.results import Result
from matchmaker.store import devices, dossiers
from matchmaker.store.client import Store
from matchmaker.store.dossiers import Dossier
from tests.fairplay.chronicle import Chronicle
from tests.stage import NOW, Stage, wins

DAY = 24 * 3600 * 1000


def read(stage: Stage, player: str, now: int = NOW) -> Dossier:
    return stage.store.follow(stage.id, lambda edition: dossiers.read(edition, player, now))


def _random_result(number: int, names: list[str], random: Random) -> Result:
    initiator, opponent = random.sample(names, 2)
    details: dict[str, object] = {"length": random.choice((1, 3, 5))}
    if random.random() < 0.5:
        return Result.duel(f"r{number}", initiator, opponent, "win", details)
    return Result.duel(f"r{number}", initiator, opponent, "loss", details | {"abandoned": "initiator"})


def _as_needed(encounter: Encounter) -> Encounter:
    """Of opponents who came by themselves nobody asks for the form."""
    return encounter if encounter.initiated else replace(encounter, opponent_form=None)


def test_a_dossier_holds_the_record_that_a_chronicle_keeps(store: Store) -> None:
    rule, random = MatchLength(), Random(5)
    stage = Stage(store, rule=rule.model_dump(mode="json"))
    names = [f"p{number}" for number in range(8)]
    stage.join(*names)
    chronicle = Chronicle(rule)
    chronicle.states = {name: PlayerState(1500.0) for name in names}
    results = [_random_result(number, names, random) for number in range(340)]
    for result in results:
        chronicle.rate(result)
    stage.report(*results)
    stage.fold()
    for name in names:
        expected = [_as_needed(each) for each in chronicle.record(name).encounters]
        assert len(expected) > 50
        assert any(each.opponent_form for each in expected)
        assert list(read(stage, name).record.encounters) == expected


def test_team_matches_count_as_games_and_are_no_encounters(stage: Stage) -> None:
    stage.join("ann", "bob", "eve")
    stage.report(
        Result("t0", (("ann", "bob"), ("eve",)), "win", {}),
        *wins(("ann", "eve")),
        Result("t1", (("eve",), ("bob", "ann")), "win", {}),
    )
    stage.fold()
    (encounter,) = read(stage, "ann").record.encounters
    assert (encounter.result, encounter.opponent, encounter.games) == ("r0", "eve", 1)
    assert encounter.opponent_games == 1
    assert read(stage, "bob").record.encounters == ()


def test_forms_are_not_looked_up_for_who_has_challenged_too_few(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(*[("bob", "ann")] * 30, *[("ann", "bob")] * 19))
    stage.fold()
    assert not any(each.opponent_form for each in read(stage, "ann").record.encounters)
    stage.report(*wins(("ann", "bob"), prefix="last"))
    stage.fold()
    assert read(stage, "ann").record.encounters[-1].opponent_form


def test_results_that_are_annulled_are_left_out_and_count_as_no_games(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(*[("ann", "bob")] * 5))
    stage.annul("r1")
    stage.fold()
    for player in ("ann", "bob"):
        encounters = read(stage, player).record.encounters
        assert [each.result for each in encounters] == ["r0", "r2", "r3", "r4"]
        assert [(each.games, each.opponent_games) for each in encounters] == [(n, n) for n in range(4)]


def test_accounts_of_one_owner_or_on_one_device_share_it(stage: Stage) -> None:
    stage.put(linked_accounts="flag")
    stage.join("ann", "bob", owner="red")
    stage.join("cid", owner="blue")
    stage.join("dan", "eve")
    for player in ("ann", "eve"):
        stage.store.run(devices.note(stage.keys, player, tag_of("phone", b"key")))
    stage.report(*wins(("ann", "bob"), ("ann", "cid"), ("ann", "dan"), ("ann", "eve")))
    stage.fold()
    assert [each.shared for each in read(stage, "ann").record.encounters] == ["owner", None, None, "device"]
    assert read(stage, "dan").record.encounters[0].shared is None


def test_battles_are_played_or_expired_and_others_are_left_out(stage: Stage) -> None:
    stage.join("ann", rating=1500.0)
    stage.join("bob", rating=1530.25)
    played = stage.battle("ann")
    stage.settle(played)
    stage.cancel(stage.battle("ann").id)
    expired = stage.battle("ann")
    later = expired.expires_at
    still_open = stage.battle("ann", now=later)
    record = read(stage, "ann", now=later).record
    assert record.battles == (
        IssuedBattle(played.id, 30.25, played=True),
        IssuedBattle(expired.id, 30.25, played=False),
    )
    assert [each.id for each in read(stage, "ann", now=later + DAY).record.battles][-1] == still_open.id


def test_a_battle_that_was_played_long_ago_is_still_known_as_played(store: Store) -> None:
    stage = Stage(store, history_limit=1)
    stage.join("ann", "bob")
    battle = stage.battle("ann")
    stage.settle(battle)
    stage.report(*wins(("bob", "ann"), ("bob", "ann")))
    stage.fold()
    store.client.execute_command("DEL", stage.keys.battle(battle.id))
    assert [each.played for each in read(stage, "ann", now=NOW + DAY).record.battles] == [True]


def test_the_last_sixty_battles_of_a_challenger_are_remembered(stage: Stage) -> None:
    stage.join("ann", "bob")
    issued = [stage.battle("ann", now=NOW + number * DAY).id for number in range(63)]
    remembered = read(stage, "ann", now=NOW + 70 * DAY).record.battles
    assert [each.id for each in remembered] == issued[3:]


def test_the_record_since_a_moment_holds_what_came_later(stage: Stage) -> None:
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob"), ("bob", "ann")))
    stage.battle("ann")
    stage.fold()
    dossier = read(stage, "ann", now=NOW + DAY)
    first, second = dossier.rated_at
    assert dossier.since(first) == dossier.record
    assert dossier.since(second + 1).encounters == ()
    assert dossier.since(dossier.due_at[0]).battles == dossier.record.battles
    assert dossier.since(dossier.due_at[0] + 1) == Record()


def test_who_is_not_in_the_ladder_has_no_dossier(stage: Stage) -> None:
    with pytest.raises(NotFoundError, match="no player 'zed'"):
        read(stage, "zed")

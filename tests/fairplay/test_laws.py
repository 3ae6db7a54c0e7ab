"""What holds for every record, whatever is in it."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaker.fairplay import INDICATORS, Encounter, FairPlay, Form, IssuedBattle, Record, review
from matchmaker.fairplay.battles import declined_battles
from matchmaker.fairplay.endings import runner, short_matches
from matchmaker.fairplay.opponents import linked_accounts, novice_farming, spike_hunting
from matchmaker.fairplay.review import Indicator
from matchmaker.fairplay.trading import win_trading
from tests.fairplay.encounters import FAIR

DEFAULTS = FairPlay()
RATINGS = st.floats(1000.0, 2000.0)
ENCOUNTERS = st.builds(
    Encounter,
    result=st.just(""),
    opponent=st.sampled_from(["bob", "cid", "dan"]),
    initiated=st.booleans(),
    outcome=st.sampled_from(["win", "draw", "loss"]),
    abandoned=st.booleans(),
    length=st.sampled_from([0, 1, 1, 5]),
    expected=st.floats(0.0, 1.0),
    delta=st.just(0.0),
    opponent_rating=RATINGS,
    games=st.integers(20, 200),
    opponent_games=st.none() | st.integers(0, 60),
    opponent_form=st.none() | st.builds(Form, average=RATINGS, spread=st.floats(0.0, 100.0)),
    shared=st.sampled_from([None, None, "owner", "device"]),
)
BATTLES = st.builds(IssuedBattle, id=st.just(""), gap=st.floats(-100.0, 100.0), played=st.booleans())


def _numbered(encounters: list[Encounter], battles: list[IssuedBattle]) -> Record:
    return Record(
        tuple(replace(each, result=f"r{number}") for number, each in enumerate(encounters)),
        tuple(replace(each, id=f"b{number}") for number, each in enumerate(battles)),
    )


RECORDS = st.builds(_numbered, st.lists(ENCOUNTERS, max_size=60), st.lists(BATTLES, max_size=40))


@given(RECORDS)
def test_evidence_is_of_the_record_and_in_its_order(record: Record) -> None:
    for indicator in INDICATORS:
        said = indicator(record, DEFAULTS)
        if said is not None:
            all_ids = [each.result for each in record.encounters] + [each.id for each in record.battles]
            assert list(said.evidence) == [each for each in all_ids if each in set(said.evidence)]
            assert "\n" not in said.sentence
            assert said.flag == indicator.__name__


@given(RECORDS, st.randoms(use_true_random=False))
def test_only_for_trading_the_order_of_results_matters(record: Record, random: Random) -> None:
    shuffled = Record(
        tuple(random.sample(record.encounters, len(record.encounters))),
        tuple(random.sample(record.battles, len(record.battles))),
    )
    for indicator in set(INDICATORS) - {win_trading}:
        one, two = indicator(record, DEFAULTS), indicator(shuffled, DEFAULTS)
        if one is None or two is None:
            assert one is two
        else:
            assert (one.value, one.threshold, one.sentence) == (two.value, two.threshold, two.sentence)
            assert set(one.evidence) == set(two.evidence)


@given(RECORDS)
def test_for_trading_only_the_order_against_each_opponent_matters(record: Record) -> None:
    grouped = Record(tuple(sorted(record.encounters, key=lambda each: each.opponent)))
    one, two = win_trading(record, DEFAULTS), win_trading(grouped, DEFAULTS)
    if one is None or two is None:
        assert one is two
    else:
        assert (one.value, one.threshold) == (two.value, two.threshold)


FAIR_LOSS = replace(FAIR, result="fair", outcome="loss")
FAIR_WIN = replace(FAIR, result="fair", opponent_form=Form(1500.0, 20.0))


@pytest.mark.parametrize(
    ("indicator", "fair"),
    [
        (linked_accounts, FAIR_WIN),
        (short_matches, FAIR_WIN),
        (novice_farming, FAIR_WIN),
        (novice_farming, replace(FAIR_WIN, opponent_games=0, initiated=False)),
        (spike_hunting, FAIR_WIN),
        (runner, FAIR_LOSS),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
@given(record=RECORDS)
def test_one_more_honest_result_raises_nothing(indicator: Indicator, fair: Encounter, record: Record) -> None:
    before = indicator(record, DEFAULTS)
    after = indicator(replace(record, encounters=(*record.encounters, fair)), DEFAULTS)
    if before is not None:
        assert after is not None
        assert before.raised or not after.raised


@given(RECORDS)
def test_whoever_plays_the_strongest_opponent_as_well_is_suspected_no_more(record: Record) -> None:
    played = IssuedBattle("fair", 100.0, played=True)
    before = declined_battles(record, DEFAULTS)
    after = declined_battles(replace(record, battles=(*record.battles, played)), DEFAULTS)
    if before is not None:
        assert after is not None
        assert after.value <= before.value


@given(st.lists(ENCOUNTERS, max_size=9), st.lists(BATTLES, max_size=9))
def test_a_few_results_prove_nothing_but_a_link(
    encounters: list[Encounter], battles: list[IssuedBattle]
) -> None:
    for raised in review(_numbered(encounters, battles), DEFAULTS):
        assert raised.flag == "linked_accounts"


@given(RECORDS)
def test_a_share_of_one_switches_an_indicator_off(record: Record) -> None:
    off = {
        name: {"share": 1.0}
        for name, group in DEFAULTS.model_dump().items()
        if isinstance(group, dict) and "share" in group
    }
    assert len(off) == 6
    assert {each.flag for each in review(record, FairPlay.model_validate(off))} <= {"linked_accounts"}


@given(RECORDS, st.floats(0.0, 5.0), st.floats(0.0, 5.0))
def test_more_certainty_never_raises_more(record: Record, one: float, two: float) -> None:
    lax, strict = FairPlay(certainty=min(one, two)), FairPlay(certainty=max(one, two))
    assert {each.flag for each in review(record, strict)} <= {each.flag for each in review(record, lax)}

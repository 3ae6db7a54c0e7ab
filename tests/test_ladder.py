"""What a ladder may be, and its way to JSON and back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from matchmaker.ladder import Ladder
from matchmaker.presets import PRESETS

POINTS = st.floats(-1_000_000, 1_000_000)
POSITIVE = st.floats(0.000_001, 1_000_000)
SHARES = st.floats(0, 1)
CAPPED = st.fixed_dictionaries({"each": SHARES, "most": SHARES})
DISPLAY_NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=128)

RULES = st.one_of(
    st.fixed_dictionaries(
        {"name": st.just("initiator_k")},
        optional={
            "k": st.fixed_dictionaries({}, optional={"provisional": POSITIVE, "master": POSITIVE}),
            "provisional_games": st.integers(0, 1_000_000),
            "master_rating": POINTS,
            "scale": POSITIVE,
            "initiator_advantage": POINTS,
        },
    ),
    st.fixed_dictionaries(
        {"name": st.just("match_length")},
        optional={
            "stake": POSITIVE,
            "scale": POSITIVE,
            "ramp": st.fixed_dictionaries({}, optional={"until": st.integers(0, 500), "step": POSITIVE}),
        },
    ),
    st.fixed_dictionaries(
        {"name": st.just("performance")},
        optional={
            "bands": st.lists(POINTS, unique=True, max_size=5).map(
                lambda borders: [{"below": border, "k": 20.0} for border in sorted(borders)]
            ),
            "top_k": POSITIVE,
            "won_by_16": CAPPED,
            "bad_moves": CAPPED,
            "draw_multiplier": SHARES,
        },
    ),
)
POOLS = st.lists(POSITIVE, min_size=1, max_size=5, unique=True).flatmap(
    lambda deviations: st.fixed_dictionaries(
        {"deviation": st.just(min(deviations)), "widen": st.just(sorted(deviations)[1:])},
        optional={
            "size": st.integers(1, 500),
            "shortfall": st.sampled_from(["backfill", "strict"]),
            "avoid_recent": st.integers(0, 100),
        },
    )
)
FAIR_PLAY = st.fixed_dictionaries(
    {},
    optional={
        "certainty": st.floats(0, 10),
        "linked_accounts": st.fixed_dictionaries({"results": st.integers(0, 10_000)}),
        "short_matches": st.fixed_dictionaries({"share": SHARES}, optional={"length": st.integers(1, 64)}),
        "win_trading": st.fixed_dictionaries({"surprise": POSITIVE, "meetings": st.integers(1, 10_000)}),
    },
)
LADDERS = st.fixed_dictionaries(
    {"id": st.from_regex(r"[a-z0-9-]{1,64}", fullmatch=True), "rule": RULES},
    optional={
        "title": st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=128),
        "initial_rating": POINTS,
        "pool": POOLS,
        "battle_ttl": st.integers(1, 2_592_000),
        "history_limit": st.integers(0, 10_000),
        "tiers": st.dictionaries(POINTS, DISPLAY_NAMES, max_size=5).map(
            lambda tiers: [{"name": name, "from": border} for border, name in sorted(tiers.items())]
        ),
        "linked_accounts": st.sampled_from(["refuse", "flag"]),
        "gammon_threshold": SHARES,
        "fair_play": FAIR_PLAY,
    },
)


def _ladder(**settings: Any) -> Ladder:
    return Ladder.model_validate({"id": "test", "rule": {"name": "initiator_k"}, **settings})


@given(LADDERS)
def test_a_ladder_comes_back_from_json_as_it_was(settings: dict[str, Any]) -> None:
    ladder = Ladder.model_validate(settings)
    assert Ladder.model_validate_json(ladder.model_dump_json()) == ladder
    assert Ladder.model_validate(ladder.model_dump(mode="json")) == ladder


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_a_preset_comes_back_from_json_as_it_was(preset: Ladder) -> None:
    assert Ladder.model_validate_json(preset.model_dump_json()) == preset


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_a_preset_names_a_tier_for_every_rating(preset: Ladder) -> None:
    assert 5 <= len(preset.tiers) <= 7
    assert all(preset.tier(rating) for rating in (-1_000_000.0, preset.initial_rating, 1_000_000.0))


def test_the_presets_are_the_three_ladders_of_the_contract() -> None:
    assert [(preset.id, preset.rule.name, preset.initial_rating) for preset in PRESETS] == [
        ("nft", "initiator_k", 1500.0),
        ("cards", "performance", 1000.0),
        ("backgammon", "match_length", 1500.0),
    ]


def test_everything_but_the_name_of_the_rule_has_a_default() -> None:
    ladder = _ladder()
    assert (ladder.title, ladder.initial_rating, ladder.battle_ttl, ladder.history_limit) == (
        "",
        1500,
        3600,
        100,
    )
    assert ladder.pool.model_dump() == {
        "size": 30,
        "deviation": 100.0,
        "shortfall": "backfill",
        "widen": (),
        "avoid_recent": 1,
    }
    assert ladder.tiers == ()
    assert (ladder.linked_accounts, ladder.gammon_threshold) == ("refuse", 0.2)
    assert ladder.fair_play.short_matches.model_dump() == {"share": 0.5, "results": 20, "length": 1}


@pytest.mark.parametrize(
    ("rating", "tier"), [(-1.0, None), (0.0, "low"), (99.99, "low"), (100.0, "high"), (5000.0, "high")]
)
def test_a_tier_begins_at_its_border(rating: float, tier: str | None) -> None:
    ladder = _ladder(tiers=[{"name": "low", "from": 0}, {"name": "high", "from": 100}])
    assert ladder.tier(rating) == tier


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"id": ""}, "id"),
        ({"id": "Nft"}, "id"),
        ({"id": "a" * 65}, "id"),
        ({"id": "a}b"}, "id"),
        ({"id": "nft\n"}, "id"),
        ({"title": "a" * 129}, "title"),
        ({"title": "a\x00b"}, "title"),
        ({"title": "\ud800"}, "title"),
        ({"initial_rating": True}, "initial_rating"),
        ({"initial_rating": "1500"}, "initial_rating"),
        ({"initial_rating": float("nan")}, "initial_rating"),
        ({"initial_rating": float("-inf")}, "initial_rating"),
        ({"initial_rating": 1_000_001}, "initial_rating"),
        ({"battle_ttl": 0}, "battle_ttl"),
        ({"battle_ttl": 1.5}, "battle_ttl"),
        ({"history_limit": -1}, "history_limit"),
        ({"history_limit": 10_001}, "history_limit"),
        ({"gammon_threshold": -0.1}, "gammon_threshold"),
        ({"gammon_threshold": 1.1}, "gammon_threshold"),
        ({"colour": "red"}, "colour"),
        ({"rule": {"name": "initiator_k", "colour": 1}}, "rule.initiator_k.colour"),
        ({"pool": {"size": 0}}, "pool.size"),
        ({"pool": {"size": 501}}, "pool.size"),
        ({"pool": {"size": True}}, "pool.size"),
        ({"pool": {"deviation": 0}}, "pool.deviation"),
        ({"pool": {"shortfall": "none"}}, "pool.shortfall"),
        ({"pool": {"avoid_recent": 101}}, "pool.avoid_recent"),
        ({"pool": {"colour": 1}}, "pool.colour"),
        ({"pool": {"widen": [100]}}, "pool.widen"),
        ({"pool": {"widen": [50]}}, "pool.widen"),
        ({"pool": {"widen": [300, 200]}}, "pool.widen"),
        ({"pool": {"widen": [200, 200]}}, "pool.widen"),
        ({"pool": {"widen": ["200"]}}, "pool.widen.0"),
        ({"pool": {"widen": [True]}}, "pool.widen.0"),
        ({"pool": {"widen": list(range(200, 217))}}, "pool.widen"),
        ({"linked_accounts": "ignore"}, "linked_accounts"),
        ({"fair_play": {"certainty": -1}}, "fair_play.certainty"),
        ({"fair_play": {"colour": 1}}, "fair_play.colour"),
        ({"fair_play": {"linked_accounts": {"results": -1}}}, "fair_play.linked_accounts.results"),
        ({"fair_play": {"short_matches": {"share": 60}}}, "fair_play.short_matches.share"),
        ({"fair_play": {"short_matches": {"length": 0}}}, "fair_play.short_matches.length"),
        ({"fair_play": {"novice_farming": {"results": 0}}}, "fair_play.novice_farming.results"),
        ({"fair_play": {"novice_farming": {"games": True}}}, "fair_play.novice_farming.games"),
        ({"fair_play": {"win_trading": {"surprise": 0}}}, "fair_play.win_trading.surprise"),
        ({"fair_play": {"runner": {"losses": 1.5}}}, "fair_play.runner.losses"),
        ({"fair_play": {"declined_battles": {"expired": "10"}}}, "fair_play.declined_battles.expired"),
        ({"tiers": [{"name": "a", "from": 1}, {"name": "b", "from": 0}]}, "tiers"),
        ({"tiers": [{"name": "a", "from": 1}, {"name": "b", "from": 1}]}, "tiers"),
        ({"tiers": [{"name": "", "from": 1}]}, "tiers.0.name"),
        ({"tiers": [{"name": "a\tb", "from": 1}]}, "tiers.0.name"),
        ({"tiers": [{"name": "a", "from": True}]}, "tiers.0.from"),
        ({"tiers": [{"name": "a", "from_rating": 1}]}, "tiers.0.from"),
        ({"tiers": [{"name": "a"}]}, "tiers.0.from"),
    ],
)
def test_an_impossible_setting_is_refused_by_name(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        _ladder(**settings)
    assert field in [".".join(map(str, problem["loc"])) for problem in refused.value.errors()]

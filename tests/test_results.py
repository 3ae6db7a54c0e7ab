"""Entries of the log, and how they are written down."""

import struct

import pytest
from hypothesis import given

from matchmaker.rating.rule import PlayerState
from matchmaker.results import Entry, Join, Result, decode
from matchmaker.store.states import pack, unpack
from tests.entries import JOINS, MEASURES, REFORMS, RENAMES, RESULTS

RESULT = Result.duel("r1", "ann", "bob", "win", {"length": 3}, 1_000)


@given(RESULTS | JOINS | RENAMES | REFORMS | MEASURES)
def test_an_entry_reads_back_as_it_was_written(entry: Entry) -> None:
    assert decode(entry.kind, entry.encode()) == entry


@given(JOINS)
def test_a_state_unpacks_as_it_was_packed(join: Join) -> None:
    assert unpack(pack(join.state)) == join.state


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (Join("ann", PlayerState(1500.0)), '["ann",1500.0]'),
        (Join("ann", PlayerState(1500.0, games=3)), '["ann",1500.0,3,0]'),
        (Join("ann", PlayerState(-5.0, experience=7, peak=1.0)), '["ann",-5.0,0,7,1.0]'),
        (Join("ann", PlayerState(1500 + 2**-16, peak=1500 + 2**-15)), '["ann",1500.00002,0,0,1500.00003]'),
    ],
)
def test_a_join_leaves_out_what_goes_without_saying(entry: Join, text: str) -> None:
    assert entry.encode() == text
    assert decode("join", text) == entry


def test_a_join_that_leaves_nothing_out_is_read_too() -> None:
    """As every join was written at first."""
    text = '["ann",1500.0000152587890625,0,0,1500.0000152587890625]'
    assert decode("join", text) == Join("ann", PlayerState(1500 + 2**-16))


@pytest.mark.parametrize(
    ("state", "size"),
    [
        (PlayerState(1500.0), 8),
        (PlayerState(1500.0, peak=1501.0), 26),
        (PlayerState(1500.0, games=65_535, losses=65_535), 26),
        (PlayerState(1500.0, experience=65_536), 36),
        (PlayerState(1500.0, games=65_536, wins=65_536), 36),
    ],
)
def test_a_state_takes_the_room_that_it_needs(state: PlayerState, size: int) -> None:
    packed = pack(state)
    assert len(packed) == size
    assert unpack(packed) == state


def test_a_state_that_was_packed_with_wide_counts_is_read_whatever_it_counts() -> None:
    """As every state was packed at first."""
    packed = struct.pack("<ddIIIII", 1500.0, 1500.0, 0, 0, 0, 0, 0)
    assert unpack(packed) == PlayerState(1500.0)


def test_a_result_is_written_compactly_and_readable_with_the_naked_eye() -> None:
    result = Result.duel("r1", "Ярослав", "bob", "win", {}, None)
    assert result.encode() == '["r1","Ярослав","bob","win",{},null]'


def test_an_entry_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown kind 'fine'"):
        decode("fine", "[]")


def test_the_order_of_details_makes_no_difference_to_the_content() -> None:
    one = Result.duel("r1", "ann", "bob", "win", {"initiator": {}, "opponent": {}})
    two = Result.duel("r1", "ann", "bob", "win", {"opponent": {}, "initiator": {}})
    assert one.content_digest == two.content_digest


@pytest.mark.parametrize(
    "other",
    [
        Result.duel("r1", "bob", "ann", "win", {"length": 3}, 1_000),
        Result.duel("r1", "ann", "bob", "loss", {"length": 3}, 1_000),
        Result.duel("r1", "ann", "bob", "win", {"length": 5}, 1_000),
        Result.duel("r1", "ann", "bob", "win", {"length": 3}, 1_001),
        Result.duel("r1", "ann", "bob", "win", {"length": 3}),
    ],
)
def test_whatever_differs_in_a_result_changes_its_content_and_not_its_identity(other: Result) -> None:
    assert other.id_digest == RESULT.id_digest
    assert other.content_digest != RESULT.content_digest


def test_ids_that_only_join_to_the_same_text_make_different_contents() -> None:
    one = Result.duel("r1", 'a","b', "c", "win", {})
    two = Result.duel("r1", "a", 'b","c', "win", {})
    assert one.content_digest != two.content_digest


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (Result.duel("m", "ann", "bob", "win", {}), '["m","ann","bob","win",{},null]'),
        (Result("m", (("ann", "bob"), ("cat",)), "loss", {}), '["m",["ann","bob"],"cat","loss",{},null]'),
        (
            Result("m", (("ann",), ("bob", "cat"), ("dan",)), (1, 2, 2), {}, 5),
            '["m",["ann",["bob","cat"],"dan"],[1,2,2],{},5]',
        ),
    ],
)
def test_a_duel_is_written_as_it_always_was_and_teams_as_lists(result: Result, text: str) -> None:
    assert result.encode() == text
    assert decode("result", text) == result


def test_the_ranks_of_two_sides_say_the_outcome() -> None:
    endings = [Result.duel("m", "ann", "bob", outcome, {}).ranks for outcome in ("win", "draw", "loss")]
    assert endings == [(1, 2), (1, 1), (2, 1)]


@given(RESULTS)
def test_outcomes_are_for_each_side_and_everybody_stands_on_one(result: Result) -> None:
    assert len(result.outcomes) == len(result.ranks) == len(result.sides)
    assert sum(result.sizes) == len(result.players)
    assert all(player in result.sides[result.place(player)] for player in result.players)

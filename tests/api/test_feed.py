"""The frames of a live board."""

import json
from typing import Any

from api.feed import Feed
from matchmaker.store.boards import Page, Row


def page(version: int, *ratings: tuple[str, float], total: int | None = None) -> Page:
    best = sorted(ratings, key=lambda each: -each[1])
    rows = [
        Row(1 + sum(other > rating for _, other in best), player, None, rating, 0, None)
        for player, rating in best
    ]
    return Page(f"{version}-0", len(rows) if total is None else total, rows)


def events(data: bytes | None) -> list[tuple[str, Any]]:
    """Names and bodies of encoded events."""
    assert data is not None
    blocks = [block.split("\n") for block in data.decode().split("\n\n") if block]
    return [
        (block[0].removeprefix("event: "), json.loads(block[1].removeprefix("data: "))) for block in blocks
    ]


def test_a_frame_holds_the_rows_whose_content_or_rank_changed() -> None:
    feed = Feed("nft", 100, page(1, ("ann", 1500), ("bob", 1400), ("cid", 1300)))
    feed.show(page(2, ("ann", 1350), ("bob", 1400), ("cid", 1300)))
    ((name, body),) = events(feed.since(0))
    assert name == "changes"
    assert (body["version"], body["total"], body["left"]) == ("2-0", 3, [])
    assert [(row["rank"], row["player"]) for row in body["entries"]] == [(1, "bob"), (2, "ann")]


def test_whoever_leaves_the_top_is_named() -> None:
    feed = Feed("nft", 2, page(1, ("ann", 1500), ("bob", 1400), ("cid", 1300)))
    feed.show(page(2, ("ann", 1500), ("bob", 1200), ("cid", 1300)))
    ((_, body),) = events(feed.since(0))
    assert body["left"] == ["bob"]
    assert [row["player"] for row in body["entries"]] == ["cid"]


def test_a_change_below_the_top_is_no_frame() -> None:
    feed = Feed("nft", 1, page(1, ("ann", 1500), ("bob", 1400)))
    feed.show(page(2, ("ann", 1500), ("bob", 1200)))
    assert feed.since(0) == b""


def test_a_new_total_is_a_frame_also_without_a_changed_row() -> None:
    feed = Feed("nft", 1, page(1, ("ann", 1500)))
    feed.show(page(2, ("ann", 1500), total=2))
    ((_, body),) = events(feed.since(0))
    assert (body["total"], body["entries"]) == (2, [])


def test_frames_follow_each_other_without_a_gap() -> None:
    feed = Feed("nft", 100, page(0, ("ann", 1000)))
    for version in range(1, 6):
        feed.show(page(version, ("ann", 1000 + version)))
    assert [body["version"] for _, body in events(feed.since(2))] == ["3-0", "4-0", "5-0"]


def test_a_viewer_who_has_missed_too_much_needs_the_whole_board() -> None:
    feed = Feed("nft", 100, page(0, ("ann", 1000)))
    for version in range(1, 100):
        feed.show(page(version, ("ann", 1000 + version)))
    assert feed.since(feed.number - 1) is not None
    assert feed.since(0) is None
    ((name, body),) = events(feed.snapshot(None))
    assert (name, body["version"], body["entries"][0]["rating"]) == ("board", "99-0", 1099)


def test_a_page_that_was_read_earlier_does_not_turn_the_board_back() -> None:
    feed = Feed("nft", 100, page(9, ("ann", 1500)))
    feed.show(page(8, ("ann", 1400)))
    assert feed.since(0) == b""

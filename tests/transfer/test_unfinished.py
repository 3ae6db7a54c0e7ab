"""Files that are not complete yet."""

from pathlib import Path

import pytest

from matchmaker.errors import ConflictError
from matchmaker.transfer.unfinished import Mark, Unfinished

ONE, TWO = Mark("1-0", "a", 10, 7), Mark("2-0", "b", 20, 15)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a file was to be written that came to two marks, and a bit further."""
    path = tmp_path / "file"
    with Unfinished(path) as unfinished:
        unfinished.begin({"what": "that"})
        for mark in (ONE, TWO):
            unfinished.file.write(mark.after.encode())
            unfinished.keep(mark)
        unfinished.file.write(b"more")
    return path


def test_what_is_behind_the_last_mark_is_written_again(path: Path) -> None:
    with Unfinished(path) as unfinished:
        remains = unfinished.remains()
        assert remains is not None
        assert remains.plan == {"what": "that"}
        assert remains.mark == Mark("2-0", "b", 20, 15, (3, 6))
        unfinished.go_on(remains)
        unfinished.file.write(b"end")
        unfinished.finish()
    assert path.read_bytes() == b"1-02-0end"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("torn", [b'{"after": "3-', b"", b"{"])
def test_a_line_that_was_torn_says_nothing(path: Path, torn: bytes) -> None:
    journal = path.with_name(".file.journal")
    journal.write_bytes(journal.read_bytes() + torn)
    for _ in range(2):
        with Unfinished(path) as unfinished:
            remains = unfinished.remains()
            assert remains is not None
            assert remains.mark.after == "2-0"
            unfinished.go_on(remains)


def test_a_file_that_is_shorter_than_its_marks_is_of_no_use(path: Path) -> None:
    path.with_name(".file.part").write_bytes(b"1-0")
    with Unfinished(path) as unfinished:
        assert unfinished.remains() is None


@pytest.mark.parametrize("journal", [b"", b"\xff\n\n", b"{}\n"])
def test_a_journal_that_says_nothing_is_of_no_use(path: Path, journal: bytes) -> None:
    path.with_name(".file.journal").write_bytes(journal)
    with Unfinished(path) as unfinished:
        assert unfinished.remains() is None


def test_a_failure_before_the_first_mark_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with Unfinished(path) as unfinished:
        unfinished.begin({})
        unfinished.file.write(b"new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_two_at_once_are_refused(path: Path) -> None:
    with Unfinished(path), pytest.raises(ConflictError, match="is being written already"):
        Unfinished(path)


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / ".file.part").symlink_to(precious)
    with pytest.raises(OSError, match="symbolic link"):
        Unfinished(tmp_path / "file")
    assert precious.read_text() == "precious"


def test_a_signal_between_a_mark_in_the_journal_and_what_follows_leaves_the_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "file"
    with Unfinished(path) as unfinished:
        unfinished.begin({})
        unfinished.file.write(b"1-0")
        monkeypatch.setattr("matchmaker.transfer.unfinished.replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            unfinished.keep(ONE)
    with Unfinished(path) as unfinished:
        remains = unfinished.remains()
        assert remains is not None
        assert remains.mark.after == "1-0"

"""The admin key that a first start makes."""

import stat
from pathlib import Path

import pytest
from pydantic import SecretStr

from matchmaker.admin_key import KEY_FILE, admin_key
from matchmaker.config import Settings
from matchmaker.secret_file import BadKeyError


def test_the_key_stays_the_same_over_starts(tmp_path: Path) -> None:
    key = admin_key(Settings(data_dir=tmp_path))
    assert len(key) >= 43
    assert admin_key(Settings(data_dir=tmp_path)) == key


def test_two_directories_have_different_keys(tmp_path: Path) -> None:
    assert admin_key(Settings(data_dir=tmp_path)) != admin_key(Settings(data_dir=tmp_path / "other"))


def test_only_the_owner_can_read_the_key(tmp_path: Path) -> None:
    admin_key(Settings(data_dir=tmp_path))
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]


def test_an_empty_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_text("\n")
    with pytest.raises(BadKeyError, match="is empty"):
        admin_key(Settings(data_dir=tmp_path))


def test_a_key_that_is_set_is_taken_instead(tmp_path: Path) -> None:
    assert admin_key(Settings(data_dir=tmp_path, admin_key=SecretStr("set"))) == "set"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"\xff\xfe", b"two\nlines", "ключ".encode(), b"a\x00b", b"with space"])
def test_a_damaged_key_file_is_told_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / KEY_FILE).write_bytes(content)
    with pytest.raises(BadKeyError, match="holds no key that a header can carry"):
        admin_key(Settings(data_dir=tmp_path))

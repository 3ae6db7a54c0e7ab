"""Who may read the data directory."""

from pathlib import Path

import pytest

from matchmaker.doctor.directory import check_directory


def verdicts(path: Path, *, embedded: bool = True) -> dict[str, str]:
    return {finding.check: finding.verdict for finding in check_directory(path, embedded=embedded)}


@pytest.mark.parametrize(("mode", "verdict"), [(0o700, "ok"), (0o750, "warning"), (0o777, "warning")])
def test_a_directory_is_for_its_owner_alone(tmp_path: Path, mode: int, verdict: str) -> None:
    tmp_path.chmod(mode)
    assert verdicts(tmp_path)["data directory"] == verdict


@pytest.mark.parametrize("name", ["admin key", "device key"])
def test_a_key_that_others_can_read_is_bad(tmp_path: Path, name: str) -> None:
    key = tmp_path / name.replace(" ", "_")
    key.write_text("secret")
    key.chmod(0o644)
    assert verdicts(tmp_path)[name] == "bad"
    key.chmod(0o600)
    assert name not in verdicts(tmp_path)


def test_a_missing_directory_matters_to_the_embedded_store_only(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    assert verdicts(missing) == {"data directory": "warning"}
    assert verdicts(missing, embedded=False) == {"data directory": "ok"}

"""The program, run within the test on the session's store."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from matchmaker.cli.main import main
from matchmaker.store.client import Store
from matchmaker.store.presets import create_presets


@dataclass(frozen=True)
class Ended:
    """How a run of the program ended, and what it wrote."""

    code: object
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


HEADER = "initiator,opponent,outcome\n"

Program = Callable[..., Ended]


@pytest.fixture
def store(store: Store) -> Store:
    """The store, with the preset ladders."""
    create_presets(store)
    return store


@pytest.fixture
def program(
    store: Store, store_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    """Runs `matchmaker` with these arguments."""
    monkeypatch.setenv("MATCHMAKER_STORE_URL", store_url)

    def run(*arguments: str) -> Ended:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        return Ended(ended.value.code, *capsys.readouterr())

    return run


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A file of three results, the second of which is bad."""
    file = tmp_path / "results.csv"
    file.write_text(HEADER + "ann,bob,win\nann,ann,win\ncid,ann,draw\n")
    return file

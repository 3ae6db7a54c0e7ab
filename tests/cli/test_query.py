"""`matchmaker query`."""

import csv
import io
import re
import sys
from pathlib import Path

import pytest

from matchmaker.store.client import Store
from tests.cli.conftest import Program
from tests.stage import Stage, wins


@pytest.fixture(autouse=True)
def stage(store: Store) -> Stage:
    """A ladder on which ann has beaten bob twice."""
    stage = Stage(store)
    stage.join("ann", "bob")
    stage.report(*wins(("ann", "bob"), ("ann", "bob")))
    stage.fold()
    return stage


README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
QUESTION = "SELECT id, initiator, sides, rated, opponent_delta FROM results ORDER BY id"


def test_an_answer_is_a_table_json_or_csv(stage: Stage, program: Program) -> None:
    lines = program("query", QUESTION, "--json").json
    assert [line["id"] for line in lines] == ["r0", "r1"]
    assert lines[0]["sides"] == [["ann"], ["bob"]]
    assert lines[0]["opponent_delta"] == stage.history("bob")[-1].change.move.delta
    table = program("query", QUESTION).out
    assert "opponent_delta" in table
    assert '[["ann"], ["bob"]]' in table
    rows = list(csv.DictReader(io.StringIO(program("query", QUESTION, "--csv").out)))
    assert [row["rated"] for row in rows] == ["true", "true"]
    assert float(rows[1]["opponent_delta"]) == lines[1]["opponent_delta"]


def test_only_chosen_ladders_are_asked(stage: Stage, program: Program) -> None:
    question = "SELECT DISTINCT ladder FROM log"
    Stage(stage.store).join("eve")
    assert len(program("query", question, "--json").json) == 2
    assert program("query", question, "--ladder", stage.id, "--json").json == [{"ladder": stage.id}]
    assert program("query", question, "--ladder", "nobody").code == 1


@pytest.mark.parametrize("question", re.findall(r'^matchmaker query "(.+)"$', README, re.MULTILINE))
def test_the_questions_of_the_readme_are_answered(stage: Stage, program: Program, question: str) -> None:
    ended = program("query", question, "--ladder", stage.id, "--json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.json


@pytest.mark.parametrize("view", ["results", "changes", "log"])
def test_columns_are_named_without_quotes(stage: Stage, program: Program, view: str) -> None:
    names = [line["column_name"] for line in program("query", f"DESCRIBE {view}", "--json").json]
    question = f"SELECT {', '.join(f'max({name}) AS {name}' for name in names)} FROM {view}"
    (line,) = program("query", question, "--ladder", stage.id, "--json").json
    assert list(line) == names


def test_the_help_says_which_extra_it_needs(program: Program) -> None:
    assert "matchmaker[analytics]" in program("query", "--help").out


def test_moments_are_told_as_everywhere(stage: Stage, program: Program) -> None:
    (line,) = program("query", "SELECT max(happened_at) AS last FROM results", "--json").json
    assert line["last"].endswith("Z")


@pytest.mark.parametrize(
    "question", ["SELEKT 1", "SELECT nothing FROM log", "COPY log TO 'file'", "SELECT 1; SELECT 2"]
)
def test_a_question_without_an_answer_is_one_line(program: Program, question: str) -> None:
    ended = program("query", question)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    assert ended.err.startswith("matchmaker: ")
    assert "LINE 1" not in ended.err


def test_json_and_csv_at_once_are_refused(program: Program) -> None:
    assert program("query", "SELECT 1", "--json", "--csv").code == 2


def test_without_duckdb_it_says_what_to_install(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    ended = program("query", "SELECT 1")
    assert (ended.code, "pip install matchmaker[analytics]" in ended.err) == (1, True)

"""How the program tells its failures."""

import itertools
import subprocess
import sys

import pytest

from matchmaker import __version__
from matchmaker.cli.main import main
from matchmaker.errors import FieldError
from matchmaker.validation import invalid


def _outcome(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[object, str]:
    """Exit code and what stands on stderr."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code, capsys.readouterr().err


COMMANDS = (
    "up",
    "api",
    "worker",
    "demo",
    "doctor",
    *("ladder", "ladder create", "ladder show", "ladder list", "ladder presets"),
    *("import", "export", "board", "standing", "opponent", "gammon"),
    *("annul", "adjust", "suspend", "reinstate"),
    *("keys", "keys create", "keys list", "keys revoke"),
)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _outcome([*command.split(), "--help"], capsys) == (0, "")


@pytest.mark.parametrize("columns", [60, 200])
def test_paragraphs_of_help_are_as_wide_as_the_screen(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    with pytest.raises(SystemExit):
        main(["archive", "--help"])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("The archive is"))
    paragraph = lines[start : lines.index("", start)]
    for line, following in itertools.pairwise(paragraph):
        assert len(line) + 1 + len(following.split()[0]) > columns - 2, "the next word had room in this line"


@pytest.mark.parametrize("arguments", [["no-such-command"], ["up", "--no-such-option"], ["up", "extra"]])
def test_wrong_usage_is_one_line_and_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, told = _outcome(arguments, capsys)
    assert code == 2
    assert told.startswith("matchmaker: ")
    assert told.count("\n") == 1


@pytest.mark.parametrize("group", [[], ["ladder"], ["keys"]])
def test_a_group_alone_shows_its_help(group: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(group)
    shown = capsys.readouterr()
    assert (ended.value.code, shown.err) == (2, "")
    assert f"Usage: {' '.join(('matchmaker', *group))} [OPTIONS]" in shown.out


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["no-such-command"], "matchmaker"),
        (["up", "extra"], "matchmaker up"),
        (["ladder", "no-such-command"], "matchmaker ladder"),
        (["ladder", "create"], "matchmaker ladder create"),
        (["import", "nft", "x.csv", "--score", "a,b", "--outcome", "c"], "matchmaker import"),
    ],
)
def test_wrong_usage_points_at_the_help_of_its_command(
    arguments: list[str], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _outcome(arguments, capsys)[1].endswith(f" ({command} --help says more)\n")


def test_a_choice_that_is_none_is_told_without_jargon(capsys: pytest.CaptureFixture[str]) -> None:
    told = _outcome(["keys", "create", "--scope", "foo"], capsys)[1]
    assert "'--scope': 'foo' is not one of 'read', 'play', 'report', 'admin'" in told


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"matchmaker {__version__}\n")


def test_bad_settings_are_one_line_and_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MATCHMAKER_PORT", "0")
    code, told = _outcome(["api"], capsys)
    assert code == 1
    assert told == "matchmaker: MATCHMAKER_PORT: Input should be greater than or equal to 1\n"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            invalid([FieldError("rule.k", "must be positive"), FieldError("title", "is missing")]),
            "rule.k: must be positive; title: is missing",
        ),
        (
            FileNotFoundError(2, "No such file or directory", "results.csv"),
            "results.csv: No such file or directory",
        ),
        (
            UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates not allowed"),
            "what was typed is not UTF-8",
        ),
    ],
)
def test_an_expected_failure_is_one_line_and_code_1(
    error: Exception, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr("matchmaker.config.load_settings", fail)
    assert _outcome(["api"], capsys) == (1, f"matchmaker: {line}\n")


def test_ctrl_c_is_one_line_and_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("matchmaker.config.load_settings", interrupt)
    assert _outcome(["api"], capsys) == (1, "matchmaker: interrupted\n")


def test_a_defect_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("matchmaker.config.load_settings", fail)
    with pytest.raises(ZeroDivisionError):
        main(["api"])


def test_help_is_quick_because_nothing_heavy_is_imported() -> None:
    heavy = {"fastapi", "httpx", "pyarrow", "pydantic", "redis", "rq", "uvicorn"}
    program = f"import sys, matchmaker.cli.main; print(*{heavy} & sys.modules.keys())"
    shown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert shown.stdout.split() == []

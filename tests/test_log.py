"""Lines of the log, and what never stands in them."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from matchmaker.config import Settings
from matchmaker.log import logging_to_stderr, request_id

SECRET = 'the-"admin"-key\\'
API_KEY = f"mm_{'0' * 12}_{'f' * 48}"


@pytest.fixture
def _request() -> Iterator[None]:
    token = request_id.set("request-7")
    yield
    request_id.reset(token)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


@pytest.mark.usefixtures("_request")
def test_an_event_is_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("api.test")
    with logging_to_stderr("json", []):
        log.info("two\nlines of %s", "text", extra={"fields": {"status": 503}})
    (event,) = lines(capsys)
    assert event.pop("at").endswith("Z")
    assert event == {
        **{"level": "info", "logger": "api.test", "message": "two\nlines of text"},
        **{"status": 503, "request": "request-7"},
    }


@pytest.mark.usefixtures("_request")
def test_a_line_of_text_names_the_request(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr("text", []):
        logging.getLogger("workers.test").warning("late")
    assert capsys.readouterr().err.endswith("Z warning workers.test [request-7]: late\n")


def test_libraries_tell_warnings_only(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr("json", []):
        logging.getLogger("library").info("nothing")
        logging.getLogger("library").warning("something")
    logging.getLogger("api.test").info("after its context")
    assert [event["message"] for event in lines(capsys)] == ["something"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_keys_never_stand_in_the_log(form: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr(form, [SECRET, "the-", ""]):
        log = logging.getLogger("api.test")
        log.warning("%s in %s", SECRET, API_KEY, extra={"fields": {"path": f"/{API_KEY}/{SECRET}"}})
        try:
            raise RuntimeError(f"with {SECRET} and {API_KEY}")
        except RuntimeError:
            log.exception("failed")
    told = capsys.readouterr().err
    assert "RuntimeError" in told
    for secret in ("admin", "f" * 48):
        assert secret not in told


def test_admin_key_and_passwords_of_the_settings_are_secrets() -> None:
    settings = Settings(
        store_url="redis://user:pass%40word@host", queue_url="redis://host", admin_key="admin"
    )
    assert settings.secrets == ["admin", "pass@word"]
    assert Settings().secrets == []

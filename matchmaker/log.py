"""Logs on stderr, one line of text or of JSON for each event. Keys and passwords never stand in them."""

import json
import logging
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, Literal

from matchmaker.timestamps import format_timestamp

LogForm = Literal["text", "json"]

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Of the HTTP request that is being answered."""

_OURS: Final = ("api", "workers", "matchmaker")
_API_KEY: Final = re.compile(r"mm_[0-9a-f]{12}_[0-9a-f]+")
_HIDDEN: Final = "[hidden]"


@contextmanager
def logging_to_stderr(form: LogForm, secrets: Iterable[str]) -> Iterator[None]:
    """While its context lasts, this process logs to stderr; whatever is in `secrets` is left out.

    Our own events from INFO on, those of libraries from WARNING on.
    """
    handler = _Stderr()
    handler.setFormatter((_JsonFormatter if form == "json" else _TextFormatter)(secrets))
    root, ours = logging.getLogger(), [logging.getLogger(name) for name in _OURS]
    before = [each.level for each in ours]
    root.addHandler(handler)
    for each in ours:
        each.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        for each, level in zip(ours, before, strict=True):
            each.setLevel(level)


class _Stderr(logging.Handler):
    """Writes each event to stderr in one go, so that those of several processes do not mix."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except Exception:
            self.handleError(record)


class _Formatter(logging.Formatter):
    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        self._secrets = sorted(filter(None, secrets), key=len, reverse=True)

    def event(self, record: logging.LogRecord) -> dict[str, Any]:
        """What is told of an event; `fields` of the record (logging's `extra`) come with it."""
        event = {
            "at": format_timestamp(int(record.created * 1000)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if request := request_id.get():
            event["request"] = request
        if record.exc_info:
            event["traceback"] = self.formatException(record.exc_info)
        return {name: self._hide(value) if isinstance(value, str) else value for name, value in event.items()}

    def _hide(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        return _API_KEY.sub(_HIDDEN, text)


class _TextFormatter(_Formatter):
    def format(self, record: logging.LogRecord) -> str:
        event = self.event(record)
        request = f" [{event['request']}]" if "request" in event else ""
        line = f"{event['at']} {event['level']} {event['logger']}{request}: {event['message']}"
        return "\n".join(filter(None, (line, event.get("traceback"))))


class _JsonFormatter(_Formatter):
    def format(self, record: logging.LogRecord) -> str:
        # As ASCII: a path may hold anything, lone surrogates included.
        return json.dumps(self.event(record), default=str)

"""What is known of the request that is being answered, for the log."""

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class CurrentRequest:
    """`waited` are seconds for which the client asked us to wait, `cause` is why the request failed."""

    waited: float = 0.0
    cause: Exception | None = None


_current: ContextVar[CurrentRequest] = ContextVar("current_request")


def begin() -> CurrentRequest:
    """A new request."""
    request = CurrentRequest()
    _current.set(request)
    return request


def current() -> CurrentRequest:
    """The request that this code works for."""
    return _current.get()

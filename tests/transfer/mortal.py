"""A store that is lost at a moment of the test's choice. To what is in it a killed process is the same."""

from typing import Any

import redis

from matchmaker.store.client import Client


class Mortal:
    """A client that hears no answer to a command, counted from 1, and then can reach nobody any more."""

    def __init__(self, client: Client, last: int) -> None:
        self._client = client
        self._left = last

    def execute_command(self, *words: Any) -> Any:
        if not self._left:
            raise redis.ConnectionError("nobody there")
        self._left -= 1
        reply = self._client.execute_command(*words)
        if not self._left:
            raise redis.ConnectionError("no answer")
        return reply

"""Connections that break before an answer comes: clients send a command again then."""

from typing import Any

from matchmaker.store.call import script
from matchmaker.store.client import Client


class Repeating:
    """A client of which each command reaches the server twice; only the second answer is heard.

    But for the script `but`, if there is one.
    """

    def __init__(self, client: Client, but: str | None = None) -> None:
        self._client = client
        self._sha = script(but).sha if but else None

    def execute_command(self, *words: Any) -> Any:
        if self._sha is None or self._sha not in words:
            self._client.execute_command(*words)
        return self._client.execute_command(*words)

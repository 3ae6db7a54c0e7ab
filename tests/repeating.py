"""Connections that break before an answer comes: clients send a command again then."""

from typing import Any

from matchmaker.store.client import Client


class Repeating:
    """A client of which each command reaches the server twice; only the second answer is heard."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def execute_command(self, *words: Any) -> Any:
        self._client.execute_command(*words)
        return self._client.execute_command(*words)

"""A client that lets something else happen just before a commit."""

from collections.abc import Callable
from typing import Any

from matchmaker.store.call import script
from matchmaker.store.client import Client


class Interrupted:
    """Passes everything on to `client`; before the first commit it calls `interruption`."""

    def __init__(self, client: Client, interruption: Callable[[], object]) -> None:
        self._client = client
        self._interruption: Callable[[], object] | None = interruption

    def execute_command(self, *words: Any) -> Any:
        if script("commit").sha in words and self._interruption:
            interruption, self._interruption = self._interruption, None
            interruption()
        return self._client.execute_command(*words)

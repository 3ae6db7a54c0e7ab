"""The preset ladders, brought into a store."""

from matchmaker.errors import ConflictError
from matchmaker.ladder import Ladder
from matchmaker.presets import PRESETS
from matchmaker.store import ladders
from matchmaker.store.client import Store


def create_presets(store: Store) -> list[str]:
    """Creates those of the preset ladders that don't exist yet, and returns their ids.

    The others stay as they were changed.
    """
    return [
        ladder.id
        for ladder in PRESETS
        if store.run(ladders.read(ladder.id)) is None and _created(store, ladder)
    ]


def _created(store: Store, ladder: Ladder) -> bool:
    store.run(ladders.announce(ladder.id))
    try:
        store.run(ladders.put(ladder))
    except ConflictError:  # somebody imports it at this moment
        return False
    for fence, witness in ladders.witnesses(ladder.id):
        store.confirm(fence, witness)
    return True

"""The preset ladders, brought into a store."""

from matchmaker.presets import PRESETS
from matchmaker.store import ladders
from matchmaker.store.client import Store


def create_presets(store: Store) -> list[str]:
    """Creates those of the preset ladders that don't exist yet, and returns their ids.

    The others stay as they were changed.
    """
    missing = [ladder for ladder in PRESETS if store.run(ladders.read(ladder.id)) is None]
    for ladder in missing:
        store.run(ladders.announce(ladder.id))
        store.run(ladders.put(ladder))
    return [ladder.id for ladder in missing]

"""Letting a ladder go on under other settings with all that was ever played, and back."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from matchmaker.cli import output, replay_output
from matchmaker.cli.what_if import Wish

if TYPE_CHECKING:
    from matchmaker.folding import Told
    from matchmaker.store.client import Store
    from matchmaker.store.generations import Swapped


def apply(ladder: str, wish: Wish, as_json: bool) -> None:
    """Rates all that was ever played under the settings, and lets the ladder go on with that.

    Raises NotFoundError, InvalidInputError, OSError, ConflictError; and that `settings_in_force` where the
    settings that are wished for are in force: whoever repeats what was done keeps what was kept for `undo`.
    """

    def rebuild(store: "Store", told: "Told") -> "Swapped":
        from matchmaker import rebuilding
        from matchmaker.cli.contenders import of_settings
        from matchmaker.errors import ConflictError

        present = of_settings(ladder, store.edition(ladder).ladder)
        changed = wish.of(present)
        if wish and (changed.rule, changed.initial_rating) == (present.rule, present.initial_rating):
            raise ConflictError(
                "settings_in_force",
                f"Ladder {ladder!r} has these settings already; nothing was done. (Without settings, --apply "
                "rebuilds a ladder under its own.)",
            )
        return rebuilding.apply(store, ladder, changed.rule, changed.initial_rating, told)

    _swap(ladder, rebuild, as_json)


def undo(ladder: str, as_json: bool) -> None:
    """Lets the ladder go on with what was live before the last swap. Raises NotFoundError, ConflictError."""

    def take_back(store: "Store", told: "Told") -> "Swapped":
        from matchmaker import rebuilding

        return rebuilding.undo(store, ladder, told)

    _swap(ladder, take_back, as_json)


def _swap(ladder: str, swap: "Callable[[Store, Told], Swapped]", as_json: bool) -> None:
    from matchmaker.chronicle import look_up
    from matchmaker.cli.progress import progress_bar
    from matchmaker.cli.session import open_store
    from matchmaker.folding import fold_to_rest
    from matchmaker.store import generations

    began, folded = time.monotonic(), 0
    with progress_bar() as progress, open_store() as store:
        bar = progress.add_task("Rebuilding", total=look_up(store, ladder).entries)

        def tell(entries: int) -> None:
            nonlocal folded
            folded += entries
            progress.advance(bar, entries)

        swapped = swap(store, tell)
        seconds = time.monotonic() - began
        if swapped.call:
            fold_to_rest(store, ladder)
        edition = look_up(store, ladder).edition
        kept = store.run(generations.kept(edition.keys))
    replay_output.show_swap(edition, kept, folded, seconds, as_json)


def forget(ladder: str, as_json: bool) -> None:
    """Frees what is kept for `undo`. Raises NotFoundError, ConflictError."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import generations

    with open_store() as store:
        keys = store.edition(ladder).keys
        was_kept = store.run(generations.forget(keys))
        store.confirm(keys.fence, generations.kept(keys).then(lambda kept: kept is None))
    if as_json:
        output.write_json({"ladder": ladder, "forgotten": was_kept})
    else:
        print("What was kept is free." if was_kept else "Nothing was kept.")

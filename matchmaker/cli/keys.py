"""`matchmaker keys`."""

import operator
import secrets
import sys
import time
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.text import Text

from matchmaker.apikeys import ENTROPY_BYTES, Key, Scope, make
from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson

keys = typer.Typer(help="Make, list and revoke the keys of the HTTP API.", no_args_is_help=True)


@keys.command()
def create(
    scope: Annotated[
        Scope, typer.Option(help="How far the key reaches; each scope includes those before it.")
    ],
    ladder: Annotated[
        list[str] | None, typer.Option(help="Ladder that the key is for; may be repeated. Without it: all.")
    ] = None,
    label: Annotated[str, typer.Option(help="What or whom the key is for.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make a key. Its secret is kept nowhere, so the key is shown only this once."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import apikeys
    from matchmaker.store.keys import API_KEYS_FENCE

    key, text = make(
        secrets.token_bytes(ENTROPY_BYTES),
        scope=scope,
        ladders=tuple(ladder or ()),
        label=label,
        created_at=time.time_ns() // 1_000_000,
    )
    with open_store() as store:
        for each in key.ladders:
            store.edition(each)
        store.run(apikeys.create(key))
        store.confirm(API_KEYS_FENCE, apikeys.find(key.id).then(bool))
    if as_json:
        output.write_json({"key": text, **_document(key)})
    else:
        print(text)
        print(f"This is key {key.id}. Keep it: it is shown only this once.", file=sys.stderr)


@keys.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the keys, without their secrets, and when they were last used, to a minute or so."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import apikeys

    with open_store() as store:
        kept = store.run(apikeys.index())
        uses = store.run(apikeys.uses([key.id for key in kept])) if kept else []
    documents = [_document(key, last_used) for key, last_used in zip(kept, uses, strict=True)]
    if as_json:
        output.write_json(documents)
        return
    table = output.table("Id", "Scope", "Ladders", "Label", "Made at", "Last used")
    for key, document in zip(kept, documents, strict=True):
        ladders, last_used = ", ".join(key.ladders) or "all", document["last_used"] or "never"
        words = (document["created_at"], last_used)
        table.add_row(Text(key.id), Text(key.scope), Text(ladders), output.name(key.label), *map(Text, words))
    output.show(table)


@keys.command()
def revoke(key_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the key, as listed.")]) -> None:
    """Revoke a key: from now on it opens nothing."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import apikeys
    from matchmaker.store.keys import API_KEYS_FENCE

    with open_store() as store:
        store.run(apikeys.revoke(key_id))
        store.run(apikeys.forget_use(key_id))
        store.confirm(API_KEYS_FENCE, apikeys.find(key_id).then(operator.not_))
    print(f"Key {key_id} is revoked.")


def _document(key: Key, last_used: int | None = None) -> dict[str, Any]:
    """All that may be known of a key. `last_used` is in milliseconds since the epoch, None for never."""
    from matchmaker.timestamps import format_timestamp

    record = asdict(key) | {
        "created_at": format_timestamp(key.created_at),
        "last_used": None if last_used is None else format_timestamp(last_used),
    }
    del record["digest"]
    return record

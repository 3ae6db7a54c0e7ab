"""`matchmaker ladder`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId
from matchmaker.cli.dotted import flatten
from matchmaker.cli.ladder_settings import Change, changed, check_settings, parse_change, read_settings

if TYPE_CHECKING:
    from matchmaker.ladder import Ladder

ladder = typer.Typer(help="Create and show ladders.", no_args_is_help=True)


@ladder.command()
def create(
    ladder_id: LadderId,
    file: Annotated[Path | None, typer.Option(help="JSON file with the ladder's settings.")] = None,
    rule: Annotated[
        str | None, typer.Option(help="Rating rule: initiator_k, performance, match_length or openskill.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="What people call the ladder.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting such as pool.size=20; may be repeated."),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="Change a ladder that exists. What is not named stays; with --file it gets its default.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Create a ladder from a file, from options, or from both; options count more.

    Everything but the rule has a default. `matchmaker ladder show` names all settings.
    """
    from matchmaker.cli.session import open_store
    from matchmaker.errors import ConflictError
    from matchmaker.folding import fold_to_rest
    from matchmaker.store import ladders

    changes: list[Change] = [("rule.name", rule)] if rule is not None else []
    changes += [("title", title)] if title is not None else []
    changes += map(parse_change, set_ or [])
    wanted = None
    if file or not replace:  # checked before there is a store: bad settings make none
        wanted = check_settings(changed(read_settings(file) if file else {}, changes), ladder_id)
    with open_store(may_create=True) as store:
        known = store.run(ladders.read(ladder_id))
        if wanted is None:
            present = _document(known.ladder) if known else {}
            wanted = check_settings(changed(present, changes), ladder_id)
        if known and known.ladder != wanted and not replace:
            raise ConflictError(
                "ladder_exists",
                f"Ladder {ladder_id!r} exists with other settings; --replace changes them.",
            )
        store.run(ladders.announce(ladder_id))
        outcome, must_fold = store.run(ladders.put(wanted))
        if must_fold:
            fold_to_rest(store, ladder_id)
        for fence, witness in ladders.witnesses(ladder_id):
            store.confirm(fence, witness)
    if as_json:
        output.write_json(_document(wanted))
    else:
        print(f"Ladder {ladder_id}: {outcome}")


@ladder.command()
def show(ladder_id: LadderId, as_json: AsJson = False) -> None:
    """Show every setting of a ladder by the name that `create --set` takes."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import generations

    with open_store() as store:
        edition = store.edition(ladder_id)
        document, kept = _document(edition.ladder), store.run(generations.kept(edition.keys))
    if as_json:
        output.write_json(document)
        return
    output.show(output.pairs((name, _shown(value)) for name, value in flatten(document)))
    if kept:
        print(
            f"\nGeneration {edition.generation} is live, {kept.number} is kept for `replay --undo` "
            f"({kept.rule.name}, initial rating {kept.initial_rating:g})"
        )


@ladder.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the ladders, with the number of their players."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import boards, ladders

    with open_store() as store:
        found = [edition for each in store.run(ladders.index()) if (edition := store.run(ladders.read(each)))]
        sizes = [
            store.on(edition.ladder.id, lambda edition: boards.page(edition, 0, 1)).total for edition in found
        ]
    if as_json:
        output.write_json(
            [
                _document(edition.ladder) | {"players": size}
                for edition, size in zip(found, sizes, strict=True)
            ]
        )
        return
    table = output.table("Id", "Title", "Rule", "Players", right=("Players",))
    for edition, size in zip(found, sizes, strict=True):
        each = edition.ladder
        table.add_row(Text(each.id), output.name(each.title), Text(each.rule.name), output.number(size))
    output.show(table)


@ladder.command()
def presets(as_json: AsJson = False) -> None:
    """Create those of the preset ladders that are missing."""
    from matchmaker.cli.session import open_store
    from matchmaker.store.presets import create_presets

    with open_store(may_create=True) as store:
        created = create_presets(store)
    if as_json:
        output.write_json(created)
    else:
        print(f"Created: {', '.join(created)}" if created else "All preset ladders are there.")


def _document(ladder: "Ladder") -> dict[str, Any]:
    document: dict[str, Any] = ladder.model_dump(mode="json")
    return {"id": document.pop("id"), **document}


def _shown(value: Any) -> Text:
    return Text(output.visible(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)))

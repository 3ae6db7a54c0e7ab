"""`matchmaker ladder`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId
from matchmaker.cli.dotted import flatten, place

if TYPE_CHECKING:
    from matchmaker.ladder import Ladder

ladder = typer.Typer(help="Create and show ladders.", no_args_is_help=True)


@ladder.command()
def create(
    ladder_id: LadderId,
    file: Annotated[Path | None, typer.Option(help="JSON file with the ladder's settings.")] = None,
    rule: Annotated[
        str | None, typer.Option(help="Rating rule: initiator_k, performance or match_length.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="What people call the ladder.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting such as pool.size=20; may be repeated."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Change the settings of a ladder that exists.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Create a ladder from a file, from options, or from both; options count more.

    Everything but the rule has a default. `matchmaker ladder show` names all settings.
    """
    from matchmaker.cli.session import open_store
    from matchmaker.errors import ConflictError
    from matchmaker.store import ladders

    settings = _read(file) if file else {}
    for name, value in (("rule.name", rule), ("title", title)):
        if value is not None:
            place(settings, name, value)
    for setting in set_ or []:
        name, equals, text = setting.partition("=")
        if not equals:
            raise typer.BadParameter(f"{setting!r} is not of the form NAME=VALUE", param_hint="--set")
        place(settings, name, _value(text))
    wanted = _ladder(settings, ladder_id)
    with open_store(may_create=True) as store:
        known = store.run(ladders.read(ladder_id))
        if known and known.ladder != wanted and not replace:
            raise ConflictError(
                "ladder_exists",
                f"Ladder {ladder_id!r} exists with other settings; --replace changes them.",
            )
        store.run(ladders.announce(ladder_id))
        outcome, _ = store.run(ladders.put(wanted))
    if as_json:
        output.write_json(_document(wanted))
    else:
        print(f"Ladder {ladder_id}: {outcome}")


@ladder.command()
def show(ladder_id: LadderId, as_json: AsJson = False) -> None:
    """Show every setting of a ladder by the name that `create --set` takes."""
    from matchmaker.cli.session import open_store

    with open_store() as store:
        document = _document(store.edition(ladder_id).ladder)
    if as_json:
        output.write_json(document)
    else:
        output.show(output.pairs((name, _shown(value)) for name, value in flatten(document)))


@ladder.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the ladders."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import boards, ladders

    with open_store() as store:
        found = [edition for each in store.run(ladders.index()) if (edition := store.run(ladders.read(each)))]
        sizes = [
            store.on(edition.ladder.id, lambda edition: boards.page(edition, 0, 1)).total for edition in found
        ]
    if as_json:
        output.write_json([_document(edition.ladder) for edition in found])
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


def _read(file: Path) -> dict[str, Any]:
    from matchmaker.errors import InvalidInputError

    try:
        settings = json.loads(file.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise InvalidInputError(f"{file} is not JSON: {error}") from None
    if not isinstance(settings, dict):
        raise InvalidInputError(f"{file} must hold a JSON object")
    return settings


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _ladder(settings: dict[str, Any], ladder_id: str) -> "Ladder":
    from pydantic import ValidationError

    from matchmaker.errors import InvalidInputError
    from matchmaker.ladder import Ladder
    from matchmaker.validation import invalid_input

    if settings.setdefault("id", ladder_id) != ladder_id:
        raise InvalidInputError(
            f"the settings are those of a ladder {settings['id']!r}, not of {ladder_id!r}"
        )
    try:
        return Ladder.model_validate_json(json.dumps(settings))
    except ValidationError as error:
        raise invalid_input(error) from None


def _document(ladder: "Ladder") -> dict[str, Any]:
    document: dict[str, Any] = ladder.model_dump(mode="json")
    return {"id": document.pop("id"), **document}


def _shown(value: Any) -> Text:
    return Text(output.visible(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)))

"""`matchmaker dispute`."""

import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId, NoteText, PlayerId, checked
from matchmaker.dispute import Closing, Dispute, Status, Verdict

if TYPE_CHECKING:
    from matchmaker.results import Result
    from matchmaker.store.ladders import Edition
    from matchmaker.store.reports import Report

dispute = typer.Typer(help="List and close what players dispute.", no_args_is_help=True)


@dispute.command("list")
def list_(
    ladder: LadderId,
    status: Annotated[Status, typer.Option(help="Which disputes.")] = "open",
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="Disputes to show.")] = 50,
    offset: Annotated[int, typer.Option(min=0, help="Disputes to leave out first.")] = 0,
    as_json: AsJson = False,
) -> None:
    """List disputes, those first that came first, with the arithmetic of the changes."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import disputes

    with open_store() as store:
        edition = store.edition(ladder)
        total, found = store.follow(
            ladder, lambda edition: disputes.page(edition.keys, status, offset, limit)
        )
    if as_json:
        output.write_json({"total": total, "entries": [_case(*each, edition) for each in found]})
        return
    for each, report in found:
        output.show(output.pairs(_lines(each, report, edition)))
        print()
    print(f"{len(found):,} of {output.counted(total, f'{status} dispute')}")


@dispute.command()
def close(
    ladder: LadderId,
    result: Annotated[str, typer.Argument(metavar="RESULT", help="Id of the result.")],
    player: PlayerId,
    verdict: Annotated[
        Verdict, typer.Option("--as", help="Whether something was done about it, or nothing had to be.")
    ],
    note: NoteText,
    as_json: AsJson = False,
) -> None:
    """Close a player's dispute, once and with a note."""
    from matchmaker.cli.session import open_store
    from matchmaker.identifiers import Note
    from matchmaker.moderation import BY_COMMAND_LINE
    from matchmaker.store import disputes

    closing = Closing(verdict, checked(Note, note, "--note"), BY_COMMAND_LINE, time.time_ns() // 1_000_000)
    with open_store() as store:
        closed = store.follow(ladder, lambda edition: disputes.close(edition.keys, player, result, closing))
        keys = store.edition(ladder).keys
        store.confirm(keys.fence, disputes.holds(keys, closed))
    if as_json:
        output.write_json(_document(closed))
    else:
        print(f"The dispute is {closed.status}.")


def _document(dispute: Dispute) -> dict[str, Any]:
    """As the HTTP API answers it."""
    from matchmaker.timestamps import format_timestamp

    document = asdict(dispute) | {"at": format_timestamp(dispute.at), "status": dispute.status}
    if dispute.closing:
        document["closing"]["at"] = format_timestamp(dispute.closing.at)
    else:
        del document["closing"]
    return document


def _case(dispute: Dispute, report: "Report", edition: "Edition") -> dict[str, Any]:
    """The same with the result, and the arithmetic of what that changed."""
    result = report.logged.result
    return {
        **_document(dispute),
        "result_status": report.status,
        **result.told,
        "arithmetic": [
            {
                "player": change.player,
                "before": change.before,
                "after": change.after,
                "terms": [asdict(term) for term in explanation.terms],
            }
            for change, explanation in report.explained(edition)
        ],
    }


def _ending(result: "Result") -> Text:
    sides = [Text(" and ").join(map(output.name, side)) for side in result.sides]
    if result.free_for_all:
        places = zip(result.ranks, sides, strict=True)
        return Text(", ").join(Text.assemble(f"{rank}: ", side) for rank, side in places)
    return Text.assemble(sides[0], f", {result.outcome} against ", sides[1])


def _lines(dispute: Dispute, report: "Report", edition: "Edition") -> Iterator[tuple[str, Text]]:
    from matchmaker.timestamps import format_timestamp

    result = report.logged.result
    yield "player", output.name(dispute.player)
    yield "felt", Text(dispute.felt)
    yield "note", output.line(dispute.note or "-")
    yield "at", Text(format_timestamp(dispute.at // 1000 * 1000))
    yield "result", output.name(dispute.result).append(f" ({report.status})")
    yield (
        "outcome",
        _ending(result),
    )
    for change, explanation in report.explained(edition):
        for place, line in enumerate(explanation.lines):
            yield ("" if place else output.visible(change.player)), output.line(line)
    if dispute.closing:
        yield dispute.closing.verdict, output.line(dispute.closing.note)

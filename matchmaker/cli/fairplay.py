"""`matchmaker fairplay` and `matchmaker dismiss`: what moderators look at."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId, NoteText, PlayerId, checked

if TYPE_CHECKING:
    from matchmaker.fairplay import Flag, Indication
    from matchmaker.reviewing import Look
    from matchmaker.store.client import Store
    from matchmaker.store.flags import Dismissal, Raised


def fairplay(
    ladder: LadderId,
    player: Annotated[
        str | None, typer.Argument(metavar="PLAYER", help="Show all indicators of this player.")
    ] = None,
    flag: Annotated[
        str | None, typer.Option(metavar="FLAG", help="Only flags of this kind, such as win_trading.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="Flags to show.")] = 100,
    offset: Annotated[int, typer.Option(min=0, help="Flags to leave out first.")] = 0,
    as_json: AsJson = False,
) -> None:
    """List the players whom a moderator should look at, those first that were flagged first.

    With PLAYER: what the indicators say of this one at the moment, raised or not.
    """
    from matchmaker.cli.session import open_store
    from matchmaker.store import flags

    kind = None if flag is None else _flag(flag, "--flag")
    with open_store() as store:
        if player is not None:
            _show_player(store, ladder, player, kind, as_json)
            return
        keys = store.edition(ladder).keys
        total, entries = store.run(flags.queue(keys, kind, offset, limit))
    if as_json:
        output.write_json({"total": total, "entries": [_raised(each) for each in entries]})
    else:
        _show_queue(total, entries)


def dismiss(
    ladder: LadderId,
    player: PlayerId,
    flag: Annotated[str, typer.Argument(metavar="FLAG", help="Such as win_trading.")],
    note: NoteText,
    as_json: AsJson = False,
) -> None:
    """Dismiss a flag. It is raised again only if what happens from now on raises it by itself."""
    from matchmaker.cli.session import open_store
    from matchmaker.identifiers import Note
    from matchmaker.moderation import BY_COMMAND_LINE
    from matchmaker.store import flags

    kind, reason = _flag(flag, "FLAG"), checked(Note, note, "--note")
    with open_store() as store:
        keys = store.edition(ladder).keys
        dismissal = store.run(flags.dismiss(keys, player, kind, by=BY_COMMAND_LINE, note=reason))
        store.confirm(keys.fence, flags.dismissed(keys, player, kind, dismissal))
    if as_json:
        output.write_json(_dismissal(dismissal))
    else:
        print(f"{flag} of {output.visible(player)} is dismissed.")


def _flag(text: str, where: str) -> "Flag":
    from matchmaker.fairplay import FLAGS

    for flag in FLAGS:
        if flag == text:
            return flag
    raise typer.BadParameter(f"is one of {', '.join(FLAGS)}", param_hint=where)


def _show_player(store: "Store", ladder: str, player: str, flag: "Flag | None", as_json: bool) -> None:
    from matchmaker.reviewing import look_at

    now = time.time_ns() // 1_000_000
    record, looks = store.follow(ladder, partial(look_at, player=player, now=now))
    shown = [look for look in looks if flag in (None, look.indication.flag)]
    if as_json:
        counts = {"results": len(record.encounters), "battles": len(record.battles)}
        output.write_json({"player": player, **counts, "indicators": [_look(each) for each in shown]})
        return
    table = output.table("Flag", "Value", "Limit", "", "What it says", right=("Value", "Limit"))
    for look in shown:
        table.add_row(*_words(look.indication), Text(_state(look)), output.line(look.indication.sentence))
    output.show(table)


def _show_queue(total: int, entries: "Sequence[Raised]") -> None:
    from matchmaker.timestamps import format_timestamp

    table = output.table("Player", "Name", "Since", "Flag", "Value", "Limit", "What it says")
    for each in entries:
        table.add_row(
            output.name(each.player),
            output.name(each.name or "-"),
            Text(format_timestamp(each.since // 1000 * 1000)),
            *_words(each.indication),
            output.line(each.indication.sentence),
        )
    output.show(table)
    print(f"{len(entries):,} of {output.counted(total, 'flag')}")


def _words(indication: "Indication") -> tuple[Text, Text, Text]:
    return Text(indication.flag), Text(f"{indication.value:.3g}"), Text(f"{indication.threshold:.3g}")


def _state(look: "Look") -> str:
    if look.since is not None:
        return "raised"
    return "dismissed" if look.dismissal else ""


def _raised(flag: "Raised") -> dict[str, Any]:
    """As the HTTP API answers it."""
    from matchmaker.timestamps import format_timestamp

    return {
        **asdict(flag.indication),
        "player": flag.player,
        "name": flag.name,
        "since": format_timestamp(flag.since),
    }


def _look(look: "Look") -> dict[str, Any]:
    from matchmaker.timestamps import format_timestamp

    document = asdict(look.indication)
    if look.since is not None:
        document["since"] = format_timestamp(look.since)
    if look.dismissal:
        document["dismissed"] = _dismissal(look.dismissal)
    return document


def _dismissal(dismissal: "Dismissal") -> dict[str, Any]:
    from matchmaker.timestamps import format_timestamp

    return asdict(dismissal) | {"at": format_timestamp(dismissal.at)}

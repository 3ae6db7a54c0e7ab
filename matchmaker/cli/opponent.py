"""`matchmaker opponent`."""

import secrets
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, LadderId

if TYPE_CHECKING:
    from matchmaker.store.battles import Battle, Fighter
    from matchmaker.store.ladders import Edition


def opponent(
    ladder: LadderId,
    challenger: Annotated[str, typer.Argument(metavar="CHALLENGER", help="Id of the player who asks.")],
    exclude: Annotated[
        list[str] | None, typer.Option(metavar="PLAYER", help="Player who may not be drawn; may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a fair opponent and open the battle; a challenger's open battle is shown again."""
    from matchmaker.cli.session import open_store
    from matchmaker.store import battles

    request = battles.Request(
        challenger,
        exclude or [],
        battle_id=secrets.token_hex(12),
        seed=secrets.randbits(31),
        now=time.time_ns() // 1_000_000,
    )
    with open_store() as store:
        drawn = store.on(ladder, lambda edition: battles.issue(edition, request))
        edition = store.edition(ladder)
        battle = store.run(battles.find(edition.keys, drawn))[0] if isinstance(drawn, str) else drawn
        store.confirm(edition.keys.fence, battles.find(edition.keys, battle.id).then(bool))
    if as_json:
        output.write_json(_document(edition, battle))
    else:
        output.show(output.pairs(_lines(edition, battle)))


def _document(edition: "Edition", battle: "Battle") -> dict[str, Any]:
    """As the HTTP API answers it."""
    from matchmaker.timestamps import format_timestamp

    pool = asdict(battle.pool)
    del pool["lines"]
    return {
        "id": battle.id,
        "ladder": edition.ladder.id,
        "status": battle.status,
        "challenger": output.as_answered(battle.challenger),
        "opponent": output.as_answered(battle.opponent),
        "expected_score": battle.expected_score(edition.ladder.rule),
        "pool": pool,
        "created_at": format_timestamp(battle.created_at),
        "expires_at": format_timestamp(battle.expires_at),
    }


def _lines(edition: "Edition", battle: "Battle") -> list[tuple[str, Text]]:
    from matchmaker.timestamps import format_timestamp

    pool = battle.pool
    return [
        ("battle", Text(battle.id)),
        ("challenger", _fighter(battle.challenger)),
        ("opponent", _fighter(battle.opponent)),
        ("expected score", Text(f"{battle.expected_score(edition.ladder.rule):.3f}")),
        (
            "pool",
            Text(f"{pool.below} from below, {pool.above} from above ({pool.low:.1f} to {pool.high:.1f})"),
        ),
        ("open until", Text(format_timestamp(battle.expires_at // 1000 * 1000))),
    ]


def _fighter(fighter: "Fighter") -> Text:
    shown = output.name(fighter.player)
    if fighter.name:
        shown = Text.assemble(shown, " ", output.name(fighter.name))
    return shown.append(f" ({fighter.rating:.1f})")

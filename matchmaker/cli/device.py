"""`matchmaker device`."""

import secrets
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson, Why, checked

if TYPE_CHECKING:
    from matchmaker.store.client import Store

device = typer.Typer(
    help="Show who was seen on a device, block it, unblock it. Devices are texts from the games.",
    no_args_is_help=True,
)

DeviceText = Annotated[str, typer.Argument(metavar="DEVICE", help="The device, as the game sends it.")]


@device.command()
def show(device: DeviceText, as_json: AsJson = False) -> None:
    """Show who was seen on a device, and whether it is blocked."""
    from matchmaker.cli.session import open_store

    with open_store() as store:
        _show(store, _tag(store, device), as_json)


@device.command()
def block(
    device: DeviceText,
    reason: Why,
    as_json: AsJson = False,
) -> None:
    """Suspend everybody who was seen on a device, in every ladder, and whoever is seen on it later."""
    from matchmaker.cli.session import open_store
    from matchmaker.devices import Block
    from matchmaker.identifiers import Reason
    from matchmaker.moderation import BY_COMMAND_LINE
    from matchmaker.store.blocks import block_device

    made = Block(BY_COMMAND_LINE, checked(Reason, reason, "--reason"), time.time_ns() // 1_000_000)
    with open_store() as store:
        tag = _tag(store, device)
        for fence, witness in store.carry_out(block_device(tag, made, secrets.token_hex(12))):
            store.confirm(fence, witness)
        _show(store, tag, as_json)


@device.command()
def unblock(device: DeviceText, as_json: AsJson = False) -> None:
    """Take back whoever was suspended for a device's sake alone."""
    from matchmaker.cli.session import open_store
    from matchmaker.store.blocks import unblock_device

    with open_store() as store:
        tag = _tag(store, device)
        for fence, witness in store.carry_out(unblock_device(tag, secrets.token_hex(12))):
            store.confirm(fence, witness)
        _show(store, tag, as_json)


def _tag(store: "Store", device: str) -> bytes:
    """What stands for the device. Raises ConflictError under another key than the API's."""
    from matchmaker.config import load_settings
    from matchmaker.device_key import device_key
    from matchmaker.devices import Device, tag_of
    from matchmaker.errors import ConflictError
    from matchmaker.store import devices

    checked(Device, device, "DEVICE")
    key = device_key(load_settings())
    if not store.run(devices.claim_key(key)):
        raise ConflictError(
            "other_device_key",
            "the devices of this store are hashed under another key: set MATCHMAKER_DEVICE_KEY or "
            "MATCHMAKER_DATA_DIR to that of the API",
        )
    return tag_of(device, key)


def _show(store: "Store", tag: bytes, as_json: bool) -> None:
    from matchmaker.store import blocks
    from matchmaker.timestamps import format_timestamp

    found, seen = store.run(blocks.find(tag)), store.run(blocks.accounts(tag))
    accounts: list[dict[str, Any]] = [
        {"ladder": each.ladder, "player": each.player, "since": format_timestamp(each.since)} for each in seen
    ]
    if as_json:
        block = found and {"by": found.by, "reason": found.reason, "at": format_timestamp(found.at)}
        output.write_json({"blocked": found is not None, "block": block, "accounts": accounts})
        return
    if found:
        by, at = output.name(found.by), format_timestamp(found.at)
        output.show(Text.assemble("blocked by ", by, f" at {at}: ", output.visible(found.reason)))
    else:
        output.show(Text("not blocked"))
    table = output.table("Ladder", "Player", "Since")
    for account in accounts:
        table.add_row(Text(account["ladder"]), output.name(account["player"]), Text(account["since"]))
    output.show(table)

"""Devices: who was seen on one, and blocking it."""

from datetime import datetime
from typing import Annotated, Self

from fastapi import Path
from pydantic import BaseModel, ConfigDict
from starlette.convertors import Convertor, register_url_convertor

from api.access import Admin
from api.engine import Engine, EngineDep
from api.routing import router
from api.shapes import Body, DecisionOut, instant
from matchmaker.devices import Block, Device
from matchmaker.identifiers import Reason
from matchmaker.store import blocks
from matchmaker.store.blocks import Account


class _Blockless(Convertor[str]):
    """A device in an address, which may hold slashes. One that ends like the address of a block is none."""

    regex = r"(?![\s\S]*/block$)[\s\S]+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


class _Blocked(_Blockless):
    """The same in the address of its block."""

    regex = r"[\s\S]+"


register_url_convertor("device", _Blockless())
register_url_convertor("blocked", _Blocked())

endpoints = router("/v1/devices", "devices")

DevicePath = Annotated[Device, Path(examples=["a9f3c1d2"])]


class BlockRequest(Body):
    """Why the device is blocked."""

    model_config = ConfigDict(json_schema_extra={"example": {"reason": "three accounts that trade wins"}})

    reason: Reason


class AccountOut(BaseModel):
    """A player of a ladder, and when it was first seen on the device."""

    ladder: str
    player: str
    since: datetime

    @classmethod
    def of(cls, account: Account) -> Self:
        return cls(ladder=account.ladder, player=account.player, since=instant(account.since))


class DeviceOut(BaseModel):
    """A device: whether it is blocked, and everybody who was ever seen on it, first come first."""

    blocked: bool
    block: DecisionOut | None
    accounts: list[AccountOut]


@endpoints.get("/{device:device}")
async def device(engine: EngineDep, key: Admin, device: DevicePath) -> DeviceOut:
    """The accounts that were seen on a device, and its block. Scope `admin`.

    A device that nobody has heard of has no accounts.
    """
    return await _device(engine, await engine.sightings.tag(device))


@endpoints.post("/{device:blocked}/block")
async def block(engine: EngineDep, key: Admin, device: DevicePath, body: BlockRequest) -> DeviceOut:
    """Blocks a device: everybody who was seen on it is suspended, in every ladder, and so is whoever is seen
    on it later. Scope `admin`.

    The first block stands, by whom and why; another one suspends again whoever was taken back meanwhile.
    """
    tag = await engine.sightings.tag(device)
    made = Block(key.id, body.reason, engine.now())
    await engine.sightings.carry_out(blocks.block_device(tag, made, engine.fresh_id()))
    return await _device(engine, tag)


@endpoints.delete("/{device:blocked}/block")
async def unblock(engine: EngineDep, key: Admin, device: DevicePath) -> DeviceOut:
    """Unblocks a device: whoever was suspended for its sake comes back, but for those whom another blocked
    device or a moderator holds. Scope `admin`. A device that is not blocked stays so."""
    tag = await engine.sightings.tag(device)
    await engine.sightings.carry_out(blocks.unblock_device(tag, engine.fresh_id()))
    return await _device(engine, tag)


async def _device(engine: Engine, tag: bytes) -> DeviceOut:
    found = await engine.store.run(blocks.find(tag))
    accounts = await engine.store.run(blocks.accounts(tag))
    return DeviceOut(
        blocked=found is not None,
        block=found and DecisionOut.of(found),
        accounts=[AccountOut.of(account) for account in accounts],
    )

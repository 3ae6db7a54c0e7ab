"""Devices as requests bring them: they are hashed at once, noted for their players, and may be blocked."""

import asyncio
import logging
from collections.abc import Iterable
from typing import Final

from api.durability import Durability
from matchmaker.devices import tag_of
from matchmaker.store import blocks, devices
from matchmaker.store.blocks import Witnesses
from matchmaker.store.call import Plan
from matchmaker.store.client import AsyncStore
from matchmaker.store.keys import DeviceKeys, LadderKeys

_FENCES: Final = 64
"""Sightings that are confirmed at the same time. Each device has a fence of its own, which takes a
connection, and a list of results may tell of 2,000."""

_log = logging.getLogger(__name__)


class Sightings:
    """Notes who was seen on which device. `key` is the secret under which devices are hashed."""

    def __init__(self, store: AsyncStore, durability: Durability, key: bytes) -> None:
        self._store = store
        self._durability = durability
        self._key = key
        self._key_is_checked = False
        self._fences = asyncio.Semaphore(_FENCES)

    async def tag(self, device: str) -> bytes:
        """What stands for the device."""
        if not self._key_is_checked:
            claimed = await self._store.run(devices.claim_key(self._key))
            self._key_is_checked = True
            if not claimed:
                _log.warning(
                    "Devices of earlier days are strangers, and so are those that other API processes see: "
                    "MATCHMAKER_DEVICE_KEY is not theirs"
                )
        return tag_of(device, self._key)

    async def note(self, ladder_id: str, seen: Iterable[tuple[str, str | None]], now: int) -> None:
        """Notes players of a ladder with the devices that they were seen on, at most 2,000. None is no
        device, and players who are not in the ladder are left out.

        Whoever was seen on a blocked device is suspended then. `now` is in milliseconds since the epoch.
        Raises NotFoundError for an unknown ladder.
        """
        tagged = [(player, await self.tag(device)) for player, device in seen if device is not None]
        if tagged:
            keys = (await self._store.edition(ladder_id)).keys
            new = await self._store.run(devices.unseen(keys, tagged))
            await asyncio.gather(*(self._note(ladder_id, *each, now) for each in dict.fromkeys(new)))

    async def _note(self, ladder_id: str, player: str, tag: bytes, now: int) -> None:
        # What the ladder remembers comes last: of whoever is interrupted before that, all is done again.
        block = await self._store.run(blocks.see(tag, ladder_id, player, now))
        async with self._fences:
            await self._durability.kept(DeviceKeys(tag).fence, blocks.is_seen(tag, ladder_id, player))
        if block:
            await self._store.carry_out(blocks.settle(tag, ladder_id, [player]))
        await self._store.run(devices.note(LadderKeys(ladder_id), player, tag))

    async def carry_out(self, plan: Plan[Witnesses]) -> None:
        """Blocks or unblocks a device; returns when that is as safe as the settings demand."""
        for fence, witness in await self._store.carry_out(plan):
            await self._durability.kept(fence, witness)

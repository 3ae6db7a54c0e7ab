"""On which devices the players of a ladder were seen, and who is linked with whom."""

from collections.abc import Sequence

from matchmaker.devices import MOST_TAGS, TAG_SIZE, split, tag_of
from matchmaker.fairplay.record import Shared
from matchmaker.store.call import Call, script
from matchmaker.store.keys import DEVICE_KEY_MARK, LadderKeys


def claim_key(key: bytes) -> Call[bool]:
    """Whether the devices in this store are hashed under this secret, or none were yet: then they are now."""
    mark = tag_of(DEVICE_KEY_MARK, key)
    return Call((mark,), lambda counts: bool(counts == mark), script("claim"), (DEVICE_KEY_MARK,))


def unseen(keys: LadderKeys, sightings: Sequence[tuple[str, bytes]]) -> Call[list[tuple[str, bytes]]]:
    """Those of these sightings (player, tag of the device; at least one, at most 2,000) that the ladder does
    not remember. Players who are not in the ladder are left out."""
    players = [player for player, _ in sightings]

    def decode(reply: list[list[bytes | None]]) -> list[tuple[str, bytes]]:
        return [
            (player, tag)
            for (player, tag), state, tags in zip(sightings, *reply, strict=True)
            if state is not None and tag not in split(tags or b"")
        ]

    return Call(players, decode, script("side_by_side"), (keys.states, keys.devices))


def note(keys: LadderKeys, player: str, tag: bytes) -> Call[None]:
    """Remembers that the player was seen on a device, and forgets all but its last MOST_TAGS devices."""
    return Call(
        (player, tag, MOST_TAGS * TAG_SIZE), lambda reply: None, script("note_device"), (keys.devices,)
    )


def links(keys: LadderKeys, player: str, others: Sequence[str]) -> Call[dict[str, Shared]]:
    """Which of these others (some thousands at most) share an owner or a device with the player, and which of
    the two; whoever shares both is told as of the same owner."""

    def decode(reply: list[list[bytes | None]]) -> dict[str, Shared]:
        (owner, *owners), (tags, *their_tags) = reply
        own, found = split(tags or b""), dict[str, Shared]()
        for other, their_owner, theirs in zip(others, owners, their_tags, strict=True):
            if owner is not None and their_owner == owner:
                found[other] = "owner"
            elif own & split(theirs or b""):
                found[other] = "device"
        return found

    return Call((player, *others), decode, script("side_by_side"), (keys.owners, keys.devices))

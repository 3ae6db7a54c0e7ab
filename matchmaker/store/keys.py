"""Every key name of the store, in one place.

All keys of a ladder carry the hash tag `{ladder}`, so that a ladder lives in one slot of a cluster. Ladder
ids have a narrow alphabet and player ids stand only at the end of a key, so that no id can imitate a key.
"""

from dataclasses import dataclass
from typing import Literal

LADDERS = "mm:ladders"
"""Set of the ids of all ladders."""

API_KEYS = "mm:api-keys"
"""Hash: id of an API key -> its record."""

API_KEY_USES = "mm:api-keys:used"
"""Hash: id of an API key -> when it was last used, in milliseconds since the epoch."""

RATES = "mm:rates:"
"""Beginning of the names of hashes that expire: requests in a window of time, by who made them."""

SWEEP = "mm:sweep"
"""Held by the process whose turn it is to look for sleeping ladders."""

ARCHIVE_LOOK = "mm:archive-look"
"""Held by the process whose turn it is to look for ladders to be archived, and for remains of rebuilds."""

AWAKE_MS = 5000
"""For how long a called or working folding job keeps others from being called. A job renews it with every
commit; if it is killed, the ladder can be woken again after this time."""
LADDERS_FENCE = "{mm:ladders}:fence"
"""Written behind a change of LADDERS, in the same slot, to wait for: see matchmaker.store.fences."""

API_KEYS_FENCE = "{mm:api-keys}:fence"
"""The same for API_KEYS."""


DEVICE_KEY_MARK = "mm:device-key"
"""What tells whether a secret is the one under which the devices in this store are hashed."""

UNFINISHED_BLOCKS = "mm:blocks:unfinished"
"""Hash: tag of a device -> a word of whoever has blocked or unblocked it last, until all its accounts are off
the board, or back."""


@dataclass(frozen=True, slots=True)
class DeviceKeys:
    """Key names of one device, by its tag; they share a slot, which is no ladder's."""

    tag: bytes

    def _key(self, noun: str) -> str:
        return f"mm:device:{{{self.tag.hex()}}}:{noun}"

    @property
    def accounts(self) -> str:
        """Hash: "ladder/player" -> when the player was first seen on the device, in milliseconds since the
        epoch."""
        return self._key("accounts")

    @property
    def block(self) -> str:
        """Hash: by whom the device is blocked, why, and since when; missing if it is not."""
        return self._key("block")

    @property
    def fence(self) -> str:
        """Written behind other writes of the device, to wait for: see matchmaker.store.fences."""
        return self._key("fence")


Place = Literal["live", "rebuilt", "previous"]
"""Which generation of what the fold makes of a ladder's log: the one that everybody sees, one that is being
rebuilt under other settings, the one that was live before and is kept."""


@dataclass(frozen=True, slots=True)
class LadderKeys:
    """Key names of one ladder.

    What depends on the rule (states, ratings, strengths, changes, and the cursor up to which they are made)
    has other names for a generation that is not the live one; the rest is what it is, whatever the rule.
    """

    ladder_id: str
    place: Place = "live"

    def _key(self, noun: str) -> str:
        return f"mm:{{{self.ladder_id}}}:{noun}"

    def _derived(self, noun: str) -> str:
        return self._key(noun if self.place == "live" else f"{self.place}:{noun}")

    @property
    def derived(self) -> tuple[str, ...]:
        """All keys of the generation."""
        return self.cursor, self.states, self.ratings, self.strengths, self.changes, self.archived_changes

    @property
    def ladder(self) -> str:
        """Hash: the settings as JSON, the revision that fences off stale readers, the log entry by which a
        player last joined, was renamed, left the board or came back; and, if the ladder was ever rebuilt, the
        eras of its log, the number of the live generation, the highest number so far, what must be known of
        the one that is kept, by whose word and with which log entry it was replaced, and how far an attempt
        to replace the live one has come."""
        return self._key("ladder")

    @property
    def log(self) -> str:
        """Stream: all that changes a rating, in order."""
        return self._key("log")

    @property
    def changes(self) -> str:
        """Stream: under the id of a log entry, what the fold made of it."""
        return self._derived("changes")

    @property
    def cursor(self) -> str:
        """Id of the last folded log entry; the version of the board."""
        return self._derived("cursor")

    @property
    def counters(self) -> str:
        """Hash: what the folding jobs of all machines have done, for the metrics."""
        return self._key("counters")

    @property
    def ids(self) -> str:
        """Hash: digest of a result id -> digest of its content and id of its log entry."""
        return self._key("ids")

    @property
    def adjustments(self) -> str:
        """Hash: digest of a player and the id of an adjustment -> digest of its content and id of its log
        entry."""
        return self._key("adjustments")

    @property
    def annulled(self) -> str:
        """Hash: log id of a result -> log id of its annulment."""
        return self._key("annulled")

    @property
    def states(self) -> str:
        """Hash: player -> packed state."""
        return self._derived("states")

    @property
    def ratings(self) -> str:
        """Sorted set of the players on the board."""
        return self._derived("ratings")

    @property
    def strengths(self) -> str:
        """Sorted set of the same players by what pools go by; missing where that is the rating."""
        return self._derived("strengths")

    @property
    def names(self) -> str:
        """Hash: player -> display name."""
        return self._key("names")

    @property
    def owners(self) -> str:
        """Hash: player -> owner."""
        return self._key("owners")

    @property
    def devices(self) -> str:
        """Hash: player -> tags of the last devices that it was seen on, 16 bytes each, newest first."""
        return self._key("devices")

    @property
    def held(self) -> str:
        """Hash: player -> tags of the blocked devices for whose sake alone it is suspended."""
        return self._key("held")

    @property
    def open(self) -> str:
        """Hash: challenger -> its open battle and when that expires."""
        return self._key("open")

    @property
    def recent(self) -> str:
        """Hash: challenger -> the opponents that it drew last."""
        return self._key("recent")

    @property
    def to_review(self) -> str:
        """Hash: player whose results were rated since its last review -> the cursor when that was noted."""
        return self._key("to-review")

    @property
    def flags(self) -> str:
        """Hash: flag/player -> what the indicator says, for every flag that is raised."""
        return self._key("flags")

    @property
    def dismissals(self) -> str:
        """Hash: flag/player -> who has dismissed that flag, when and why."""
        return self._key("dismissals")

    @property
    def disputes(self) -> str:
        """Hash: player/result -> what the player disputes, and what became of it."""
        return self._key("disputes")

    @property
    def archive(self) -> str:
        """String: the id of the ladder's archive, part of the paths of its files."""
        return self._key("archive")

    @property
    def archived_log(self) -> str:
        """List: the files of the archive that continue the log backwards, in the order of their rows."""
        return self._key("archived:log")

    @property
    def archived_changes(self) -> str:
        """List: the same of the changes."""
        return self._derived("archived:changes")

    @property
    def archiving(self) -> str:
        """Exists from the time when the ladder's archive was called for until it is due again."""
        return self._key("archiving")

    @property
    def awake(self) -> str:
        """Exists while a folding job is on its way or at work."""
        return self._key("awake")

    @property
    def restoring(self) -> str:
        """Exists while somebody is at work to bring the whole ladder in."""
        return self._key("restoring")

    @property
    def rebuilding(self) -> str:
        """Word of whoever rebuilds the ladder or takes a rebuilt one back; gone when it is not heard of."""
        return self._key("rebuilding")

    @property
    def standstill(self) -> str:
        """Exists for the moment in which another generation takes the place of the live one: nothing is
        committed meanwhile."""
        return self._key("standstill")

    @property
    def fence(self) -> str:
        """Written behind other writes of the ladder, to wait for: see matchmaker.store.fences."""
        return self._key("fence")

    def battle(self, battle_id: str) -> str:
        """Hash: one battle, kept for a while after its end."""
        return self._key(f"battle:{battle_id}")

    def history(self, player: str) -> str:
        """List: log ids of the player's last results, newest first."""
        return self._key(f"history:{player}")

    def measures(self, player: str) -> str:
        """List: log ids of what moderators did to the player, newest first."""
        return self._key(f"measures:{player}")

    def issued(self, challenger: str) -> str:
        """List: the last battles that the challenger was given, newest first: id, when it expires, and how
        far the opponent's rating stood above the challenger's. Cancelled ones are taken out."""
        return self._key(f"issued:{challenger}")

    def queue(self, what: str) -> str:
        """Sorted set, by when it came in milliseconds since the epoch: as flag/player all flags (`flags`) or
        one flag by its name, as player/result the disputes of one status (`disputes:open`)."""
        return self._key(f"queue:{what}")

"""API keys: `mm_<id>_<secret>`. What a key may do, and how its secret is checked. Pure.

Only a digest of the secret is kept: who reads the store can't use the keys in it. The secrets are random and
long, so a plain SHA-256 is enough.
"""

import hmac
import json
import re
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final, Literal, get_args

Scope = Literal["read", "play", "report", "admin"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
"""From least to most; each includes the ones before it."""

_ID_BYTES = 6
_SECRET_BYTES = 24
ENTROPY_BYTES = _ID_BYTES + _SECRET_BYTES
"""Random bytes that a new key is made of."""

_TEXT = re.compile(rf"mm_([0-9a-f]{{{2 * _ID_BYTES}}})_([0-9a-f]{{{2 * _SECRET_BYTES}}})")


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is kept. `digest` is the SHA-256 of the secret in hexadecimal, `created_at` in milliseconds
    since the epoch. A key without `ladders` holds for all of them."""

    id: str
    digest: str
    scope: Scope
    ladders: tuple[str, ...]
    label: str
    created_at: int

    def verify(self, secret: str) -> bool:
        """Whether this is the key's secret. Takes the same time whichever characters are wrong."""
        return hmac.compare_digest(self.digest, _digest(secret))

    def allows(self, scope: Scope, ladder_id: str | None) -> bool:
        """Whether the key reaches as far as `scope` on that ladder.

        `ladder_id` is None for what concerns no single ladder: there a key for certain ladders may only read.
        """
        if SCOPES.index(self.scope) < SCOPES.index(scope):
            return False
        return not self.ladders or ladder_id in self.ladders or (ladder_id is None and scope == "read")

    def encode(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    @lru_cache(maxsize=1024)  # every request reads the record of its key
    def decode(cls, text: str | bytes) -> "Key":
        record = json.loads(text)
        return cls(**record | {"ladders": tuple(record["ladders"])})


def make(
    entropy: bytes, *, scope: Scope, ladders: tuple[str, ...], label: str, created_at: int
) -> tuple[Key, str]:
    """A new key of ENTROPY_BYTES random bytes, and the text that its holder sends. That is kept nowhere."""
    key_id, secret = entropy[:_ID_BYTES].hex(), entropy[_ID_BYTES:].hex()
    return Key(key_id, _digest(secret), scope, ladders, label, created_at), f"mm_{key_id}_{secret}"


def parse(text: str) -> tuple[str, str] | None:
    """Id and secret of a key; None if this can't be one."""
    match = _TEXT.fullmatch(text)
    return match and (match[1], match[2])


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()

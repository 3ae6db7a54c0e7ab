"""Who may do what: keys, scopes, and what is open to everybody."""

import hmac
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from api.key_uses import KeyUses
from api.rate_limits import RateLimits
from matchmaker import apikeys
from matchmaker.apikeys import Key, Scope
from matchmaker.errors import ForbiddenError, UnauthorizedError
from matchmaker.store import apikeys as kept_keys
from matchmaker.store.client import AsyncStore

_ADMIN = Key(id="admin", digest="", scope="admin", ladders=(), label="admin key", created_at=0)
PUBLIC = Key(id="public", digest="", scope="read", ladders=(), label="everybody", created_at=0)


@dataclass(frozen=True, slots=True)
class Access:
    """Knows the admin key, and the others through the store."""

    store: AsyncStore
    admin_key: str = field(repr=False)
    public_read: bool
    limits: RateLimits
    uses: KeyUses

    async def key(self, secret: str | None, scope: Scope, address: str) -> Key:
        """The key that was sent, or the one that everybody has; the request counts for the key, or for the
        address that it came from. Raises UnauthorizedError, RateLimitedError."""
        key = None if secret is None else await self._find(secret)
        if key is _ADMIN:
            return key
        if key is not None:
            self.limits.take_key(key.id)
            self.uses.note(key.id)
            return key
        self.limits.take_address(address)
        if secret is not None:
            raise UnauthorizedError("This key is not valid, or no longer.")
        if scope == "read" and self.public_read:
            return PUBLIC
        raise UnauthorizedError("This needs a key: Authorization: Bearer <key>.")

    async def _find(self, secret: str) -> Key | None:
        if hmac.compare_digest(secret.encode(), self.admin_key.encode()):
            return _ADMIN
        if parts := apikeys.parse(secret):
            key = await self.store.glance(kept_keys.find(parts[0]))
            if key and key.verify(parts[1]):
                return key
        return None


def address_of(request: Request) -> str:
    """The client's address; where a trusted proxy says for whom it asks, that one's."""
    return request.client.host if request.client else ""


class Requires(HTTPBearer):
    """Dependency: lets requests pass whose key reaches as far as `scope` on the ladder that they name.

    The class above it puts that into the documentation.
    """

    def __init__(self, scope: Scope) -> None:
        super().__init__(
            scheme_name="HTTPBearer",
            description="A key made by `matchmaker keys create`, or the admin key.",
        )
        self._scope: Scope = scope

    async def __call__(self, request: Request) -> Key:  # type: ignore[override]
        access: Access = request.app.state.engine.access
        key = await access.key(_secret(request, access), self._scope, address_of(request))
        if self._scope == "read" and access.public_read:
            return PUBLIC  # what everybody may read, no key takes away
        demand(key, self._scope, request.path_params.get("ladder"))
        return key


def _secret(request: Request, access: Access) -> str | None:
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() == "bearer" and secret:
        return secret.strip()
    access.limits.take_address(address_of(request))
    raise UnauthorizedError("Only keys are understood: Authorization: Bearer <key>.")


def demand(key: Key, scope: Scope, ladder_id: str | None) -> None:
    """Raises ForbiddenError if the key does not reach as far as `scope` on that ladder."""
    if not key.allows(scope, ladder_id):
        where = f" on ladder {ladder_id!r}" if ladder_id else ""
        raise ForbiddenError(f"This needs the scope {scope!r}{where}; the key does not reach that far.")


Reader = Annotated[Key, Depends(Requires("read"))]
Player = Annotated[Key, Depends(Requires("play"))]
Reporter = Annotated[Key, Depends(Requires("report"))]
Admin = Annotated[Key, Depends(Requires("admin"))]

"""Who may do what: keys, scopes, and what is open to everybody."""

import hmac
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

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
    admin_key: str
    public_read: bool

    async def key(self, secret: str | None, scope: Scope) -> Key:
        """The key that was sent, or the one that everybody has. Raises UnauthorizedError."""
        if secret is None:
            if scope == "read" and self.public_read:
                return PUBLIC
            raise UnauthorizedError("This needs a key: Authorization: Bearer <key>.")
        if hmac.compare_digest(secret.encode(), self.admin_key.encode()):
            return _ADMIN
        if parts := apikeys.parse(secret):
            key = await self.store.run(kept_keys.find(parts[0]))
            if key and key.verify(parts[1]):
                return key
        raise UnauthorizedError("This key is not valid, or no longer.")


_bearer = HTTPBearer(
    auto_error=False, description="A key made by `matchmaker keys create`, or the admin key."
)


class Requires:
    """Dependency: lets requests pass whose key reaches as far as `scope` on the ladder that they name."""

    def __init__(self, scope: Scope) -> None:
        self._scope: Scope = scope

    async def __call__(
        self,
        request: Request,
        credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    ) -> Key:
        access: Access = request.app.state.engine.access
        if credentials is None and "authorization" in request.headers:
            raise UnauthorizedError("Only keys are understood: Authorization: Bearer <key>.")
        key = await access.key(credentials.credentials if credentials else None, self._scope)
        if self._scope == "read" and access.public_read:
            return PUBLIC  # what everybody may read, no key takes away
        demand(key, self._scope, request.path_params.get("ladder"))
        return key


def demand(key: Key, scope: Scope, ladder_id: str | None) -> None:
    """Raises ForbiddenError if the key does not reach as far as `scope` on that ladder."""
    if not key.allows(scope, ladder_id):
        where = f" on ladder {ladder_id!r}" if ladder_id else ""
        raise ForbiddenError(f"This needs the scope {scope!r}{where}; the key does not reach that far.")


Reader = Annotated[Key, Depends(Requires("read"))]
Player = Annotated[Key, Depends(Requires("play"))]
Reporter = Annotated[Key, Depends(Requires("report"))]
Admin = Annotated[Key, Depends(Requires("admin"))]

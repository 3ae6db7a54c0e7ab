"""Direct routes say at once what they don't support, instead of running it in another way than documented."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import pytest
from fastapi import Cookie, Header
from pydantic import BaseModel

from api.routing import router


class Thing(BaseModel):
    """Some body."""


async def with_header(trace: Annotated[str, Header()]) -> None:
    raise NotImplementedError


async def with_cookie(session: Annotated[str, Cookie()]) -> None:
    raise NotImplementedError


async def with_two_bodies(one: Thing, other: Thing) -> None:
    raise NotImplementedError


@pytest.mark.parametrize("endpoint", [with_header, with_cookie, with_two_bodies])
def test_an_endpoint_whose_parameters_it_cannot_fill_is_refused(
    endpoint: Callable[..., Awaitable[Any]],
) -> None:
    with pytest.raises(TypeError, match="do not know what to do"):
        router("/things", "things").post("")(endpoint)

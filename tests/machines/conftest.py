"""Machines that fail: one cluster and one set of sentinels per session."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.machines.cluster import Cluster
from tests.machines.sentinels import Sentinels


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(stack, tmp_path_factory.mktemp("cluster"))


@pytest.fixture(scope="session")
def sentinels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sentinels]:
    with ExitStack() as stack:
        yield Sentinels(stack, tmp_path_factory.mktemp("sentinels"))

"""What a server says, and whether it is worth asking again."""

import pytest
import redis
from redis._parsers.base import BaseParser

from matchmaker.store.outages import is_passing


@pytest.mark.parametrize(
    "words",
    [
        "LOADING Valkey is loading the dataset in memory",
        "READONLY You can't write against a read only replica.",
        "OOM command not allowed when used memory > 'maxmemory'.",
        "MISCONF Errors writing to the AOF file: No space left on device",
        "BUSY Valkey is busy running a script.",
        "CLUSTERDOWN Hash slot not served",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "ASK 3999 127.0.0.1:6381",
        "MOVED 3999 127.0.0.1:6381",
        "MASTERDOWN Link with MASTER is down",
        "NOREPLICAS Not enough good replicas to write.",
        "UNBLOCKED force unblock from blocking operation, instance state changed",
    ],
)
def test_what_will_pass(words: str) -> None:
    assert is_passing(BaseParser.parse_error(words))


@pytest.mark.parametrize(
    "words",
    [
        "ERR wrong number of arguments for 'get' command",
        "ERR value is not READONLY",
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "CROSSSLOT Keys in request don't hash to the same slot",
        "NOPERM this user has no permissions",
    ],
)
def test_what_will_be_said_again(words: str) -> None:
    assert not is_passing(BaseParser.parse_error(words))


@pytest.mark.parametrize("error", [redis.ConnectionError("lost"), redis.TimeoutError("slow")])
def test_a_server_that_does_not_answer_may_come_back(error: redis.RedisError) -> None:
    assert is_passing(error)

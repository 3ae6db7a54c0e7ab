"""Store URLs."""

import pytest

from matchmaker.store.address import StoreAddress, parse_address


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://host", StoreAddress("server", hosts=(("host", 6379),))),
        ("redis://[::1]:7000/3", StoreAddress("server", hosts=(("::1", 7000),), database=3)),
        (
            "redis://user:p%40ss%2F@host",
            StoreAddress("server", hosts=(("host", 6379),), username="user", password="p@ss/"),
        ),
        ("redis://:pass@host", StoreAddress("server", hosts=(("host", 6379),), password="pass")),
        (
            "rediss://host?ssl_ca_certs=ca.pem",
            StoreAddress(
                "server", hosts=(("host", 6379),), tls=True, tls_options=(("ssl_ca_certs", "ca.pem"),)
            ),
        ),
        ("unix:///run/val%20key.sock", StoreAddress("server", path="/run/val key.sock")),
        ("unix://:pass@/run/s?db=2", StoreAddress("server", path="/run/s", database=2, password="pass")),
        (
            "redis+sentinel://a:1,b/main",
            StoreAddress("sentinel", hosts=(("a", 1), ("b", 26379)), service="main"),
        ),
        (
            "redis+cluster://u:p@a:1,[fe80::1]",
            StoreAddress("cluster", hosts=(("a", 1), ("fe80::1", 6379)), username="u", password="p"),
        ),
    ],
)
def test_a_store_url_is_understood(url: str, address: StoreAddress) -> None:
    assert parse_address(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host:6379",
        "http://host",
        "redis://",
        "redis://host:0",
        "redis://host:65536",
        "redis://host:12x",
        "redis://host/name",
        "redis://a,b",
        "redis://[::1",
        "redis://host#1",
        "redis://host name",
        "redis://host\n",
        "redis://host?decode_responses=true",
        "redis://user:pa/ss@host",
        "rediss://host?ssl_cert_reqs=maybe",
        "unix://relative/path",
        "unix:relative",
        "unix://",
        "redis+sentinel://host:1",
        "redis+sentinel://host:1/a/b",
        "redis+cluster://host/1",
        "redis+cluster://host,,host",
        "redis://one..two:6379",
        f"redis://{'x' * 64}:6379",
    ],
)
def test_a_malformed_store_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"store URL|sentinel URL"):
        parse_address(url)


def test_the_password_is_neither_shown_nor_part_of_an_error() -> None:
    assert "hush" not in repr(parse_address("redis://user:hush@host"))
    with pytest.raises(ValueError, match="port") as refusal:
        parse_address("redis://user:hush/hush@host")
    assert "hush" not in str(refusal.value)

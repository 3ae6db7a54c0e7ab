"""API keys: their text, their secret, how far they reach."""

import pytest

from matchmaker.apikeys import ENTROPY_BYTES, SCOPES, Key, Scope, make, parse


def made(scope: Scope = "play", ladders: tuple[str, ...] = ()) -> tuple[Key, str]:
    return make(bytes(range(ENTROPY_BYTES)), scope=scope, ladders=ladders, label="Türsteher", created_at=1)


def test_a_key_opens_with_its_own_secret_only() -> None:
    key, text = made()
    parsed = parse(text)
    assert parsed is not None
    key_id, secret = parsed
    assert key_id == key.id
    assert key.verify(secret)
    assert not key.verify(secret[:-1] + "0")
    assert not key.verify("")


def test_the_secret_is_not_in_what_is_kept() -> None:
    key, text = made()
    assert text.rsplit("_", 1)[1] not in key.encode()


def test_a_kept_key_reads_back() -> None:
    key, _ = made(ladders=("nft", "cards"))
    assert Key.decode(key.encode()) == key


@pytest.mark.parametrize(
    "text", ["", "mm", "mm_", "mm__", "mm_1_2", "MM_{}", "x{}", "{}x", "{}\n", " {}", "ключ"]
)
def test_other_texts_are_no_keys(text: str) -> None:
    assert parse(text.format(made()[1])) is None


@pytest.mark.parametrize("scope", SCOPES)
def test_a_scope_includes_those_before_it(scope: Scope) -> None:
    key, _ = made(scope)
    reach = SCOPES.index(scope) + 1
    assert [key.allows(each, "nft") for each in SCOPES] == [True] * reach + [False] * (4 - reach)
    assert key.allows(scope, None)


def test_a_key_for_certain_ladders_opens_no_other() -> None:
    key, _ = made("admin", ladders=("nft",))
    assert key.allows("admin", "nft")
    assert not key.allows("read", "cards")


def test_a_key_for_certain_ladders_only_reads_what_concerns_no_single_one() -> None:
    key, _ = made("admin", ladders=("nft",))
    assert key.allows("read", None)
    assert not key.allows("play", None)

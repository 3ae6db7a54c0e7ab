"""Settings from the environment."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from matchmaker.config import Settings, SettingsError, environment, load_settings


@pytest.fixture(autouse=True)
def _without_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_everything_has_a_default() -> None:
    settings = load_settings()
    assert settings == Settings()
    assert (settings.store_url, settings.queue_url, settings.admin_key) == (None, None, None)
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, 1)
    assert settings.public_read
    assert (settings.durability, settings.replicas) == ("second", 0)
    assert settings.data_dir == Path("data")


def test_an_env_file_is_read_and_the_environment_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("MATCHMAKER_PORT=9000\nMATCHMAKER_WORKERS=3\nOTHER=1\n")
    monkeypatch.setenv("MATCHMAKER_PORT", "9001")
    assert (load_settings().port, load_settings().workers) == (9001, 3)


def test_an_env_file_of_other_bytes_than_text_is_told_by_its_name() -> None:
    Path(".env").write_bytes(b"MATCHMAKER_DATA_DIR=\xff")
    with pytest.raises(SettingsError, match=r"^\.env: is not UTF-8$"):
        load_settings()


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORE_URL", "ADMIN_KEY", "PORT", "DATA_DIR"):
        monkeypatch.setenv(f"MATCHMAKER_{name}", "")
    assert load_settings() == Settings()


@pytest.mark.parametrize(
    ("variable", "value", "complaint"),
    [
        ("PORT", "65536", "MATCHMAKER_PORT: Input should be less than or equal to 65535"),
        ("PORT", "http", "MATCHMAKER_PORT: Input should be a valid integer"),
        ("WORKERS", "0", "MATCHMAKER_WORKERS: Input should be greater than or equal to 1"),
        ("PUBLIC_READ", "perhaps", "MATCHMAKER_PUBLIC_READ: Input should be a valid boolean"),
        ("STORE_URL", "http://localhost", "MATCHMAKER_STORE_URL: a store URL begins with one of redis://"),
        ("STORE_URL", "redis+cluster://host", "MATCHMAKER_QUEUE_URL must name a single server"),
        ("DURABILITY", "minute", "MATCHMAKER_DURABILITY: Input should be 'second' or 'fsync'"),
        ("REPLICAS", "-1", "MATCHMAKER_REPLICAS: Input should be greater than or equal to 0"),
        ("REPLICAS", "1", "MATCHMAKER_REPLICAS: the embedded server has none; set MATCHMAKER_STORE_URL"),
        (
            "DATA_DIR",
            "~nobody-of-that-name/data",
            "MATCHMAKER_DATA_DIR: there is no home directory of ~nobody-",
        ),
        ("ADMIN_KEY", "two words", "MATCHMAKER_ADMIN_KEY: must consist of printable ASCII"),
    ],
)
def test_a_bad_value_is_one_line_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, complaint: str
) -> None:
    monkeypatch.setenv(f"MATCHMAKER_{variable}", value)
    with pytest.raises(SettingsError) as refusal:
        load_settings()
    assert str(refusal.value).startswith(complaint)
    assert "\n" not in str(refusal.value)


def test_neither_errors_nor_settings_show_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATCHMAKER_STORE_URL", "redis://user:hush@localhost")
    monkeypatch.setenv("MATCHMAKER_ADMIN_KEY", "hush")
    assert "hush" not in repr(load_settings())
    monkeypatch.setenv("MATCHMAKER_QUEUE_URL", "redis://user:hush@localhost:port")
    with pytest.raises(SettingsError) as refusal:
        load_settings()
    assert "hush" not in str(refusal.value)


def test_a_cluster_is_accepted_with_a_queue_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATCHMAKER_STORE_URL", "redis+cluster://host")
    monkeypatch.setenv("MATCHMAKER_QUEUE_URL", "redis://host")
    assert load_settings().store_url == "redis+cluster://host"


def test_settings_can_be_handed_to_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATCHMAKER_STORE_URL", "redis://elsewhere")
    settings = Settings(store_url=None, port=81, admin_key=SecretStr("key"), public_read=False)
    handed_on = environment(settings)
    monkeypatch.delenv("MATCHMAKER_STORE_URL")
    for name, value in handed_on.items():
        monkeypatch.setenv(name, value)
    assert load_settings() == settings


@pytest.mark.parametrize("limit", ["off", "5/second", "10 per minute", "20/second;600/minute", "100/2hours"])
def test_limits_of_requests_are_written_as_people_say_them(
    monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setenv("MATCHMAKER_RATE_LIMIT", limit)
    assert load_settings().rate_limit == limit


@pytest.mark.parametrize("limit", ["5", "none", "5/fortnight", "0/second", "-1/second", "5/second;"])
def test_other_limits_are_refused(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setenv("MATCHMAKER_PUBLIC_RATE_LIMIT", limit)
    with pytest.raises(SettingsError, match="MATCHMAKER_PUBLIC_RATE_LIMIT: must be limits as in"):
        load_settings()


@pytest.mark.parametrize("proxies", ["*", "10.0.0.1", "10.0.0.0/8, ::1"])
def test_proxies_are_addresses_and_networks(monkeypatch: pytest.MonkeyPatch, proxies: str) -> None:
    monkeypatch.setenv("MATCHMAKER_TRUSTED_PROXIES", proxies)
    assert load_settings().trusted_proxies == proxies


def test_names_of_proxies_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATCHMAKER_TRUSTED_PROXIES", "balancer")
    with pytest.raises(SettingsError, match="MATCHMAKER_TRUSTED_PROXIES: must be addresses"):
        load_settings()

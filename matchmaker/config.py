"""Settings of a process, from the environment (`MATCHMAKER_…`) or `.env`; read only by entry points."""

import os
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from matchmaker.log import LogForm
from matchmaker.store.address import parse_address

ENV_PREFIX = "MATCHMAKER_"

NO_LIMIT = "off"
"""In place of a limit of requests."""


def _check_limit(text: str) -> str:
    from limits import parse_many  # here, because it is slow to import and most processes have no need of it

    if text != NO_LIMIT:
        try:
            possible = all(limit.amount for limit in parse_many(text))
        except ValueError:
            possible = False
        if not possible:
            raise ValueError(f"must be limits as in 20/second;600/minute, or {NO_LIMIT}")
    return text


def _check_proxies(text: str) -> str:
    try:
        for proxy in text.split(",") if text != "*" else ():
            ip_network(proxy.strip())
    except ValueError:
        raise ValueError("must be addresses or networks with commas between them, or *") from None
    return text


def _check_url(url: str) -> str:
    parse_address(url)
    return url


def _check_place(url: str) -> str:
    scheme = url.partition("://")[0] if "://" in url else "file"
    if scheme != "file":
        from fsspec import available_protocols  # here, because it is slow to import

        if scheme not in available_protocols():
            raise ValueError("must be a directory, or a URL of a kind that fsspec knows")
    return url


RateLimit = Annotated[str, AfterValidator(_check_limit)]
StoreUrl = Annotated[str, AfterValidator(_check_url)]
PlaceUrl = Annotated[str, AfterValidator(_check_place)]


Durability = Literal["second", "fsync"]


class SettingsError(ValueError):
    """The settings make no sense; the text is one line that names the variables."""


class Settings(BaseSettings):
    """An empty variable counts as unset.

    `store_url` None means the embedded server on `data_dir`; `queue_url` None means the store; `archive_url`
    None means the directory `archive` in `data_dir`. `archive_interval` is in seconds. `workers` is
    the number of worker processes that `matchmaker up` runs. `admin_key` None means the one kept in
    `data_dir`; the same holds for `device_key`, under which devices are hashed. `durability` and `replicas`
    say what must be certain before a write is answered.
    `rate_limit` holds for each key, `public_rate_limit` for each address without one;
    `trusted_proxies` are believed when they say for which address they ask.
    """

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX,
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    store_url: StoreUrl | None = Field(default=None, repr=False)
    queue_url: StoreUrl | None = Field(default=None, repr=False)
    data_dir: Path = Path("data")
    archive_url: PlaceUrl | None = Field(default=None, repr=False)
    archive_interval: int = Field(default=6 * 3600, ge=60, le=31 * 24 * 3600)
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65535)
    workers: int = Field(default=1, ge=1, le=256)
    admin_key: SecretStr | None = None
    device_key: SecretStr | None = None
    public_read: bool = True
    rate_limit: RateLimit = "5000/second"
    public_rate_limit: RateLimit = "3000/second"
    trusted_proxies: Annotated[str, AfterValidator(_check_proxies)] = "127.0.0.1,::1"
    log: LogForm = "text"
    durability: Durability = "second"
    replicas: int = Field(default=0, ge=0, le=16)

    @field_validator("data_dir")
    @classmethod
    def _expand_home(cls, path: Path) -> Path:
        try:
            return path.expanduser()
        except RuntimeError:
            raise ValueError(f"there is no home directory of {path.parts[0]}") from None

    @field_validator("admin_key")
    @classmethod
    def _fits_a_header(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and not all("!" <= character <= "~" for character in key.get_secret_value()):
            raise ValueError(
                "must consist of printable ASCII characters without spaces: it travels in a header"
            )
        return key

    @model_validator(mode="after")
    def _replicas_need_a_store_of_their_own(self) -> Self:
        if self.replicas and not self.store_url:
            raise ValueError(
                f"{ENV_PREFIX}REPLICAS: the embedded server has none; set {ENV_PREFIX}STORE_URL as well"
            )
        return self

    @model_validator(mode="after")
    def _queue_runs_on_one_server(self) -> Self:
        queue_url = self.queue_url or self.store_url
        if queue_url and parse_address(queue_url).kind == "cluster":
            raise ValueError(
                f"{ENV_PREFIX}QUEUE_URL must name a single server or sentinels: "
                "the job queue does not run on a cluster"
            )
        return self

    @property
    def secrets(self) -> list[str]:
        """What must not stand in any log: the keys that are set, and the passwords in the URLs."""
        urls = (self.store_url, self.queue_url)
        passwords = [parse_address(url).password for url in urls if url]
        if self.archive_url:
            passwords.append(urlsplit(self.archive_url).password)
        keys = [key.get_secret_value() for key in (self.admin_key, self.device_key) if key]
        return [secret for secret in (*keys, *passwords) if secret]


def load_settings() -> Settings:
    """The settings of this process. Raises SettingsError."""
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError("; ".join(map(_sentence, error.errors()))) from None
    except UnicodeDecodeError:
        raise SettingsError(f"{Settings.model_config['env_file']}: is not UTF-8") from None


def environment(settings: Settings) -> dict[str, str]:
    """This process's environment, changed so that a process started in it has these settings.

    That holds where there is no `.env`: one might set what is left out here.
    """
    foreign = {name: value for name, value in os.environ.items() if not name.upper().startswith(ENV_PREFIX)}
    chosen = {name: value for name, value in settings if value is not None}
    return foreign | {
        f"{ENV_PREFIX}{name.upper()}": value.get_secret_value()
        if isinstance(value, SecretStr)
        else str(value)
        for name, value in chosen.items()
    }


def _sentence(error: ErrorDetails) -> str:
    message = error["msg"].removeprefix("Value error, ")
    variable = "".join(f"{ENV_PREFIX}{str(name).upper()}: " for name in error["loc"][:1])
    return variable + message

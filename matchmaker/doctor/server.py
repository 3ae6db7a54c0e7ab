"""A server of the store: its version, persistence, eviction, memory and clock."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

import redis

from matchmaker.doctor.finding import Finding, graded
from matchmaker.store.fences import Fence

OLDEST = (7, 2)
_MIB = 1024 * 1024


def check_server(
    server: redis.Redis, name: str, fence: Fence, *, embedded: bool = False
) -> Iterator[Finding]:
    """Findings about one server, whose checks are called after `name`. Raises redis.exceptions.RedisError.

    `fence` is what it must be able to confirm; `embedded` says that `matchmaker up` runs it, and syncs its
    append-only file.
    """
    before = time.time()
    seconds, microseconds = server.execute_command("TIME")
    after = time.time()
    info: Mapping[str, Any] = server.execute_command("INFO")
    yield version(info, name)
    appendfsync = _setting(server, "appendfsync")
    yield from persistence(info, appendfsync, name, embedded=embedded)
    yield durability(info, appendfsync, fence, name)
    yield eviction(info, name)
    yield memory(info, name)
    yield clock(seconds + microseconds / 1e6, before, after, name)
    yield role(info, name)


def _setting(server: redis.Redis, name: str) -> str | None:
    """A server's setting; None where asking for it is forbidden, as on many managed servers."""
    try:
        found: Mapping[Any, Any] = server.execute_command("CONFIG GET", name)
    except redis.ResponseError:
        return None
    for value in found.values():
        return value.decode() if isinstance(value, bytes) else str(value)
    return None


def version(info: Mapping[str, Any], name: str) -> Finding:
    kind = "Valkey" if "valkey_version" in info else "Redis"
    number = str(info.get("valkey_version") or info.get("redis_version", ""))
    parts = tuple(int(part) for part in number.split(".")[:2] if part.isdecimal())
    if not parts:
        return Finding(f"{name} version", "unknown", "the server does not tell its version")
    if parts < OLDEST:
        return Finding(
            f"{name} version", "bad", f"{kind} {number} is too old", "Install Valkey or Redis 7.2 or newer."
        )
    return Finding(f"{name} version", "ok", f"{kind} {number}")


def persistence(
    info: Mapping[str, Any], appendfsync: str | None, name: str, *, embedded: bool = False
) -> Iterator[Finding]:
    check = f"{name} persistence"
    if "aof_enabled" not in info:
        yield Finding(check, "unknown", "the server does not tell", "Make sure that it has appendonly yes.")
        return
    if not info["aof_enabled"]:
        yield Finding(
            check,
            "bad",
            "there is no append-only file: when the server restarts, accepted results are lost",
            "Set appendonly yes (CONFIG SET appendonly yes, and in its configuration file).",
        )
        return
    if info.get("aof_last_write_status", "ok") != "ok":
        yield Finding(
            check,
            "bad",
            "the append-only file could not be written",
            "Look for a full or failing disk; the server's log says more.",
        )
    elif embedded and appendfsync == "no":
        yield Finding(check, "ok", "appendonly yes, synced every second by `matchmaker up`")
    elif appendfsync == "no":
        yield Finding(
            check,
            "warning",
            "the append-only file is synced only when the system likes",
            "Set appendfsync everysec, or always.",
        )
    elif appendfsync is None:
        yield Finding(
            check,
            "unknown",
            "appendonly yes; CONFIG is forbidden, so how often it is synced is unknown",
            "Make sure that it has appendfsync everysec, or always.",
        )
    else:
        yield Finding(check, "ok", f"appendonly yes, appendfsync {appendfsync}")


def durability(info: Mapping[str, Any], appendfsync: str | None, fence: Fence, name: str) -> Finding:
    check = f"{name} durability"
    replicas = int(info.get("connected_slaves", 0))
    if fence.fsync and appendfsync not in ("always", None):
        return Finding(
            check,
            "bad",
            f"appendfsync {appendfsync}: it cannot tell what is on disk, so nothing that writes is answered",
            "Set appendfsync always, or MATCHMAKER_DURABILITY=second.",
        )
    if replicas < fence.replicas:
        return Finding(
            check,
            "bad",
            f"{replicas} of {fence.replicas} replicas are connected, so nothing that writes is answered",
            "Start the missing replicas, or lower MATCHMAKER_REPLICAS.",
        )
    awaited = ["the disk"] * fence.fsync + [f"{fence.replicas} of {replicas} replicas"] * bool(fence.replicas)
    return Finding(check, "ok", f"answers wait for {' and '.join(awaited) or 'neither disk nor replicas'}")


def eviction(info: Mapping[str, Any], name: str) -> Finding:
    policy = info.get("maxmemory_policy")
    if policy is None:
        return Finding(
            f"{name} eviction",
            "unknown",
            "the server does not tell its maxmemory-policy",
            "Make sure that it is noeviction.",
        )
    if policy != "noeviction":
        return Finding(
            f"{name} eviction",
            "bad",
            f"maxmemory-policy {policy}: when memory is short the server throws ratings away",
            "Set maxmemory-policy noeviction.",
        )
    return Finding(f"{name} eviction", "ok", "maxmemory-policy noeviction")


def memory(info: Mapping[str, Any], name: str) -> Finding:
    used = int(info.get("used_memory", 0))
    limit = int(info.get("maxmemory", 0)) or int(info.get("total_system_memory", 0))
    if not limit:
        return Finding(f"{name} memory", "unknown", f"{used / _MIB:,.0f} MiB used, of an unknown limit")
    return graded(
        f"{name} memory",
        used / limit,
        warning=0.7,
        bad=0.9,
        text=f"{used / _MIB:,.0f} of {limit / _MIB:,.0f} MiB used ({used / limit:.0%})",
        advice="Give the server more memory, or raise maxmemory: when it is full, no result is accepted.",
    )


def clock(there: float, before: float, after: float, name: str) -> Finding:
    """`there` is the server's time, read between `before` and `after` on this machine; seconds."""
    off = max(there - after, before - there, 0.0)
    return graded(
        f"{name} clock",
        off,
        warning=1.0,
        bad=30.0,
        text=f"{off:.1f} s apart from this machine's" if off >= 0.05 else "agrees with this machine's",
        advice="Run NTP (chrony, systemd-timesyncd) on both: battles expire by one, the log is by the other.",
    )


def role(info: Mapping[str, Any], name: str) -> Finding:
    if info.get("role") == "slave":
        return Finding(
            f"{name} role",
            "bad",
            "this server is a replica and takes no writes",
            "Point the URL to the primary, or to the sentinels with redis+sentinel://.",
        )
    replicas = int(info.get("connected_slaves", 0))
    return Finding(f"{name} role", "ok", f"primary with {replicas} replica{'s' * (replicas != 1)}")

"""All measurements, one after the other."""

from benchmarks import (
    archive,
    board,
    folding,
    football,
    http,
    latency,
    live,
    memory,
    pool,
    replay,
    reports,
    scaling,
    startup,
    transfer_memory,
)

http.demand_wrk()
for measurement in (
    pool,
    http,
    reports,
    board,
    folding,
    latency,
    memory,
    transfer_memory,
    startup,
    scaling,
    football,
    replay,
    archive,
):
    measurement.measure()
live.measure(viewers=2_000, seconds=20.0)

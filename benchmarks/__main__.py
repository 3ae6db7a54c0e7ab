"""All measurements, one after the other."""

from benchmarks import folding, football, live, pool

pool.measure()
folding.measure()
football.measure()
live.measure(viewers=2_000, seconds=20.0)

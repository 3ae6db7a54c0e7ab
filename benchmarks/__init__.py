"""Measurements, each a ratio within one run. `python -m benchmarks` makes them all; results.md keeps some."""

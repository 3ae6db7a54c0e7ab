"""Measurements, each a ratio within one run."""

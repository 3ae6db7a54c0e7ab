"""Matchmaking, ratings and live leaderboards for ranked battles."""

from importlib.metadata import version

__version__ = version("matchmaker")

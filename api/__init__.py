"""The HTTP API: translates requests into calls of the engine."""

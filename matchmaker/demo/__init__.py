"""A demonstration: fighters with hidden strengths fight through the HTTP API, and the board finds out."""

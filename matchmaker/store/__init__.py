"""The store: every key, every script, and one typed function for each."""

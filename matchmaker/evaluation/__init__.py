"""Is the rating any good? Every result is predicted from the ratings before it, and predictions are scored.

Pure: results come as an iterable, and ratings from the one fold.
"""

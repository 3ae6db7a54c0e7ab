"""What if? The same results under other settings, beside the ladder as it is.

Pure: results come as an iterable, and ratings from the one fold.
"""

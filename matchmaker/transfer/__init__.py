"""Results from files and into files, as iterators: whoever calls decides what to show of the progress."""

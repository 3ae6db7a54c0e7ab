"""Background jobs: RQ functions of a few lines, and the process that runs them."""

"""`python -m matchmaker` is the program `matchmaker`."""

from matchmaker.cli.main import main

main()

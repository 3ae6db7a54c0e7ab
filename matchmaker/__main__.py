"""`python -m matchmaker` is the program `matchmaker`."""

from matchmaker.cli.main import main

if __name__ == "__main__":  # processes that the API starts load this file too
    main()

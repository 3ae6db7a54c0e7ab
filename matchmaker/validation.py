"""What pydantic finds wrong, as one line for people."""

from pydantic import ValidationError


def sentence(error: ValidationError, *prefix: str) -> str:
    """Each wrong field by its dotted path, behind `prefix`, and what is wrong with it. Repeats no input."""
    return "; ".join(
        ": ".join(
            filter(
                None, (".".join(map(str, (*prefix, *each["loc"]))), each["msg"].removeprefix("Value error, "))
            )
        )
        for each in error.errors()
    )

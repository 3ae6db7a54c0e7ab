"""How measurements are printed."""


def title(text: str) -> None:
    """The head of a group of measurements."""
    print(f"\n{text}", flush=True)


def line(name: str, value: str, aim: str = "") -> None:
    """One measurement, and what it was meant to be."""
    print(f"  {name:<58} {value:>18}" + (f"    aim: {aim}" if aim else ""), flush=True)

"""Names for simulated fighters."""

from itertools import chain, count, islice
from random import Random
from typing import Final

_TEMPERS: Final = (
    "Amber Ashen Bold Brass Calm Cobalt Crimson Dusky Emerald Feral Frosty Gilded Grim Hollow Iron Ivory "
    "Jade Lucky Merry Misty Noble Obsidian Opal Proud Quiet Rusty Sable Silver Solar Swift Velvet Wild"
)
_CREATURES: Final = (
    "Adder Badger Basilisk Bison Condor Coyote Dragon Falcon Ferret Gecko Griffin Heron Hornet Ibex Jackal "
    "Kestrel Kraken Lynx Mantis Marten Narwhal Ocelot Osprey Panther Phoenix Puma Raven Scarab Sphinx Tiger "
    "Viper Wyvern"
)


def draw_names(number: int, random: Random) -> list[str]:
    """So many names, no two of them equal."""
    pairs = [f"{temper} {creature}" for temper in _TEMPERS.split() for creature in _CREATURES.split()]
    random.shuffle(pairs)
    numbered = (f"{pair} {generation}" for generation in count(2) for pair in pairs)
    return list(islice(chain(pairs, numbered), number))

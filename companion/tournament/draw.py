"""The draw: how many sit at each table, and who sits where. It follows from a printed seed, so that anybody can repeat it. The
seats at a table are drawn there, by cards (rule 4)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence


def sizes(people: int, least: int, most: int, tables: int = 0) -> tuple[int, ...]:
    """The number of people at each table: the numbers differ by at most 1, the larger ones first. ``tables``: number of tables,
    0: as few as ``most`` at a table allows. Raises ValueError where some table would have fewer than two people.

    >>> sizes(30, 8, 12), sizes(25, 8, 12), sizes(3, 8, 12), sizes(20, 8, 12, 3)
    ((10, 10, 10), (9, 8, 8), (3,), (7, 7, 6))
    """
    if people < 2:
        raise ValueError(f"{people} people make no table: at least two are needed")
    count = tables or -(-people // most)
    while not tables and count > 1 and people // count < least:
        count -= 1  # rather a larger table than one that is too small
    if people < 2 * count:
        raise ValueError(f"{people} people are too few for {count} tables")
    each, more = divmod(people, count)
    return (each + 1,) * more + (each,) * (count - more)


def places(count: int, hall: Sequence[str]) -> tuple[str, ...]:
    """At which table of the hall each of ``count`` tables is played: one whose name is its number, or has no other number in it,
    where there is one; else the first of ``hall`` that is left; "" where none is.

    >>> places(3, ("Portico", "Loggia", "2")), places(2, ("Tavolo 2", "Tavolo 1"))
    (('Portico', '2', 'Loggia'), ('Tavolo 1', 'Tavolo 2'))
    """
    numbered = dict[int, str]()
    for name in sorted(hall, key=lambda name: not name.isdecimal()):
        said = re.findall(r"\d+", name)
        if len(said) == 1 and 1 <= int(said[0]) <= count:
            numbered.setdefault(int(said[0]), name)
    left = iter([name for name in hall if name not in numbered.values()])
    return tuple(numbered.get(number) or next(left, "") for number in range(1, count + 1))


def lot(seed: int, round: int, name: str) -> str:
    """A person's lot in a round; people are drawn in ascending order of their lots. It depends on nobody else, so that somebody
    who comes late or has gone does not change the others' lots."""
    return hashlib.sha256(f"{seed}\n{round}\n{name}".encode()).hexdigest()


def drawn(names: Sequence[str], seed: int, round: int, counts: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """The people at each table. They are dealt to the tables in turn, in order of their lots: the first to the first table, the
    second to the second, …"""
    order = sorted(names, key=lambda name: lot(seed, round, name))
    tables: list[list[str]] = [[] for _ in counts]
    at = 0
    for name in order:
        while len(tables[at % len(counts)]) >= counts[at % len(counts)]:
            at += 1
        tables[at % len(counts)].append(name)
        at += 1
    return tuple(tuple(table) for table in tables)

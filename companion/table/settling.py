"""Finds the fewest payments that settle a game: who gives how much to whom. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

MAX_EXACT: Final = 14
"""The most people for whom the payments found are surely the fewest; among more of them there may be one payment too many. Pairs
in which one owes exactly what the other gets are not counted."""


class Transfer(NamedTuple):
    """One payment: ``payer`` gives ``amount`` minor units to ``to``."""

    payer: str
    to: str
    amount: int


Balance = tuple[str, int]
"""A name, and what they have won (or, below 0, lost) in minor units."""


def transfers(balances: Mapping[str, int]) -> tuple[Transfer, ...]:
    """The payments after which everybody has what they have won. ``balances``: name → minor units won, negative where lost.

    A group of people whose balances add up to 0 needs one payment fewer than it has people. So people are divided into as many
    such groups as possible.

    Raises:
        ValueError: they do not add up to 0.

    >>> transfers({"Ciro": -5000, "Ezio": 5000, "Anna": 300, "Bice": -300, "Dora": 0})
    (Transfer(payer='Ciro', to='Ezio', amount=5000), Transfer(payer='Bice', to='Anna', amount=300))
    """
    if sum(balances.values()):
        raise ValueError(f"the balances come to {sum(balances.values())}: expected 0")
    left = [(name, has) for name, has in balances.items() if has]
    groups = list(_pairs(left))
    paired = {name for group in groups for name, _has in group}
    left = [one for one in left if one[0] not in paired]
    groups += _groups(left) if len(left) <= MAX_EXACT else [left]
    return tuple(paid for group in groups for paid in _settled(group))


def _pairs(balances: Sequence[Balance]) -> Iterator[list[Balance]]:
    """The pairs in which one owes exactly what the other gets. To settle them as pairs never needs more payments."""
    waiting: dict[int, list[Balance]] = {}
    for one in balances:
        if others := waiting.get(-one[1]):
            yield [others.pop(0), one]
        else:
            waiting.setdefault(one[1], []).append(one)


def _groups(balances: Sequence[Balance]) -> list[list[Balance]]:
    """As many groups as possible whose balances add up to 0. ``most[set]``: the largest number of such groups within this set of
    people (a bit mask)."""
    size = 1 << len(balances)
    sums, most = [0] * size, [0] * size
    for people in range(1, size):
        lowest = people & -people
        sums[people] = sums[people ^ lowest] + balances[lowest.bit_length() - 1][1]
        most[people] = max(most[people ^ 1 << n] for n in range(len(balances)) if people >> n & 1) + (not sums[people])
    found: list[list[Balance]] = []
    people = size - 1
    while people:
        if not sums[people]:
            found.append([])
        before = most[people] - (not sums[people])
        last = next(n for n in range(len(balances)) if people >> n & 1 and most[people ^ 1 << n] == before)
        found[-1].append(balances[last])
        people ^= 1 << last
    return found


def _settled(group: Sequence[Balance]) -> Iterator[Transfer]:
    """The payments of one group: the one who has lost most pays the one who has won most, until nobody owes anything."""
    has = dict(group)
    while any(has.values()):
        payer, to = min(has, key=has.__getitem__), max(has, key=has.__getitem__)
        amount = min(-has[payer], has[to])
        has[payer] += amount
        has[to] -= amount
        yield Transfer(payer, to, amount)

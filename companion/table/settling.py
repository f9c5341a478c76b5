"""The fewest payments that settle what a game came to: who gives how much to whom. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

MAX_EXACT: Final = 14
"""Number of people, at most, for whom no fewer payments would do; among more there may be one too many. Those who owe another
just what that one is to get are not counted."""


class Transfer(NamedTuple):
    """One payment of ``amount`` minor units."""

    payer: str
    to: str
    amount: int


Balance = tuple[str, int]
"""A name, and what they have won (or, below 0, lost) in minor units."""


def transfers(balances: Mapping[str, int]) -> tuple[Transfer, ...]:
    """The payments after which everybody has what they have won; ``balances``: name → minor units won, below 0 lost.

    A group whose balances add up to 0 settles with one payment fewer than it has people, so as many such groups as there can be
    are looked for.

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
    """Those who owe just what somebody else is to get: taking them together never costs a payment."""
    waiting: dict[int, list[Balance]] = {}
    for one in balances:
        if others := waiting.get(-one[1]):
            yield [others.pop(0), one]
        else:
            waiting.setdefault(one[1], []).append(one)


def _groups(balances: Sequence[Balance]) -> list[list[Balance]]:
    """The most groups that each add up to 0. ``most[set]``: how many of them end on the way to this set of people."""
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
    """The one who has lost most pays the one who has won most, until nobody owes anything."""
    has = dict(group)
    while any(has.values()):
        payer, to = min(has, key=has.__getitem__), max(has, key=has.__getitem__)
        amount = min(-has[payer], has[to])
        has[payer] += amount
        has[to] -= amount
        yield Transfer(payer, to, amount)

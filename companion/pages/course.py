"""What everybody has over an evening: at the beginning and after every hand. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.pages.moments import Moment, between_hands
from companion.table.game import Rules, State
from companion.table.money import Sum


class Course(NamedTuple):
    """One player's, in minor units. ``values``: at the beginning and after every hand; ``said``: the same in words; ``now``: the
    last of them."""

    values: tuple[int, ...]
    said: tuple[str, ...]
    now: Sum


def courses(
    rules: Rules, moments: Sequence[Moment], value: Callable[[State], Sequence[int]], say: Callable[[int], str]
) -> list[Course]:
    """Every player's, in seat order. ``value``: what everybody has in a state; ``say``: a sum in words."""
    found = []
    for values in zip(*between_hands(rules, moments, value), strict=True):
        said = tuple(map(say, values))
        found.append(Course(values, said, Sum(values[-1], said[-1])))
    return found

"""Where the players sit, from one card dealt to each: the setup marks the places by it, so that only names are left to say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.decks.lists import PEDINE
from companion.eyes.table import Table, TableMap
from companion.line.camera import Point, SeenCard

Spot = NDArray[np.float64]
"""(2,) table coordinates, from the table's middle."""

LENGTH_RATIOS: Final = (0.6, 1.6)
"""Length of a card over the median of all, between which it is one of those that were dealt: a coaster or a phone is not."""
INNER_SHARE: Final = 0.35
"""Share of the way from the middle to the edge within which no player's card lies, but the pack or what was left there."""
OUTER_SHARE: Final = 1.1
"""Share of the way from the middle to the edge beyond which a card lies on no table: it is held, or on a chair."""
ONE_PLACE_LENGTHS: Final = 0.9
"""Card lengths within which two cards lie in one place."""
MAX_PACK_OFFSETS: Final = (0.6, 0.75)
"""Of a pack in front of a dealer: card lengths, at most, from the line between the dealer's card and the middle; and its distance
from the middle, at most, as a share of that card's."""

MIN_PACK_LOOKS: Final = 3
"""Looks at which something must be seen to be a pack before it counts as one."""
MAX_LIFTED_LOOKS: Final = 25
"""Looks in a row, at most, at which a pack may look like one card and remain one: it does while the dealer's hand holds it. Fewer
where it was seen as a pack at fewer looks."""


class _Stack(NamedTuple):
    """What was seen to be a pack at ``as_pack`` looks, and at the last ``as_card`` ones to be one card."""

    spot: Spot
    as_pack: int = 1
    as_card: int = 0


class Deal:
    """Looks at a table, one after the other, while one card is dealt to each. A pack that is lifted may look like one card, and a
    card over which a hand passes like a pack: only several looks tell them apart."""

    def __init__(self) -> None:
        self._stacks: tuple[_Stack, ...] = ()
        self._corners: tuple[Point, ...] = ()

    def outside(self, cards: Sequence[SeenCard], corners: Sequence[Point], size: tuple[int, int]) -> int:
        """How many of the cards lie beside the table, as marked: they make no place. Arguments as of `places`."""
        quads, middles, half, _ = _on_table(cards, corners, size)
        single = [number for number, card in enumerate(cards) if card.side != "stack" and card.deck != PEDINE]
        beside = [number for number in single if float(np.abs(middles[number] / half).max()) > OUTER_SHARE]
        on = [_length(quads[number]) for number in single if number not in beside]
        usual = float(np.median(on or [_length(quads[number]) for number in single])) if single else 0.0
        return sum(LENGTH_RATIOS[0] * usual <= _length(quads[number]) <= LENGTH_RATIOS[1] * usual for number in beside)

    def places(
        self, cards: Sequence[SeenCard], corners: Sequence[Point], size: tuple[int, int], *, clockwise: bool
    ) -> tuple[Point, ...]:
        """The places of the players, pixels of a picture of ``size`` (width, height), in order round the table as seen:
        ``clockwise`` or anticlockwise, from the one that is nearest to the camera on.

        ``cards``: all that were found in the newest picture, in any order; ``corners``: the table's four, clockwise, pixels.
        """
        quads, middles, half, top = _on_table(cards, corners, size)
        lengths = [_length(quad) for quad in quads]
        single = [number for number, card in enumerate(cards) if card.side != "stack" and card.deck != PEDINE]
        usual = float(np.median([lengths[number] for number in single] or lengths)) if lengths else 0.0
        self._look_for_packs(middles, [card.side == "stack" for card in cards], tuple(corners), usual)
        packs = [stack.spot for stack in self._stacks if stack.as_pack >= MIN_PACK_LOOKS]
        spots = [
            middles[number]
            for number in single
            if LENGTH_RATIOS[0] * usual <= lengths[number] <= LENGTH_RATIOS[1] * usual
            and INNER_SHARE <= float(np.abs(middles[number] / half).max()) <= OUTER_SHARE
            and not _near(middles[number], packs, usual / 2)
        ]
        places = _outermost(_together(sorted(spots, key=lambda spot: (spot[0], spot[1])), usual), usual)
        places.sort(key=lambda spot: math.atan2(spot[1], spot[0]), reverse=not clockwise)
        pixels = [(round(float(x), 1), round(float(y), 1)) for x, y in top.to_pixels([spot + half for spot in places])]
        first = max(range(len(pixels)), key=lambda number: pixels[number][1], default=0)
        return (*pixels[first:], *pixels[:first])

    def _look_for_packs(
        self, middles: Sequence[Spot], are_packs: Sequence[bool], corners: tuple[Point, ...], length: float
    ) -> None:
        before = self._stacks if self._corners == corners else ()
        stacks = list[_Stack]()
        for stack in before:
            there = [is_pack for at, is_pack in zip(middles, are_packs, strict=True) if math.dist(at, stack.spot) <= length / 2]
            if any(there):
                stacks.append(stack._replace(as_pack=stack.as_pack + 1, as_card=0))
            elif there and stack.as_card + 1 < min(stack.as_pack, MAX_LIFTED_LOOKS):
                stacks.append(stack._replace(as_card=stack.as_card + 1))
        known = [stack.spot for stack in stacks]
        new = [at for at, is_pack in zip(middles, are_packs, strict=True) if is_pack and not _near(at, known, length / 2)]
        self._stacks, self._corners = (*stacks, *(_Stack(at) for at in new)), corners


def _on_table(
    cards: Sequence[SeenCard], corners: Sequence[Point], size: tuple[int, int]
) -> tuple[list[NDArray[np.float64]], list[Spot], Spot, TableMap]:
    """The cards' corners (4, 2), and their middles from the table's; half of the table's sides; the table. Table coordinates."""
    a, b, c, d = corners
    top = TableMap(Table(1, size, (a, b, c, d), ()), size)
    half = np.array([0.5, 0.5 / top.aspect])
    quads = [top.to_table(card.quad) for card in cards]
    return quads, [np.asarray(quad.mean(axis=0) - half, np.float64) for quad in quads], half, top


def _length(quad: NDArray[np.float64]) -> float:
    return max(math.dist(quad[0], quad[1]), math.dist(quad[1], quad[2]))


def _near(spot: Spot, others: Sequence[Spot], far: float) -> bool:
    return any(math.dist(spot, other) <= far for other in others)


def _together(spots: Sequence[Spot], length: float) -> list[Spot]:
    """One for each heap of cards that lie together: its middle."""
    heaps: list[list[Spot]] = []
    for spot in spots:
        near = [heap for heap in heaps if any(math.dist(spot, one) < ONE_PLACE_LENGTHS * length for one in heap)]
        heaps = [heap for heap in heaps if not any(heap is one for one in near)]
        heaps.append([spot, *(one for heap in near for one in heap)])
    return [np.asarray(np.mean(heap, axis=0), np.float64) for heap in heaps]


def _outermost(spots: Sequence[Spot], length: float) -> list[Spot]:
    """The spots without packs that lie in front of another spot."""
    return [spot for spot in spots if not any(_lies_before(spot, other, length) for other in spots)]


def _lies_before(spot: Spot, other: Spot, length: float) -> bool:
    way = math.hypot(*other)
    along = float(spot @ other) / way
    beside = abs(float(spot[0] * other[1] - spot[1] * other[0])) / way
    return 0 < along <= MAX_PACK_OFFSETS[1] * way and beside <= MAX_PACK_OFFSETS[0] * length

"""Cards that cover each other: pairs, cascades, fans, rows edge to edge, heaps and piles on the table; fans held in a hand.

A dealer takes them from the decks of the picture.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workshop.dataset.decks import Deck
from workshop.stage import cardshape
from workshop.stage.scene import Camera, CardPose, FingersPose, StackPose

Rng = np.random.Generator


class Dealer:
    """Takes cards from the decks of one picture: draws which card, which side shows, and how it lies."""

    def __init__(self, decks: list[Deck], rng: Rng) -> None:
        self.decks = {deck.role or deck.name: deck for deck in decks}
        self.rng = rng
        self.gloss = float(rng.uniform(0, 1))
        self.bent = float(rng.uniform(0, 3.5))
        self.count = 0

    def card(self, name: str, x: float, y: float, angle: float, face_up: float = 0.5, lifted: float = 0.08) -> CardPose:
        """A card of the deck that plays ``name``; ``face_up`` and ``lifted`` are probabilities."""
        rng, deck = self.rng, self.decks[name]
        self.count += 1
        up = not (name in ("stu", "ramino") or deck.strange) or rng.random() < face_up
        bend = float(rng.normal(0, self.bent)) if rng.random() < 0.5 else 0.0
        card = CardPose(
            f"c{self.count}", (deck.name, str(rng.choice(deck.faces))), x, y, angle, face_up=bool(up),
            bend=bend if abs(bend) > 0.4 else 0.0, size=deck.size, gloss=self.gloss,
        )  # fmt: skip
        if rng.random() < lifted:
            tilt, axis = float(rng.uniform(5, 65) * rng.choice([-1, 1])), float(rng.choice([0, 90, 90, rng.uniform(0, 180)]))
            card = replace(card, tilt=tilt, tilt_axis=axis, z=float(rng.uniform(0, 70)))
        return card

    def stack(self, name: str, x: float, y: float, angle: float, face_up: float = 0.1) -> StackPose:
        """The deck that plays ``name`` as a stack, or a pile of its cards; ``face_up``: the probability that a face is on top."""
        rng, deck = self.rng, self.decks[name]
        self.count += 1
        return StackPose(
            f"k{self.count}", (deck.name, str(rng.choice(deck.faces))), x, y, angle, int(rng.integers(14, 41)),
            bool(rng.random() < face_up), untidy=float(rng.uniform(0, 1.2)), size=deck.size, gloss=self.gloss,
        )  # fmt: skip

Floats = NDArray[np.float64]
THICKNESS = 0.3
"""Millimetres by which each card of a group lies higher than the one below: a card's thickness."""
STEPS = (0.15, 0.5)
"""How far a card lies from the one under it, in widths of a card sideways and in lengths lengthwise."""
TURNS = (0.0, 25.0)
"""How far it is turned against it, degrees."""
PILE = (3, 16)
"""Cards of a pile that was laid card by card, and …"""
STRAY = (4.0, 20.0)
"""… how far from its middle they come to lie, mm (standard deviation)."""
RAISED = (1.0, 4.0)
"""How far one edge, or all of it, stands off where it does not lie flat, mm."""


def spread(dealer: Dealer, name: str, x: float, y: float, angle: float, raised: float) -> list[CardPose]:
    """Two to five cards of the deck ``name`` about (x, y) mm, the lowest first.

    They lie as a cascade (sideways, lengthwise or diagonally), crossed, as a fan about a point below them, edge to edge, or in a
    heap. ``raised``: share of those on others that do not lie flat.
    """
    rng = dealer.rng
    width, length = dealer.decks[name].size
    count = int(rng.choice([2, 3, 4, 5], p=[0.45, 0.25, 0.17, 0.13]))
    how = str(rng.choice(["cascade", "crossed", "fan", "row", "heap"], p=[0.32, 0.22, 0.24, 0.14, 0.08]))
    if how == "row":
        places = _row(rng, count, width, length)
    elif how == "fan":
        places = _fan(rng, count, width, length)
    elif how == "heap":
        places = np.column_stack([rng.uniform(-0.7, 0.7, (count, 2)) * width, rng.uniform(0, 360, count)])
    else:
        places = _cascade(rng, count, (width, length), crossed=how == "crossed")
    places[:, :2] -= places[:, :2].mean(0)
    up = None if rng.random() < 0.2 else float(rng.random() < 0.55)
    a = np.radians(angle)
    cards = []
    for n, (dx, dy, turn) in enumerate(places.tolist()):
        at = x + dx * np.cos(a) - dy * np.sin(a), y + dx * np.sin(a) + dy * np.cos(a)
        card = dealer.card(name, float(at[0]), float(at[1]), angle + turn, 0.5 if up is None else up, 0.0)
        cards.append(card if how == "row" else _resting(rng, card, n, raised))
    return cards


def pile(dealer: Dealer, name: str, x: float, y: float, angle: float, raised: float) -> list[CardPose]:
    """Cards of the deck ``name`` that people round a table laid face up, one after another or two at once, on one pile about
    (x, y) mm, the lowest first. ``raised``: as of `spread`."""
    rng = dealer.rng
    width = dealer.decks[name].size[0]
    people, stray, askew = int(rng.integers(2, 7)), rng.uniform(*STRAY), rng.uniform(4, 20)
    cards: list[CardPose] = []
    for _ in range(int(rng.integers(PILE[0], PILE[1] + 1))):
        facing = angle + 360.0 / people * int(rng.integers(people)) + rng.normal(0, askew)
        at, step = rng.normal(0, stray, 2), rng.uniform(0.25, 0.45) * width
        for n in range(2 if rng.random() < 0.1 else 1):
            a = np.radians(facing)
            where = np.array([x, y]) + at + n * step * np.array([np.cos(a), np.sin(a)])
            card = dealer.card(name, float(where[0]), float(where[1]), facing + n * float(rng.uniform(0, 11)), 1.0, 0.0)
            cards.append(_resting(rng, card, len(cards), raised))
    return cards


def _cascade(rng: np.random.Generator, count: int, size: tuple[float, float], *, crossed: bool) -> Floats:
    """(n, 3): x, y in mm and turn in degrees of cards that each lie a step on."""
    way = float(rng.choice([0, 90, 180, 270, rng.uniform(0, 360), rng.choice([45, 135, 225, 315])])) + rng.normal(0, 4)
    step = rng.uniform(*STEPS)
    places = np.zeros((count, 3))
    for n in range(1, count):
        off = step * rng.uniform(0.85, 1.15)
        turn = rng.uniform(*TURNS) * rng.choice([-1, 1]) if crossed else rng.normal(0, 2)
        a = np.radians(way + (rng.normal(0, 25) if crossed else 0))
        places[n] = places[n - 1] + [off * size[0] * np.cos(a), off * size[1] * np.sin(a), turn]
    return places


def _fan(rng: np.random.Generator, count: int, width: float, length: float) -> Floats:
    """As `_cascade`, about a point at or below the cards' lower ends; either end may lie on top."""
    radius = length * rng.uniform(0.35, 1.3)
    # Neighbours keep their step: with a far pivot they turn less.
    least, most = (np.degrees(s * width / radius) for s in STEPS)
    turn = float(np.clip(rng.uniform(4, TURNS[1]), least, min(most, TURNS[1])))
    turns = np.cumsum(np.minimum(turn * rng.uniform(0.85, 1.15, count), TURNS[1])) * rng.choice([-1, 1])
    turns -= turns.mean()
    a = np.radians(turns)
    return np.column_stack([-radius * np.sin(a), radius * np.cos(a), turns])


def _row(rng: np.random.Generator, count: int, width: float, length: float) -> Floats:
    """As `_cascade`, edge to edge in one row, or four in two rows."""
    gap = rng.uniform(-0.2, 1.5)
    lengthwise, columns = rng.random() < 0.3, 2 if count == 4 and rng.random() < 0.6 else count
    places = np.zeros((count, 3))
    for n in range(count):
        column, row = n % columns, n // columns
        if lengthwise:
            column, row = row, column
        places[n] = column * (width + gap), row * (length + gap), rng.normal(0, 0.7)
    places[:, :2] += rng.normal(0, 0.4, (count, 2))
    return places


def _resting(rng: np.random.Generator, card: CardPose, n: int, raised: float) -> CardPose:
    """Card number ``n`` of a group as it rests on those before it."""
    if n == 0:
        return card
    if rng.random() >= raised:
        return replace(card, z=THICKNESS * n, contact=float(rng.uniform(0.05, 0.35)))
    stands = rng.uniform(*RAISED)
    contact = float(rng.uniform(0.25, 0.7))
    if rng.random() < 0.35:
        return replace(card, z=THICKNESS * n + float(stands), contact=contact)
    axis = float(rng.choice([0, 90]))
    across = card.mm[0] if axis == 0 else card.mm[1]
    tilt = float(np.degrees(np.arcsin(stands / across)) * rng.choice([-1, 1]))
    return replace(card, z=THICKNESS * n, tilt=tilt, tilt_axis=axis, contact=contact)


def at_stack(dealer: Dealer, name: str, stack: StackPose) -> CardPose:
    """A card that lies shifted on a stack of the deck ``name``, or half under it, as a turned-up trump does."""
    rng = dealer.rng
    width, length = stack.mm
    way = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.6:
        off, layer, z = rng.uniform(*STEPS), stack.layer, stack.count * stack.thickness
        turn = rng.normal(0, 12)
    else:
        off, layer, z = rng.uniform(0.4, 0.75), stack.layer - 1, 0.0
        turn = rng.choice([0, 90]) + rng.normal(0, 6)
    a, dx, dy = np.radians(stack.angle), off * width * np.cos(way), off * length * np.sin(way)
    x, y = stack.x + dx * np.cos(a) - dy * np.sin(a), stack.y + dx * np.sin(a) + dy * np.cos(a)
    card = dealer.card(name, float(x), float(y), float(stack.angle + turn), 0.6, 0.0)
    return replace(card, z=z, layer=layer, contact=float(rng.uniform(0.1, 0.5)), bend=0.0)


def in_hand(
    dealer: Dealer, camera: Camera, name: str, hand: FingersPose, at: tuple[float, float]
) -> tuple[list[CardPose], FingersPose]:
    """Two to five cards of the deck ``name`` as a fan in ``hand`` over (x, y) mm, leaning back towards who holds them.

    From the opposite side, where the camera may stand, their backs are seen.
    """
    rng = dealer.rng
    width, length = dealer.decks[name].size
    count = int(rng.integers(2, 6))
    lean = float(rng.uniform(10, 70))
    radius, turn = length * rng.uniform(0.3, 0.5), rng.uniform(7, TURNS[1])
    turns = -turn * (np.arange(count) - (count - 1) / 2) + rng.normal(0, 1.5, count)
    ahead, tilt = np.radians(hand.angle), np.radians(lean)
    right, forward = np.array([np.cos(ahead), np.sin(ahead), 0]), np.array([-np.sin(ahead), np.cos(ahead), 0])
    rise = np.cos(tilt) * forward + [0, 0, np.sin(tilt)]
    low = (length / 2) * np.sin(tilt)
    pivot = np.array([*at, low + rng.uniform(5, 90)])
    cards = []
    for spun in turns.tolist():
        a = np.radians(spun)
        middle = pivot - radius * np.sin(a) * right + radius * np.cos(a) * rise
        half = (width / 2 * abs(np.sin(a)) + length / 2 * abs(np.cos(a))) * np.sin(tilt)
        card = dealer.card(name, float(middle[0]), float(middle[1]), hand.angle + spun, 1.0, 0.0)
        # The axis lies across the hand for all of them, whichever way each is turned.
        card = replace(card, face_up=True, bend=0.0, tilt=lean, tilt_axis=-90.0 - spun, z=float(max(0.0, middle[2] - half)))
        cards.append(replace(card, contact=float(rng.uniform(0.05, 0.3))))
    thumb = 14.0 * (1 if hand.left else -1)
    tip = pivot - thumb * right + 22 * forward
    placed = replace(hand, x=float(tip[0]), y=float(tip[1]), z=float(max(2.0, pivot[2] - 18)))
    if cardshape.shows_face(camera, cards[0]):
        return cards, replace(placed, grip="hold", holds=cards[0].id, fan=tuple(card.id for card in cards[1:]))
    # From behind, the last is the lowest, and the fingers lie over all of them.
    return cards[::-1], replace(placed, grip="pinch")

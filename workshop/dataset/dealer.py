"""Who takes cards from the decks of one picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from workshop.dataset.decks import Deck
from workshop.stage.scene import CardPose, StackPose

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

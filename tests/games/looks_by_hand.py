"""Looks at a table made up by hand: four places round the origin, cards a tenth long, and what moves between them."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np

from companion.eyes.following.follower import Eyesight
from companion.eyes.sighting import CardSeen, Motion, Point, Quad, Sighting, TableView

LENGTH = 0.1
CENTRES = np.array([(0.0, -0.4), (0.4, 0.0), (0.0, 0.4), (-0.4, 0.0)])
"""Four places round a pile at the origin; a card is 0.1 long."""
X, Y = np.meshgrid(np.arange(-0.5, 0.5, 0.03), np.arange(-0.5, 0.5, 0.03))
GROUND = np.stack([X.ravel(), Y.ravel()], axis=1)
E = TypeVar("E", bound=Eyesight)


class Looks(Generic[E]):
    """Looks at a table, ten a second. ``lying``: what is found in each: kind (None: a back; ``stack``: what looks like one),
    middle, turn. ``deck``: the cards' deck, as the eyes name it. ``come``: kinds that are known to have just come to lie
    there."""

    def __init__(self, eyes: E) -> None:
        self.deck = "napoletane"
        self.come: set[str] = set()
        self.eyes, self.t = eyes, 0.0
        self.lying: list[tuple[str | None, Point, float]] = []
        self.seen: list[Sighting] = []

    def look(self, seconds: float, moves: int | None = None, at: Point | None = None) -> Looks[E]:
        """Look for ``seconds``. Something moves between place ``moves`` and the pile, or around the point ``at``."""
        for _ in range(round(seconds * 10)):
            self.t += 0.1
            cards = tuple(_card(kind, self.deck, kind in self.come) for kind, *_ in self.lying)
            centres, turns = (tuple(one[at] for one in self.lying) for at in (1, 2))
            moving = np.zeros(len(GROUND), bool)
            if moves is not None:
                way = CENTRES[moves]
                along = GROUND @ way / (way @ way)
                moving = (np.hypot(*(GROUND - along[:, None] * way).T) < 0.05) & (along > 0.1) & (along < 1)
            if at is not None:
                moving |= np.hypot(*(GROUND - np.array(at)).T) < 0.06
            lengths = tuple(LENGTH for _ in cards)
            view = TableView(self.t, cards, centres, lengths, turns, Motion(GROUND, moving))  # type: ignore[arg-type]
            self.seen += self.eyes.step(view)
        return self

    def of(self, kind: type) -> list[Sighting]:
        """The sightings of this kind."""
        return [one for one in self.seen if isinstance(one, kind)]

    def last_of(self, kind: type) -> list[Sighting]:
        """The last report of each episode of this kind."""
        return list({one.episode: one for one in self.of(kind)}.values())


def _card(kind: str | None, deck: str, come: bool) -> CardSeen:
    quad: Quad = ((0, 0), (1, 0), (1, 2), (0, 2))
    if kind is None or kind == "stack":
        return CardSeen(quad, deck, "back" if kind is None else "stack", 0.9)
    return CardSeen(quad, deck, "face", 0.9, kind, ((kind, 0.99),), 0.0 if come else None)

"""A face that lies somewhere, and what all looks at it say of its kind."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from companion.eyes.sighting import CardSeen


@dataclass(slots=True)
class FaceEpisode:
    """One face that lies in one place, and the evidence of all looks at it: sums of log-probabilities, each look with the
    probability of its likeliest kind as its ``weight``: while a hand is over it, or another card, it may look like any.

    ``since``, ``last``: the first and the last look at it, seconds; ``not_before``: the last look before these that found a card
    face down there. ``power``: that of the weight; the higher, the less those looks count at which the kind is hard to tell.
    """

    number: int
    since: float
    last: float
    not_before: float | None = None
    looks: int = 0
    weight: float = 0.0
    reported: tuple[tuple[str, float], ...] = ()
    evidence: dict[str, float] = field(default_factory=dict)
    power: float = 1.0

    def add(self, t: float, card: CardSeen) -> None:
        floor, weight = math.log(1e-4), max((p for _, p in card.alternatives), default=0.0) ** self.power
        heard = {kind: max(math.log(max(p, 1e-9)), floor) for kind, p in card.alternatives}
        for kind in self.evidence.keys() | heard.keys():
            before = self.evidence.get(kind, floor * self.weight)
            self.evidence[kind] = before + weight * heard.get(kind, floor)
        self.looks += 1
        self.weight += weight
        self.last = t

    def alternatives(self) -> tuple[tuple[str, float], ...]:
        """Kinds with their probabilities, most likely first, without those below 0.001.

        Looks at a card that lies still make the same errors: many of them count as their mean, and are no surer than one.
        """
        best = max(self.evidence.values())
        odds = {kind: math.exp((value - best) / max(self.weight, 1e-9)) for kind, value in self.evidence.items()}
        total = sum(odds.values())
        ranked = sorted(((kind, p / total) for kind, p in odds.items()), key=lambda pair: -pair[1])
        return tuple((kind, p) for kind, p in ranked if p >= 1e-3)


def tells_more(before: tuple[tuple[str, float], ...], now: tuple[tuple[str, float], ...], by: float = 0.02) -> bool:
    """Whether the probabilities have changed enough for another report: that of a kind by more than ``by``."""
    old = dict(before)
    return not before or any(abs(p - old.get(kind, 0.0)) > by for kind, p in now)

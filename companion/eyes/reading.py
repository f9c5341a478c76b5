"""The reading of a crop of a card: which deck and which card it shows, with probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

SAME_DECK_FACTOR = 20.0
"""Factor by which a face is likelier to be of the deck where one of its cards lay a moment ago than elsewhere."""
SHARP_PIXELS = 40.0
"""Card length in pixels from which on the probabilities are the network's. Below it, log-odds shrink with the root of the length:
the power for which the faces of `datasets/val.yaml` and of a recipe as hard as `hard` were likeliest."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one crop shows, once taken for a face, and once for a back.

    ``known``: the probability that a face here is one of ``deck``; ``alternatives``: (kind, its probability if it is), most
    likely first, empty for a deck whose cards are not named; ``back``: (deck, probability that a back here is that deck's);
    ``supposed``: see `Prototypes.readings`.
    """

    deck: str
    known: float
    alternatives: tuple[tuple[str, float], ...]
    back: tuple[str, float] = ("", 0.0)
    supposed: tuple[tuple[str, float], ...] = ()

    @property
    def card(self) -> str | None:
        """The likeliest kind; None where the deck's cards are not named."""
        return self.alternatives[0][0] if self.alternatives else None

    @property
    def probability(self) -> float:
        """The probability of the likeliest kind, given that this is a face of the deck."""
        return self.alternatives[0][1] if self.alternatives else 1.0

    @property
    def sure(self) -> float:
        """The probability that this is a face of the deck, and of the likeliest kind; 0 where the deck's cards are not named."""
        return self.known * self.probability if self.alternatives else 0.0

    def softened(self, length: float) -> Reading:
        """This reading for a card ``length`` pixels long in the picture: enlarged crops look surer than they are."""
        if length >= SHARP_PIXELS or not self.alternatives:
            return self
        powers = [share ** math.sqrt(length / SHARP_PIXELS) for _, share in self.alternatives]
        softer = tuple((kind, power / sum(powers)) for (kind, _), power in zip(self.alternatives, powers, strict=True))
        return replace(self, alternatives=softer)


def ranked(kinds: dict[str, float]) -> tuple[tuple[str, float], ...]:
    total = max(sum(kinds.values()), 1e-12)
    return tuple(sorted(((card, share / total) for card, share in kinds.items()), key=lambda entry: -entry[1]))


def supposed(kinds: tuple[tuple[str, float], ...], known: float) -> tuple[tuple[str, float], ...]:
    """The kinds' probabilities if the game implies that a card of the deck lies there, however strange it looks, as a hand may
    lie on it. What makes it look strange may also have decided its kind, so no kind is ruled out."""
    known = expected(known)
    return tuple((kind, known * share + (1 - known) / len(kinds)) for kind, share in kinds)


def expected(known: float) -> float:
    """The probability that a card is of its deck, raised for places where cards of that deck are expected and strangers' are
    rare."""
    return SAME_DECK_FACTOR * known / (SAME_DECK_FACTOR * known + 1 - known)

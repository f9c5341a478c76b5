"""What lies on the pile while no hand is over it: spots at which faces are found, and what they say of a card just put down.

Cards lie on one another, and the eyes take two for one, or half a card for a whole one. So no card is followed from look to look:
what is found after a hand has come and gone is compared with what was found before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.decks.italian import KINDS
from companion.decks.italian_sets import ACE, INDEX, KING, OF_NUMBER, kinds_in, number_of
from companion.eyes.following.lying import FaceEpisode, Look
from companion.eyes.geometry import between_turns
from companion.eyes.sighting import Point
from companion.games.stoppa.sightings import Odds

SHIFT, TURN = 0.12, 10.0
"""Card lengths, and degrees, within which a face is found at a spot."""
STRANGE_FACTOR = 0.5
"""Factor, 0 to 1, for what a face of an unknown deck says, beside one of the game's deck."""
OLD_FACTOR = 0.1
"""Factor, 0 to 1, for what a face says of a spot that was there before."""
MIN_ALIKE_PROBABILITY = 0.4
"""Shared probability from which two readings are of the same card."""
MIN_KIND_PROBABILITY = 0.0015
"""Probability that each kind has at least, before all are made to sum to 1: this is how often the eyes are wrong. Fitted, as the
next one, to the 212 cards that were laid in three filmed clips."""
PLAINER, FAINT = 2.0, 1e-6
"""The likelihood that a spot is the card put down is `Sign.weight`, at least ``FAINT``, to the power ``PLAINER``."""
MIN_FIRST_SAYS = 0.45
"""`Sign.says` (0 to 1) times the probability of a number, at least, for a spot to be the first of several cards of that
number."""
MOST = 4
NEAREST, STEP = 0.14, 0.22
"""Card lengths from one card of a fan to the next: at least, and usually."""
MAX_FAN_DEGREES = 20.0
"""Degrees by which a card of a fan is turned against the one next to it, at most: one that is not is a card below, misread."""
HIDDEN_PROBABILITY = 0.85
"""Probability that there is a card between two of a fan that lie too far apart to be neighbours."""
BEHIND_PROBABILITY = 0.2
"""Probability of a second ace behind one that is read, where nothing is known of what has changed around it. This and
`HIDDEN_PROBABILITY` are guesses: each of two filmed clips has one such case."""
ALONE, SECOND, THIRD = 0.005, (0.11, 0.19), (0.5, 0.68)
"""Probability that a card came with others if hardly anything has changed around it. The other two are changes, in cards, between
which it grows to `WITH`: that an ace came with another one, and that two more came. In seven filmed clips the change was 0.17 to
0.52 around one of two cards, 0.66 and more around one of more; it was more than 0.15 around eight of 400 that came alone."""
WITH, FOURTH = 0.95, 0.5
"""Probability at the upper end of these changes; and that of a fourth card with three aces or Re. Of other numbers only all four
may be put down together."""


@dataclass(slots=True)
class Spot:
    """Where a face is found: its middle (table coordinates), how its long side is turned (degrees, 0 to 180), and how much has
    changed ``around`` it, as of `companion.eyes.sighting.CardSeen`."""

    at: Point
    turn: float
    face: FaceEpisode
    trust: float = 0.0
    around: float | None = None

    def holds(self, at: Point, turn: float, length: float) -> bool:
        """Whether a card that lies so is this one."""
        return math.dist(self.at, at) <= SHIFT * length and self.turned(turn) <= TURN

    def turned(self, turn: float) -> float:
        """Degrees, 0 to 90, by which a card that lies so is turned against this one."""
        return between_turns(self.turn, turn)

    @property
    def odds(self) -> dict[str, float]:
        """Its kinds, as all looks at it say."""
        return dict(self.face.alternatives()) if self.face.evidence else {}

    @property
    def best(self) -> str:
        """Its likeliest kind."""
        return max((odds := self.odds), key=lambda kind: odds[kind], default="")


@dataclass(slots=True)
class Spots:
    """The spots found in ``looks`` looks."""

    looks: int = 0
    spots: list[Spot] = field(default_factory=list)

    def add(self, t: float, found: Iterable[Look], length: float) -> None:
        """One more look."""
        self.looks += 1
        for look in found:
            spot = next((one for one in self.spots if one.holds(look.at, look.turn, length)), None)
            if spot is None:
                spot = Spot(look.at, look.turn, FaceEpisode(0, t, t))
                self.spots.append(spot)
            spot.face.add(t, look.card)
            spot.trust += look.card.score * (STRANGE_FACTOR if look.card.deck == "unknown" else 1.0)
            spot.around = look.card.around if look.card.around is not None else spot.around

    def until(self, t: float) -> Spots:
        """The spots that were found before ``t`` seconds."""
        return Spots(self.looks, [spot for spot in self.spots if spot.face.since < t])

    def read(self) -> dict[str, float]:
        """How surely (0 to 1) a card of each kind lies there."""
        found: dict[str, float] = {}
        for spot in self.spots:
            says = self.trust(spot)
            for kind, p in spot.odds.items():
                found[kind] = max(found.get(kind, 0.0), says * p)
        return found

    def trust(self, spot: Spot) -> float:
        """0 to 1: how well it was found, and how often."""
        often = min(1.0, 1.5 * spot.face.looks / max(self.looks, 1))
        return often * spot.trust / max(spot.face.looks, 1)


@dataclass(frozen=True, slots=True)
class Sign:
    """What a spot ``says`` (0 to 1) of a card just put down, with the ``odds`` of its kinds that were not seen before."""

    spot: Spot
    says: float
    odds: dict[str, float]

    @property
    def best(self) -> str:
        """Its likeliest kind."""
        return max(self.odds, key=lambda kind: self.odds[kind], default="")

    @property
    def weight(self) -> float:
        """How plainly it names a card."""
        return self.says * max(self.odds.values(), default=0.0)

    @property
    def number(self) -> tuple[int, float]:
        """Its likeliest number, and how probable that is."""
        masses: dict[int, float] = {}
        for kind, p in self.odds.items():
            if kind in INDEX:
                number = number_of(INDEX[kind])
                masses[number] = masses.get(number, 0.0) + p
        return max(masses.items(), key=lambda one: one[1], default=(0, 0.0))


def signs(now: Spots, before: Sequence[Spots], seen: Mapping[str, float], length: float) -> list[Sign]:
    """What the spots found ``now`` say of a card put down since ``before``, the plainest first. ``seen``: how surely (0 to 1)
    cards of each kind lay there already."""
    found = []
    for spot in now.spots:
        odds = spot.odds
        old = [one.odds for spots in before for one in spots.spots if one.holds(spot.at, spot.turn, length)]
        alike = MIN_ALIKE_PROBABILITY * sum(odds.values())
        same = any(sum(min(p, other.get(kind, 0.0)) for kind, p in odds.items()) >= alike for other in old)
        left = {kind: p * (1 - seen.get(kind, 0.0)) for kind, p in odds.items()}
        found.append(Sign(spot, now.trust(spot) * (OLD_FACTOR if same else 1.0), left))
    return sorted(found, key=lambda one: -one.weight)


def kinds_of(found: Sequence[Sign]) -> Odds:
    """The kinds that the card may have to which these signs belong, most likely first; they sum to 1.

    One of the spots is the card: the more plainly a spot names one, the likelier it is that one. The others are cards below it,
    seen again or misread.
    """
    weights = [max(sign.weight, FAINT) ** PLAINER for sign in found]
    masses = dict.fromkeys(KINDS, MIN_KIND_PROBABILITY)
    for sign, weight in zip(found, weights, strict=True):
        for kind, p in sign.odds.items():
            if kind in masses:
                masses[kind] += sign.says * p * weight / sum(weights)
    total = sum(masses.values())
    return tuple(sorted(((kind, mass / total) for kind, mass in masses.items()), key=lambda one: -one[1]))


def alone(found: Sequence[Sign]) -> Odds:
    """The kinds of the one card that was put down: of the one on top, where what has changed tells which that is."""
    return kinds_of(found[:1] if found and found[0].spot.around is not None else found)


def together(found: Sequence[Sign], length: float) -> list[Odds]:
    """The kinds of each of the cards of one number that were put down together, as a fan; empty where it is one card.

    How many came follows from how much has changed around the upper one. Where that is not known, there is an unread card between
    two that lie too far apart for neighbours, and there may be one behind a single ace.
    """
    if not found or found[0].says * found[0].number[1] < MIN_FIRST_SAYS:
        return []
    number, _ = found[0].number
    fan = _fan(found, length)
    around = found[0].spot.around
    further = _further(fan, number, length) if around is None else came_with(number, around)
    if not further:
        return []
    rows = [kinds_of([sign]) for sign in fan] if len(fan) > 1 else [alone(found)]
    read = {row[0][0] for row in rows}
    others = [kind for kind in kinds_in(OF_NUMBER[number]) if kind not in read]
    unread = further[len(fan) - 1 :][: len(others)]
    return [*rows, *(tuple((kind, there / len(others)) for kind in others) for there in unread)]


def came_with(number: int, around: float) -> tuple[float, ...]:
    """The probabilities that a second, third and fourth card came with one. ``around``: how much has changed around it, in
    cards."""
    more = _grown(around, THIRD)
    second = _grown(around, SECOND) if number == ACE else more
    fourth = more * (FOURTH if number in (ACE, KING) else 1.0)
    return tuple(p for p in (second, more, fourth) if p > ALONE)


def _grown(around: float, over: tuple[float, float]) -> float:
    share = (around - over[0]) / (over[1] - over[0])
    return ALONE + (WITH - ALONE) * min(max(share, 0.0), 1.0)


def _further(fan: Sequence[Sign], number: int, length: float) -> tuple[float, ...]:
    """The probabilities of a second, third and fourth card, from where those of the fan lie that are read."""
    if len(fan) < 3 and number != ACE:
        return ()
    span = max(math.dist(one.spot.at, other.spot.at) for one in fan for other in fan) / length
    hidden = max(min(round(span / STEP) + 1, MOST) - len(fan), 0)
    there = HIDDEN_PROBABILITY if len(fan) > 1 else BEHIND_PROBABILITY
    return (1.0,) * (len(fan) - 1) + (there,) * max(hidden, len(fan) == 1)


def _fan(found: Sequence[Sign], length: float) -> list[Sign]:
    """The cards of one number that are read, each beside the next, the plainest first."""
    fan, left = [found[0]], list(found[1:])
    while len(fan) < MOST:
        beside = next((sign for sign in left if _is_beside(fan, sign, length)), None)
        if beside is None:
            break
        left.remove(beside)
        fan.append(beside)
    return fan


def _is_beside(fan: Sequence[Sign], sign: Sign, length: float) -> bool:
    """Whether this sign is one more card of the fan: of the same number, not read yet, and turned nearly as the card next to
    it."""
    number, p = sign.number
    if number != fan[0].number[0] or sign.says * p < MIN_FIRST_SAYS / 2:
        return False
    apart = all(math.dist(sign.spot.at, one.spot.at) > NEAREST * length and sign.best != one.best for one in fan)
    nearest = min(fan, key=lambda one: math.dist(sign.spot.at, one.spot.at))
    return apart and sign.spot.turned(nearest.spot.turn) <= MAX_FAN_DEGREES

"""Faces that lie somewhere on the table, look after look: each card is followed by its kind and by where it lies.

A `FaceEpisode` is one face in one place, with what all looks at it say of its kind. `OpenFaces` has those that lie open before
the places of a table, and when each came to lie there.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from companion.eyes.sighting import CardSeen, Odds, Point, Shown

# A face that lies somewhere, and what all looks at it say of its kind.


@dataclass(slots=True)
class FaceEpisode:
    """One face that lies in one place, with the evidence of all looks at it: sums of log-probabilities. Each look counts with the
    probability of its likeliest kind as its ``weight``, as a card under a hand or another card may look like any.

    ``since``, ``last``: the first and the last look at it, seconds; ``not_before``: the last look before these that found a card
    face down there. ``power``: the exponent of the weight; the higher it is, the less do looks count in which the kind is hard to
    tell.
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
        for kind in {**self.evidence, **heard}:  # in the same order in every run
            before = self.evidence.get(kind, floor * self.weight)
            self.evidence[kind] = before + weight * heard.get(kind, floor)
        self.looks += 1
        self.weight += weight
        self.last = t

    def alternatives(self) -> tuple[tuple[str, float], ...]:
        """Kinds with their probabilities, most likely first, equal ones in the order of their ids, without those below 0.001.

        Looks at a card that lies still make the same errors. So they count as their mean, and many of them are no surer than one.
        """
        best = max(self.evidence.values())
        odds = {kind: math.exp((value - best) / max(self.weight, 1e-9)) for kind, value in self.evidence.items()}
        total = sum(odds.values())
        ranked = sorted(((kind, p / total) for kind, p in odds.items()), key=lambda pair: (-pair[1], pair[0]))
        return tuple((kind, p) for kind, p in ranked if p >= 1e-3)


def tells_more(before: tuple[tuple[str, float], ...], now: tuple[tuple[str, float], ...], by: float = 0.02) -> bool:
    """Whether the probability of some kind has changed by more than ``by`` since the last report, enough for another one."""
    old = dict(before)
    return not before or any(abs(p - old.get(kind, 0.0)) > by for kind, p in now)


MIN_LOOKS, MIN_SECONDS = 4, 0.3
"""Number of looks, and the seconds over which they extend, that must find a face before it lies there."""
WEIGHT_POWER = 3.0
"""Power of a look's weight (`FaceEpisode`): so the few looks that found a card uncovered are not outvoted by the many at the
strip of it that shows once a fan covers it."""
MIN_KIND_PROBABILITY, MIN_MEAN_SCORE = 0.3, 0.4
"""Least probability of the likeliest kind, and least mean score, of a face that is reported."""
REPORTED_CHANGE = 0.1
"""Change of a kind's probability from which on a face is reported again."""
RECENT_SECONDS = 1.2
"""Seconds within which the looks that first report a face must all lie, unless a later one finds it again
(`AGAIN_PROBABILITY`)."""
AGAIN_PROBABILITY, AGAIN_LENGTHS = 0.9, 0.05
"""Least probability of the reading, and greatest distance in card lengths, with which a later look finds a face again as it lay.
In a fan a card is sometimes taken for a part of the next one, for seconds; a card that is being moved is nowhere twice."""
STILL_LENGTHS = 0.3
"""Card lengths: a card further than this from where it was is being moved."""
SAME_CARD_LENGTHS = 0.25
"""Card lengths: a face nearer than this to one that was there a moment ago is the same card, whatever it is read as."""
HIDDEN_SECONDS = 0.5
"""Seconds for which a card that is not found counts as hidden by a hand."""


@dataclass(frozen=True, slots=True)
class Look:
    """One card in one look: where its middle lies (table coordinates), and how its long side is turned (degrees, 0 to 180)."""

    t: float
    card: CardSeen
    at: Point
    turn: float


@dataclass(slots=True, eq=False)
class Face:
    """A card that lies face up. ``known``: it has been reported; ``again``: it was found as it lay after a while in which it was
    not found."""

    episode: FaceEpisode
    at: Point
    turns: deque[float] = field(default_factory=lambda: deque(maxlen=8))
    trail: deque[Point] = field(default_factory=lambda: deque(maxlen=MIN_LOOKS))
    known: bool = False
    again: bool = False
    scores: float = 0.0

    @property
    def plain(self) -> bool:
        """Whether it has been seen and read well enough to be taken for a card."""
        looks = self.episode.looks
        lain = looks >= MIN_LOOKS and self.episode.last - self.episode.since >= MIN_SECONDS
        return lain and self.scores / looks >= MIN_MEAN_SCORE and self.episode.alternatives()[0][1] >= MIN_KIND_PROBABILITY

    @property
    def kind(self) -> str:
        """The card's likeliest kind so far."""
        return self.episode.alternatives()[0][0]

    @property
    def turn(self) -> float:
        """How the card's long side is turned, degrees, 0 to 180: the middle one of the last looks."""
        return median(self.turns)

    def lies_as_before(self, look: Look, length: float) -> bool:
        """Whether this look finds the card where it was last seen, and reads it well."""
        kind, odds = look.card.alternatives[0]
        return kind == self.kind and odds >= AGAIN_PROBABILITY and math.dist(look.at, self.at) <= AGAIN_LENGTHS * length

    def still(self, length: float) -> bool:
        """Whether the last looks have all found the card at the same place."""
        return all(math.dist(self.at, point) <= STILL_LENGTHS * length for point in self.trail)


class Faces:
    """The faces in one part of the table. ``first``: its episodes are numbered from ``first`` + 1."""

    def __init__(self, first: int = 0) -> None:
        self._episodes = first
        self.lying: list[Face] = []

    def step(self, looks: Iterable[Look], length: float) -> Iterator[tuple[Face, Odds]]:
        """The faces that this look has made surer, each with what is now known of it."""
        for look, face in self._matched(list(looks), length):
            face.again |= look.t - face.episode.last > HIDDEN_SECONDS and face.lies_as_before(look, length)
            face.episode.add(look.t, look.card)
            face.at = look.at
            face.turns.append(look.turn)
            face.trail.append(look.at)
            face.scores += look.card.score
            found = face.episode.alternatives()
            soon = look.t - face.episode.since <= RECENT_SECONDS or face.known or face.again
            more = face.plain and tells_more(face.episode.reported, found, REPORTED_CHANGE)
            if more and soon and face.still(length):
                face.episode.reported, face.known = found, True
                yield face, found
            elif not soon and not face.known:
                self.lying.remove(face)  # it was seen now and then only: it may be on its way

    def forget(self, before: float) -> None:
        """Forget the faces that were last seen before this time (seconds). One that was never reported stays as long as reported
        ones do, as it may lie among them."""
        others = any(face.known and face.episode.last >= before for face in self.lying)
        self.lying = [face for face in self.lying if face.episode.last >= before or (others and not face.known)]

    def _matched(self, looks: Sequence[Look], length: float) -> Iterator[tuple[Look, Face]]:
        """Assigns each look of one picture to a face, or to a new one; no two looks to the same face, as cards lie close together
        in a fan."""
        pairs = [
            (worth, n, face) for n, look in enumerate(looks) for face in self.lying
            if (worth := _worth(look, face, length)) is not None
        ]  # fmt: skip
        found: dict[int, Face] = {}
        for _, n, face in sorted(pairs, key=lambda pair: pair[0]):
            if n not in found and face not in found.values():
                found[n] = face
        for n, look in enumerate(looks):
            yield look, found.get(n) or self._new(look)

    def _new(self, look: Look) -> Face:
        self._episodes += 1
        face = Face(FaceEpisode(self._episodes, look.t, look.t, power=WEIGHT_POWER), look.at)
        self.lying.append(face)
        return face


def _worth(look: Look, face: Face, length: float) -> tuple[int, float] | None:
    """The sort key of a face for a look that may be assigned to it: first faces of the same kind that are known or lie within a
    card's length, the last seen first; then what was in its place a moment ago, the nearest first. None: it cannot be this
    face."""
    odds, best = dict(look.card.alternatives), look.card.alternatives[0][0]
    far, gap = math.dist(face.at, look.at), look.t - face.episode.last
    if face.kind == best and (face.known or far <= length):
        return 0, gap
    near = far <= SAME_CARD_LENGTHS * length and gap <= HIDDEN_SECONDS
    if near and (odds.get(face.kind, 0.0) > 0.05 or dict(face.episode.alternatives()).get(best, 0.0) > 0.05):
        return 1, far
    return None


SHOWN_GONE_SECONDS = 1.5
"""Seconds without being seen after which a face before a place counts as taken up: shown again, it is another episode."""


class OpenFaces:
    """The faces before each of a number of ``places``. ``number``: gives each episode its number."""

    def __init__(self, places: int, number: Callable[[], int]) -> None:
        self._faces = [Faces() for _ in range(places)]
        self._number = number
        self._shown: dict[tuple[int, int], Shown] = {}

    @property
    def places(self) -> tuple[int, ...]:
        """The places (from 0) before which faces lie."""
        return tuple(place for place, faces in enumerate(self._faces) if any(face.known for face in faces.lying))

    def step(self, place: int, looks: Iterable[Look], t: float, length: float, *, hidden: bool) -> list[Shown]:
        """The faces that came to lie before a place, or became surer, with this look at ``t`` seconds. ``hidden``: whether the
        place cannot be seen in it."""
        faces = self._faces[place]
        found = []
        for face, odds in faces.step(looks, length):
            key = place, face.episode.number
            if key not in self._shown:
                self._shown[key] = Shown(face.episode.since, place, self._number(), odds)
            before = self._shown[key]
            found.append(Shown(before.t, place, before.episode, odds))
        if not hidden:
            faces.forget(t - SHOWN_GONE_SECONDS)
        return found

    def clear(self) -> None:
        """Forget all faces, as the cards have been gathered."""
        for faces in self._faces:
            faces.forget(math.inf)

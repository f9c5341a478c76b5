"""Cards on the move between places: which two neighbours exchanged theirs, who drew from the deck.

Backs look alike and cross under hands, so no card is followed from place to place. Instead, evidence is collected for each pair
of places: a card seen clearly between the two, whichever it is; looks in which both cards are away, or one card while the deck
is covered; looks in which hands move in their corridor and not beside it. Once it is quiet again, all that (`Evidence`) says
how likely the two have exchanged. How the cards lie afterwards says most: nobody puts a card down exactly as another one lay.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from companion.eyes.following.corridors import PARTS, Corridors, beside_way
from companion.eyes.sighting import Motion, Point
from companion.games.stu.sight.place import Place
from companion.games.stu.sight.places import Places
from companion.games.stu.sightings import DeckExchanged, Exchanged, Sighting

QUIET_SECONDS = 0.8
"""Seconds without anything seen between two places after which traffic between them is over."""
AROUND_SECONDS = 1.5
"""Seconds before and after the traffic in which everything that happens in the places belongs to it."""
PATIENCE_SECONDS = 4.0
"""Seconds after the traffic for which a bare place is waited for, at most."""
STIR_SECONDS, STIR = 0.5, 0.08
"""Something goes back and forth between two ends when there are ``STIR`` seconds of motion in their corridor within
``STIR_SECONDS``. Motion is measured in seconds for which all of the corridor would have moved."""
REACH_SECONDS = 0.1
"""Seconds of motion, at least, in every part of a corridor for a hand to have reached from one end to the other. In filmed
exchanges it is 0.27 and more."""
SEEN_REACH = 0.05
"""Seconds of motion, at least, in every part of a corridor where a card was seen between two places: without a hand it
was none, or one that its owner had drawn up. In simulated hands, where mostly all look at their cards at once, none of 258 true
exchanges has less, and 104 of 119 false ones do."""
CROSSED_SECONDS = 0.03
"""Seconds of motion in every part of a corridor while the cards of both ends were away, for a hand to have carried one across."""
UNDER_HANDS, NOT_CROSSED = 0.5, 0.2
"""Share of what looks like an exchange that is one, where no card was seen on its way. Two whose hands reach far as they look at
their own cards look just like it: as likely as not, before the rules say who may exchange. Where neither card lies as before,
that is the most, and no share of it: in 44 simulated evenings in which all look at once 24 of 24 pieces of traffic with 0.5 and
more by the weights were exchanges. Where nothing crossed while both cards were away, 9 of 43 in other simulated hands were."""
TOGETHER_SECONDS = 3.0
"""Seconds beyond which cards that are away have been taken up to be looked at."""
RELAID_SHIFT, RELAID_TURN = 0.04, 2.5
"""Card lengths from the card before, and degrees against it, from which on a card has been put down since. A card at rest is seen
within a third of that; one in ten cards that were put down lies within it."""
DEALT_SECONDS = 1.0
"""Seconds without anybody's first card after which the dealing is over, or the next card waits for a decision."""
DRAWN_LENGTHS, DRAWN_TOWARDS = 1.8, 0.3
"""Card lengths from a place, bare meanwhile, within which a card is that place's own, drawn up to be looked at; and how far it
may be from there towards the other end."""
DRAWN_SHARE, DRAWN_LOOKS = 0.5, 3
"""Share of the looks with a bare place, and number of them, that must have found its card there."""
ALONE_RATIO = 2.0
"""Motion in the corridor, as a multiple of that in any other from its ends, that is needed where the card at one end was never
seen: somebody who deals or gathers is busy in several."""
MIN_PROBABILITY = 0.05
"""Probability below which an exchange is not reported. None falls below it for what could not be seen of it."""
DECK = -1
"""The deck, as an end of a way."""


@dataclass(slots=True)
class Way:
    """Traffic between two ends (a place's number, or `DECK`), from ``start`` to ``last`` seconds. ``looks``: number of looks
    that found a card on the way; ``together``: number of those in which both ends were bare, or one was and the deck out of
    sight. ``unseen``: at one of the ends no card had been seen in this hand."""

    ends: tuple[int, int]
    start: float
    last: float
    looks: int = 0
    together: int = 0
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for and against an exchange, or a draw where one end is the deck.

    ``looks``, ``together``, ``unseen``: as of its `Way`. ``away``: share of the ends that were bare meanwhile; ``disturbed``:
    share that were bare, or had something other than their card at rest. ``relaid``: share of the ends whose card lies
    differently from the one before, ``same``: just like it; of the others it is not known. ``least_off``: how differently, at the
    end where that is least; 1 is ten times as far as a card at rest seems to move. ``back``: share of the ends where a card lies
    again. ``apart``: seconds between the times at which the two ends became bare, plus those between the times at which they were
    covered again. ``rivals``: number of other places that were bare meanwhile; ``rival``: looks of both kinds of the best other
    way that shares an end with this one. ``seconds``: how long it lasted; ``bare``: for how long the ends were bare, the shorter
    of the two; ``gone``: for how long the card that was away longest was gone, including time before. ``dealing``: somebody was
    dealt their first card meanwhile. ``faces``: share of the ends where a face lay. ``stir``, ``aside``: motion in the corridor,
    and in the busiest other one from its ends; ``through``: in that part of the corridor where there was least. ``watched``:
    motion in the corridor would have been noticed. ``drawn``: share of the looks with an end bare in which its own card was seen
    beside its place, and not on the way to the other; at the end where that is less, 0 where one is the deck. ``crossed``: as
    ``through``, of the looks in which the cards of both ends were away, as far as any had been seen there; 0 with the deck.
    """

    looks: int
    together: int
    away: float
    disturbed: float
    relaid: float
    same: float
    least_off: float
    back: float
    apart: float
    rivals: int
    rival: int
    seconds: float
    bare: float
    gone: float
    dealing: bool
    faces: float
    stir: float
    aside: float
    through: float
    watched: bool
    unseen: bool
    drawn: float = 0.0
    crossed: float = 0.0

    @property
    def travelled(self) -> bool:
        """Whether a card was seen between the two ends, or a hand may have been: nothing gets from one to the other without.
        Cards that their owners had drawn up to themselves for half of the time did not."""
        if (self.unseen and self.stir < ALONE_RATIO * self.aside) or self.drawn >= DRAWN_SHARE:
            return False
        return self.looks > 0 or self.through >= REACH_SECONDS or not self.watched

    @property
    def share(self) -> float:
        """Share of what looks like an exchange of two places that is one, by what was seen between them."""
        if self.looks:
            return 1.0 if self.through >= SEEN_REACH or not self.watched else 0.0
        return UNDER_HANDS if self.crossed >= CROSSED_SECONDS or not self.watched else NOT_CROSSED

    def features(self) -> tuple[float, ...]:
        """The features of the logistic model, each about 0 to 1, with the constant first."""
        return (
            1.0,
            min(self.looks, 8) / 8,
            min(self.looks, 2) / 2,
            min(self.together, 3) / 3,
            min(self.together, 9) / 9,
            self.away,
            self.disturbed,
            self.relaid,
            self.same,
            self.least_off,
            self.back,
            min(self.apart, 3) / 3,
            min(self.rivals, 3) / 3,
            min(self.rival, 4) / 4,
            min(self.seconds, 4) / 4,
            min(self.bare, 1.5) / 1.5,
            min(self.gone, 5) / 5,
            float(self.dealing),
            self.faces,
            min(self.stir, 0.1) / 0.1,
            min(self.stir, 0.8) / 0.8,
            self.stir / (self.stir + self.aside + 0.02),
            min(self.aside, 0.8) / 0.8,
        )


PAIR_WEIGHTS = (
    -8.15, -2.19, 2.01, 1.26, 2.45, 0.62, 1.54, 0.77, -4.07, 0.00, 2.92, -0.14, -0.53, -0.51, 0.21, -0.47,
    -0.67, -0.51, -3.89, 1.14, 3.49, 1.99, -2.46,
)  # fmt: skip
DECK_WEIGHTS = (
    -9.65, -1.72, 1.02, 0.36, -1.23, 0.54, 0.43, 0.02, -1.77, 0.24, 2.08, 0.00, 0.85, -0.98, 1.41, 1.58,
    2.45, -1.95, -1.89, 1.75, 4.23, 1.18, -1.98,
)  # fmt: skip
"""Fitted by `workshop.bench.stu.fitting` on 7134 pieces of traffic in 192 simulated hands, 64 for each kind of bar life;
on 441 in nine clips of `datasets/fitting.yaml`, each counted three times; and on 465 in 59 clips of the shell game. (The
command now uses thirteen and sixty clips: run again, it will give slightly different weights.)
"""


def probability(deck: bool, evidence: Evidence) -> float:
    """The probability (0 to 1) that this was an exchange, or with ``deck`` a draw; 0 where nothing can have travelled.

    After the deal everybody lifts their own card, neighbours at the same time, and lays it down again. Except that no card
    travels, this looks like exchanges all around.
    """
    share = 1.0 if deck else evidence.share
    if not evidence.travelled or not share:
        return 0.0
    weights = DECK_WEIGHTS if deck else PAIR_WEIGHTS
    score = sum(weight * feature for weight, feature in zip(weights, evidence.features(), strict=True))
    sure = 1 / (1 + math.exp(-score))
    if share == UNDER_HANDS and not evidence.same:
        return min(sure, UNDER_HANDS)
    return min(sure, max(sure * share, MIN_PROBABILITY))


class Traffic:
    """Watches the wanderers of ``places``. `step`, called after each step of these, returns the exchanges that are over.

    ``judge``: the probability of each, given whether the deck is one end, and the evidence.
    """

    def __init__(self, places: Places, judge: Callable[[bool, Evidence], float] = probability) -> None:
        self._places = places
        self._judge = judge
        self._corridors = Corridors(places.centres)
        self._ways: dict[tuple[int, int], Way] = {}
        self._over: list[Way] = []
        self._drawn: list[deque[tuple[float, Point]]] = [deque(maxlen=60) for _ in places.places]

    def step(self, t: float, motion: Motion | None = None) -> tuple[Sighting, ...]:
        """One more look at ``t`` seconds, after the places' own; ``motion``: where something moves in it."""
        self._corridors.step(t, motion, self._places.deck, self._places.card_length)
        for wanderer in self._places.wanderers:
            ends = self._between(wanderer)
            if ends is not None and all(end == DECK or self._lay(end, t) for end in ends):
                self._note(ends, t).looks += 1
            self._note_drawn(wanderer, t)
        for a, b in self._neighbours(t):
            self._note((min(a, b), max(a, b)), t).together += 1
        if self._just_away(self._places.deck_away_since, t):
            for number in range(len(self._places.places)):
                if self._just_bare(number, t):
                    self._note((DECK, number), t).together += 1
        for busy in self._corridors.busiest(t - STIR_SECONDS, t, STIR):
            deck = busy[1] == len(self._places.places)
            ends = (DECK, busy[0]) if deck else busy
            lies = self._lay if deck else self._may_lie
            if all(end == DECK or (lies(end, t) and not self._shows(end, t)) for end in ends):
                way = self._note(ends, t)
                way.unseen |= not deck and not all(self._lay(end, t) for end in ends)
        return tuple(sighting for way in list(self._ways.values()) for sighting in self._finish(way, t))

    def _neighbours(self, t: float) -> Iterator[tuple[int, int]]:
        """Pairs whose cards are away at the same time: neighbours among those with a card, or across shown cards (a Salta)."""
        places = self._places.places
        bare = [number for number in range(len(places)) if self._just_bare(number, t)]
        for a in bare:
            for step in range(1, len(places)):
                b = (a + step) % len(places)
                if b in bare:
                    yield a, b
                if places[b].dealt and places[b].face is None:
                    break

    def forget(self) -> None:
        """The cards have been gathered: whatever still moves belongs to no exchange."""
        self._ways.clear()

    def _note_drawn(self, wanderer: Point, t: float) -> None:
        """This card may be that of the place nearest to it, which is bare now, in its owner's hand."""
        far = np.hypot(*(self._places.centres - wanderer).T)
        own = int(far.argmin())
        if far[own] <= DRAWN_LENGTHS * self._places.card_length and self._just_bare(own, t):
            self._drawn[own].append((t, wanderer))

    def _drawn_share(self, place: int, other: int, start: float, until: float) -> float:
        """Share of the looks with a bare place in which its card was seen beside it, and not on the way to the other one."""
        bare = sum(start <= t <= until for t in self._places.places[place].bare)
        centre = self._places.centres[place]
        ahead = self._places.centres[other] - centre
        most = DRAWN_TOWARDS * self._places.card_length * float(np.hypot(*ahead))
        found = sum(start <= t <= until and float((np.array(at) - centre) @ ahead) <= most for t, at in self._drawn[place])
        return found / bare if bare and found >= DRAWN_LOOKS else 0.0

    def _note(self, ends: tuple[int, int], t: float) -> Way:
        way = self._ways.setdefault(ends, Way(ends, t, t))
        way.last = t
        return way

    def _just_bare(self, number: int, t: float) -> bool:
        """Whether the card that lay in the place is away in this look, and has not been for long."""
        return self._just_away(self._places.places[number].away_since, t)

    @staticmethod
    def _just_away(since: float | None, t: float) -> bool:
        return since is not None and t - since <= TOGETHER_SECONDS

    def _lay(self, number: int, t: float) -> bool:
        """Whether a card lay in the place until now, so that it may be the one on the move."""
        place = self._places.places[number]
        return place.lying or place.disturbed_between(t - AROUND_SECONDS, t)

    def _may_lie(self, number: int, t: float) -> bool:
        """As `_lay`; or a card may have been dealt there unseen, under a hand or into one: others have theirs, and the dealing is
        over."""
        dealt = [place.dealt_at for place in self._places.places if place.dealt and place.dealt_at is not None]
        unseen = not self._places.places[number].dealt and len(dealt) > 1 and t - max(dealt) > DEALT_SECONDS
        return unseen or self._lay(number, t)

    def _shows(self, number: int, t: float) -> bool:
        """Whether the place's card lies face up: players who have just shown theirs reach for it, and for nobody else's."""
        return self._places.places[number].showed_between(t - STIR_SECONDS, t)

    def _between(self, wanderer: Point) -> tuple[int, int] | None:
        """The two ends between which the card lies most closely, if it lies in the middle part of their way."""
        deck = self._places.deck
        ends = self._places.centres if deck is None else np.vstack([self._places.centres, deck])
        a, b = np.triu_indices(len(ends), 1)
        span = np.hypot(*(ends[b] - ends[a]).T)
        along, aside = beside_way(np.array(wanderer), ends[a], ends[b])
        margin = np.where((b == len(self._places.centres)), 0.15, 0.25)
        near = (along >= margin) & (along <= 1 - margin) & (aside <= 0.6 * self._places.card_length)
        if not near.any():
            return None
        best = int(np.where(near, aside + 0.3 * span, np.inf).argmin())
        first, second = int(a[best]), int(b[best])
        return (DECK, first) if second == len(self._places.centres) else (first, second)

    def _finish(self, way: Way, t: float) -> list[Sighting]:
        if t - way.last < QUIET_SECONDS:
            return []
        players = [end for end in way.ends if end != DECK]
        if not all(self._places.places[end].lying for end in players) and t - way.last < PATIENCE_SECONDS:
            return []
        del self._ways[way.ends]
        self._over = [old for old in self._over if t - old.last < 10] + [way]
        sure = self._judge(DECK in way.ends, self._evidence(way, players))
        if sure < MIN_PROBABILITY:
            return []
        if DECK in way.ends:
            return [DeckExchanged(way.start, way.last, players[0], sure)]
        return [Exchanged(way.start, way.last, way.ends, sure)]

    def _evidence(self, way: Way, players: list[int]) -> Evidence:
        start, end = way.start - AROUND_SECONDS, way.last + AROUND_SECONDS
        places = self._places.places
        ends = [places[player] for player in players]
        lies = [self._off(place, way) for place in ends]
        bare = [place.bare_span(start, end) for place in ends]
        rivals = [
            other
            for other in (*self._ways.values(), *self._over)
            if other is not way
            and set(other.ends) & set(players)
            and other.start <= way.last + 0.5
            and other.last >= way.start - 0.5
        ]
        corridor = (players[0], len(places)) if DECK in way.ends else (players[0], players[1])
        window = way.start - STIR_SECONDS, way.last + STIR_SECONDS
        return Evidence(
            looks=way.looks,
            together=way.together,
            away=sum(place.bare_between(start, end) for place in ends) / len(ends),
            disturbed=sum(place.disturbed_between(start, end) for place in ends) / len(ends),
            relaid=sum(off is not None and off > 1 for off in lies) / len(ends),
            same=sum(off is not None and off <= 1 for off in lies) / len(ends),
            least_off=min(min(0.0 if off is None else off for off in lies) / 3.3, 1.0),
            back=sum(place.lying for place in ends) / len(ends),
            rivals=sum(place not in ends and place.bare_between(way.start, way.last) for place in places),
            rival=max((other.looks + other.together for other in rivals), default=0),
            seconds=way.last - way.start,
            apart=abs(bare[0][0] - bare[-1][0]) + abs(bare[0][1] - bare[-1][1]),
            bare=min(last - first for first, last in bare),
            gone=max(place.gone_seconds(way.start, way.last) for place in ends),
            faces=sum(place.showed_between(start, way.last + QUIET_SECONDS) for place in ends) / len(ends),
            stir=self._corridors.stir(corridor, *window),
            aside=self._corridors.rival(corridor, *window),
            through=self._corridors.through(corridor, *window),
            watched=self._corridors.known(corridor, *window),
            unseen=way.unseen,
            drawn=min(self._drawn_share(*way.ends, start, end), self._drawn_share(*way.ends[::-1], start, end))
            if DECK not in way.ends
            else 0.0,
            dealing=any(place.dealt_at is not None and start <= place.dealt_at <= end for place in places),
            crossed=self._crossed(corridor, way, start, end) if DECK not in way.ends else 0.0,
        )

    def _crossed(self, corridor: tuple[int, int], way: Way, start: float, end: float) -> float:
        """See `Evidence`. Of an end where no card had been seen nobody knows when it was bare."""
        bare = [{t for t in self._places.places[number].bare if start <= t <= end} for number in way.ends]
        away = bare[0] | bare[1] if way.unseen else bare[0] & bare[1]
        return float(sum((self._corridors.parts(corridor, t, t) for t in away), np.zeros(PARTS)).min())

    def _off(self, place: Place, way: Way) -> float | None:
        """How far the card in the place lies from the one before the traffic; from 1 on it is farther than a card at rest ever
        seems to move."""
        off = place.shifted(way.start - 0.3, max(way.last + 0.3, place.back_from(way.last)))
        return None if off is None else max(off[0] / self._places.card_length / RELAID_SHIFT, off[1] / RELAID_TURN)

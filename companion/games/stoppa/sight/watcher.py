"""The cards found in picture after picture → sightings of Stoppa. Needs no pictures itself."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
from numpy.typing import NDArray

from companion.decks.italian import KINDS
from companion.eyes.change import Mask
from companion.eyes.clock import SeeingClock
from companion.eyes.sighting import CardSeen, TableView, Unseen
from companion.eyes.table import TableMap
from companion.eyes.trouble import Outlook
from companion.eyes.views import view_of
from companion.games.stoppa.sight.backs import Backs
from companion.games.stoppa.sight.lying import Faces, Look
from companion.games.stoppa.sight.pile import Pile
from companion.games.stoppa.sight.spots import Spot
from companion.games.stoppa.sightings import Cleared, Laid, Resumed, Shown, Sighting

BEFORE_PLACE = 2.2
"""Card lengths from a place within which a face lies before it: a whole hand laid open is two rows."""
WHOLE = (0.78, 1.25)
"""Card lengths: what is shorter or longer is no whole card, but a part of one, or two taken for one."""
IN_PLACE = 0.75
"""The same of backs that are dealt: the pack and the cards held in hand lie further away."""
REACHED = 0.28
"""A card's length before the first one was seen, as a share of the way from a place to the middle."""
SHOWN_GONE_SECONDS = 1.5
"""A face before a place that was not seen for so long has been taken up; shown again, it is another episode."""
SETTLED_SECONDS = 0.9
"""For so long the table is looked at again after a time in which nothing could be seen, before it is told how it lies."""
_KINDS = frozenset(KINDS)


class Watcher:
    """Follows one table. ``top``: the table in the first picture; ``before``: sightings of the hand that is already in
    progress."""

    def __init__(self, top: TableMap, before: tuple[Sighting, ...] = ()) -> None:
        episodes = max((seen.episode for seen in before if isinstance(seen, Laid | Shown)), default=0)
        motions = max((seen.motion for seen in before if isinstance(seen, Laid)), default=0)
        self._clock = SeeingClock()
        self._eyes = Eyesight(top.places, episodes, motions)
        self._span: Unseen | None = None
        self._resumed: float | None = None
        self._top: Spot | None = None

    def lost(self, unseen: Unseen) -> tuple[Sighting, ...]:
        """What is to be reported of a time in which nothing could be seen, before the first picture after it."""
        if self._span is None:
            self._top = self._eyes.pile.top
            self._eyes.pile.lost()
        self._span, self._resumed = unseen, None
        return (unseen,)

    def step(
        self, t: float, cards: tuple[CardSeen, ...], outlook: Outlook, top: TableMap, moving: Mask | None = None
    ) -> tuple[Sighting, ...]:
        """The sightings that became sure with the picture at ``t`` seconds, in which the table is where ``top`` says.

        ``moving``: the cells (rows, columns) of the picture in which something moves; None: not known.
        """
        for sighting in outlook.sightings:
            if isinstance(sighting, Unseen) and sighting.places is None:
                self.lost(sighting)
        if outlook.blind is not None:
            return outlook.sightings
        view = view_of(cards, self._clock.seeing_time(t, outlook.resumed), top, moving)
        here = tuple(self._clock.in_source_time(found) for found in self._eyes.step(view, outlook.hidden))
        return (*outlook.sightings, *self._recovered(view.t), *here)

    def _recovered(self, t: float) -> tuple[Resumed, ...]:
        """How the table lies after nothing could be seen, once it has been looked at for a while."""
        if self._span is None:
            return ()
        self._resumed = t if self._resumed is None else self._resumed
        if t - self._resumed < SETTLED_SECONDS:
            return ()
        span, self._span, self._resumed = self._span, None, None
        pile, top = self._eyes.pile, self._top
        known = top is not None and top is pile.top and pile.shows(top, self._eyes.length)
        other = () if known else pile.covered(self._eyes.length)
        same = True if known else False if other else None
        return (Resumed(span.t, span.until, pile.lies, same, other, self._eyes.backs.lying, self._eyes.open_places),)


class Eyesight:
    """Follows the pile, and what lies before the places with the ``centres`` (N, 2), table coordinates."""

    def __init__(self, centres: NDArray[np.float64], episodes: int = 0, motions: int = 0) -> None:
        self._centres = centres
        count = len(centres)
        self.pile = Pile(centres, episodes, motions)
        self.backs = Backs(count)
        self._open = [Faces() for _ in range(count)]
        self._lengths: deque[float] = deque(maxlen=400)
        self.length = REACHED * float(np.median(np.linalg.norm(centres - centres.mean(axis=0), axis=1)))
        """A card's, in table coordinates: a median over many looks; a guess before the first card."""
        self._episodes = episodes
        self._shown: dict[tuple[int, int], Shown] = {}

    @property
    def open_places(self) -> tuple[int, ...]:
        """The places before which faces lie."""
        return tuple(place for place, faces in enumerate(self._open) if any(face.known for face in faces.lying))

    def step(self, view: TableView, hidden: frozenset[int] = frozenset()) -> tuple[Sighting, ...]:
        """The sightings that became sure with one more view of the table. ``hidden``: places out of sight in it."""
        ours = [at for at, card in enumerate(view.cards) if _ours(card)]
        self._lengths.extend(view.lengths[at] for at in ours)
        length = self.length = float(np.median(self._lengths)) if self._lengths else self.length
        piled: list[Look] = []
        before: list[list[Look]] = [[] for _ in self._centres]
        dealt: set[int] = set()
        anything = False
        for at in ours:
            card, where = view.cards[at], view.centres[at]
            far = np.linalg.norm(self._centres - np.array(where), axis=1)
            nearest = int(far.argmin())
            face = card.side == "face" and bool(card.alternatives)
            if self.pile.holds(where, length):
                anything = True
                if face:
                    piled.append(Look(view.t, card, where, view.turns[at]))
            elif face and far[nearest] <= BEFORE_PLACE * length and WHOLE[0] <= view.lengths[at] / length <= WHOLE[1]:
                before[nearest].append(Look(view.t, card, where, view.turns[at]))
            elif not face and far[nearest] <= IN_PLACE * length:
                dealt.add(nearest)
        self.pile.origin.step(view.t, view.motion, self.pile.at, length)
        found: list[Sighting] = list(self.pile.step(view.t, piled, anything, view.motion, length))
        packets = self.backs.step(view.t, dealt, hidden)
        if not self.pile.lies:
            found += packets
        for place, looks in enumerate(before):
            found += self._faces_before(place, looks, view.t, length, hidden)
        if any(isinstance(one, Cleared) for one in found):
            for faces in self._open:
                faces.forget(math.inf, known=True)
        return tuple(found)

    def _faces_before(
        self, place: int, looks: list[Look], t: float, length: float, hidden: frozenset[int]
    ) -> list[Shown]:  # fmt: skip
        """The faces that came to lie before a place, or of which more is known."""
        faces = self._open[place]
        found = []
        for face, odds in faces.step(looks, length):
            key = place, face.episode.number
            if key not in self._shown:
                self._episodes += 1
                self._shown[key] = Shown(face.episode.since, place, self._episodes, odds)
            before = self._shown[key]
            found.append(Shown(before.t, place, before.episode, odds))
        if place not in hidden:
            faces.forget(t - SHOWN_GONE_SECONDS, known=True)
        return found


def _ours(card: CardSeen) -> bool:
    """Whether it may be a card of the game: one whose face is of the list, or a back that is of no other game's deck."""
    if card.side == "face" and card.alternatives:
        return card.alternatives[0][0] in _KINDS
    return card.deck not in ("stu", "ramino")

"""The cards found before the places of a table of Bassa → sightings."""

import numpy as np

from companion.eyes.following.follower import Follower
from companion.eyes.following.lying import FaceEpisode, tells_more
from companion.eyes.sighting import Cleared, Shown, Unseen

LOOKS = 3
"""Looks that must have found a card before it is reported."""
BARE_SECONDS = 1.0
"""Seconds without a card in any place after which the cards have been gathered."""
REACH = 0.9
"""Card lengths from a place within which a card lies in it."""


class Eyesight:
    """``centres`` (N, 2): the places, table coordinates; ``episodes``: how many faces were reported before."""

    def __init__(self, centres, episodes=0):
        self._centres, self._episodes = centres, episodes
        self._faces = [None] * len(centres)
        self._lay = self._bare = None

    def step(self, view, hidden=frozenset()):
        found, lying = [], False
        for card, at, length in zip(view.cards, view.centres, view.lengths, strict=True):
            far = np.linalg.norm(self._centres - np.array(at), axis=1)
            place = int(far.argmin())
            if card.deck == "stu" and card.side != "stack" and far[place] <= REACH * length:
                lying = True
                found += self._face(place, card, view.t) if card.side == "face" and card.alternatives else []
        if lying:
            self._lay, self._bare = view.t, None
        elif self._lay is not None and not hidden:
            self._bare = view.t if self._bare is None else self._bare
            if view.t - self._bare >= BARE_SECONDS:
                found.append(Cleared(self._bare))
                self._faces, self._lay, self._bare = [None] * len(self._centres), None, None
        return tuple(found)

    def _face(self, place, card, t):
        if self._faces[place] is None:
            self._episodes += 1
            self._faces[place] = FaceEpisode(self._episodes, t, t)
        face = self._faces[place]
        face.add(t, card)
        told = face.alternatives()
        if face.looks < LOOKS or not tells_more(face.reported, told):
            return []
        face.reported = told
        return [Shown(face.since, place, face.number, told)]

    def lost(self):
        self._bare = None

    def resumed(self, span: Unseen):
        return span


class Watcher(Follower):
    def __init__(self, top, before=()):
        super().__init__(Eyesight(top.places, max((seen.episode for seen in before if isinstance(seen, Shown)), default=0)))

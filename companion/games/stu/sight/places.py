"""What lies in each player's place, look after look: cards that appear, faces that show, the clearing at the end of a hand."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
from numpy.typing import NDArray

from companion.eyes.following.lying import FaceEpisode, tells_more
from companion.eyes.sighting import CardSeen, Point, TableView
from companion.games.stu.sight.place import Place
from companion.games.stu.sightings import Appeared, Cleared, Shown, Sighting

LYING_SECONDS = 0.3
"""Seconds for which a card must have been seen in a bare place to lie there."""
RECENT_SECONDS = 1.2
"""Seconds within which it must have been seen in three looks: slow machines look only three times a second."""
BARE_SECONDS = 0.6
"""Seconds without a card after which a place is bare, and not just covered by a hand."""
CLEARED_SECONDS = 1.0
"""Seconds for which all places must have been bare, once faces have been shown, for the cards to have been gathered."""
CLEARED_UNSEEN_SECONDS, SEEN_FOR_UNSEEN = 3.0, 2
"""Seconds for which all places in sight must have been bare where some with a card are out of sight, and number of places that
must be seen bare for each of these: who sits in the way may sit there all evening, and the others' cards are not gathered
alone."""
MOVED_LENGTHS = 0.3
"""Card lengths from where it lay beyond which a card is on its way somewhere, or has been put back differently."""
SAME_PLACE = 0.5
"""Card lengths from where a card of the hand lies within which a face that cannot be named is that card."""
FACE_LOOKS = 3
"""Looks at a face before it is reported."""
FACE_GONE_SECONDS = 1.0
"""Seconds for which a face was not seen that make it another episode when it is seen again."""


class Places:
    """Follows the places of one table. ``centres``: (N, 2) table coordinates of the places.

    `step` takes the views in order of time and returns what has just become sure. To start in mid-hand, give the number of
    ``episodes`` that have been reported before, and whether any of them was in this hand (``faces_shown``).
    """

    def __init__(self, centres: NDArray[np.float64], *, episodes: int = 0, faces_shown: bool = False) -> None:
        self.centres = centres
        gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2) + np.eye(len(centres)) * 9
        self._spacing = float(gaps.min())
        self.places = [Place() for _ in centres]
        self.deck: Point | None = None
        self.deck_away_since: float | None = None
        """The first of the latest looks in a row that did not find the deck where it lies; None while it is in view."""
        self.wanderers: tuple[Point, ...] = ()
        """Where Stù cards of the last view, other than the deck, lie in no place or off the rest of their place."""
        self._lengths: deque[float] = deque(maxlen=400)
        self._card_length = 0.0
        self._episodes = episodes
        self._faces_shown = faces_shown
        self._bare_since: float | None = None

    @property
    def card_length(self) -> float:
        """A Stù card's length in table coordinates, from all looks so far; 0 before the first card."""
        return self._card_length

    def step(self, view: TableView, hidden: frozenset[int] = frozenset()) -> tuple[Sighting, ...]:
        """The sightings that became sure with one more view. ``hidden``: places that are out of sight, unless a card is seen
        there."""
        homes = self._assign(view)
        sightings: list[Sighting] = []
        for number, (place, cards) in enumerate(zip(self.places, homes, strict=True)):
            if number in hidden and not cards:
                place.cannot_be_seen(view.t)
                continue
            sightings += self._presence(number, place, cards, view)
            sightings += self._face(number, place, [view.cards[i] for i in cards], view.t)
        sightings += self._clearing(view.t, hidden)
        return tuple(sightings)

    def out_of_sight(self, told: bool = False) -> None:
        """Nothing could be seen for a while: cards may have been shown and gathered, and others may lie there now. ``told``:
        cards of this hand have been seen before these places were followed."""
        self._faces_shown = self._faces_shown or told or any(place.dealt for place in self.places)
        for place in self.places:
            place.face, place.backs = None, 0

    def _assign(self, view: TableView) -> list[list[int]]:
        """Indices of the Stù cards in each place; also finds the deck and the wanderers.

        Where a card lies, only cards near it are in the place; in a bare place a card may come to lie a little off the middle.
        """
        stu = self._single_cards(view)
        homes: list[list[int]] = [[] for _ in self.places]
        wanderers = []
        homes_at = np.array([place.rest if place.lying and place.rest else at
                             for place, at in zip(self.places, self.centres, strict=True)])
        reach = np.array([0.75 if place.lying and place.rest else 1.1 for place in self.places]) * self.card_length
        reach = np.minimum(reach, 0.5 * self._spacing)
        for i in stu:
            distances = np.linalg.norm(homes_at - np.array(view.centres[i]), axis=1)
            nearest = int(distances.argmin())
            at_home = distances[nearest] <= reach[nearest]
            if at_home:
                homes[nearest].append(i)
            if not at_home or (self.places[nearest].rest and distances[nearest] > MOVED_LENGTHS * self.card_length):
                wanderers.append(view.centres[i])
        self.wanderers = tuple(wanderers)
        return homes

    def _single_cards(self, view: TableView) -> list[int]:
        """Indices of the Stù cards that are not the deck; also finds where that is.

        A single look may take the deck for a back, or a back for a deck. But the deck stays where it is, and never in a place.
        """
        stu = [i for i, card in enumerate(view.cards) if card.deck == "stu" or self._supposed(view, i)]
        self._lengths.extend(view.lengths[i] for i in stu if view.cards[i].side != "stack")
        self._card_length = float(np.median(self._lengths)) if self._lengths else 0.0
        near = 0.6 * self.card_length
        stacks = [
            (not self.deck or math.dist(view.centres[i], self.deck) > near, -view.cards[i].score, i)
            for i in stu
            if view.cards[i].side == "stack"
            and np.linalg.norm(self.centres - np.array(view.centres[i]), axis=1).min() > near
        ]
        if stacks:
            self.deck = view.centres[min(stacks)[2]]
        seen = any(self.deck is not None and math.dist(view.centres[i], self.deck) <= near for i in stu)
        self.deck_away_since = None if seen else self.deck_away_since or view.t
        decks = {i for _, _, i in stacks}
        return [
            i for i in stu
            if i not in decks and not (self.deck and math.dist(view.centres[i], self.deck) < near / 2)
        ]  # fmt: skip

    def _supposed(self, view: TableView, i: int) -> bool:
        """Whether this is an unknown face exactly where a card of this hand was, or must be: then it is that card, with a hand on
        it."""
        card, limit = view.cards[i], SAME_PLACE * self._card_length
        strange = card.deck == "unknown" and card.side == "face" and card.alternatives
        if not strange or not any(place.dealt for place in self.places):
            return False
        homes = (place.rest or (float(at[0]), float(at[1])) for place, at in zip(self.places, self.centres, strict=True))
        return any(math.dist(view.centres[i], home) <= limit for home in homes)

    def _presence(self, number: int, place: Place, cards: list[int], view: TableView) -> list[Sighting]:
        if not cards:
            if place.dealt:
                place.bare.append(view.t)
                place.away_since = view.t if place.away_since is None else place.away_since
            if place.seen and view.t - place.seen[-1] > BARE_SECONDS:
                place.forget_card()
            return []
        place.seen.append(view.t)
        if place.away_since is not None:
            place.gone.append((place.away_since, view.t))
        place.away_since = None
        self._settle(place, cards, view)
        since = [t for t in place.seen if view.t - t <= RECENT_SECONDS]
        if place.lying or view.t - since[0] < LYING_SECONDS or len(since) < 3:
            return []
        place.lying = place.dealt = True
        place.dealt_at = since[0] if place.dealt_at is None else place.dealt_at
        face_down = any(view.cards[i].side != "face" for i in cards)
        return [Appeared(since[0], number)] if face_down else []

    def _settle(self, place: Place, cards: list[int], view: TableView) -> None:
        """Record whether the card lies where it lay before, or has been moved."""
        centres = [view.centres[i] for i in cards]
        limit = MOVED_LENGTHS * self.card_length
        if place.rest is None:
            place.rest = centres[0]
        near = min(centres, key=lambda centre: math.dist(centre, place.rest or centre))
        if len(centres) == 1:
            place.trail.append((view.t, near, view.turns[cards[0]]))
        if math.dist(near, place.rest) <= limit and len(centres) == 1:
            place.moved_looks = 0
            return
        place.disturbed.append(view.t)
        place.moved_looks += 1
        if place.moved_looks >= 3 and len(centres) == 1:
            place.rest, place.moved_looks = near, 0

    def _face(self, number: int, place: Place, cards: list[CardSeen], t: float) -> list[Sighting]:
        faces = [card for card in cards if card.side == "face" and card.alternatives]
        place.backs = 0 if faces or not cards else place.backs + 1
        place.back_at = t if cards and not faces else place.back_at
        if place.face and (t - place.face.last > FACE_GONE_SECONDS or place.backs >= 4):
            place.face = None
        if not faces:
            return []
        place.face_at = t
        if place.face is None:
            self._episodes += 1
            place.face = FaceEpisode(self._episodes, t, t, place.back_at)
        episode = place.face
        episode.add(t, max(faces, key=lambda card: card.score))
        alternatives = episode.alternatives()
        if episode.looks < FACE_LOOKS or not tells_more(episode.reported, alternatives):
            return []
        episode.reported = alternatives
        self._faces_shown = True
        return [Shown(episode.since, number, episode.number, alternatives, episode.not_before)]

    def _clearing(self, t: float, hidden: frozenset[int]) -> list[Sighting]:
        # After a break a place where a card is seen is not bare, though a slow machine takes seconds to say that it lies there.
        lying = {number for number, place in enumerate(self.places) if place.lying or (place.seen and not place.dealt)}
        bare = sum(place.dealt for number, place in enumerate(self.places) if number not in lying | hidden)
        if not lying <= hidden or bare < SEEN_FOR_UNSEEN * len(lying) or not self._faces_shown:
            self._bare_since = None
            return []
        if self._bare_since is None:
            self._bare_since = t
        if t - self._bare_since < (CLEARED_UNSEEN_SECONDS if lying else CLEARED_SECONDS):
            return []
        self._faces_shown = False
        for number in lying:
            self.places[number].forget_card()
            self.places[number].face = None
        for place in self.places:
            place.dealt = False
            place.disturbed.clear()
            place.bare.clear()
            place.trail.clear()
            place.gone.clear()
            place.away_since = place.dealt_at = place.back_at = None
        return [Cleared(self._bare_since)]

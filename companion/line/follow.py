"""The whole line in one place: pictures → cards → what lies where → what happened → a table log.

Everything it is made of is handed in, so that the clip, the camera, the demo and the bench run the very same line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.eyes.change import Mask
from companion.eyes.clock import SeeingClock
from companion.eyes.seeing import Look, see
from companion.eyes.sighting import CardSeen, Cleared, Shown, Sighting, TableView
from companion.eyes.source import Picture
from companion.eyes.table import Table, TableMap
from companion.eyes.trouble import Outlook
from companion.games.stu.sight.pedine import Pedine
from companion.games.stu.sight.places import Places, view_of
from companion.games.stu.sight.traffic import Traffic
from companion.line.notices import Notice, notices
from companion.referee import Evening, at_the_end, observe
from companion.table.log import Line

LOOKS_PER_SECOND = 15.0
"""Pictures looked at per second of the source: a card that is slid to a neighbour is seen several times on its way.

Looking costs little where nothing happens: see `companion.eyes.gaze`.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What one picture led to. ``log``: the whole table log as best known after it; ``changed``: it differs from before.

    ``evening``: what the log was made of, for who wants to go on from there later. ``sightings``: what became sure with this
    picture. ``notices``: what the table should be told now.
    """

    picture: Picture
    cards: tuple[CardSeen, ...]
    log: tuple[Line, ...]
    changed: bool
    evening: Evening
    sightings: tuple[Sighting, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """What the eyes make of one picture: the ``cards`` in it, and the ``sightings`` that became sure with it. ``outlook``: what
    the picture was good for at all."""

    picture: Picture
    cards: tuple[CardSeen, ...]
    sightings: tuple[Sighting, ...]
    outlook: Outlook


def follow(pictures: Iterable[Picture], table: Table, look: Look, evening: Evening | None = None) -> Iterator[Step]:
    """Follow a game through ``pictures`` (in order of time), one step for each; from its beginning, or on from ``evening``."""
    glimpses = watch(pictures, table, look, evening.sightings if evening else ())
    evening = evening or Evening.of(table.game())
    log: tuple[Line, ...] = ()
    glimpse = None
    for glimpse in glimpses:
        for sighting in glimpse.sightings:
            evening = observe(evening, sighting)
        before, log = log, evening.log
        yield Step(glimpse.picture, glimpse.cards, log, log != before, evening, glimpse.sightings,
                   notices(evening, glimpse.outlook, glimpse.picture.t))  # fmt: skip
    if glimpse is not None and (over := at_the_end(evening)) is not evening:
        yield Step(glimpse.picture, glimpse.cards, over.log, over.log != log, over, (Cleared(evening.t),))


def watch(
    pictures: Iterable[Picture], table: Table, look: Look, before: tuple[Sighting, ...] = ()
) -> Iterator[Glimpse]:
    """The eyes' part of `follow`, for who keeps the evening elsewhere. ``before``: sightings of the hand already in progress."""
    teller: Teller | None = None
    for seen in see(pictures, table, look):
        teller = teller or Teller(seen.top, before)
        said = teller.tell(seen.picture.t, seen.cards, seen.outlook, seen.top, seen.moving)
        yield Glimpse(seen.picture, seen.cards, said, seen.outlook)


class Teller:
    """What becomes sure as more and more is seen: cards found, picture after picture → sightings. Needs no pictures.

    ``top``: the table in the first picture; ``before``: sightings of the hand already in progress.
    """

    def __init__(self, top: TableMap, before: tuple[Sighting, ...] = ()) -> None:
        shown = [sighting.episode for sighting in before if isinstance(sighting, Shown)]
        self._clock = SeeingClock()
        self._places = Places(top.places, episodes=max(shown, default=0), faces_shown=bool(shown))
        self._traffic = Traffic(self._places)
        self._pedine = Pedine(top.places)

    def tell(
        self, t: float, cards: tuple[CardSeen, ...], outlook: Outlook, top: TableMap, moving: Mask | None = None
    ) -> tuple[Sighting, ...]:
        """The sightings that became sure with the picture at ``t`` seconds, in which the table lies as ``top`` says, and in whose
        cells ``moving`` (rows, columns) something moves."""
        if outlook.blind is not None:
            return outlook.sightings
        view = view_of(cards, self._clock.seen(t, outlook.resumed), top, moving)
        said = sightings(self._places, self._traffic, view, outlook.hidden)
        became_sure = (*said, *self._pedine.step(view, outlook.hidden))
        return (*outlook.sightings, *(self._clock.told(sighting) for sighting in became_sure))


def sightings(
    places: Places, traffic: Traffic, view: TableView, hidden: frozenset[int] = frozenset()
) -> tuple[Sighting, ...]:
    """What one more view of the table says, in the order in which it became sure; of the ``hidden`` places nothing is known."""
    said = places.step(view, hidden)
    if any(isinstance(sighting, Cleared) for sighting in said):
        traffic.forget()
    return (*said, *traffic.step(view.t, view.stirred))

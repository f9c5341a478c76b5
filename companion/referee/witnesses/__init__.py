"""Several cameras look at one table: what each of them tells → what the referee takes, as if one had seen it all.

```
view A ─ detector ─ watcher ─┐ Testimony
view B ─ detector ─ watcher ─┼─> Witnesses ─> recorder ─> referee
```
Sightings are joined, and not cards: two cameras' coordinates do not agree finely enough to tell a card that was put down again,
and nearly every exchange is seen whole by one of two. Pure: no pictures, no clock; what one view tells alone passes unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.eyes.sighting import CameraMoved, Sighting, Unseen
from companion.referee.sighting_model import SightingModel
from companion.referee.witnesses.agreeing import Agreeing, plain
from companion.referee.witnesses.clearing import Clearing
from companion.referee.witnesses.holes import Holes
from companion.referee.witnesses.testimony import Sights, Testimony

__all__ = ["Testimony", "Witnesses"]


class Witnesses:
    """What a number of ``views`` tell of one table with this number of ``places``, at which the game of ``model`` is played."""

    def __init__(self, model: SightingModel, views: int, places: int) -> None:
        self._sights = Sights(views)
        self._agreeing: dict[type[Any], Agreeing] = model.agreeing(self._sights)
        self._clearing, self._holes = Clearing(self._sights), Holes(self._sights, places)
        self._cleared, self._resumed = model.TAGS.get("Cleared"), model.TAGS.get("Resumed")

    def hear(self, testimony: Testimony) -> tuple[Sighting, ...]:
        """What the referee gets now that one view tells of its next look. Each view's are in order of time; the views take turns
        as they come."""
        self._sights.look(testimony)
        told = [one for sighting in testimony.sightings for one in self._take(testimony.view, sighting)]
        return (*told, *self._settle())

    def begin(self, told: Iterable[Sighting], *, seen: bool) -> None:
        """The sightings of the hand in progress that were ``told`` before there were several views: they are not told again.
        ``seen``: the first view has told them and goes on; where nobody knows which one has, none is asked about them."""
        for sighting in told:
            for _ in self._take(0, sighting):
                pass
        if not seen:
            self._sights.views[0].places.clear()

    def over(self, view: int) -> tuple[Sighting, ...]:
        """The sightings that become settled as this view has ended, and is no longer waited for."""
        self._sights.views[view].over = True
        return tuple(self._settle())

    def end(self) -> tuple[Sighting, ...]:
        """The sightings that are still held, as nothing more will be seen."""
        return tuple(self._settle(at_once=True))

    def later(self, view: int) -> float | None:
        """Seconds by which what this view and the first one both see happens later by its clock, less than 0 where earlier; None
        where that is little, or not known."""
        return self._sights.later(view)

    def _take(self, view: int, sighting: Sighting) -> Iterator[Sighting]:
        kind = type(sighting)
        if kind is Unseen:
            yield from self._holes.unseen(view, sighting)
        elif kind is CameraMoved:
            yield sighting
        elif kind is self._resumed:
            yield from self._holes.resumed(view, sighting)
        elif kind is self._cleared:
            self._clearing.take(view, sighting)
            yield from self._over()
        else:
            card = hasattr(sighting, "place") and not hasattr(sighting, "probability")
            if card and view in self._clearing.owing and sighting.t <= self._clearing.last:
                return  # a card of the hand before, which the others have seen gathered
            if card and self._clearing.begun(view, sighting.place, sighting.t):
                yield from self._over(at_once=True)
            if card:
                self._sights.views[view].places.add(sighting.place)
            yield from self._of(kind).take(view, sighting)

    def _settle(self, at_once: bool = False) -> Iterator[Sighting]:
        for agreeing in self._agreeing.values():
            yield from agreeing.settle(at_once)
        yield from self._over(at_once)

    def _over(self, at_once: bool = False) -> Iterator[Sighting]:
        """The sighting that the cards were gathered, once that is settled; before it all that was still held of the hand."""
        if not (at_once or self._clearing.settled) or (gathered := self._clearing.over()) is None:
            return
        for agreeing in self._agreeing.values():
            yield from agreeing.settle(at_once=True)
            agreeing.cleared()
        for sight in self._sights.views:
            sight.cleared()
        yield gathered

    def _of(self, kind: type[Any]) -> Agreeing:
        if kind not in self._agreeing:
            self._agreeing[kind] = plain(kind, self._sights)
        return self._agreeing[kind]

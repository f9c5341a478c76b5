"""Which sightings of several views are of one event, and what they come to: a class for each way in which a game's are.

`SightingModel.agreeing` has one for each kind of sightings of a game, and `plain` for those that it does not mention. Each takes
the sightings of one kind, view by view, and gives those that the referee gets: the very objects, where a single view tells.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any

from companion.eyes.sighting import Sighting
from companion.referee.witnesses.odds import joined_odds, joined_probability, likeness
from companion.referee.witnesses.testimony import Sights

SAME_SECONDS = 1.5
"""Greatest difference in seconds between two views' times of one event: one may see it late, when an arm no longer hides
it."""
AGAIN_SECONDS = 4.0
"""Greatest difference of two views' times where each tells that something has happened again. One may be late: at the deal
of a hand, where nobody saw the cards before it gathered, the dealer's arm may hide them from it."""
HOLD_SECONDS = 1.2
"""Seconds for which an event that cannot be told again is held, for the other views to say what they saw of it."""
MIN_ALIKE_PROBABILITY = 0.5
"""Least likeness of two faces before one place that are the same card, where several lie there."""


def places_of(sighting: Sighting) -> tuple[int, ...]:
    """The places that a sighting is of, for certain; none where it says odds of places."""
    place, places = getattr(sighting, "place", None), getattr(sighting, "places", None)
    if place is not None:
        return (place,)
    return tuple(one for one in places or () if isinstance(one, int))


class Agreeing:
    """The sightings of one kind. ``sights``: what each view could see."""

    def __init__(self, sights: Sights) -> None:
        self.sights = sights

    def take(self, view: int, sighting: Sighting) -> Iterator[Sighting]:
        """What the referee gets now that this ``view`` tells of it."""
        yield sighting

    def settle(self, at_once: bool = False) -> Iterator[Sighting]:
        """The sightings that have become settled with time. ``at_once``: wait for nothing any more."""
        yield from ()

    def cleared(self) -> None:
        """The hand is over: later sightings belong to the next one."""


class Once(Agreeing):
    """Something that a view tells once each time it happens. The first view to tell of it is believed, and the same from the
    others is left out; that it has happened again counts only once another view that has seen the place all the while tells
    it, too."""

    def __init__(self, sights: Sights) -> None:
        super().__init__(sights)
        self._told: dict[Hashable, tuple[float, set[int]]] = {}
        self._tellers: dict[Hashable, set[int]] = {}
        self._claims: dict[Hashable, tuple[float, int]] = {}

    def take(self, view: int, sighting: Sighting) -> Iterator[Sighting]:
        key, t = _what(sighting), float(sighting.t)
        tellers = self._tellers.setdefault(key, set())
        first = view not in tellers
        tellers.add(view)
        last, those = self._told.get(key, (-math.inf, set()))
        if key in self._told and view not in those and (first or abs(t - last) <= SAME_SECONDS):
            those.add(view)
            return
        again = {view}
        if key in self._told and self._watched(tellers - {view}, sighting, last):
            claimed, by = self._claims.get(key, (-math.inf, view))
            self._claims[key] = t, view
            if by == view or abs(claimed - t) > AGAIN_SECONDS:
                return
            again.add(by)
        self._told[key] = t, again
        yield sighting

    def _watched(self, views: set[int], sighting: Sighting, since: float) -> bool:
        """Whether one of these views has seen the place ever since."""
        places = places_of(sighting)
        others = set(self.sights.others(-1)) & views
        return bool(places) and any(self.sights.saw(view, places, since, self.sights.t) for view in others)

    def cleared(self) -> None:
        self._told.clear()
        self._tellers.clear()
        self._claims.clear()


def _what(sighting: Sighting) -> Hashable:
    """What a sighting says beside when it was."""
    said = {one.name: getattr(sighting, one.name) for one in fields(sighting)}
    places = places_of(sighting)
    return type(sighting), places or tuple(value for name, value in said.items() if name not in ("t", "until"))


@dataclass(eq=False)
class _Episode:
    """One thing that lies somewhere, with the newest sighting of each view that tells of it."""

    number: int
    told: dict[int, Sighting] = field(default_factory=dict)

    @property
    def t(self) -> float:
        return float(next(iter(self.told.values())).t)


class Episodes(Agreeing):
    """Something that lies for a while. A view reports it once more whenever it knows more of it, and numbers its reports by
    episodes of its own, which are joined here. The first view's report is passed on at once. When others report the same, it is
    passed on once more with the first one's time, as answers name that time.

    ``odds``: the fields that have odds. ``one``: only one can lie in a place, so that it is the same whatever it is read as.
    ``numbers``: other fields with numbers of the view's own.
    """

    def __init__(self, sights: Sights, odds: tuple[str, ...], one: bool = False, numbers: tuple[str, ...] = ()) -> None:
        super().__init__(sights)
        self._odds, self._one = odds, one
        self._numbers = {name: Numbers() for name in numbers}
        self.episodes = Numbers()
        self._open: list[_Episode] = []
        self._of: dict[tuple[int, int], _Episode] = {}

    def take(self, view: int, sighting: Sighting) -> Iterator[Sighting]:
        key = view, sighting.episode
        episode = self._of.get(key)
        if episode is None or abs(episode.told[view].t - sighting.t) > SAME_SECONDS:  # numbers begin again after a restart
            episode = self._same(view, sighting)
            if episode is None:
                episode = _Episode(self.episodes.of(view, sighting.episode))
                self._open.append(episode)
            self.episodes.join(view, sighting.episode, episode.number)
            self._of[key] = episode
            self._compare(episode, view, sighting)
        episode.told[view] = sighting
        yield self._joined(episode)

    def _compare(self, episode: _Episode, view: int, sighting: Sighting) -> None:
        """Note how much later than the first view others tell of what lies in one place."""
        times = {other: told.t for other, told in episode.told.items()} | {view: sighting.t}
        if 0 in times and places_of(sighting):
            for other in times if view == 0 else (view,):
                if other:
                    self.sights.told_both(other, times[other] - times[0])

    def _same(self, view: int, sighting: Sighting) -> _Episode | None:
        """The episode of other views that this is, None where it is one of its own."""
        places = places_of(sighting)
        here = [one for one in self._open if all(places_of(told) == places for told in one.told.values())]
        if self._one:
            here = here[-1:]  # what lay there before is no more
        main = self._odds[0] if self._odds else "alternatives"
        best: tuple[float, _Episode] | None = None
        for episode in here:
            if view in episode.told:
                continue
            alike = max(likeness(getattr(told, main), getattr(sighting, main)) for told in episode.told.values())
            soon = abs(episode.t - sighting.t) <= SAME_SECONDS
            unread = not getattr(sighting, main) or not any(getattr(told, main) for told in episode.told.values())
            late = alike >= MIN_ALIKE_PROBABILITY and bool(places)
            worth = alike + soon  # one that came at the same time rather than one that is like it
            if ((soon and (self._one or unread or alike >= MIN_ALIKE_PROBABILITY)) or late) and (best is None or worth > best[0]):
                best = worth, episode
        return best[1] if best else None

    def _joined(self, episode: _Episode) -> Sighting:
        view, first = next(iter(episode.told.items()))
        changes: dict[str, Any] = {"episode": episode.number}
        for name, numbers in self._numbers.items():
            changes[name] = numbers.of(view, getattr(first, name))
            for other, told in episode.told.items():
                numbers.join(other, getattr(told, name), changes[name])
        if len(episode.told) > 1:
            told = list(episode.told.values())
            changes |= {name: joined_odds([getattr(one, name) for one in told]) for name in self._odds}
            if hasattr(first, "until"):
                changes["until"] = max(one.until for one in told)
        if all(getattr(first, name) == value for name, value in changes.items()):
            return first
        return replace(first, **changes)

    def cleared(self) -> None:
        self._open.clear()
        self._of.clear()


class Numbers:
    """Numbers that each view gives, as all together have them: a view's own one, where no other view has it already."""

    def __init__(self) -> None:
        self._owner: dict[int, tuple[int, int]] = {}
        self._ours: dict[tuple[int, int], int] = {}

    def of(self, view: int, number: int) -> int:
        """What this number of the view's is called."""
        if (view, number) not in self._ours:
            ours = number if self._owner.get(number, (view, number)) == (view, number) else max(self._owner) + 1
            self._owner[ours] = view, number
            self._ours[view, number] = ours
        return self._ours[view, number]

    def join(self, view: int, number: int, ours: int) -> None:
        """This number of the view's is called so."""
        self._ours[view, number] = ours


@dataclass(eq=False)
class _Event:
    """An event that is held since ``heard`` seconds: what each view tells of it. ``excused``: views whose silence says
    nothing."""

    told: dict[int, Sighting]
    heard: float
    excused: set[int] = field(default_factory=set)
    over: bool = False

    @property
    def places(self) -> tuple[int, ...]:
        return places_of(next(iter(self.told.values())))

    @property
    def span(self) -> tuple[float, float]:
        starts, ends = zip(*((float(one.t), float(getattr(one, "until", one.t))) for one in self.told.values()), strict=True)
        return min(starts), max(ends)


class Weighed(Agreeing):
    """An event with a probability, told once. It is held until the other views that see something have told, too, or are silent;
    what silence says depends on whether that view saw the places for the whole time.

    ``late``: seconds after its end within which a view may still tell of it; until then none that could see it counts as
    silent. ``least``: probability below which it is not told at all. ``refers``: name of a field that has the number of an
    episode, and what these are called.
    """

    def __init__(
        self, sights: Sights, late: float = 0.0, least: float = 0.05, refers: tuple[str, Numbers] | None = None
    ) -> None:
        super().__init__(sights)
        self._late, self._least = late, least
        self._refers, self._episodes = refers or ("", Numbers())
        self._events: list[_Event] = []

    def take(self, view: int, sighting: Sighting) -> Iterator[Sighting]:
        if self._refers and (number := getattr(sighting, self._refers)) is not None:
            ours = self._episodes.of(view, number)
            sighting = sighting if ours == number else replace(sighting, **{self._refers: ours})
        event = self._same(view, sighting)
        if event is None:
            self._events.append(_Event({view: sighting}, self.sights.t))
        else:
            event.told.setdefault(view, sighting)
        yield from self.settle()

    def _same(self, view: int, sighting: Sighting) -> _Event | None:
        since, until = sighting.t - SAME_SECONDS, getattr(sighting, "until", sighting.t) + SAME_SECONDS
        for event in self._events:
            first, last = event.span
            one = next(iter(event.told.values()))
            places = places_of(one), places_of(sighting)
            refers = self._refers and getattr(one, self._refers) != getattr(sighting, self._refers)
            if view not in event.told and set(places[0]) == set(places[1]) and not refers and first <= until and last >= since:
                return event
        return None

    def settle(self, at_once: bool = False) -> Iterator[Sighting]:
        for event in self._events:
            silent = [] if event.over else [view for view in self.sights.others(-1) if view not in event.told]
            due = [view for view in silent if at_once or self.sights.views[view].t >= event.heard + HOLD_SECONDS]
            # Where a card is still away, nothing has been put down yet that could tell whether it is another one.
            event.excused |= {view for view in due if self.sights.away(view, event.places)}
            waiting = len(due) < len(silent) or any(self._may_tell(view, event) for view in silent)
            if event.over or (waiting and not at_once):
                continue
            event.over = True
            yield from self._weighed(event, silent)
        self._events = [one for one in self._events if self.sights.t - one.heard <= 10 or not one.over]

    def _weighed(self, event: _Event, silent: list[int]) -> Iterator[Sighting]:
        told = [(one.probability, self._whole(view, event)) for view, one in event.told.items()]
        against = sum(self._whole(view, event) for view in silent if view not in event.excused)
        best = max(event.told.values(), key=lambda one: float(one.probability))
        p = joined_probability(told, against)
        if p == best.probability:
            yield best
        elif p >= self._least:
            yield replace(best, probability=p)

    def _may_tell(self, view: int, event: _Event) -> bool:
        """Whether this view, which could see it and is silent, may still tell of it."""
        return self.sights.views[view].t < event.span[1] + self._late and self._whole(view, event)

    def _whole(self, view: int, event: _Event) -> bool:
        return bool(event.places) and self.sights.saw(view, event.places, *event.span)


class AgreedCount(Agreeing):
    """A number of things that lie at a place: some of them may be hidden from a view, so the one that sees most is believed."""

    def __init__(self, sights: Sights) -> None:
        super().__init__(sights)
        self._counts: dict[int, dict[int, Sighting]] = {}
        self._told: dict[int, Sighting] = {}

    def take(self, view: int, sighting: Sighting) -> Iterator[Sighting]:
        counts = self._counts.setdefault(sighting.place, {})
        counts[view] = sighting
        others = [counts[other] for other in self.sights.others(view) if other in counts]
        most = max([sighting, *others], key=lambda one: int(one.count))
        before, self._told[sighting.place] = self._told.get(sighting.place), most
        if not others or before is None or before.count != most.count:
            yield most


def plain(kind: type[Any], sights: Sights) -> Agreeing:
    """How sightings of this ``kind`` agree in a game that does not say: by the fields that they have."""
    names = {one.name for one in fields(kind)}
    if "episode" in names:
        return Episodes(sights, tuple(name for name in ("alternatives", "counts") if name in names))
    return Weighed(sights) if "probability" in names else Once(sights)

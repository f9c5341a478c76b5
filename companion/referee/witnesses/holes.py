"""What no view could see: of the times that one view missed, what is left where the others did not look either."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.eyes.sighting import Sighting, Unseen
from companion.referee.witnesses.testimony import Sights, Span, without

MIN_SECONDS = 0.5
"""Least seconds that are told of, as of one view (`companion.eyes.trouble.SPAN_SECONDS`)."""


class Holes:
    """``places``: number of places at the table."""

    def __init__(self, sights: Sights, places: int) -> None:
        self._sights, self._places = sights, places
        self._told: list[tuple[int, Unseen]] = []
        self._whole: dict[int, tuple[Unseen, Unseen | None]] = {}
        """View → the time that it has missed last, and what was told of it as a time in which nothing was seen."""

    def unseen(self, view: int, missed: Unseen) -> Iterator[Unseen]:
        """What is told of a time that this ``view`` has ``missed``: as it is, where no other view saw any of it."""
        those = tuple(range(self._places)) if missed.places is None else missed.places
        left = {place: self._left(view, place, missed) for place in those}
        span = ((missed.t, missed.until),)
        if all(spans == span for spans in left.values()):
            found = [missed]
        elif missed.places is None:
            found = [replace(missed, t=t, until=until) for t, until in self._of_all(left)]
        else:
            found = []
        partly = {} if found else {place: spans for place, spans in left.items() if spans}
        if partly:
            t, until = min(spans[0][0] for spans in partly.values()), max(spans[-1][1] for spans in partly.values())
            found = [replace(missed, t=t, until=until, places=tuple(sorted(partly)))]
        if missed.places is None:
            self._whole[view] = missed, next((one for one in found if one.places is None), None)
        self._told = [*self._told, *((view, one) for one in found)][-50:]
        yield from found

    def resumed(self, view: int, sighting: Sighting) -> Iterator[Sighting]:
        """How the table lies after a time that this ``view`` has missed: told where no other view saw it either."""
        missed, told = self._whole.get(view, (None, None))
        if missed is None or told is missed:
            yield sighting
        elif told is not None:
            yield replace(sighting, t=told.t, until=told.until)

    def _left(self, view: int, place: int, missed: Unseen) -> tuple[Span, ...]:
        spans: tuple[Span, ...] = ((missed.t, missed.until),)
        for other, sight in enumerate(self._sights.views):
            if other != view:
                spans = sight.missed(place, spans)
        for other, told in self._told:
            if other != view and (told.places is None or place in told.places):
                spans = without(spans, told.t, told.until)
        kept = tuple((t, until) for t, until in spans if until - t >= MIN_SECONDS)
        return spans if spans == ((missed.t, missed.until),) else kept

    def _of_all(self, left: dict[int, tuple[Span, ...]]) -> list[Span]:
        """The spans in which none of the places was seen."""
        whole, *others = left.values()
        for spans in others:
            whole = tuple(
                (max(t, first), min(until, last)) for t, until in whole for first, last in spans
                if min(until, last) - max(t, first) >= MIN_SECONDS
            )  # fmt: skip
        return list(whole)

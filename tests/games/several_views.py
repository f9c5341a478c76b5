"""What a camera sees of a table with somebody in its way, and what the hands come to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import recorded_looks

from companion.eyes.seeing import Seen, view_of
from companion.eyes.sighting import Sighting
from companion.referee import Evening, at_the_end, observe
from companion.table.log import Line
from companion.table.sure import SURE_FROM


def without_places(seen: Iterable[Seen], places: Sequence[int]) -> Iterator[Seen]:
    """The looks of a camera before which somebody sits in front of these places: it finds no card there."""
    for one in seen:
        away = one.top.places[list(places)]
        at = view_of(one.cards, one.picture.t, one.top)
        near = [min(math.dist(centre, place) for place in away) < 1.2 * length
                for centre, length in zip(at.centres, at.lengths, strict=True)]  # fmt: skip
        yield replace(one, cards=tuple(card for card, out in zip(one.cards, near, strict=True) if not out))


def rulings(sightings: Iterable[Sighting], game: str) -> list[tuple[object, bool]]:
    """What each hand came to, and whether it is shown as sure."""
    return outcomes(_evening(sightings, game))


def logged(sightings: Iterable[Sighting], game: str) -> tuple[Line, ...]:
    """The log that the referee makes of them."""
    return _evening(sightings, game).log


def _evening(sightings: Iterable[Sighting], game: str) -> Evening:
    table = recorded_looks.DemoClip(game).table
    evening = Evening.of(table.game, table.first)
    for sighting in sightings:
        evening = observe(evening, sighting)
    return at_the_end(evening)


def outcomes(evening: Evening) -> list[tuple[object, bool]]:
    """The same of an evening."""
    played = [chapter for chapter in evening.chapters if chapter.played]
    return [(evening.game.rules.outcome(one.after), (one.probability or 0.0) >= SURE_FROM) for one in played]

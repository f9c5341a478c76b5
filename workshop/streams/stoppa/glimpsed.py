"""What the eyes report of a choreography of Stoppa that nobody has filmed, and how much of what was laid they find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.sight import Eyesight
from companion.games.stoppa.sightings import Laid, Sighting
from companion.table.log import Line
from workshop.choreography.timeline import Timeline
from workshop.streams.glimpses import Sight, views

NEAR_SECONDS = 2.0
"""A card is found when the eyes report it at most this long before or after it was laid."""

MIN_CARD_PROBABILITY = 0.5
"""Least probability that a report must give its cards together to count as a report of a card."""


def glimpsed(timeline: Timeline, sight: Sight, rng: Random) -> tuple[Sighting, ...]:
    """The sightings in the order in which they become sure."""
    eyes = Eyesight(np.array([seat.place for seat in timeline.plan.seats]) / 1000)
    return tuple(seen for view in views(timeline, sight, rng) for seen in eyes.step(view))


@dataclass(frozen=True, slots=True)
class LaidFigures:
    """Numbers of cards ``laid``, those ``found`` by their kind, and those whose likeliest ``place`` is right; ``false``:
    reports of cards, likely ones, that nobody laid. ``nats``: mean negative log-likelihood of the true place of those found."""

    laid: int
    found: int
    place: int
    false: int
    nats: float


def laid_figures(lines: Sequence[Line], seen: Sequence[Sighting]) -> LaidFigures:
    """How the cards that were reported compare with those laid. ``lines``: the true log, each line with its time."""
    names = lines[0].event.players
    reports = {one.episode: one for one in seen if isinstance(one, Laid)}
    left = [one for one in reports.values() if sum(p for _, p in one.alternatives) >= MIN_CARD_PROBABILITY]
    laid = found = right = 0
    nats = 0.0
    for line in lines:
        for kind in line.event.cards if isinstance(line.event, tl.Lay) else ():
            laid += 1
            near = [one for one in left if one.alternatives[0][0] == kind and abs(one.t - (line.t or 0.0)) <= NEAR_SECONDS]
            if near:
                one = min(near, key=lambda one: abs(one.t - (line.t or 0.0)))
                left.remove(one)
                found += 1
                place = names.index(line.event.by)
                right += one.places[0][0] == place
                nats -= float(np.log(max(dict(one.places).get(place, 0.0), 1e-4)))
    return LaidFigures(laid, found, right, len(left), nats / max(found, 1))

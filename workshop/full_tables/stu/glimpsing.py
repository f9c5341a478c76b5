"""A full table as simulated eyes see it from each side: no picture is drawn, so it takes minutes where filming takes hours.

As `streams.glimpses`, and what bodies hide from a camera is not found there. Faces are read right wherever they are found, so
what goes wrong is about what is hidden, about movement, and about how several views are joined.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import merge
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.sighting import Motion, Sighting, TableView
from companion.games import GAMES
from companion.games.stu.rules.log import Game
from companion.games.stu.sight import sightings
from companion.games.stu.sight.traffic import Traffic
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.views import bare_of
from companion.referee.witnesses import Testimony, Witnesses
from workshop.bench.filming import timed_log
from workshop.bench.latency import LogVersion
from workshop.bench.stu import ruling
from workshop.bench.stu.scoring import score
from workshop.bench.watching import Look, Stream, encode_sighting
from workshop.clip.film import FilmSet
from workshop.full_tables.stu.filming import Shares, prepare_view
from workshop.full_tables.stu.recipe import FullClip
from workshop.full_tables.stu.watching import EveningResult, Watched
from workshop.stage import camera as cam
from workshop.stage.physique import bones
from workshop.stage.scene import CARD_SIZES, Camera, SitterPose
from workshop.streams.glimpses import SIGHT, Sight, views
from workshop.streams.stu.traffic import places_of

Floats = NDArray[np.float64]
COARSE = 4
"""Pixels of the picture for each of the mask of what bodies hide."""
SWAYS = 0.25
"""Seconds for which bodies count as still: so often they are drawn again."""
HIDDEN = 0.3
"""Share of a place in view below which the eyes know that something is in the way."""
_GRID = np.array([(x, y) for x in (-0.4, 0, 0.4) for y in (-0.45, -0.22, 0, 0.22, 0.45)])
"""Points of a card, in widths and lengths from its middle."""


def bodies(camera: Camera, sitters: Sequence[SitterPose]) -> NDArray[np.uint8]:
    """Where (rows, columns of `COARSE` pixels) somebody who sits there is before the table: 1, else 0. What is below the
    table's top hides nothing."""
    mask = np.zeros((-(-camera.height // COARSE), -(-camera.width // COARSE)), np.uint8)
    for bone in (bone for sitter in sitters for bone in bones(sitter)):
        (a, ra), (b, rb) = sorted(((np.array(bone.a), bone.ra), (np.array(bone.b), bone.rb)), key=lambda end: -end[0][2])
        if a[2] <= 0:
            continue
        if b[2] < 0:
            share = a[2] / (a[2] - b[2])
            b, rb = a + (b - a) * share, ra + (rb - ra) * share
        near = cam.depth(camera, [a, b])
        if near.min() <= 1:
            continue
        ends = cam.project(camera, [a, b]) / COARSE
        radii = np.array([ra, rb]) * camera.focal * camera.width / near / COARSE
        _capsule(mask, ends, radii)
    return mask


def _capsule(mask: NDArray[np.uint8], ends: Floats, radii: Floats) -> None:
    """Fill a bone between two ends (2, 2) with their radii, all in the mask's pixels."""
    for end, radius in zip(ends, radii, strict=True):
        cv2.circle(mask, (round(end[0]), round(end[1])), max(round(radius), 1), 1, -1)
    way = ends[1] - ends[0]
    if (length := float(np.hypot(*way))) > 1:
        aside = np.array([-way[1], way[0]]) / length
        corners = [ends[0] + aside * radii[0], ends[1] + aside * radii[1], ends[1] - aside * radii[1], ends[0] - aside * radii[0]]
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)


def _shown(camera: Camera, mask: NDArray[np.uint8], points: Floats) -> NDArray[np.bool_]:
    """Which points (n, 2) of the table, mm, the camera has in view."""
    x, y = np.floor(cam.project(camera, points) / COARSE).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < mask.shape[1]) & (y < mask.shape[0])
    return np.asarray(inside & (mask[np.clip(y, 0, mask.shape[0] - 1), np.clip(x, 0, mask.shape[1] - 1)] == 0))


def _points(middles: Floats, degrees: Floats, size: tuple[float, float]) -> Floats:
    """Points (n, 15, 2) of cards with these middles (n, 2), mm, and angles (n,)."""
    a = np.radians(degrees)
    turn = np.stack([np.stack([np.cos(a), -np.sin(a)], -1), np.stack([np.sin(a), np.cos(a)], -1)], -2)
    return np.asarray((_GRID * size) @ turn.transpose(0, 2, 1) + middles[:, None])


class Side:
    """One camera's eyes. ``made``: the evening as it is filmed from there; ``sight``: how well they see."""

    def __init__(self, made: FilmSet, sight: Sight, rng: Random) -> None:
        assert made.company is not None, "people sit at a full table"
        self._made, self._sight, self._rng, self._company = made, sight, rng, made.company
        seats = made.timeline.plan.seats
        self._size = CARD_SIZES[made.timeline.plan.cards]
        self._places = _points(np.array([seat.place for seat in seats]), np.array([seat.facing for seat in seats]), self._size)
        self.rows: list[tuple[float, ...]] = []

    def looks(self) -> Iterator[tuple[TableView, frozenset[int]]]:
        """What is found in each look, and the places that are hidden in it, in order of time."""
        camera, mask, drawn, before = self._made.camera, None, -1.0, None
        for view in views(self._made.timeline, self._sight, self._rng, LOOKS_PER_SECOND):
            if mask is None or view.t - drawn >= SWAYS:
                drawn, scene = view.t, self._company.scene(self._made.timeline.at(view.t))
                mask = bodies(camera, scene.sitters)
                shares = _shown(camera, mask, self._places.reshape(-1, 2)).reshape(len(self._places), -1).mean(1)
            if view.t >= len(self.rows):
                self.rows.append(tuple(round(float(share), 2) for share in shares))
            assert view.motion is not None
            ground = _shown(camera, mask, view.motion.ground * 1000)
            stirred = np.zeros_like(ground) if before is None else ground != before
            before = ground
            moving = (view.motion.moving & ground) | stirred
            hidden = frozenset(int(place) for place in np.flatnonzero(shares < HIDDEN))
            yield replace(self._found(view, camera, mask), motion=Motion(view.motion.ground, moving)), hidden

    def _found(self, view: TableView, camera: Camera, mask: NDArray[np.uint8]) -> TableView:
        """The cards of a look that no body hides."""
        if not view.cards:
            return view
        points = _points(np.array(view.centres) * 1000, np.array(view.turns) - 90, self._size)
        seen = _shown(camera, mask, points.reshape(-1, 2)).reshape(len(points), -1).mean(1)
        kept = [number for number, share in enumerate(seen)
                if share >= self._sight.least and self._rng.random() < min(1.0, share * 1.6)]  # fmt: skip
        return replace(
            view, cards=tuple(view.cards[n] for n in kept), centres=tuple(view.centres[n] for n in kept),
            lengths=tuple(view.lengths[n] for n in kept), turns=tuple(view.turns[n] for n in kept),
        )  # fmt: skip

    def testimonies(self, number: int, late: float = 0.0) -> Iterator[Testimony]:
        """What this view, with its ``number`` from 0, tells look by look. ``late``: seconds by which its clock is behind."""
        places = places_of(self._made.timeline)
        traffic = Traffic(places)
        seats = [seat.place for seat in self._made.timeline.plan.seats]  # mm, as the quads of the cards
        for view, hidden in self.looks():
            view = replace(view, t=view.t + late)
            yield Testimony(number, view.t, sightings(places, traffic, view, hidden), hidden, bare=bare_of(view.cards, seats))

    def shares(self) -> Shares:
        """What of each place was in view, once all looks were taken."""
        ends = self._places[:, [5, 9]]  # the middles of a card's short sides, nearly
        pixels = cam.project(self._made.camera, ends.reshape(-1, 2)).reshape(-1, 2, 2)
        lengths = np.hypot(*(pixels[:, 1] - pixels[:, 0]).T) / 0.9
        return Shares(round(float(lengths.min()), 1), tuple(self.rows))


def glimpsed_evening(recipe: FullClip, count: int, late: float = 0.0) -> EveningResult:
    """An evening followed by simulated eyes, each camera alone, and ``count`` of them together where that is more than one.
    ``late``: seconds by which the clock of all but the first is behind when they are together."""
    lines = recipe.played()
    made = [prepare_view(recipe, number, lines) for number in range(len(recipe.views))]
    sides, told = [], []
    for number, one in enumerate(made[: max(count, 2)]):
        side = Side(one, SIGHT[recipe.level], Random(f"glimpses {recipe.seed} {number}"))
        told.append(list(side.testimonies(number)))
        sides.append(side)
    watched = [_watched(recipe, made[0], (number,), [_only(one)]) for number, one in enumerate(told)]
    if 1 < count <= len(told):
        both = [told[0], *(list(_shifted(recipe, made, number, late)) if late else told[number] for number in range(1, count))]
        watched.append(_watched(recipe, made[0], tuple(range(count)), both))
    return EveningResult(recipe, tuple(side.shares() for side in sides), tuple(watched))


def _only(told: Sequence[Testimony]) -> list[Testimony]:
    return [replace(one, view=0) for one in told]


def _shifted(recipe: FullClip, made: Sequence[FilmSet], number: int, late: float) -> Iterator[Testimony]:
    side = Side(made[number], SIGHT[recipe.level], Random(f"glimpses {recipe.seed} {number}"))
    yield from side.testimonies(number, late)


def _watched(recipe: FullClip, made: FilmSet, label: tuple[int, ...], told: Sequence[Sequence[Testimony]]) -> Watched:
    """What the referee makes of these views together."""
    began, truth = time.process_time(), timed_log(made)
    game = truth[0].event
    assert isinstance(game, Game)
    model = GAMES["stu"].sighting_model
    assert model is not None
    witnesses = Witnesses(model, len(told), recipe.players)
    looks: list[tuple[float, tuple[Sighting, ...]]] = [
        (one.t, witnesses.hear(one)) for one in merge(*told, key=lambda testimony: testimony.t)
    ]
    looks.append((looks[-1][0], witnesses.end()))
    stream = Stream((0, 0), tuple(Look(t, (), tuple(map(encode_sighting, seen))) for t, seen in looks if seen), 0.0)
    found = score(truth, ruling.log_versions(game, stream))
    answered, questions = ruling.log_with_answers(game, looks, truth)
    asked = score(truth, (LogVersion(looks[-1][0], answered),))
    took = time.process_time() - began
    right = sum(hand.right for hand in asked.hands)
    return Watched(recipe.name, label, found, looks[-1][0], round(took, 1), round(took, 1), 0, len(questions), right)

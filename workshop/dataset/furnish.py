"""Adds to a composed scene what recipes of a full table ask for: things that look like cards, on the table and behind it, people
who sit there; or takes every card away."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workshop.choreography.layout import Seat
from workshop.choreography.posture import FURTHEST, UPRIGHT, limb_of, posture, wrist_of
from workshop.choreography.seated import HAIRS
from workshop.dataset import things
from workshop.dataset.compose import Laid
from workshop.dataset.recipe import Recipe
from workshop.stage import camera as cam
from workshop.stage.scene import FingersPose, Lookalike, Scene, SitterPose, Surface

Floats = NDArray[np.float64]
Rng = np.random.Generator
CARD = 91.0
"""Length of a card, mm: things are measured by it."""
ENDLESS = 9000.0
"""Width in mm of a table top that has no rim in the picture."""
BEYOND = -120
"""Layer of what stands in the room; the further, the lower."""
SCREENS = ("screen", "laptop")
THICK = ("book", "carton", "crate", "record")
UPRIGHT_KINDS = frozenset({"cabinet", "shelf"})
"""Kinds that only stand."""


def furnished(recipe: Recipe, laid: Laid, rng: Rng) -> Laid:
    """The scene with what the recipe adds; as it is where the recipe adds nothing."""
    if recipe.empty and rng.random() < recipe.empty:
        laid = emptied(laid)
        if rng.random() < recipe.bare:
            return _room(laid, rng)
    if recipe.things and rng.random() < recipe.things:
        more = (*_lying(recipe, laid, rng), *_standing(recipe, laid, rng))
        laid = _both(laid, lambda scene: replace(scene, props=(*scene.props, *more)))
    if recipe.seated and laid.surface.width < ENDLESS and rng.random() < recipe.seated:
        laid = _seated(laid, rng)
    return laid


def emptied(laid: Laid) -> Laid:
    """The scene without cards and stacks: hands that held some are empty."""
    return _both(laid, lambda scene: replace(
        scene, cards=(), stacks=(), fingers=tuple(replace(one, holds=None, fan=()) for one in scene.fingers)))  # fmt: skip


def _both(laid: Laid, change: Callable[[Scene], Scene]) -> Laid:
    return replace(laid, scene=change(laid.scene), before=change(laid.before))


def _room(laid: Laid, rng: Rng) -> Laid:
    """A look into the room, without a table."""
    a = math.radians(laid.camera.azimuth)
    aside = (1150 * math.cos(a), 1150 * math.sin(a))  # the table stands there, out of the picture
    low, roll = float(rng.uniform(3, 30)), float(rng.normal(0, 4))
    camera = replace(laid.camera, elevation=low, target=aside, distance=1200.0, roll=roll)
    nothing = Scene(t=laid.scene.t)
    return Laid(camera, replace(laid.surface, shape="rect", width=2.0, depth=2.0), nothing, nothing)


def _size(rng: Rng) -> tuple[float, float]:
    """Width and length in mm: half of them about a card's size, and most in its shape."""
    length = CARD * (rng.uniform(0.75, 1.5) if rng.random() < 0.5 else float(np.exp(rng.uniform(np.log(0.3), np.log(6)))))
    aspect = rng.uniform(1.35, 1.95) if rng.random() < 0.5 else rng.uniform(1.0, 2.5)
    return (length / aspect, length) if rng.random() < 0.75 else (length, length / aspect)


def _lying(recipe: Recipe, laid: Laid, rng: Rng) -> Iterator[Lookalike]:
    camera, surface = laid.camera, laid.surface
    kinds = [kind for kind in recipe.thing_kinds if kind not in UPRIGHT_KINDS] or list(recipe.thing_kinds)
    spots = cam.unproject(camera, rng.uniform(0.02, 0.98, (40, 2)) * (camera.width, camera.height))
    near = cam.depth(camera, np.column_stack([spots, np.zeros(len(spots))]))
    rim = np.array([surface.width, surface.depth]) / 2
    inside = (np.abs(spots) < rim).all(1) if surface.shape == "rect" else np.linalg.norm(spots, axis=1) < rim[0]
    there = [(one.x, one.y) for one in laid.scene.cards] + [(one.x, one.y) for one in laid.scene.stacks]
    cards = np.array(there).reshape(-1, 2)
    taken: list[tuple[float, float, float]] = []
    most = int(rng.integers(1, 15))
    for x, y in spots[inside & (near > 200)].tolist():
        mm = _size(rng)
        kind, reach = str(rng.choice(kinds)), math.hypot(*mm) / 2
        if any(math.dist((x, y), (u, v)) < 0.8 * (reach + far) for u, v, far in taken):
            continue
        thick = float(rng.uniform(5, 60)) if kind in THICK else float(rng.uniform(0.2, 9))
        if len(cards) and float(np.linalg.norm(cards - [x, y], axis=1).min()) < reach + 55:
            if rng.random() < 0.6:  # the others lie under the cards
                continue
            thick = min(thick, 0.6)
        taken.append((x, y, reach))
        rounded = float(rng.uniform(2, 9)) if kind in SCREENS or rng.random() < 0.12 else 0.0
        angle, seed = float(rng.uniform(0, 360)), int(rng.integers(1 << 30))
        yield Lookalike(f"l{len(taken)}", kind, x, y, angle, 1.0, seed, -1, mm, thick, rounded)  # type: ignore[arg-type]
        if len(taken) == most:
            return


def _standing(recipe: Recipe, laid: Laid, rng: Rng) -> Iterator[Lookalike]:
    """Screens, shelves and pictures in the room beyond the far rim, and boxes, cards of the house and tablets on the table."""
    camera, surface = laid.camera, laid.surface
    here = cam.position(camera)[:2]
    away = -here / max(float(np.linalg.norm(here)), 1.0)
    facing = float(np.degrees(np.arctan2(away[1], away[0])) - 90)
    aside = np.array([away[1], -away[0]])
    if surface.width < ENDLESS:
        rim = float(np.hypot(surface.width, surface.depth)) / 2
        for n in range(int(rng.integers(0, 9))):
            far, off = rim + rng.uniform(150, 2500), rng.normal(0, 0.5) * (rim + 900)
            x, y = away * far + aside * off
            mm = np.array(_size(rng)) * rng.uniform(1.5, 9)
            one = _upright(recipe, f"u{n}", (float(x), float(y)), (facing, 25), (float(mm[0]), float(mm[1])), rng)
            thick, low = float(rng.uniform(5, 200)), float(rng.uniform(-700, 700))
            soft = float(rng.choice([0.0, rng.uniform(0, 2.5)]))
            yield replace(one, layer=BEYOND - int(far / 100), thick=thick, stands=low, soft=soft)
    for n in range(int(rng.choice([0, 0, 1, 2]))):
        x, y = cam.unproject(camera, rng.uniform(0.1, 0.6, (1, 2)) * (camera.width, camera.height))[0]
        if abs(x) < surface.width / 2 - 60 and abs(y) < surface.depth / 2 - 60:
            one = _upright(recipe, f"t{n}", (float(x), float(y)), (facing, 35), _size(rng), rng)
            yield replace(one, thick=float(rng.uniform(2, 60)))


def _upright(
    recipe: Recipe, name: str, at: tuple[float, float], facing: tuple[float, float], mm: tuple[float, float], rng: Rng
) -> Lookalike:
    """A thing that stands on the table's plane; ``facing``: where its front looks, and how far it strays from that, degrees."""
    kind, angle = str(rng.choice(recipe.thing_kinds)), facing[0] + float(rng.normal(0, facing[1]))
    seed = int(rng.integers(1 << 30))
    return Lookalike(name, kind, *at, angle, 1.0, seed, 0, mm, stands=0.0)  # type: ignore[arg-type]


def _seat(surface: Surface, angle: float) -> Seat:
    """The seat at the rim in this direction (radians) from the table's middle."""
    way = np.array([math.cos(angle), math.sin(angle)])
    if surface.shape == "round":
        far = surface.width / 2
    else:
        far = min(surface.width / 2 / max(abs(way[0]), 1e-6), surface.depth / 2 / max(abs(way[1]), 1e-6))
    x, y = way * far
    facing = float(np.degrees(np.arctan2(-x, y)) + 180)
    place = way * (far - 105)
    return Seat("", facing, (float(x), float(y)), (float(place[0]), float(place[1])), 1, 20.0)


def _seated(laid: Laid, rng: Rng) -> Laid:
    """People all around but on the camera's side, their hands on the table, those that are there among them."""
    camera, surface = laid.camera, laid.surface
    here = cam.position(camera)
    towards = math.atan2(here[1] - camera.target[1], here[0] - camera.target[0])
    about = (surface.width + surface.depth) / 2 * math.pi
    count = int(rng.integers(1, max(2, min(9, int(about / 520)) + 1)))
    start = rng.uniform(0, 2 * math.pi)
    hands = {one.id: one for one in laid.scene.fingers}
    sitters: list[SitterPose] = []
    for n in range(count):
        angle = start + 2 * math.pi * n / count
        off = abs((angle - towards + math.pi) % (2 * math.pi) - math.pi)
        seat = _seat(surface, angle)
        if off < 0.9 or math.dist(seat.edge, here[:2]) < 700:
            continue
        seed = int(rng.integers(1 << 30))
        shirt = things.colour(rng.uniform(15, 235) * rng.uniform(0.5, 1.3, 3))
        skin = things.skin_of(rng)
        wrists: list[Floats | None] = []
        own: list[str] = []
        for left in (True, False):
            name = _taken(hands, seat, left)
            if name is None and rng.random() < 0.7:
                name = f"s{n}{'l' if left else 'r'}"
                spot = seat.local(float(rng.normal(-120 if left else 120, 60)), float(rng.uniform(90, 330)), seat.edge)
                hands[name] = replace(things.fingers_over(rng, 0, spot), id=name, angle=seat.facing + float(rng.normal(0, 20)))
            own.append(name or "")
            wrists.append(wrist_of(hands[name]) if name else None)
        lean = UPRIGHT + float(rng.uniform(-3, FURTHEST / 2))
        sitting = posture(seat, seed, lean, float(rng.normal(0, 30)), float(rng.normal(0, 25)), wrists)
        for left, name, wrist in zip((True, False), own, wrists, strict=True):
            if name and wrist is not None:
                limb = limb_of(sitting, wrist, left)
                hands[name] = replace(hands[name], left=left, skin=skin, sleeve=shirt, seed=seed, limb=limb)
        hair = HAIRS[int(rng.integers(len(HAIRS)))]
        hangs = not own[0], not own[1]
        sitters.append(SitterPose(f"sitter.{n}", sitting.hips, sitting.chest, sitting.head, seat.facing, sitting.gaze,
                                  sitting.nod, hangs, skin, shirt, hair, seed))  # fmt: skip
    fingers = tuple(hands.values())
    return _both(laid, lambda scene: replace(scene, fingers=fingers, sitters=tuple(sitters)))


def _taken(hands: dict[str, FingersPose], seat: Seat, left: bool) -> str | None:
    """A hand on the table that somebody who sits there can have: within reach and not somebody else's."""
    for name, one in hands.items():
        if one.limb is None and not one.fan and math.dist((one.x, one.y), seat.edge) < 480:
            a = math.radians(seat.facing)
            if ((one.x - seat.edge[0]) * math.cos(a) + (one.y - seat.edge[1]) * math.sin(a) < 0) == left:
                return name
    return None

"""Random scenes: tables laid as in the game, and cards scattered and fanned among the things of a bar."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workshop.dataset import things
from workshop.dataset.decks import Deck
from workshop.dataset.groups import Dealer, at_stack, in_hand, pile, spread
from workshop.dataset.recipe import Recipe
from workshop.stage import camera as cam
from workshop.stage import cardshape
from workshop.stage.scene import Camera, CardPose, FingersPose, Prop, Scene, StackPose, Surface

Rng = np.random.Generator
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A camera over a table, the scene, and the same things a moment earlier, for motion blur."""

    camera: Camera
    surface: Surface
    scene: Scene
    before: Scene


def _camera(recipe: Recipe, rng: Rng) -> Camera:
    low, high = recipe.elevation
    roll = rng.normal(0, 3) if rng.random() < 0.75 else rng.uniform(-180, 180)
    return Camera(
        *recipe.size, float(low + (high - low) * rng.beta(1.1, 1.3)), float(rng.uniform(-180, 180)), 1000.0, float(roll),
        float(rng.uniform(0.65, 1.25)),
    )  # fmt: skip


def _length(recipe: Recipe, rng: Rng) -> float:
    usual = rng.random() < 0.75
    low, high = recipe.usual_length if usual else recipe.length
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _fan(dealer: Dealer, name: str, x: float, y: float, angle: float, count: int, face_up: float) -> list[CardPose]:
    """Cards side by side or fanned, the bottom one first."""
    rng = dealer.rng
    width, length = dealer.decks[name].size
    style = rng.random()
    step = width * (rng.uniform(1.0, 1.25) if style < 0.35 else rng.uniform(0.2, 0.75))
    turn = 0.0 if style < 0.35 else float(rng.uniform(-4, 18))
    way = np.radians(angle + (90 * rng.integers(2) if style < 0.35 else rng.normal(0, 15)))
    same = rng.random() < 0.8
    up = face_up if not same else float(rng.random() < face_up)
    cards = []
    for n in range(count):
        off = n - (count - 1) / 2
        along = step * (length / width if style < 0.35 and abs(np.sin(way - np.radians(angle))) > 0.7 else 1)
        at_x, at_y = x + off * along * np.cos(way), y + off * along * np.sin(way)
        cards.append(dealer.card(name, float(at_x), float(at_y), angle - off * turn + float(rng.normal(0, 3)), up, 0.02))
    return cards


def game(recipe: Recipe, decks: list[Deck], surface: Surface, rng: Rng) -> Laid:
    """A table with players: a Stù card each in front of them, pedine beside it, the deck, hands and what people drink."""
    dealer = Dealer(decks, rng)
    players = int(rng.integers(2, 13))
    reach = float(rng.uniform(190, 300) + 38 * players)
    depth = reach if surface.shape == "round" else reach * rng.uniform(0.6, 1.0)
    surface = replace(surface, width=2 * (reach + 130), depth=2 * (depth + 130))
    camera = cam.fit(_camera(recipe, rng), surface, float(rng.uniform(-0.12, 0.06)))
    length = _length(recipe, rng)
    seen = cam.scale(camera, 0, 0) * 92
    if seen < recipe.length[0] or rng.random() < 0.45:  # so near that not everybody is in the picture
        near = camera.distance * seen / max(length, seen)
        around = rng.normal(0, 0.45, 2) * (reach, depth) * (1 - near / camera.distance)
        camera = replace(camera, distance=float(near), target=(float(around[0]), float(around[1])))
    cards: list[CardPose] = []
    face_up = float(rng.choice([0.15, 0.5, 0.95]))
    start = rng.uniform(0, 2 * np.pi)
    for n in range(players):
        a = start + 2 * np.pi * n / players
        x, y = float(reach * np.cos(a) + rng.normal(0, 14)), float(depth * np.sin(a) + rng.normal(0, 14))
        inwards = float(np.degrees(np.arctan2(-x, y)) + 180 + rng.normal(0, 14))
        if rng.random() < 0.85:
            if recipe.overlap and rng.random() < recipe.overlap:
                cards += spread(dealer, "stu", x, y, inwards, recipe.raised)
            else:
                cards.append(dealer.card("stu", x, y, inwards, face_up, 0.06))
        if "ramino" in dealer.decks and rng.random() < 0.75:
            side = np.radians(inwards) + (0 if rng.random() < 0.5 else np.pi)
            beside = rng.uniform(75, 120)
            at_x, at_y = x + float(beside * np.cos(side)), y + float(beside * np.sin(side))
            if recipe.overlap and rng.random() < recipe.overlap:
                cards += spread(dealer, "ramino", at_x, at_y, inwards + float(rng.normal(0, 20)), recipe.raised)
            else:
                cards += _fan(dealer, "ramino", at_x, at_y, inwards + float(rng.normal(0, 20)), int(rng.integers(1, 5)), 0.5)
    stacks = []
    if rng.random() < 0.85:
        spot = rng.normal(0, 0.3, 2) * (reach, depth)
        stacks.append(dealer.stack("stu", float(spot[0]), float(spot[1]), float(rng.uniform(0, 360))))
    if "ramino" in dealer.decks and rng.random() < 0.25:
        spot = rng.normal(0, 0.35, 2) * (reach, depth)
        stacks.append(dealer.stack("ramino", float(spot[0]), float(spot[1]), float(rng.uniform(0, 360)), 0.3))
    middle = rng.normal(0, 0.4, (12, 2)) * (reach, depth)
    rim = rng.uniform(0, 2 * np.pi, 12)
    outer = np.column_stack([np.cos(rim) * (reach + 20), np.sin(rim) * (depth + 20)]) * rng.uniform(0.75, 1.1, (12, 1))
    places = np.where(rng.random((12, 1)) < 0.6, outer, middle)
    about = things.props(rng, int(rng.integers(0, 9)), places)
    if recipe.clutter and rng.random() < recipe.clutter:
        about += things.clutter(rng, places[::-1], cards)
    return _finish(recipe, dealer, camera, surface, cards, stacks, about)


def scattered(recipe: Recipe, decks: list[Deck], surface: Surface, rng: Rng) -> Laid:
    """Cards, fans and stacks of all decks anywhere in the picture."""
    dealer = Dealer(decks, rng)
    surface = replace(surface, width=float(rng.uniform(700, 3000)), depth=float(rng.uniform(600, 2400)))
    camera = _camera(recipe, rng)
    length = _length(recipe, rng)
    distance = camera.focal * camera.width * 91 / length
    around = rng.uniform(-0.5, 0.5, 2) * (surface.width, surface.depth) * 0.6
    camera = replace(camera, distance=float(distance), target=(float(around[0]), float(around[1])))
    if rng.random() < 0.5:  # nothing but table, without a rim in the picture
        surface = replace(surface, shape="rect", width=20000.0, depth=20000.0)
    rows = (-0.02, 1.02) if camera.elevation > 45 else (0.12, 1.02)
    spots = rng.uniform(0, 1, (60, 2)) * (1.04, rows[1] - rows[0]) + (-0.02, rows[0])
    places = cam.unproject(camera, spots * (camera.width, camera.height))
    near = cam.depth(camera, np.column_stack([places, np.zeros(len(places))]))
    rim = np.array([surface.width, surface.depth]) / 2
    inside = (np.abs(places) < rim).all(1) if surface.shape == "rect" else np.linalg.norm(places, axis=1) < rim[0]
    scale = camera.focal * camera.width / np.maximum(near, 1)
    places = places[inside & (near > 120) & (scale * 91 > recipe.length[0] * 0.75)]
    names = list(dealer.decks)
    weights = np.array([{"stu": 1.0, "ramino": 0.8}.get(name, 0.8 if dealer.decks[name].strange else 0.3) for name in names])
    cards: list[CardPose] = []
    stacks: list[StackPose] = []
    taken: list[tuple[float, float]] = []
    most = int(rng.integers(0 if rng.random() < 0.1 else 1, recipe.cards + 1))
    crowd = 60 if rng.random() < 0.15 + 0.3 * recipe.cover else 105
    if recipe.overlap and crowd > 60:
        crowd = 145  # groups are wider than single cards
    free = []
    for x, y in places.tolist():
        if any((x - u) ** 2 + (y - v) ** 2 < crowd**2 for u, v in taken):
            continue
        taken.append((x, y))
        if len(cards) >= most:
            free.append((x, y))
            continue
        name = str(rng.choice(names, p=weights / weights.sum()))
        angle = float(rng.uniform(0, 360))
        if recipe.overlap and rng.random() < recipe.overlap:
            piled = recipe.piles and rng.random() < recipe.piles
            cards += (pile if piled else spread)(dealer, name, x, y, angle, recipe.raised)
            continue
        what = rng.random()
        if what < 0.09 and (name in ("stu", "ramino") or dealer.decks[name].strange):
            stacks.append(dealer.stack(name, x, y, angle, 0.2))
            if recipe.overlap and rng.random() < recipe.overlap:
                cards.append(at_stack(dealer, name, stacks[-1]))
        elif what < 0.35:
            cards += _fan(dealer, name, x, y, angle, int(rng.integers(2, 5)), 0.6)
        else:
            cards.append(dealer.card(name, x, y, angle, 0.55, 0.1))
    props = things.props(rng, int(rng.integers(0, 7)), np.array(free).reshape(-1, 2))
    if recipe.clutter and rng.random() < recipe.clutter:
        props += things.clutter(rng, np.array(free[::-1]).reshape(-1, 2), cards)
    return _finish(recipe, dealer, camera, surface, cards, stacks, props)


def _hold_fan(dealer: Dealer, camera: Camera, cards: list[CardPose], fingers: list[FingersPose]) -> None:
    """Adds a hand that holds a fan over the table, where it does not come too near to the lens."""
    rng = dealer.rng
    names = [name for name in dealer.decks if name in ("stu", "ramino")] if rng.random() < 0.8 else list(dealer.decks)
    at = cam.unproject(camera, rng.uniform(0.1, 0.9, (1, 2)) * (camera.width, camera.height))[0]
    if np.linalg.norm(at - camera.target) > 2 * camera.distance:
        return
    spot = (float(at[0]), float(at[1]))
    fan, hand = in_hand(dealer, camera, str(rng.choice(names)), things.fingers_over(rng, len(fingers), spot), spot)
    if min(float(cam.depth(camera, cardshape.corners3(card)).min()) for card in fan) > 0.6 * camera.distance:
        cards += fan
        fingers.append(hand)


def _finish(
    recipe: Recipe,
    dealer: Dealer,
    camera: Camera,
    surface: Surface,
    cards: list[CardPose],
    stacks: list[StackPose],
    props: list[Prop],
) -> Laid:
    """The scene with hands added, and how it was a moment earlier."""
    rng = dealer.rng
    fingers: list[FingersPose] = []
    number = int(rng.choice([0, 0, 1, 2, 3])) if rng.random() < 0.4 + 0.6 * recipe.cover else 0
    for n in range(number):
        if cards and rng.random() < 0.75:
            card = cards[int(rng.integers(len(cards)))]
            width, length = card.mm
            off = rng.uniform(-0.8, 0.8, 2) * (width, length)
            fingers.append(things.fingers_over(rng, n, (card.x + float(off[0]), card.y + float(off[1]))))
            held = fingers[-1]
            if rng.random() < 0.2:
                fingers[-1] = replace(held, grip="hold", holds=card.id, z=float(rng.uniform(5, 90)))
        else:
            spot = cam.unproject(camera, rng.uniform(0.05, 0.95, (1, 2)) * (camera.width, camera.height))[0]
            if np.linalg.norm(spot - camera.target) < 3 * camera.distance:
                fingers.append(things.fingers_over(rng, n, (float(spot[0]), float(spot[1]))))
    held_by = {one.holds: one for one in fingers if one.holds}
    for n, card in enumerate(cards):
        if card.id in held_by:
            cards[n] = replace(card, z=held_by[card.id].z + 8, tilt=float(rng.uniform(-35, 35)), tilt_axis=90.0)
    if recipe.overlap and rng.random() < recipe.overlap / 2:
        _hold_fan(dealer, camera, cards, fingers)
    if recipe.clutter:  # what lies on cards lies under hands
        fingers = [replace(one, layer=2) for one in fingers]
    for n, card in enumerate(cards):
        if float(cam.depth(camera, cardshape.corners3(card)).min()) < 0.6 * camera.distance:  # lifted almost into the lens
            cards[n] = replace(card, z=0.0, tilt=0.0)
    scene = Scene(tuple(cards), tuple(fingers), tuple(props), tuple(stacks), float(rng.uniform(0, 60)))

    def earlier(x: float, y: float, likely: float) -> tuple[float, float]:
        if rng.random() > likely:
            return x, y
        way, far = rng.uniform(0, 2 * np.pi), rng.uniform(4, 32)
        return float(x + far * np.cos(way)), float(y + far * np.sin(way))

    before = replace(
        scene,
        cards=tuple(replace(c, x=p[0], y=p[1]) for c in scene.cards for p in [earlier(c.x, c.y, 0.03 + 0.06 * recipe.hard)]),
        fingers=tuple(replace(h, x=p[0], y=p[1]) for h in scene.fingers for p in [earlier(h.x, h.y, 0.4)]),
    )
    return Laid(camera, surface, scene, before)

"""The renderer: keeps what stands still as a finished picture and redraws, in each frame, only where something changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from workshop.stage import background, cardshape, fingers, light, props, sensor, sitters
from workshop.stage import camera as cam
from workshop.stage.cards import Textures, card_sprite, stack_sprite
from workshop.stage.scene import (
    BodyPose,
    Camera,
    CardPose,
    CardTruth,
    FingersPose,
    Frame,
    Image,
    Key,
    Look,
    Lookalike,
    Prop,
    Scene,
    SitterPose,
    StackPose,
    Surface,
)
from workshop.stage.sprites import Rect, Sprite, blend, blurred, merge, overlap

Item = CardPose | StackPose | Prop | FingersPose | BodyPose | SitterPose
Layer = tuple[Item, str]
"""A thing and the part of it that is drawn: ``all``, or ``behind`` and ``front`` of a hand that holds a card, or the ``shadow``
of somebody who sits there."""
Named = tuple[Layer, tuple[float, float]]
Floats = NDArray[np.float64]
SHUTTER = 0.45
"""Share of the time between two frames during which the shutter is open."""
LONGEST_BLUR = 0.06
"""The most motion blur, in picture widths: what moves faster is not seen anyway."""
NEAREST = 60.0
"""Nothing is drawn that comes nearer to the camera than this, mm."""


class Renderer:
    """Renders scenes on one table under one light. The same arguments and scenes give the same frames, in any order.

    ``decks``: card key → BGRA (or BGR) texture, with a ``(deck, "back")`` for each deck; or `Textures`: several
    renderers can share the mip levels. ``panorama``: an equirectangular BGR photograph for what lies beyond the table.

    Raises:
        ValueError: an unknown surface. KeyError: a card without a picture.
    """

    def __init__(
        self,
        camera: Camera,
        surface: Surface,
        decks: Mapping[Key, Image] | Textures,
        look: Look | None = None,
        seed: int = 0,
        panorama: Image | None = None,
    ) -> None:
        self.camera, self.surface, self.look, self.seed = camera, surface, look or Look(), seed
        self._textures = decks if isinstance(decks, Textures) else Textures(decks)
        self._empty = background.paint(camera, surface, self.look, panorama, seed)
        self._light = light.light_map(camera, self.look, np.random.default_rng([seed, 30]))
        self._canvas = self._empty.copy()
        self._optical: Image | None = None
        self._sigma = -1.0
        self._drawn: list[tuple[Named, Sprite]] = []
        self._sprites: dict[Named, Sprite | None] = {}
        self._shares: dict[object, float] = {}

    def frame(self, scene: Scene, previous: Scene | None = None) -> Frame:
        """Render a scene. ``previous``: the scene one frame earlier; what has moved since then is blurred along its path."""
        layers = _layers(scene, self.camera)
        before = {item.id: item for item in _all(previous)} if previous is not None else {}
        sprites: dict[Named, Sprite | None] = {}
        for layer in layers:
            name: Named = (layer, self._path(layer[0], before.get(layer[0].id)))
            sprites[name] = self._sprites[name] if name in self._sprites else self._draw(*name)
        self._sprites = sprites
        wanted = [(name, drawn) for name, drawn in sprites.items() if drawn is not None]
        self._compose(wanted, sensor.blur_sigma(self.look, self.camera.width, scene.defocus))
        assert self._optical is not None
        image = sensor.expose(self._optical, self.look, self.seed, scene.t, scene.gain)
        drawn = list(sprites.items())
        return Frame(image, (*self._truth(drawn), *self._places(scene, drawn)))

    def _too_near(self, card: CardPose) -> bool:
        return float(cam.depth(self.camera, cardshape.corners3(card)).min()) < NEAREST

    def _path(self, item: Item, before: Item | None) -> tuple[float, float]:
        """How far (x, y px, rounded) a thing moved while the shutter was open."""
        if before is None or before == item or isinstance(item, Prop | SitterPose) or isinstance(before, SitterPose):
            return 0.0, 0.0
        ends = [(thing.x, thing.y, getattr(thing, "z", 0.0)) for thing in (before, item)]
        if float(cam.depth(self.camera, ends).min()) < NEAREST:
            return 0.0, 0.0
        start, end = cam.project(self.camera, ends)
        way = (end - start) * SHUTTER
        way *= min(1.0, LONGEST_BLUR * self.camera.width / max(1e-6, float(np.hypot(*way))))
        return float(np.round(way[0] * 2) / 2), float(np.round(way[1] * 2) / 2)

    def _draw(self, layer: Layer, path: tuple[float, float]) -> Sprite | None:
        item, part = layer
        camera, look = self.camera, self.look
        if isinstance(item, CardPose):
            thing = None if self._too_near(item) else card_sprite(camera, look, self._textures, item)
        elif isinstance(item, StackPose):
            thing = stack_sprite(camera, look, self._textures, item)
        elif isinstance(item, Prop):
            thing = props.prop_sprite(camera, look, item, self.surface)
        elif isinstance(item, BodyPose):
            thing = fingers.body_sprite(camera, look, item)
        elif isinstance(item, SitterPose):
            thing = (sitters.shadow_sprite(camera, look, item) if part == "shadow"
                     else sitters.sitter_sprite(camera, look, self.surface, item))  # fmt: skip
        else:
            thing = fingers.fingers_sprite(camera, look, item, part)
        return blurred(thing, *path) if thing is not None else None

    def _compose(self, wanted: list[tuple[Named, Sprite]], sigma: float) -> None:
        """Update the canvas and the lit, blurred picture where what is drawn differs from the last frame."""
        old, new = dict(self._drawn), dict(wanted)
        changed = [thing.rect for name, thing in self._drawn if name not in new]
        changed += [thing.rect for name, thing in wanted if name not in old]
        still = [name for name, _ in self._drawn if name in new]
        if still != [name for name, _ in wanted if name in old]:  # the order in which things lie on one another has changed
            changed += [thing.rect for _, thing in wanted]
        whole: Rect = (0, 0, self.camera.width, self.camera.height)
        clipped = [part for rect in changed if (part := overlap(rect, whole)) is not None]
        rects = merge(clipped)
        for rect in rects:
            left, top, right, bottom = rect
            self._canvas[top:bottom, left:right] = self._empty[top:bottom, left:right]
            for _, thing in wanted:
                blend(self._canvas, thing, rect)
        self._drawn = wanted
        if self._optical is None or sigma != self._sigma:
            self._optical, self._sigma = sensor.optics(self._canvas, self._light, sigma), sigma
            return
        for left, top, right, bottom in rects:
            reach = int(np.ceil(2.5 * sigma)) + 1
            inner = overlap((left - reach, top - reach, right + reach, bottom + reach), whole)
            outer = overlap((left - 2 * reach, top - 2 * reach, right + 2 * reach, bottom + 2 * reach), whole)
            assert inner is not None
            assert outer is not None
            wide = (slice(outer[1], outer[3]), slice(outer[0], outer[2]))
            fresh = sensor.optics(self._canvas[wide], self._light[wide], sigma)
            self._optical[inner[1] : inner[3], inner[0] : inner[2]] = fresh[
                inner[1] - outer[1] : inner[3] - outer[1], inner[0] - outer[0] : inner[2] - outer[0]
            ]

    def _truth(self, drawn: list[tuple[Named, Sprite | None]]) -> tuple[CardTruth, ...]:
        covers: list[tuple[object, cardshape.Cover, Rect]] = []
        for name, thing in drawn:
            item = name[0][0]
            if isinstance(item, CardPose):
                if self._too_near(item):
                    continue
                seen = cardshape.quad(self.camera, item)
                covers.append((item, seen, cardshape.cover_rect(seen)))
            elif thing is not None:
                covers.append((name, thing, thing.rect))
        truth: list[CardTruth] = []
        place = {key: n for n, (key, _, _) in enumerate(covers)}
        shares: dict[object, float] = {}
        for name, _ in drawn:
            item = name[0][0]
            if isinstance(item, CardPose):
                if self._too_near(item):
                    continue
                side = "face" if cardshape.shows_face(self.camera, item) else "back"
                quad, above = cardshape.quad(self.camera, item), place[item] + 1
            elif isinstance(item, StackPose):
                top = cardshape.stack_top(item)
                side, quad, above = "stack", cardshape.quad(self.camera, top), place.get(name, len(covers)) + 1
            else:
                continue
            box = cardshape.cover_rect(quad)
            over = [(key, cover) for key, cover, rect in covers[above:] if overlap(rect, box)]
            known = (item, tuple(key for key, _ in over))
            if known in self._shares:
                shares[known] = self._shares[known]
            else:
                shares[known] = cardshape.share(quad, [cover for _, cover in over], self.camera.width, self.camera.height)
            truth.append(CardTruth(item.id, item.key, side, quad, shares[known]))  # type: ignore[arg-type]
        self._shares = shares
        return tuple(truth)

    def _places(self, scene: Scene, drawn: list[tuple[Named, Sprite | None]]) -> Iterator[CardTruth]:
        """How much of each place people, hands and tall things leave in view, whatever lies in it."""
        above = [thing for (layer, _), thing in drawn if thing is not None and not _flat(layer[0])]
        for place in scene.places:
            quad = cardshape.quad(self.camera, place)
            over: list[cardshape.Cover] = [thing for thing in above if overlap(thing.rect, cardshape.cover_rect(quad))]
            seen = cardshape.share(quad, over, self.camera.width, self.camera.height)
            yield CardTruth(place.id, place.key, "place", quad, seen)


def _flat(item: Item) -> bool:
    return isinstance(item, CardPose | StackPose) or (isinstance(item, Prop) and not _tall(item))


def _tall(prop: Prop) -> bool:
    return prop.kind in props.TALL or (isinstance(prop, Lookalike) and prop.stands is not None)


def _all(scene: Scene) -> tuple[Item, ...]:
    return (*scene.props, *scene.stacks, *scene.cards, *scene.fingers, *scene.bodies, *scene.sitters)


def _layers(scene: Scene, camera: Camera) -> list[Layer]:
    """What is drawn, from bottom to top: in each layer flat props, stacks, cards, tall props, hands, bodies.

    The fingers behind a card that a hand holds come before the card, the rest of the hand after it. Where people sit around the
    table, those who face the camera come first, and shadows of all before the hands; the others are drawn among hands and tall
    props, the furthest first.
    """
    ranks = _ranks(scene, camera)
    held = {one.holds: one for one in scene.fingers if one.holds is not None}
    order: list[tuple[tuple[int, float, float], Layer]] = []
    flat = [prop for prop in scene.props if not _tall(prop)]
    tall = [prop for prop in scene.props if _tall(prop)]
    order += [((prop.layer, 0, 0), (prop, "all")) for prop in flat]
    order += [((prop.layer, ranks.get(prop.id, 3), -prop.y), (prop, "all")) for prop in tall]
    order += [((stack.layer, 1, 0), (stack, "all")) for stack in scene.stacks]
    fanned = {name: one for one in scene.fingers if one.holds is not None for name in one.fan}
    for card in scene.cards:
        if card.id in fanned:
            one = fanned[card.id]
            order.append(((one.layer, ranks.get(one.id, 4), 1.5), (card, "all")))
        elif card.id in held:
            one = held[card.id]
            order.append(((one.layer, ranks.get(one.id, 4), 0), (one, "behind")))
            order.append(((one.layer, ranks.get(one.id, 4), 1), (card, "all")))
        else:
            order.append(((card.layer, 2, 0), (card, "all")))
    ids = {card.id for card in scene.cards}
    order += [((one.layer, ranks.get(one.id, 4), 2), (one, "front" if one.holds in ids else "all")) for one in scene.fingers]
    order += [((body.layer, 5, 0), (body, "all")) for body in scene.bodies]
    order += [((0, 3, 0), (sitter, "shadow")) for sitter in scene.sitters]
    order += [((BEHIND if ranks[sitter.id] < 0 else 0, ranks[sitter.id], 0), (sitter, "all")) for sitter in scene.sitters]
    return [layer for _, layer in sorted(order, key=lambda entry: entry[0])]


BEHIND = -100
"""Layer of those who sit behind the table and face the camera."""


def _ranks(scene: Scene, camera: Camera) -> dict[str, float]:
    """Where people sit: by id, hands, tall props and those who sit there, between 4 and 5, the furthest first; below 0 those who
    face the camera. Empty where nobody sits."""
    if not scene.sitters:
        return {}
    here = cam.position(camera)[:2]
    towards = here / max(float(np.hypot(*here)), 1.0)
    far: dict[str, float] = {one.id: -float(towards @ (one.x, one.y)) for one in scene.fingers}
    far |= {prop.id: -float(towards @ (prop.x, prop.y)) for prop in scene.props if _tall(prop)}
    far |= {sitter.id: -float(towards @ sitter.hips[:2]) for sitter in scene.sitters}
    order = sorted(far, key=lambda name: (-far[name], name))
    ranks = {name: 4 + (n + 1) / (len(order) + 2) for n, name in enumerate(order)}
    for sitter in scene.sitters:
        angle = np.radians(sitter.angle)
        if float(towards @ (-np.sin(angle), np.cos(angle))) > FACING:
            ranks[sitter.id] -= 10
    return ranks


FACING = 0.25
"""Cosine of the angle between where somebody looks and the camera's side from which on they sit behind their cards, as seen."""

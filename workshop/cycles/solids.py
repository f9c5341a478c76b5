"""What lies on the table as solids for the path tracer: cards, stacks, things of bar life, hands, and the table itself."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.cycles.settling import THICK, Sheet
from workshop.cycles.shapes import Material, Point, Solid
from workshop.stage import camera as cam
from workshop.stage import cardshape, props, surfaces, turned
from workshop.stage.cards import PAPER, Textures
from workshop.stage.fingers import skeleton
from workshop.stage.scene import Camera, CardPose, FingersPose, Image, Prop, StackPose, Surface

Floats = NDArray[np.float64]


class Builder:
    """Collects the faces of a solid."""

    def __init__(self) -> None:
        self.vertices: list[Point] = []
        self.faces: list[tuple[int, ...]] = []
        self.uv: list[list[tuple[float, float]]] = []
        self.slots: list[int] = []

    def points(self, xyz: Floats) -> int:
        """Adds N x 3 points; returns the first one's index."""
        first = len(self.vertices)
        self.vertices += [(x, y, z) for x, y, z in xyz.tolist()]
        return first

    def face(self, corners: Sequence[int], slot: int, uv: Sequence[tuple[float, float]] | None = None) -> None:
        """Adds a face over these points, of the material in this slot; ``uv``: where its print lies there, 0..1."""
        self.faces.append(tuple(corners))
        self.uv.append(list(uv) if uv is not None else [(0.0, 0.0)] * len(corners))
        self.slots.append(slot)

    def prism(self, rim: Floats, low: float, high: float, slots: tuple[int, int], uv: Sequence[tuple[float, float]]) -> None:
        """A block over the rim (N x 2 mm): its top has the ``uv`` and the first slot, its sides and bottom the second."""
        n = len(rim)
        top = self.points(np.column_stack([rim, np.full(n, high)]))
        self.face(range(top, top + n), slots[0], uv)
        upper = self.points(np.column_stack([rim, np.full(n, high)]))
        lower = self.points(np.column_stack([rim, np.full(n, low)]))
        for k in range(n):
            after = (k + 1) % n
            self.face((upper + after, upper + k, lower + k, lower + after), slots[1])
        self.face(range(lower + n - 1, lower - 1, -1), slots[1])

    def lathe(self, at: Floats, rings: Sequence[tuple[float, float]], slot: int, sides: int = 28) -> None:
        """What a profile of (height, radius) sweeps when it is turned about the upright line through ``at``."""
        turns = np.linspace(0, 2 * np.pi, sides, endpoint=False)
        circle = np.column_stack([np.cos(turns), np.sin(turns)])
        starts = [self.points(np.column_stack([circle * radius + at[:2], np.full(sides, z)])) for z, radius in rings]
        for low, high in pairwise(starts):
            for k in range(sides):
                after = (k + 1) % sides
                self.face((low + k, low + after, high + after, high + k), slot)
        self.face(range(starts[0] + sides - 1, starts[0] - 1, -1), slot)
        self.face(range(starts[-1], starts[-1] + sides), slot)

    def solid(self, materials: list[Material], smooth: bool = False, melt: float = 0.0) -> Solid:
        """All of it, of these materials."""
        return Solid(self.vertices, self.faces, self.uv, self.slots, materials, smooth, melt)

ROUND = 0.06
"""Radius of a card's corners as a share of its width."""
EDGE = (float(PAPER[0]), float(PAPER[1]), float(PAPER[2]))


class Prints:
    """Pictures for the path tracer, written into a folder; the same picture once only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def file(self, image: Image) -> str:
        """The path of a file with this picture."""
        name = f"{zlib.crc32(image.tobytes()):08x}-{image.shape[1]}x{image.shape[0]}.png"
        path = self._folder / name
        if not path.exists():
            cv2.imwrite(str(path), image)
        return str(path)

    def card(self, textures: Textures, key: tuple[str, str], length: float) -> str:
        """A side of a card that is about ``length`` px long in the picture."""
        return self.file(whole(textures.level(key, 1.4 * length)))


def whole(texture: Image) -> Image:
    """A texture of `Textures` without its clear rim, the round corners filled with the colour next to them: the solid has
    round corners itself."""
    inner = texture[1:-1, 1:-1].astype(np.float32)
    colour, alpha = inner[..., :3], inner[..., 3:] / 255
    for size in (3, 9, 27, 81):
        near = cv2.blur(inner, (size, size))
        share = near[..., 3:] / 255
        fill = near[..., :3] / np.maximum(share, 1e-3)
        colour = np.where(alpha < 0.98, colour + (1 - alpha) * fill, colour)
        alpha = np.where(share > 0.01, 1.0, alpha)
    return np.clip(colour, 0, 255).round().astype(np.uint8)


def card_solid(sheet: Sheet, face: str, back: str, roughness: float) -> Solid:
    """A card with round corners, as thick as a card and as bent as its pose says. ``face``, ``back``: paths of its prints."""
    width, length = sheet.card.mm
    radius = ROUND * width
    turn = np.linspace(0, np.pi / 2, 5)
    ends = length / 2 - radius * (1 - np.sin(turn))
    along = np.concatenate([ends[::-1], np.linspace(1, -1, 9)[1:-1] * ends[0], -ends])
    bow = width / 2 - radius * (1 - np.cos(turn))
    half = np.concatenate([bow[::-1], np.full(7, width / 2), bow])
    local = np.stack([np.column_stack([-half, along]), np.column_stack([half, along])], 1)
    uv = local / [width, length] + 0.5
    rows, flat = len(along), local.reshape(-1, 2)
    made = Builder()
    upper, lower = made.points(sheet.at(flat, THICK / 2)), made.points(sheet.at(flat, -THICK / 2))
    rim = [2 * n for n in range(rows)] + [2 * n + 1 for n in reversed(range(rows))]
    above, below = made.points(sheet.at(flat, THICK / 2)[rim]), made.points(sheet.at(flat, -THICK / 2)[rim])
    for n in range(rows - 1):
        corners = ((n, 0), (n + 1, 0), (n + 1, 1), (n, 1))
        seen = [(float(uv[a, b, 0]), float(uv[a, b, 1])) for a, b in corners]
        made.face([upper + 2 * a + b for a, b in corners], 0, seen)
        made.face([lower + 2 * a + b for a, b in reversed(corners)], 1, [(1 - u, v) for u, v in reversed(seen)])
    for n in range(len(rim)):
        after = (n + 1) % len(rim)
        made.face((above + n, below + n, below + after, above + after), 2)
    gloss = [Material(path, roughness=roughness) for path in (face, back)]
    return made.solid([*gloss, Material(colour=EDGE, roughness=0.9)], smooth=True)


def card_faces(sheet: Sheet) -> list[Floats]:
    """The card as `sight` sees it: `cardshape.STRIPS` rectangles across, each 4 x 3 mm."""
    width, length = sheet.card.mm
    along = np.linspace(0.5, -0.5, cardshape.STRIPS + 1) * length
    ends = sheet.at(np.array([[side * width / 2, v] for v in along for side in (-1, 1)])).reshape(-1, 2, 3)
    return [np.stack([a[0], a[1], b[1], b[0]]) for a, b in pairwise(ends)]


def stack_rims(stack: StackPose) -> list[Floats]:
    """The rims of a stack's slabs from bottom to top, each N x 2 mm, counter-clockwise: a few cards each, not quite squared."""
    rng = np.random.default_rng(zlib.crc32(stack.id.encode()))
    slabs = int(np.clip(stack.count // 2, 2, 20))
    shifts = np.cumsum(rng.normal(0, 0.35 * stack.untidy, (slabs, 2)), 0)
    width, length = stack.mm
    radius, turn = ROUND * width, np.linspace(0, np.pi / 2, 5)
    arc = np.column_stack([np.cos(turn), np.sin(turn)]) * radius
    corners = []
    for n, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        c, s = (1, 0, -1, 0)[n], (0, 1, 0, -1)[n]
        corners.append(arc @ np.array([[c, s], [-s, c]]) + np.array([x * (width / 2 - radius), y * (length / 2 - radius)]))
    rim, angle = np.concatenate(corners), np.radians(stack.angle)
    turned = rim @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + [stack.x, stack.y]
    return [turned + shift - shifts[-1] for shift in shifts]


def stack_solid(stack: StackPose, low: float, top: str, roughness: float) -> Solid:
    """A deck or pile that stands at the height ``low``; ``top``: the path of the print on top."""
    made, rims = Builder(), stack_rims(stack)
    heights = np.linspace(low, low + stack.count * stack.thickness, len(rims) + 1)
    angle = np.radians(stack.angle)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    uv = (rims[-1] - [stack.x, stack.y]) @ turn / stack.mm + 0.5
    for n, rim in enumerate(rims):
        made.prism(rim, float(heights[n]), float(heights[n + 1]) - 0.02, (0 if n == len(rims) - 1 else 1, 1 + n % 2),
                   [(float(u), float(v)) for u, v in uv])
    dark = (EDGE[0] * 0.8, EDGE[1] * 0.8, EDGE[2] * 0.8)
    edges = [Material(colour=colour, roughness=0.9) for colour in (EDGE, dark)]
    return made.solid([Material(top, roughness=roughness), *edges])


def flat_prop(prop: Prop) -> tuple[Floats, float, Image] | None:
    """A flat thing's rim (N x 2 mm, counter-clockwise), its thickness in mm and the picture on its top; None for a round one
    that stands (`round_prop`)."""
    shape = props.flat_shape(prop)
    if shape is None:
        return None
    width, length, thick, is_round, picture = shape
    angle = np.radians(prop.angle)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    disc = np.column_stack([np.cos(turns), np.sin(turns)]) / 2
    square = np.array([[-1, 1], [-1, -1], [1, -1], [1, 1]]) / 2
    rim = (disc if is_round else square) * [width, length]
    return rim @ spin.T + [prop.x, prop.y], thick, picture


def flat_solid(prop: Prop, shape: tuple[Floats, float, Image], low: float, prints: Prints) -> Solid:
    """A flat thing, of this `flat_prop` shape, that lies at the height ``low``."""
    rim, thick, picture = shape
    angle = np.radians(prop.angle)
    local = (rim - [prop.x, prop.y]) @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    uv = (local - local.min(0)) / np.ptp(local, 0)
    blue, green, red = (float(v) for v in np.asarray(picture, np.float64).mean((0, 1)) * 0.8)
    rough = {"phone": 0.08, "coin": 0.3, "keys": 0.3, "lighter": 0.2, "pen": 0.25, "pack": 0.3}.get(prop.kind, 0.75)
    metal = 0.9 if prop.kind in ("coin", "keys") else 0.0
    made = Builder()
    made.prism(rim, low, low + thick, (0, 1), [(float(u), float(v)) for u, v in uv])
    return made.solid([Material(prints.file(picture), roughness=rough, metal=metal),
                       Material(colour=(blue, green, red), roughness=rough, metal=metal)])


_LIQUIDS = ((40.0, 25.0, 110.0), (120.0, 215.0, 235.0), (35.0, 70.0, 120.0), (40.0, 165.0, 220.0))
_WALLS = {
    "bottle": ((30.0, 70.0, 25.0), (20.0, 40.0, 80.0), (190.0, 195.0, 190.0)),
    "cup": ((235.0, 238.0, 240.0), (60.0, 60.0, 70.0), (200.0, 190.0, 120.0), (70.0, 90.0, 170.0)),
    "ashtray": ((40.0, 40.0, 45.0), (150.0, 160.0, 165.0), (60.0, 90.0, 150.0)),
}


def round_prop(prop: Prop, low: float) -> tuple[list[Solid], list[Solid]]:
    """A glass, cup, bottle or ashtray that stands at the height ``low``: the parts that hide what is behind them, and those that
    one sees through."""
    rng = np.random.default_rng([prop.seed, 7])
    profile, opaque = turned.profile(prop)
    knots = np.array(profile) * prop.size
    rings = [(low + float(z), float(r)) for z, r in knots]
    at = np.array([prop.x, prop.y])
    walls = _WALLS.get(prop.kind)
    if walls is not None:
        made = Builder()
        made.lathe(at, rings, 0)
        colour = walls[int(rng.integers(len(walls)))]
        solids = [made.solid([Material(colour=colour, roughness=0.15 if prop.kind != "ashtray" else 0.3)], smooth=False)]
        if prop.kind == "cup":
            coffee = Builder()
            coffee.lathe(at, [(low + knots[-1, 0] - 9, 0.8 * knots[-1, 1]), (low + knots[-1, 0] + 0.3, 0.88 * knots[-1, 1])], 0)
            solids.append(coffee.solid([Material(colour=(25, 45, 75), roughness=0.1)]))
        return solids, []
    glass = Builder()
    glass.lathe(at, rings, 0)
    clear = [glass.solid([Material(colour=(235, 240, 238), roughness=0.03, clear=1 - opaque / 2)], smooth=True)]
    bowl = knots[3:] if prop.kind == "wine" else knots
    bottom, top = float(bowl[0, 0]) + 3, float(bowl[-1, 0])
    level = bottom + (top - bottom) * float(rng.uniform(0.05, 0.85))
    heights = np.linspace(bottom, level, 6)
    inner = np.interp(heights, bowl[:, 0], bowl[:, 1]) - 2
    if rng.random() < 0.25:
        return [], clear
    liquid = Builder()
    liquid.lathe(at, [(low + float(z), max(1.0, float(r))) for z, r in zip(heights, inner, strict=True)], 0)
    colour = _LIQUIDS[int(rng.integers(len(_LIQUIDS)))]
    return [liquid.solid([Material(colour=colour, roughness=0.05, clear=0.12)], smooth=False)], clear


def hand_solids(fingers: FingersPose) -> list[Solid]:
    """A hand and its sleeve: the drawn renderer's bones, grown together."""
    angle = np.radians(fingers.angle)
    spin = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
    solids = []
    for cloth, (blue, green, red), rough in ((False, fingers.skin, 0.5), (True, fingers.sleeve, 0.9)):
        made = Builder()
        for bone in (one for one in skeleton(fingers) if one.cloth == cloth):
            ends = np.array([bone.a, bone.b]) @ spin.T + [fingers.x, fingers.y, fingers.z]
            _capsule(made, ends, (bone.ra, bone.rb))
        material = Material(colour=(float(blue), float(green), float(red)), roughness=rough)
        solids.append(made.solid([material], smooth=True, melt=3.0))
    return solids


def _capsule(made: Builder, ends: Floats, radii: tuple[float, float], sides: int = 12) -> None:
    axis = ends[1] - ends[0]
    length = max(1e-6, float(np.linalg.norm(axis)))
    axis = axis / length
    side = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    rings = [(-np.sin(t) * radii[0], np.cos(t) * radii[0]) for t in (1.4, 0.9, 0.45, 0.0)]
    rings += [(length + np.sin(t) * radii[1], np.cos(t) * radii[1]) for t in (0.0, 0.45, 0.9, 1.4)]
    turns = np.linspace(0, 2 * np.pi, sides, endpoint=False)[:, None]
    starts = [made.points(ends[0] + axis * along + (np.cos(turns) * side + np.sin(turns) * other) * r) for along, r in rings]
    for low, high in pairwise(starts):
        for k in range(sides):
            after = (k + 1) % sides
            made.face((low + k, low + after, high + after, high + k), 0)
    made.face(range(starts[0] + sides - 1, starts[0] - 1, -1), 0)
    made.face(range(starts[-1], starts[-1] + sides), 0)


def plane(rim: Floats, z: float, thick: float, kind: str, seed: int, turn: float, pixels: float, prints: Prints,
          shade: float = 1.0) -> Solid:
    """A table top or floor: ``kind`` and ``seed`` of `surfaces.texture`, turned by ``turn`` radians. ``pixels``: px for each mm
    in the picture; ``shade``: darkens it."""
    texture = surfaces.texture(kind, seed)
    fine = texture.mm / texture.levels[0].shape[0] * pixels
    level = int(np.clip(np.floor(np.log2(max(1.0, 0.7 / max(1e-6, fine)))), 0, len(texture.levels) - 1))
    c, s = np.cos(turn), np.sin(turn)
    uv = rim @ np.array([[c, s], [-s, c]]) / texture.mm
    image = np.clip(texture.levels[level] * shade, 0, 255).astype(np.uint8)
    blue, green, red = (float(v) for v in np.asarray(image, np.float64).mean((0, 1)) * 0.6)
    made = Builder()
    made.prism(rim, z - thick, z, (0, 1), [(float(u), float(v)) for u, v in uv])
    rough = 0.85 - 0.65 * texture.gloss
    return made.solid([Material(prints.file(image), roughness=rough), Material(colour=(blue, green, red), roughness=0.8)])


def table(camera: Camera, surface: Surface, turn: float, thick: float, prints: Prints) -> Solid:
    """The table's top."""
    return plane(cam.outline(surface), 0.0, thick, surface.kind, surface.seed, turn, cam.scale(camera, *camera.target), prints)


def stack_top(stack: StackPose, low: float) -> CardPose:
    """The top card of a stack that stands at the height ``low``."""
    return replace(cardshape.stack_top(stack), z=low + stack.count * stack.thickness)

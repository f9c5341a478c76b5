"""From a composed scene to what the path tracer renders, and to the truth of the picture."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.cycles import settling, sight, solids
from workshop.cycles.settling import Block, Sheet, Support
from workshop.cycles.shapes import Lamp, Room, Shot, Solid, View, point
from workshop.dataset.compose import Laid
from workshop.stage import background, cardshape
from workshop.stage import camera as cam
from workshop.stage.cards import Textures
from workshop.stage.props import TALL
from workshop.stage.scene import Camera, CardPose, CardTruth, Image, Look, Lookalike, Prop, StackPose, Surface

Floats = NDArray[np.float64]
NEAREST = 60.0
"""What comes nearer to the camera than this, mm, is left out."""
UNEVEN = 0.35
"""Standard deviation in mm of how far a card that lies on the table is bent: none is quite flat."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A scene where everything has come to rest. ``stacks`` and ``props`` with the height in mm that they stand at."""

    camera: Camera
    surface: Surface
    cards: tuple[Sheet, ...]
    stacks: tuple[tuple[StackPose, float], ...]
    props: tuple[tuple[Prop, float], ...]


def settle(laid: Laid, rng: np.random.Generator) -> Setting:
    """Let everything of a composed scene come to rest, from bottom to top in the order in which the drawn renderer paints.
    Things that stand upright and people are left out."""
    scene, camera = laid.scene, laid.camera
    items: list[tuple[tuple[int, int], CardPose | StackPose | Prop]] = []
    lying = [prop for prop in scene.props if not isinstance(prop, Lookalike) or prop.stands is None]
    items += [((prop.layer, 3 if prop.kind in TALL else 0), prop) for prop in lying]
    items += [((stack.layer, 1), stack) for stack in scene.stacks]
    items += [((card.layer, 2), card) for card in scene.cards]
    below: list[Support] = []
    cards: list[Sheet] = []
    stacks: list[tuple[StackPose, float]] = []
    props: list[tuple[Prop, float]] = []
    for _, item in sorted(items, key=lambda entry: entry[0]):
        if isinstance(item, CardPose):
            bend = item.bend or float(np.clip(rng.normal(0, UNEVEN), -1, 1))
            sheet = settling.settled(replace(item, bend=bend), below)
            if float(cam.depth(camera, sheet.outline()).min()) < NEAREST:
                continue
            cards.append(sheet)
            below.append(sheet)
        elif isinstance(item, StackPose):
            rim = solids.stack_rims(item)[0]
            low = _floor(rim, below)
            stacks.append((item, low))
            below.append(Block(rim, low + item.count * item.thickness))
        else:
            shape = solids.flat_prop(item)
            rim = shape[0] if shape is not None else _foot(item)
            low = _floor(rim, below)
            tip = np.array([[item.x, item.y, low + (250.0 if shape is None else shape[1])]])
            if float(cam.depth(camera, tip).min()) < 4 * NEAREST:
                continue
            props.append((item, low))
            if shape is not None:
                below.append(Block(rim, low + shape[1]))
    return Setting(camera, laid.surface, tuple(cards), tuple(stacks), tuple(props))


def _floor(rim: Floats, below: list[Support]) -> float:
    """The height that a rigid thing with this rim (N x 2 mm) stands at: of the highest thing under it."""
    fine = np.concatenate([rim * share + rim.mean(0) * (1 - share) for share in (0.0, 0.33, 0.66, 1.0)])
    return float(settling.height(fine, below).max()) + settling.AIR


def _foot(prop: Prop) -> Floats:
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    return np.column_stack([np.cos(turns), np.sin(turns)]) * 36 * prop.size + [prop.x, prop.y]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """All that the path tracer is told of a scene. ``hide``: the solids that hide what is behind them, first the cards, then the
    stacks; ``clear``: those that do not, as glasses, and those that never do, as the table."""

    hide: list[Solid]
    clear: list[Solid]
    room: Room
    lamp: Lamp
    view: View

    def shot(self, out: Path, samples: int, seed: int) -> Shot:
        """The message to the worker."""
        return Shot(str(out), samples, seed, self.view, self.room, self.lamp, [*self.hide, *self.clear])


def seen(
    laid: Laid, setting: Setting, textures: Textures, look: Look, panorama: str | None, prints: solids.Prints,
    rng: np.random.Generator,
) -> Seen:  # fmt: skip
    """What there is to see. ``panorama``: the path of a picture in linear light whose mean is 1 (`panorama_file`)."""
    camera = laid.camera
    gloss = [sheet.card.gloss for sheet in setting.cards] + [stack.gloss for stack, _ in setting.stacks]
    rough = float(np.clip(0.75 - 0.5 * (gloss[0] if gloss else 0.5) + rng.normal(0, 0.05), 0.18, 0.85))
    hide: list[Solid] = []
    clear: list[Solid] = []
    for sheet in setting.cards:
        key, length = sheet.card.key, _length(camera, settling.quad(camera, sheet))
        face, back = (prints.card(textures, side, length) for side in (key, (key[0], "back")))
        hide.append(solids.card_solid(sheet, face, back, rough))
    for stack, low in setting.stacks:
        length = _length(camera, cardshape.quad(camera, solids.stack_top(stack, low)))
        top = prints.card(textures, stack.key if stack.face_up else (stack.key[0], "back"), length)
        hide.append(solids.stack_solid(stack, low, top, rough))
    for prop, low in setting.props:
        shape = solids.flat_prop(prop)
        if shape is not None:
            hide.append(solids.flat_solid(prop, shape, low, prints))
        else:
            solid, through = solids.round_prop(prop, low)
            hide += solid
            clear += through
    hide += [part for fingers in laid.scene.fingers for part in solids.hand_solids(fingers) if _ahead(camera, part)]
    around = float(rng.choice([0, np.pi / 2]) + rng.normal(0, 0.1))
    clear.append(solids.table(camera, laid.surface, around, float(rng.uniform(15, 45)), prints))
    tint = np.clip(0.5 + 0.5 * rng.random(3), 0, 1)
    if panorama is None:
        kinds = ["wood", "stone", "laminate", "terrazzo", "upholstery"]
        kind = laid.surface.floor if laid.surface.floor != "auto" else str(rng.choice(kinds))
        rim = np.array([[-6000.0, -6000], [6000, -6000], [6000, 6000], [-6000, 6000]])
        seed, turn, shade = laid.surface.seed // 4, float(rng.uniform(0, 6.3)), float(rng.uniform(0.35, 0.95))
        clear.append(solids.plane(rim, background.FLOOR, 10.0, kind, seed, turn, 0.2, prints, shade))
    room = Room(panorama, float(rng.uniform(0, 2 * np.pi)), point(tint))
    return Seen(hide, clear, room, _lamp(camera, look), _view(camera, rng))


def _length(camera: Camera, quad: Floats) -> float:
    return float(np.clip(np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).max(), 8, 2 * camera.width))


def _ahead(camera: Camera, solid: Solid) -> bool:
    return float(cam.depth(camera, np.array(solid.vertices)).min()) > 2 * NEAREST


def _lamp(camera: Camera, look: Look) -> Lamp:
    """`Look.lamp` over the point that the camera looks at. ``ambient`` is the room's share of the light there."""
    at = np.array(look.lamp) + [*camera.target, 0.0]
    warm = look.warmth + 0.25
    colour = point(np.clip([1 + 0.45 * warm, 1.0, 1 - 0.5 * warm], 0.3, 1.6))
    return Lamp(point(at), (*camera.target, 0.0), 2 * look.softness, (1 - look.ambient) / look.ambient, colour)


def _view(camera: Camera, rng: np.random.Generator) -> View:
    """The camera, focused on about what it looks at; a lens between that of a phone and that of a webcam."""
    rotation, position = cam.pose(camera)
    right, down, forward = (point(row) for row in rotation)
    focus = camera.distance * float(np.exp(rng.normal(0, 0.06)))
    lens = float(rng.uniform(0.3, 2.5))
    return View(camera.width, camera.height, right, down, forward, point(position), camera.focal, focus, lens)


def truth(setting: Setting, hide: list[Solid]) -> tuple[CardTruth, ...]:
    """Where each card and stack is, and how much of it shows beside what hides it (`Seen.hide`)."""
    camera = setting.camera
    wanted = [solids.card_faces(sheet) for sheet in setting.cards]
    tops = [solids.stack_top(stack, low) for stack, low in setting.stacks]
    wanted += [[cardshape.corners3(top) + np.array([0, 0, 0.02])] for top in tops]
    others = [face for solid in hide[len(setting.cards) :] for face in solid.polygons()]
    shares = sight.shares(camera, wanted, others)
    found = []
    for sheet, share in zip(setting.cards, shares, strict=False):
        side = "face" if settling.shows_face(camera, sheet) else "back"
        found.append(CardTruth(sheet.card.id, sheet.card.key, side, settling.quad(camera, sheet), share))  # type: ignore[arg-type]
    for top, share in zip(tops, shares[len(setting.cards) :], strict=True):
        found.append(CardTruth(top.id, top.key, "stack", cardshape.quad(camera, top), share))
    return tuple(found)


def bright(panorama: Image) -> NDArray[np.float32]:
    """A tone-mapped panorama (BGR) as light, float32 of the same shape: linear, its mean 1, and what was white is as bright again
    as windows and lamps are, so that they throw light and shadows."""
    small = cv2.resize(panorama, (1024, 512), interpolation=cv2.INTER_AREA)
    light = (small.astype(np.float32) / 255) ** 2.2
    peak = np.clip((light.min(2, keepdims=True) - 0.75) / 0.25, 0, 1)
    light *= 1 + 9 * peak
    return np.asarray(light / max(1e-3, float(light.mean())), np.float32)


def panorama_file(panorama: Image, folder: Path) -> str:
    """`bright` of a panorama as a Radiance file in ``folder``; its path."""
    path = folder / f"room-{zlib.crc32(panorama.tobytes()):08x}.hdr"
    if not path.exists():
        cv2.imwrite(str(path), bright(panorama))
    return str(path)

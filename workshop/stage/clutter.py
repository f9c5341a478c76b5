"""Flat things that eyes take for cards: folded napkins, labels, boxes, tiles, dominoes, bank cards, tickets, plates; and poker
chips, one or a stack, which are round, often white, and have a sign in the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage import camera as cam
from workshop.stage import light
from workshop.stage.scene import Camera, Image, Look, Prop
from workshop.stage.sprites import Sprite, bounds, sprite

Rng = np.random.Generator

INKS = ((40, 30, 170), (150, 60, 25), (40, 35, 35), (60, 110, 30), (30, 120, 200), (120, 40, 110), (25, 25, 120), (30, 160, 220))
"""BGR of prints: red, blue, black, green, orange, purple, dark red, yellow."""
WORDS = ("BIRRA", "BAR", "SPRITZ", "AMARO", "LUNA", "GRAND", "CAFFE", "EXTRA", "1888", "PREMIO", "VINO", "No. 7", "ROYAL")


def ink_of(rng: Rng) -> list[float]:
    """The BGR of a print."""
    return [float(v) for v in np.clip(np.array(INKS[int(rng.integers(len(INKS)))]) * rng.uniform(0.7, 1.3), 0, 255)]


def pale(rng: Rng) -> list[float]:
    """White or a pale paper."""
    return [float(v) for v in (rng.uniform(222, 252, 3) if rng.random() < 0.75 else rng.uniform(165, 245, 3))]


def sheet(width: int, height: int, colour: list[float]) -> Image:
    """A picture of one colour, BGR."""
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = np.clip(colour, 0, 255)
    return picture


def _words(rng: Rng, picture: Image, y: int, ink: list[float]) -> None:
    """A word in the middle of the picture, its base line at ``y``."""
    text, font = WORDS[int(rng.integers(len(WORDS)))], int(rng.choice([0, 2, 3, 4, 7]))
    (wide, _), _ = cv2.getTextSize(text, font, 1.0, 2)
    size = picture.shape[1] * rng.uniform(0.45, 0.85) / wide
    at = (round((picture.shape[1] - wide * size) / 2), y)
    cv2.putText(picture, text, at, font, size, ink, max(1, round(2.2 * size)), cv2.LINE_AA)


def _lines(rng: Rng, picture: Image, top: int, bottom: int, ink: list[float]) -> None:
    """Lines of small print between two heights."""
    width, y = picture.shape[1], top
    tall = int(rng.integers(2, 5))
    while y < bottom:
        cv2.rectangle(picture, (int(width * 0.12), y), (int(width * rng.uniform(0.4, 0.88)), y + tall), ink, -1)
        y += tall + int(rng.integers(4, 10))


def emblem(picture: Image, at: tuple[int, int], radius: int, which: int, ink: list[float]) -> None:
    """Draws a heart, spade, diamond, club, star, ring or crown (``which``: 0 to 6) about ``at``, px, as boxes and chips have."""
    x, y = at
    r = radius
    up = 1 if which == 1 else -1  # a spade is a heart upside down on a stem
    if which in (0, 1):
        for side in (-1, 1):
            cv2.circle(picture, (x + side * r // 2, y + up * r // 4), max(1, r // 2), ink, -1, cv2.LINE_AA)
        tip = np.array([[x - r, y + up * r // 3], [x + r, y + up * r // 3], [x, y - up * r]])
        cv2.fillConvexPoly(picture, tip, ink, cv2.LINE_AA)
    elif which == 2:
        lozenge = np.array([[x, y - r], [x + 3 * r // 4, y], [x, y + r], [x - 3 * r // 4, y]])
        cv2.fillConvexPoly(picture, lozenge, ink, cv2.LINE_AA)
    elif which == 3:
        for dx, dy in ((0, -1), (-1, 0), (1, 0)):
            cv2.circle(picture, (x + dx * r // 2, y + dy * r // 2), max(1, r // 2), ink, -1, cv2.LINE_AA)
    elif which == 4:
        turns = np.arange(10) * np.pi / 5 - np.pi / 2
        reach = np.where(np.arange(10) % 2, 0.42 * r, r)
        points = np.column_stack([x + reach * np.cos(turns), y + reach * np.sin(turns)])
        cv2.fillPoly(picture, [points.round().astype(np.int32)], ink, cv2.LINE_AA)
    elif which == 5:
        cv2.circle(picture, at, r, ink, max(1, r // 4), cv2.LINE_AA)
    else:
        crown = np.array([[-1, 0.7], [-1, -0.6], [-0.5, 0.1], [0, -0.9], [0.5, 0.1], [1, -0.6], [1, 0.7]]) * r
        cv2.fillPoly(picture, [(crown + [x, y]).round().astype(np.int32)], ink, cv2.LINE_AA)
    if which in (1, 3):
        cv2.fillConvexPoly(picture, np.array([[x, y], [x + r // 3, y + r], [x - r // 3, y + r]]), ink, cv2.LINE_AA)


def _lattice(picture: Image, ink: list[float], step: int) -> None:
    height, width = picture.shape[:2]
    for start in range(-height, width + height, step):
        cv2.line(picture, (start, 0), (start + height, height), ink, 1, cv2.LINE_AA)
        cv2.line(picture, (start, 0), (start - height, height), ink, 1, cv2.LINE_AA)


def _serviette(rng: Rng) -> Image:
    """A paper napkin, folded: embossed rim, creases, often a printed border, dots or a word."""
    picture = sheet(200, 200, pale(rng) if rng.random() < 0.7 else ink_of(rng))
    darker = (picture[0, 0] * rng.uniform(0.8, 0.94)).tolist()
    kind = int(rng.integers(5))
    if kind == 0:
        for inset in (8, 16, 24)[: int(rng.integers(1, 4))]:
            cv2.rectangle(picture, (inset, inset), (199 - inset, 199 - inset), ink_of(rng), int(rng.integers(1, 6)), cv2.LINE_AA)
    elif kind == 1:
        ink, step = ink_of(rng), int(rng.integers(12, 40))
        for x in range(step // 2, 200, step):
            for y in range(step // 2, 200, step):
                cv2.circle(picture, (x, y), max(2, step // 5), ink, -1, cv2.LINE_AA)
    elif kind == 2:
        _words(rng, picture, int(rng.integers(60, 150)), ink_of(rng))
    for at in range(4, 200, 8):  # embossed rim
        for x, y in ((at, 5), (at, 194), (5, at), (194, at)):
            cv2.circle(picture, (x, y), 2, darker, -1)
    crease = int(rng.integers(70, 130))
    cv2.line(picture, (crease, 0), (crease + int(rng.integers(-5, 6)), 199), darker, 2, cv2.LINE_AA)
    if rng.random() < 0.5:
        half = picture[:, crease:].astype(np.float32) * rng.uniform(0.9, 0.97)
        picture[:, crease:] = half.astype(np.uint8)
    return picture


def _label(rng: Rng) -> Image:
    """A bottle's label: frames, a sign, a name, small print."""
    picture = sheet(180, 240, pale(rng) if rng.random() < 0.7 else ink_of(rng))
    ink = ink_of(rng)
    for inset in (8, 14)[: int(rng.integers(0, 3))]:
        cv2.rectangle(picture, (inset, inset), (179 - inset, 239 - inset), ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.5:
        top = int(rng.integers(60, 160))
        cv2.rectangle(picture, (0, top), (179, top + int(rng.integers(20, 70))), ink_of(rng), -1)
    emblem(picture, (90, int(rng.integers(50, 110))), int(rng.integers(16, 42)), int(rng.integers(4, 7)), ink_of(rng))
    _words(rng, picture, int(rng.integers(120, 170)), ink_of(rng))
    _lines(rng, picture, int(rng.integers(175, 205)), 228, ink)
    return picture


def _cardbox(rng: Rng) -> Image:
    """The box that cards are sold in: a dark or bright ground, a sign, a name, a flap with its slot."""
    picture = sheet(150, 220, ink_of(rng) if rng.random() < 0.75 else pale(rng))
    ink = pale(rng) if rng.random() < 0.7 else ink_of(rng)
    if rng.random() < 0.4:
        _lattice(picture, ink, int(rng.integers(9, 22)))
        cv2.rectangle(picture, (35, 70), (115, 150), picture[0, 3].tolist(), -1)
    cv2.rectangle(picture, (8, 8), (141, 211), ink, int(rng.integers(1, 5)), cv2.LINE_AA)
    emblem(picture, (75, int(rng.integers(85, 125))), int(rng.integers(20, 46)), int(rng.integers(7)), ink)
    _words(rng, picture, int(rng.integers(165, 200)), ink)
    cv2.ellipse(picture, (75, 0), (22, 14), 0, 0, 180, (picture[3, 3] * 0.5).tolist(), -1, cv2.LINE_AA)
    return picture


def _matchbox(rng: Rng) -> Image:
    picture = sheet(110, 70, ink_of(rng))
    cv2.rectangle(picture, (14, 8), (95, 61), pale(rng), -1)
    emblem(picture, (55, 30), int(rng.integers(9, 18)), int(rng.integers(4, 7)), ink_of(rng))
    _words(rng, picture, 58, ink_of(rng))
    return picture


def _tile(rng: Rng) -> Image:
    """A glazed tile or a square coaster of stone: one large sign, or a quarter of an ornament in each corner."""
    picture = sheet(160, 160, pale(rng))
    one, two = ink_of(rng), ink_of(rng)
    if rng.random() < 0.6:
        cv2.rectangle(picture, (6, 6), (153, 153), one, int(rng.integers(1, 8)), cv2.LINE_AA)
    if rng.random() < 0.5:
        for x in (0, 159):
            for y in (0, 159):
                cv2.circle(picture, (x, y), int(rng.integers(20, 70)), one, int(rng.choice([-1, 3, 8])), cv2.LINE_AA)
    emblem(picture, (80, 80), int(rng.integers(18, 60)), int(rng.integers(7)), two)
    return picture


def _domino(rng: Rng) -> Image:
    picture = sheet(80, 160, [225, 238, 244] if rng.random() < 0.7 else [30, 30, 32])
    dark = picture[0, 0, 0] < 100
    ink = [235.0, 238, 240] if dark else [25.0, 25, 28]
    cv2.line(picture, (10, 80), (69, 80), ink, 3, cv2.LINE_AA)
    places = ((0, 0), (-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0))
    for top in (40, 120):
        number = int(rng.integers(0, 7))
        for dx, dy in places[number % 2 == 0 : number + (number % 2 == 0)]:
            cv2.circle(picture, (40 + 20 * dx, top + 20 * dy), 7, ink, -1, cv2.LINE_AA)
    return picture


def _bankcard(rng: Rng) -> Image:
    """A bank, visiting or loyalty card: of a card's size, but with its own print."""
    picture = sheet(220, 138, ink_of(rng) if rng.random() < 0.6 else pale(rng))
    fade = np.linspace(rng.uniform(0.7, 1.0), rng.uniform(0.8, 1.15), 220)[None, :, None]
    picture = np.clip(picture * fade, 0, 255).astype(np.uint8)
    ink = pale(rng) if picture.mean() < 140 else ink_of(rng)
    if rng.random() < 0.6:
        cv2.rectangle(picture, (20, 48), (52, 74), (90, 180, 210), -1)
        for x in range(18, 190, 46):
            cv2.putText(picture, str(int(rng.integers(1000, 9999))), (x, 100), 0, 0.55, ink, 1, cv2.LINE_AA)
    else:
        _words(rng, picture, int(rng.integers(45, 75)), ink)
        _lines(rng, picture, 90, 125, ink)
    emblem(picture, (188, int(rng.choice([28, 112]))), int(rng.integers(10, 20)), int(rng.integers(4, 7)), ink_of(rng))
    return picture


def _ticket(rng: Rng) -> Image:
    """A numbered slip, score sheet or lottery ticket."""
    picture = sheet(120, 190, pale(rng))
    ink = ink_of(rng)
    if rng.random() < 0.5:
        for n in range(1, int(rng.integers(4, 8))):
            cv2.line(picture, (8, 20 + 24 * n), (111, 20 + 24 * n), ink, 1, cv2.LINE_AA)
            text, at = str(int(rng.integers(1, 99))), (int(rng.integers(12, 80)), 16 + 24 * n)
            cv2.putText(picture, text, at, 0, 0.6, ink, 1, cv2.LINE_AA)
        cv2.line(picture, (60, 8), (60, 181), ink, 1, cv2.LINE_AA)
    else:
        _words(rng, picture, 40, ink)
        _lines(rng, picture, 60, 130, ink)
        x = 16
        while x < 104:
            wide = int(rng.integers(1, 5))
            cv2.rectangle(picture, (x, 142), (x + wide, 176), (20, 20, 20), -1)
            x += wide + int(rng.integers(1, 5))
    return picture


def _banknote(rng: Rng) -> Image:
    hue = np.array(INKS[int(rng.integers(len(INKS)))], np.float64)
    picture = sheet(240, 124, (hue * 0.3 + 160).tolist())
    dark = (hue * 0.6 + 30).tolist()
    _lattice(picture, (hue * 0.3 + 135).tolist(), int(rng.integers(5, 12)))
    cv2.rectangle(picture, (60, 30), (160, 110), (hue * 0.4 + 95).tolist(), -1)
    cv2.ellipse(picture, (190, 62), (26, 42), 0, 0, 360, (225, 228, 225), -1, cv2.LINE_AA)
    cv2.ellipse(picture, (110, 110), (34, 60), 0, 180, 360, dark, 3, cv2.LINE_AA)
    for at in ((12, 34), (196, 114)):
        cv2.putText(picture, str(rng.choice(["5", "10", "20", "50"])), at, 2, 0.9, dark, 2, cv2.LINE_AA)
    return picture


def _plate(rng: Rng) -> Image:
    """A plate or saucer: the rim does not catch the light as the well does."""
    picture = sheet(220, 220, pale(rng))
    colour = picture[0, 0].astype(np.float64)
    rim = ink_of(rng) if rng.random() < 0.5 else (colour * 0.9).tolist()
    cv2.circle(picture, (110, 110), int(rng.integers(100, 108)), rim, int(rng.integers(1, 6)), cv2.LINE_AA)
    well = int(rng.integers(55, 80))
    cv2.circle(picture, (110, 110), well, (colour * 0.95).tolist(), -1, cv2.LINE_AA)
    cv2.circle(picture, (110, 110), well, (colour * 0.8).tolist(), 2, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 25))):  # crumbs
        x, y = rng.normal(110, 28, 2).astype(int).tolist()
        cv2.circle(picture, (x, y), int(rng.integers(1, 5)), (50, 90, 140), -1, cv2.LINE_AA)
    return picture


def _cap(rng: Rng) -> Image:
    """A crown cap."""
    picture = sheet(90, 90, ink_of(rng))
    edge = (picture[0, 0] * 0.6).tolist()
    for n in range(21):
        a = 2 * np.pi * n / 21
        cv2.line(picture, (45, 45), (int(45 + 45 * np.cos(a)), int(45 + 45 * np.sin(a))), edge, 2, cv2.LINE_AA)
    cv2.circle(picture, (45, 45), 36, pale(rng) if rng.random() < 0.6 else ink_of(rng), -1, cv2.LINE_AA)
    emblem(picture, (45, 45), int(rng.integers(9, 20)), int(rng.integers(4, 7)), ink_of(rng))
    return picture


def _menu(rng: Rng) -> Image:
    """A menu, booklet or magazine: headline, picture, columns."""
    picture = sheet(200, 280, pale(rng) if rng.random() < 0.7 else ink_of(rng))
    ink = ink_of(rng) if picture.mean() > 130 else pale(rng)
    _words(rng, picture, 46, ink)
    if rng.random() < 0.6:
        top = int(rng.integers(60, 90))
        cv2.rectangle(picture, (24, top), (176, top + 80), ink_of(rng), -1)
        emblem(picture, (100, top + 40), int(rng.integers(14, 34)), int(rng.integers(7)), pale(rng))
        _lines(rng, picture, top + 95, 265, ink)
    else:
        _lines(rng, picture, 66, 265, ink)
    return picture


FLAT: Mapping[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float], bool, Callable[[Rng], Image]]] = {
    "serviette": ((95, 170), (95, 170), (0.6, 4), False, _serviette),
    "label": ((55, 90), (70, 120), (0.1, 0.3), False, _label),
    "cardbox": ((58, 68), (88, 98), (16, 22), False, _cardbox),
    "matchbox": ((52, 58), (34, 38), (12, 16), False, _matchbox),
    "tile": ((50, 108), (50, 108), (4, 9), False, _tile),
    "domino": ((22, 27), (45, 54), (7, 10), False, _domino),
    "bankcard": ((85, 86), (54, 55), (0.7, 0.9), False, _bankcard),
    "ticket": ((45, 80), (70, 140), (0.1, 0.4), False, _ticket),
    "banknote": ((120, 140), (62, 77), (0.2, 0.8), False, _banknote),
    "plate": ((120, 200), (120, 200), (2, 5), True, _plate),
    "cap": ((29, 32), (29, 32), (5, 6.5), True, _cap),
    "menu": ((100, 160), (145, 215), (0.5, 4), False, _menu),
}
"""As `props` has its flat things: width, length, thickness in mm, whether it is round, and its picture."""


Floats = NDArray[np.float64]
CHIP = (38.0, 44.0)
"""Diameter of a poker chip, mm."""


def _chip(rng: Rng, prop: Prop) -> tuple[Image, tuple[Floats, Floats], tuple[int, float], int, float, float]:
    """A chip's top, its two colours, how many marks it has and how wide, how many chips there are, radius and thickness in mm."""
    ground = np.array(pale(rng) if rng.random() < 0.5 else ink_of(rng))
    spot = np.array(ink_of(rng) if ground.mean() > 150 or rng.random() < 0.3 else pale(rng))
    marks, share = int(rng.choice([4, 6, 6, 8, 12])), float(rng.uniform(0.25, 0.5))
    top = _chip_top(rng, ground, spot, marks, share)
    count = 1 if rng.random() < 0.6 else int(rng.integers(2, 13))
    radius, thick = float(rng.uniform(*CHIP)) / 2 * prop.size, float(rng.uniform(2.8, 3.5))
    return top, (ground, spot), (marks, share), count, radius, thick


def chip_shape(rng: Rng, prop: Prop) -> tuple[float, float, Image]:
    """Diameter and height in mm of a chip or a stack of them, and the picture on its top."""
    top, _, _, count, radius, thick = _chip(rng, prop)
    return 2 * radius, count * thick, top


def chips(camera: Camera, look: Look, prop: Prop, rng: Rng) -> Sprite | None:
    """A poker chip, or a stack of up to twelve: marks along the edge, a ring, an inlay with a number or a sign.

    Half of them are white or nearly: those are mistaken for cards.
    """
    top, (ground, spot), (marks, share), count, radius, thick = _chip(rng, prop)
    turns = np.linspace(0, 2 * np.pi, 49)
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    places = np.array([prop.x, prop.y]) + np.cumsum(rng.normal(0, 0.5, (count, 2)), 0)
    discs = []
    for n, at in enumerate(places):
        rim = ring * radius + at
        discs.append([cam.project(camera, np.column_stack([rim, np.full(49, z)])) for z in (n * thick, (n + 1) * thick)])
    high = count * thick
    dx, dy = light.shadow_offset(look, prop.x, prop.y, high)
    cast = cam.project(camera, np.concatenate([ring * radius + places[-1] + [dx, dy], ring * radius + places[0]]))
    pixels = cam.scale(camera, prop.x, prop.y)
    sigma = max(0.6, pixels * (1.0 + 0.15 * high))
    rect = bounds(np.concatenate([*[d for pair in discs for d in pair], cast]), 3 * sigma + 2, camera.width, camera.height)
    if rect is None or float(cam.depth(camera, [[prop.x, prop.y, high]])[0]) < 120:
        return None
    patch = np.zeros((rect[3] - rect[1], rect[2] - rect[0], 4), np.uint8)
    viewer = cam.position(camera)[:2] - [prop.x, prop.y]
    viewer = viewer / max(1e-6, float(np.linalg.norm(viewer)))
    towards = np.array(look.lamp[:2]) - [prop.x, prop.y]
    towards = towards / max(1e-6, float(np.linalg.norm(towards)))
    facing, lit = ring @ viewer > -0.05, 0.62 + 0.22 * (ring @ towards)

    def fill(points: Floats, colour: Floats) -> None:
        shape = np.round((points - rect[:2]) * 16).astype(np.int32)
        cv2.fillConvexPoly(patch, shape, [*np.clip(colour, 0, 255).tolist(), 255], cv2.LINE_AA, 4)

    spin = rng.uniform(0, 2 * np.pi, count)
    step = 1 if pixels * radius > 14 else 3  # small ones need fewer facets
    for (low, up), turn in zip(discs, spin, strict=True):
        fill(np.asarray(cv2.convexHull(np.concatenate([low, up]).astype(np.float32))[:, 0], np.float64), ground * 0.6)
        for k in range(0, 48, step):
            if facing[k] and facing[k + step]:
                mark = ((turns[k] - turn) * marks / (2 * np.pi)) % 1 < share
                fill(np.array([low[k], low[k + step], up[k + step], up[k]]), (spot if mark else ground) * lit[k])
        fill(up[:-1], ground * 0.9)
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1.0]]) * radius
    a = spin[-1]
    corners = corners @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + places[-1]
    target = cam.project(camera, np.column_stack([corners, np.full(4, high)])) - rect[:2]
    length = float(np.linalg.norm(target[0] - target[3]))
    while top.shape[0] > 2 * length + 8:
        top = np.asarray(cv2.resize(top, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    side = top.shape[0]
    source = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    size = (patch.shape[1], patch.shape[0])
    print_ = cv2.warpPerspective(top, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shine = light.glare(camera, look, np.array([[*places[-1], high]]), np.array([[0, 0, 1.0]]), 0.35)
    print_ = cv2.add(print_, np.full(4, float(shine[0])))
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round((discs[-1][1][:-1] - rect[:2]) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    three = cv2.merge([mask] * 3)
    under = np.ascontiguousarray(patch[..., :3])
    colour = cv2.add(cv2.multiply(under, cv2.bitwise_not(three), scale=1 / 255), cv2.multiply(print_, three, scale=1 / 255))
    hull = np.asarray(cv2.convexHull(cast.astype(np.float32))[:, 0], np.float64)
    shade = light.soft_mask(rect, [hull], sigma, look.shadow)
    return sprite(rect, np.asarray(colour, np.uint8), np.ascontiguousarray(patch[..., 3]), shade)


def _chip_top(rng: Rng, ground: Floats, spot: Floats, marks: int, share: float) -> Image:
    picture = sheet(160, 160, ground.tolist())
    step = 360 / marks
    for n in range(marks):
        cv2.ellipse(picture, (80, 80), (80, 80), 0, n * step, (n + share) * step, spot.tolist(), -1, cv2.LINE_AA)
    inner = int(rng.integers(46, 62))
    cv2.circle(picture, (80, 80), inner, ground.tolist(), -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.circle(picture, (80, 80), inner, (ground * 0.75).tolist(), 2, cv2.LINE_AA)
    kind = rng.random()
    if kind < 0.45:
        inlay = int(rng.integers(26, 44))
        cv2.circle(picture, (80, 80), inlay, pale(rng), -1, cv2.LINE_AA)
        cv2.circle(picture, (80, 80), inlay, spot.tolist(), int(rng.integers(1, 4)), cv2.LINE_AA)
    ink = ink_of(rng)
    if kind < 0.3:
        text = str(rng.choice(["1", "5", "10", "25", "50", "100", "500"]))
        size = 0.9 if len(text) > 2 else 1.3
        (wide, tall), _ = cv2.getTextSize(text, 2, size, 2)
        cv2.putText(picture, text, (80 - wide // 2, 80 + tall // 2), 2, size, ink, 2, cv2.LINE_AA)
    elif kind < 0.75:
        emblem(picture, (80, 80), int(rng.integers(14, 30)), int(rng.integers(7)), ink)
    if rng.random() < 0.35:  # four signs around the rim's inside
        for n in range(4):
            a = np.pi / 2 * n + np.pi / 4
            at = (int(80 + 68 * np.cos(a)), int(80 + 68 * np.sin(a)))
            emblem(picture, at, 8, n, ink)
    return picture

"""Things that look like cards and that nothing is trained on, to measure on: other kinds than `lookalikes.TAUGHT`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import cv2
import numpy as np

from workshop.stage.clutter import emblem, ink_of, pale
from workshop.stage.lookalikes import TAUGHT, Painter
from workshop.stage.printing import Rng, colour, ground, inset, lines, scenery, word
from workshop.stage.scene import Image


def laptop(rng: Rng, width: int, height: int) -> Image:
    """A laptop's screen: windows over one another, a bar of icons below."""
    picture, dark = ground(width, height, [25.0, 25, 28]), rng.random() < 0.5
    inset(picture, lambda a, b: scenery(rng, a, b), (0.03, 0.03, 0.97, 0.97))
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(0.05, 0.4), rng.uniform(0.05, 0.4)
        box = (x, y, x + rng.uniform(0.3, 0.55), y + rng.uniform(0.25, 0.5))
        paint = [float(v) for v in (rng.uniform(20, 60, 3) if dark else rng.uniform(225, 252, 3))]
        inset(picture, lambda a, b, paint=paint: ground(a, b, paint), box)  # type: ignore[misc]
        inset(picture, lambda a, b: ground(a, b, colour(rng)), (box[0], box[1], box[2], box[1] + 0.03))
        lines(rng, picture, (box[0] + 0.02, box[1] + 0.06, box[2] - 0.02, box[3] - 0.02), colour(rng))
    for n in range(int(rng.integers(0, 9))):
        inset(picture, lambda a, b: ground(a, b, colour(rng)), (0.1 + n * 0.08, 0.9, 0.15 + n * 0.08, 0.95))
    return picture


def record(rng: Rng, width: int, height: int) -> Image:
    """A record's or a game's box: a disc or rays from the middle, a title across a corner."""
    picture, middle = ground(width, height, colour(rng)), (width // 2, height // 2)
    if rng.random() < 0.5:
        for n in range(0, 360, int(rng.integers(12, 40))):
            cv2.ellipse(picture, middle, (width, height), 0, n, n + 9, colour(rng), -1, cv2.LINE_AA)
    for share in np.sort(rng.uniform(0.05, 0.48, int(rng.integers(1, 6))))[::-1]:
        cv2.circle(picture, middle, int(width * share), colour(rng), int(rng.choice([-1, 2, 5])), cv2.LINE_AA)
    top = rng.choice([0.04, 0.8])
    word(rng, picture, (0.05, top, rng.uniform(0.4, 0.95), top + 0.14), colour(rng))
    return picture


def crate(rng: Rng, width: int, height: int) -> Image:
    """A wooden crate or a drawer: boards with grain, nails, a stencilled word, a handle."""
    picture, count = ground(width, height, [40.0, 50, 60]), int(rng.integers(2, 6))
    for n in range(count):
        wood = (rng.uniform(0.6, 1.15) * np.array([120.0, 165, 200])).tolist()
        box = (0.0, (n + 0.03) / count, 1.0, (n + 0.97) / count)
        inset(picture, lambda a, b, wood=wood: ground(a, b, wood), box)  # type: ignore[misc]
        for _ in range(6):
            y = int(height * rng.uniform(box[1], box[3]))
            cv2.line(picture, (0, y), (width, y + int(rng.integers(-3, 4))), (np.array(wood) * 0.85).tolist(), 1)
        for x in (0.05, 0.95):
            cv2.circle(picture, (int(x * width), int(height * (n + 0.5) / count)), 2, (40, 40, 40), -1)
    if rng.random() < 0.6:
        word(rng, picture, (0.15, 0.35, 0.85, 0.65), [30.0, 35, 45])
    return picture


def certificate(rng: Rng, width: int, height: int) -> Image:
    """A certificate, a menu of a feast: an ornate rim, a title, centred lines, a seal."""
    picture, ink = ground(width, height, pale(rng)), ink_of(rng)
    step = max(4, int(width * rng.uniform(0.03, 0.08)))
    for at in range(0, max(width, height), step):
        for x, y in ((at, step // 2), (at, height - step // 2), (step // 2, at), (width - step // 2, at)):
            cv2.circle(picture, (x, y), step // 2, ink, int(rng.choice([-1, 1])), cv2.LINE_AA)
    cv2.rectangle(picture, (2 * step, 2 * step), (width - 2 * step, height - 2 * step), ink, 2, cv2.LINE_AA)
    word(rng, picture, (0.25, 0.15, 0.75, 0.25), ink)
    for y in np.arange(0.33, 0.75, rng.uniform(0.05, 0.1)).tolist():
        half = rng.uniform(0.1, 0.32)
        left, right = int((0.5 - half) * width), int((0.5 + half) * width)
        cv2.rectangle(picture, (left, int(y * height)), (right, int((y + 0.012) * height)), ink, -1)
    emblem(picture, (int(width * rng.uniform(0.3, 0.7)), int(height * 0.82)), max(3, int(width * 0.08)), int(rng.integers(3, 7)),
           ink_of(rng))  # fmt: skip
    return picture


def calendar(rng: Rng, width: int, height: int) -> Image:
    """A wall calendar: a photograph above, numbers in rows below."""
    picture, part = ground(width, height, pale(rng)), rng.uniform(0.35, 0.6)
    inset(picture, lambda a, b: scenery(rng, a, b), (0.04, 0.03, 0.96, part))
    word(rng, picture, (0.3, part + 0.02, 0.7, part + 0.08), ink_of(rng))
    for n in range(31):
        x, y, ink = 0.06 + (n % 7) * 0.128, part + 0.12 + n // 7 * (0.85 - part) / 5, [30.0, 30, 160 * (n % 7 == 6)]
        cv2.putText(picture, str(n + 1), (int(x * width), int((y + 0.04) * height)), 0, width / 420, ink, 1, cv2.LINE_AA)
    return picture


def placemat(rng: Rng, width: int, height: int) -> Image:
    """A placemat or a tile: corners with ornaments, a sign in the middle, a rim; the same upside down."""
    picture, ink = ground(width, height, colour(rng)), colour(rng)
    d = int(width * rng.uniform(0.03, 0.12))
    cv2.rectangle(picture, (d, d), (width - 1 - d, height - 1 - d), ink, int(rng.integers(1, 7)), cv2.LINE_AA)
    which, radius = int(rng.integers(7)), max(3, int(width * rng.uniform(0.05, 0.12)))
    for x in (2 * d, width - 2 * d):
        for y in (2 * d, height - 2 * d):
            emblem(picture, (x, y), radius, which, ink)
    emblem(picture, (width // 2, height // 2), max(3, int(width * rng.uniform(0.12, 0.3))), int(rng.integers(7)), colour(rng))
    return picture


def leaflet(rng: Rng, width: int, height: int) -> Image:
    """A leaflet of two or three folds, each with its own picture and text."""
    picture, folds = ground(width, height, pale(rng)), int(rng.integers(2, 4))
    for n in range(folds):
        left, right = n / folds, (n + 1) / folds
        inset(picture, lambda a, b: ground(a, b, colour(rng) if rng.random() < 0.4 else pale(rng)), (left, 0.0, right, 1.0))
        top = rng.uniform(0.05, 0.5)
        inset(picture, lambda a, b: scenery(rng, a, b), (left + 0.02, top, right - 0.02, top + 0.3))
        word(rng, picture, (left + 0.03, top + 0.33, right - 0.03, top + 0.38), colour(rng))
        lines(rng, picture, (left + 0.03, top + 0.4, right - 0.03, 0.96), [60.0, 60, 60])
        shade = picture[:, int(left * width) : int(right * width)]
        shade[:] = (shade * rng.uniform(0.85, 1.0)).astype(np.uint8)
    return picture


def denim(rng: Rng, width: int, height: int) -> Image:
    """A trouser's pocket or a bag's flap: seams in pairs, rivets, folds."""
    picture = ground(width, height, (rng.uniform(0.4, 1.1) * np.array([130.0, 95, 60])).tolist() if rng.random() < 0.7
                     else colour(rng)).astype(np.float64)  # fmt: skip
    folds = cv2.resize(rng.normal(0, 22, (4, 5)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    made = np.clip(picture + folds[..., None] + rng.normal(0, 9, (height, width, 1)), 0, 255).astype(np.uint8)
    thread = [60.0, 140, 200] if rng.random() < 0.6 else pale(rng)
    for far in (0.05, 0.09):
        tip = np.array([[far, far], [1 - far, far], [1 - far, 0.75], [0.5, 1 - far], [far, 0.75]]) * [width, height]
        cv2.polylines(made, [tip.astype(np.int32)], True, thread, 1, cv2.LINE_AA)
    return made


def cabinet(rng: Rng, width: int, height: int) -> Image:
    """Doors and drawers with panels and knobs; a window with its bars."""
    picture, across = ground(width, height, colour(rng)), int(rng.integers(1, 4))
    down, glass = max(1, round(across * height / width)), rng.random() < 0.4
    panel = colour(rng)
    for n in range(across * down):
        i, j = n % across, n // across
        box = ((i + 0.1) / across, (j + 0.08) / down, (i + 0.9) / across, (j + 0.92) / down)
        inset(picture, lambda a, b: scenery(rng, a, b) if glass else ground(a, b, panel), box)
        knob = int((i + 0.85) / across * width), int((j + 0.5) / down * height)
        cv2.circle(picture, knob, max(2, width // 50), (40, 60, 70), -1)
    return picture


HELD_OUT: Mapping[str, Painter] = MappingProxyType(
    {"laptop": laptop, "record": record, "crate": crate, "certificate": certificate, "calendar": calendar, "placemat": placemat,
     "leaflet": leaflet, "denim": denim, "cabinet": cabinet}
)  # fmt: skip
"""Kind → its painter."""
PAINTERS: Mapping[str, Painter] = MappingProxyType({**TAUGHT, **HELD_OUT})
"""All kinds of things that look like cards."""

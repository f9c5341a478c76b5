"""Prints that eyes take for cards and that are none: papers, screens, books, boxes, framed pictures, posters, cloth, boards,
shelves. They come in any size and shape, most of all in a card's.

Each painter gets a width and a height in pixels and returns a picture, BGR. These are for training; `unseen` has others, to
measure on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import cv2
import numpy as np

from workshop.stage.clutter import ink_of, pale
from workshop.stage.printing import Rng, border, colour, ground, inset, lines, scenery, word
from workshop.stage.scene import Image


def page(rng: Rng, width: int, height: int) -> Image:
    """A sheet of paper: blank, written on, ruled, a form or a table, perhaps folded."""
    picture, kind = ground(width, height, pale(rng)), rng.random()
    ink = [float(rng.uniform(20, 150))] * 3 if rng.random() < 0.7 else ink_of(rng)
    if kind < 0.4:
        word(rng, picture, (0.12, 0.06, rng.uniform(0.4, 0.9), rng.uniform(0.1, 0.2)), ink)
        lines(rng, picture, (0.1, rng.uniform(0.2, 0.3), 0.9, rng.uniform(0.5, 0.96)), ink)
    elif kind < 0.7:
        rows, columns = int(rng.integers(3, 16)), int(rng.integers(1, 7))
        for n in range(rows + 1):
            low = int(height * (0.1 + 0.85 * n / rows))
            cv2.line(picture, (int(width * 0.06), low), (int(width * 0.94), low), ink, 1)
        for n in range(columns + 1):
            left = int(width * (0.06 + 0.88 * n / columns))
            cv2.line(picture, (left, int(height * 0.1)), (left, int(height * 0.95)), ink, 1)
        for _ in range(int(rng.integers(0, 14))):
            x, y = rng.uniform(0.08, 0.8), rng.uniform(0.1, 0.9)
            word(rng, picture, (x, y, x + 0.12, y + 0.04), ink)
    elif kind < 0.85:
        scrawl = np.cumsum(rng.normal(0, 0.06, (int(rng.integers(4, 40)), 2)), 0) * [width, height] + [width / 2, height / 2]
        cv2.polylines(picture, [scrawl.astype(np.int32)], False, ink, 2, cv2.LINE_AA)
    if rng.random() < 0.35:  # a fold: one half is darker
        at = int(height * rng.uniform(0.3, 0.7))
        picture[at:] = (picture[at:] * rng.uniform(0.88, 0.97)).astype(np.uint8)
    return picture


def screen(rng: Rng, width: int, height: int) -> Image:
    """A telephone, tablet or monitor: off, or with a film, messages, icons, a page."""
    picture, rim = ground(width, height, [float(rng.uniform(5, 60))] * 3), rng.uniform(0.01, 0.07)
    box, kind = (rim, rim * rng.uniform(0.4, 2.5), 1 - rim, 1 - rim * rng.uniform(0.4, 2.5)), rng.random()

    def shown(w: int, h: int) -> Image:
        if kind < 0.25:
            return scenery(rng, w, h)
        inner = ground(w, h, pale(rng) if rng.random() < 0.6 else [float(rng.uniform(15, 60))] * 3)
        if kind < 0.5:  # messages or paragraphs
            y = 0.08
            while y < 0.9:
                tall, mine = rng.uniform(0.03, 0.16), rng.random() < 0.5
                edges = (0.25, 0.95) if mine else (0.05, 0.75)
                inset(inner, lambda a, b: ground(a, b, colour(rng)), (edges[0], y, edges[1], min(0.97, y + tall)))
                y += tall + 0.02
        elif kind < 0.75:  # icons
            across = int(rng.integers(2, 6))
            down = max(2, round(across * h / w))
            for n in range(across * down):
                x, y = (n % across + 0.2) / across, (n // across + 0.2) / down
                inset(inner, lambda a, b: ground(a, b, colour(rng)), (x, y, x + 0.6 / across, y + 0.6 / down))
        else:
            inset(inner, lambda a, b: scenery(rng, a, b), (0.0, rng.uniform(0, 0.2), 1.0, rng.uniform(0.4, 0.7)))
            lines(rng, inner, (0.06, 0.72, 0.94, 0.97), colour(rng))
        return inner

    if kind < 0.85:
        inset(picture, shown, box)
        picture = np.clip(picture * rng.uniform(0.7, 1.3), 0, 255).astype(np.uint8)
    elif rng.random() < 0.6:  # off: the room's light in it
        glow = np.linspace(0, rng.uniform(20, 120), height)[:: int(rng.choice([-1, 1])), None, None]
        picture = np.clip(picture + glow, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(picture)


def book(rng: Rng, width: int, height: int) -> Image:
    """A book's or a booklet's cover."""
    picture = ground(width, height, colour(rng))
    if rng.random() < 0.3:
        picture = scenery(rng, width, height)
    if rng.random() < 0.4:
        border(rng, picture)
    top = rng.uniform(0.05, 0.3)
    if rng.random() < 0.5:
        inset(picture, lambda a, b: ground(a, b, colour(rng)), (rng.choice([0.0, 0.1]), top, rng.choice([1.0, 0.9]), top + 0.2))
    word(rng, picture, (0.12, top + 0.02, 0.88, top + rng.uniform(0.08, 0.18)), colour(rng))
    if rng.random() < 0.6:
        left = rng.uniform(0.05, 0.3)
        inset(picture, lambda a, b: scenery(rng, a, b), (left, 0.55, 1 - left, rng.uniform(0.75, 0.9)))
    word(rng, picture, (0.2, 0.92, 0.8, 0.96), colour(rng))
    if rng.random() < 0.5:  # the back's shadow
        spine = max(1, int(width * rng.uniform(0.02, 0.08)))
        picture[:, :spine] = (picture[:, :spine] * 0.7).astype(np.uint8)
    return picture


def carton(rng: Rng, width: int, height: int) -> Image:
    """A cardboard box with tape and a label, or a box of goods."""
    if rng.random() < 0.5:
        brown = (rng.uniform(0.55, 1.1) * np.array([110.0, 155, 190])).tolist()
        picture = ground(width, height, brown)
        middle = rng.uniform(0.42, 0.58)
        tape = pale(rng) if rng.random() < 0.4 else (np.array(brown) * rng.uniform(0.75, 1.2)).tolist()
        inset(picture, lambda a, b: ground(a, b, tape), (middle - 0.06, 0.0, middle + 0.06, 1.0))
        cv2.line(picture, (int(width * middle), 0), (int(width * middle), height), (np.array(brown) * 0.5).tolist(), 1)
        if rng.random() < 0.7:
            x, y = rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.6)
            inset(picture, lambda a, b: page(rng, a, b), (x, y, x + rng.uniform(0.2, 0.45), y + rng.uniform(0.15, 0.35)))
        if rng.random() < 0.5:
            word(rng, picture, (0.2, 0.7, 0.8, 0.85), (np.array(brown) * 0.4).tolist())
        return picture
    picture = ground(width, height, colour(rng))
    for _ in range(int(rng.integers(1, 4))):
        y = rng.uniform(0, 0.8)
        inset(picture, lambda a, b: ground(a, b, colour(rng)), (0.0, y, 1.0, y + rng.uniform(0.05, 0.3)))
    word(rng, picture, (0.1, 0.2, 0.9, 0.42), colour(rng))
    if rng.random() < 0.6:
        inset(picture, lambda a, b: scenery(rng, a, b), (0.15, 0.5, 0.85, 0.85))
    lines(rng, picture, (0.1, 0.88, 0.6, 0.97), colour(rng))
    return picture


def framed(rng: Rng, width: int, height: int) -> Image:
    """A picture in its frame, with or without a mount; a photograph with its white rim."""
    picture = ground(width, height, [60.0, 110, 150] if rng.random() < 0.3 else colour(rng))
    side = rng.uniform(0.02, 0.12)
    if rng.random() < 0.6:
        inset(picture, lambda a, b: ground(a, b, pale(rng)), (side, side, 1 - side, 1 - side))
        side += rng.uniform(0.03, 0.2)
    inset(picture, lambda a, b: scenery(rng, a, b), (side, side, 1 - side, 1 - side))
    return picture


def poster(rng: Rng, width: int, height: int) -> Image:
    """A poster or a flyer: large letters, a large shape or photograph, bands, small print."""
    picture = scenery(rng, width, height) if rng.random() < 0.35 else ground(width, height, colour(rng))
    if rng.random() < 0.6:
        at, radius = (int(width * rng.uniform(0.2, 0.8)), int(height * rng.uniform(0.2, 0.8))), int(width * rng.uniform(0.1, 0.5))
        cv2.circle(picture, at, radius, colour(rng), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 5))):
        y = rng.uniform(0.03, 0.8)
        word(rng, picture, (0.06, y, 0.94, y + rng.uniform(0.05, 0.18)), colour(rng))
    lines(rng, picture, (0.1, 0.86, 0.9, 0.97), colour(rng))
    if rng.random() < 0.4:
        border(rng, picture, 0.05)
    return picture


def cloth(rng: Rng, width: int, height: int) -> Image:
    """Checked, striped, dotted or plain cloth with a hem, folded."""
    picture = ground(width, height, colour(rng)).astype(np.float64)
    y, x = np.mgrid[:height, :width]
    step, other = max(3, int(width * rng.uniform(0.04, 0.3))), np.array(colour(rng))
    kind = int(rng.integers(4))
    if kind < 2:
        share = ((x // step) % 2 + (y // step) % 2 * (kind == 0)) / (2 - kind)
        picture += (other - picture) * share[..., None] * rng.uniform(0.5, 1)
    elif kind == 2:
        dots = ((x % step - step / 2) ** 2 + (y % step - step / 2) ** 2) < (step * 0.28) ** 2
        picture[dots] = other
    weave = rng.normal(0, rng.uniform(2, 12), (height, width, 1))
    made = np.clip(picture + weave, 0, 255).astype(np.uint8)
    for far in (0.02, 0.05)[: int(rng.integers(0, 3))]:
        d = int(width * far)
        cv2.rectangle(made, (d, d), (width - 1 - d, height - 1 - d), (other * 0.7).tolist(), 1, cv2.LINE_AA)
    if rng.random() < 0.6:
        half = int(width * rng.uniform(0.3, 0.7))
        made[:, half:] = (made[:, half:] * rng.uniform(0.8, 0.97)).astype(np.uint8)
    return made


def board(rng: Rng, width: int, height: int) -> Image:
    """Cells in rows and columns: a board game, tiles, keys, a sheet of labels."""
    picture, two = ground(width, height, colour(rng)), (colour(rng), colour(rng))
    across = int(rng.integers(2, 9))
    down = max(1, round(across * height / width * rng.uniform(0.6, 1.5)))
    gap, signs = rng.uniform(0.0, 0.12), rng.random() < 0.4
    for n in range(across * down):
        i, j = n % across, n // across
        box = ((i + gap) / across, (j + gap) / down, (i + 1 - gap) / across, (j + 1 - gap) / down)
        inset(picture, lambda a, b, paint=two[(i + j) % 2]: ground(a, b, paint), box)  # type: ignore[misc]
        if signs:
            word(rng, picture, ((i + 0.3) / across, (j + 0.3) / down, (i + 0.7) / across, (j + 0.7) / down), colour(rng))
    return picture


def shelf(rng: Rng, width: int, height: int) -> Image:
    """Rows of books' backs, upright or leaning on boards."""
    picture = ground(width, height, (rng.uniform(0.2, 1.1) * np.array([90.0, 130, 170])).tolist())
    rows = max(1, round(height / width * rng.uniform(1, 4)))
    for row in range(rows):
        x, base = 0.01, (row + 0.94) / rows
        while x < 0.97:
            wide = rng.uniform(0.02, 0.09)
            if rng.random() < 0.9:
                top = base - rng.uniform(0.5, 0.86) / rows
                inset(picture, lambda a, b: _spine(rng, a, b), (x, top, min(0.99, x + wide), base))
            x += wide + 0.002
    return picture


def _spine(rng: Rng, width: int, height: int) -> Image:
    picture = ground(width, height, colour(rng))
    for _ in range(int(rng.integers(0, 3))):
        y = rng.uniform(0.05, 0.9)
        inset(picture, lambda a, b: ground(a, b, colour(rng)), (0.0, y, 1.0, y + rng.uniform(0.02, 0.2)))
    if height > 12:
        turned = np.ascontiguousarray(np.rot90(picture))
        word(rng, turned, (0.2, 0.25, 0.8, 0.75), colour(rng))
        picture = np.ascontiguousarray(np.rot90(turned, 3))
    return picture


Painter = Callable[[Rng, int, int], Image]
TAUGHT: Mapping[str, Painter] = MappingProxyType(
    {"page": page, "screen": screen, "book": book, "carton": carton, "framed": framed, "poster": poster, "cloth": cloth,
     "board": board, "shelf": shelf}
)  # fmt: skip
"""Kind → its painter."""

"""Dense court cards in a dozen styles: standing, double, mounted, enthroned; engraved, leaded, woven, painted, enamelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import cv2
import numpy as np

from workshop.deck.strange.canvas import Canvas, Paint, Rng, box, ellipse, placed, smooth
from workshop.deck.strange.inks import hsv
from workshop.deck.strange.kit import Kit, framed, halved, land
from workshop.deck.strange.patterns import PATTERNS, clouds, grain, pattern
from workshop.deck.strange.people import Pose, person
from workshop.deck.strange.seats import horse, throne
from workshop.deck.strange.signs import SHAPES, sign

WORDS = ("LA LUNA", "IL SOLE", "REX", "DAME", "ROY", "VALET", "LA RUOTA", "FORZA", "KÖNIG", "OBER", "REINA", "IL MATTO", "ACE")
NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def standing(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """One standing figure, from the ground to the frame."""
    c.image[:] = k.ground
    foot = 96 - k.margin - k.band
    land(c, k, rng, foot - rng.uniform(2, 20))
    tall = (foot - k.margin - k.band) * rng.uniform(0.78, 0.93)
    person(
        c,
        k.wear,
        rng,
        Pose(c.wide / 2 + float(rng.normal(0, 2)), foot, tall, float(rng.uniform(0.9, 1.5)), bool(rng.random() < 0.5)),
    )
    framed(c, k, rng, rank, suit, rng.random() < 0.6)


def twofold(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """Two busts head to foot, framed."""
    c.image[:] = k.ground
    flip = bool(rng.random() < 0.5)
    top = k.margin + k.band + 3
    tall = (50 - top) * rng.uniform(1.6, 2.1)
    person(c, k.wear, rng, Pose(c.wide * rng.uniform(0.45, 0.55), top + tall, tall, float(rng.uniform(1.4, 2.0)), flip))
    band = [
        (0, 44 + k.slope * c.wide / 2),
        (c.wide, 44 - k.slope * c.wide / 2),
        (c.wide, 52 - k.slope * c.wide / 2),
        (0, 52 + k.slope * c.wide / 2),
    ]
    if rng.random() < 0.6:
        c.draw(band, k.frame, k.inks.ink, k.wear.line)
    halved(c, k)
    framed(c, replace(k, letters=k.letters or 7.0), rng, rank, suit)


def mounted(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """A rider in a landscape."""
    c.image[:] = k.ground
    land(c, k, rng, float(rng.uniform(60, 85)))
    inside = c.wide - 2 * (k.margin + k.band)
    long, flip, foot = inside * rng.uniform(0.62, 0.72), bool(rng.random() < 0.5), 97 - k.margin - k.band
    x = c.wide / 2 + (long * 0.08 if flip else -long * 0.08)
    horse(c, k.wear, rng, x, foot, long, flip)
    seat = foot - long * 0.32
    person(c, k.wear, rng, Pose(x, seat, min(seat - k.margin - k.band - 4, long * 1.15), float(rng.uniform(0.8, 1.1)), flip))
    framed(c, k, rng, rank, suit, rng.random() < 0.4)


def enthroned(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """A seated figure under an arch, with a numeral above and a title below."""
    i, ink = k.inks, k.inks.ink
    c.image[:] = k.ground
    m = k.margin + 2
    land(c, k, rng, 75.0)
    throne(c, k.wear, rng, c.wide / 2, 86, c.wide * 0.62, 52)
    person(c, k.wear, rng, Pose(c.wide / 2, 88, 64, float(rng.uniform(1.1, 1.6)), bool(rng.random() < 0.5), seated=True))
    arch = np.column_stack(
        [c.wide / 2 + np.cos(np.linspace(np.pi, 0, 16)) * (c.wide / 2 - m - 3), 34 - np.sin(np.linspace(np.pi, 0, 16)) * 26]
    )
    spandrel = np.concatenate([[(m, 40), (m, m), (c.wide - m, m), (c.wide - m, 40)], arch[::-1]])
    c.draw(spandrel, k.frame, ink, k.wear.line)
    for side in (m, c.wide - m - 4):
        c.draw(box(side, 34, side + 4, 92), k.wear.cloth(rng), ink, k.wear.line)
    for top, words in ((m, NUMERALS[(rank * 4 + suit) % 12]), (91.0 - m, str(rng.choice(WORDS)))):
        c.draw(box(m, top, c.wide - m, top + 9), i.paper, ink, k.wear.line)
        c.text(words, c.wide / 2, top + 4.5, min(4.6, c.wide / len(words) * 0.8), ink, k.font, 0.5)
    framed(c, replace(k, letters=0.0, band=0.0, margin=m), rng, rank, suit, signs=False)


def _engrave(c: Canvas, k: Kit, rng: Rng) -> None:
    """The picture cut in copper: lines that are as thick as it is dark, perhaps tinted."""
    tone = cv2.GaussianBlur(cv2.cvtColor(c.image, cv2.COLOR_BGR2GRAY), (0, 0), 1.2).astype(np.float32) / 255
    low, high = np.percentile(tone, (3, 97))
    tone = np.clip((tone - low) / max(high - low, 0.05), 0, 1) * 0.9 + 0.08
    y, x = np.mgrid[: c.shape[0], : c.shape[1]].astype(np.float32)
    cut = np.zeros(c.shape, bool)
    for turn, reach in ((rng.uniform(0, 3.1), 1.0), (rng.uniform(0, 3.1), 0.55)):
        wave = np.sin((x * np.cos(turn) + y * np.sin(turn) + 2 * np.sin(y / 17)) * (2 * np.pi / rng.uniform(4, 7)))
        cut |= (wave * 0.5 + 0.5) > tone / reach
    tint = np.asarray(cv2.addWeighted(c.image, 0.5, np.full_like(c.image, k.inks.paper), 0.5, 0), np.uint8)
    c.image = tint if rng.random() < 0.4 else np.full_like(c.image, k.inks.paper)
    c.image[cut] = k.inks.ink


def engraved(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """A figure engraved in lines, black on paper or over tints."""
    (standing, twofold, enthroned)[rank % 3](c, replace(k, margin=0.0, band=0.0, letters=0.0), rng, rank, suit)
    _engrave(c, k, rng)
    framed(c, replace(k, margin=max(k.margin, 4.0)), rng, rank, suit, signs=False)


def leaded(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """A church window: pieces of one colour each between dark leads."""
    (twofold if k.double else standing)(c, replace(k, margin=0.0, band=0.0, letters=0.0), rng, rank, suit)
    seeds = np.full(c.shape, 255, np.uint8)
    many = int(rng.integers(90, 380))
    seeds[rng.integers(0, c.shape[0], many), rng.integers(0, c.shape[1], many)] = 0
    _, cells = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_CCOMP)
    middle = np.zeros((int(cells.max()) + 1, 3), np.uint8)
    middle[cells[seeds == 0]] = c.image[seeds == 0]
    c.image = middle[cells]
    leads = np.zeros(c.shape, bool)
    leads[1:] |= cells[1:] != cells[:-1]
    leads[:, 1:] |= cells[:, 1:] != cells[:, :-1]
    wide = cv2.dilate(leads.astype(np.uint8), np.ones((int(rng.integers(1, 5)),) * 2, np.uint8))
    c.image[wide > 0] = k.inks.ink
    framed(c, k, rng, rank, suit, signs=False)


def woven(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """A tapestry: a figure among flowers, all in stitches."""
    i = k.inks
    c.image[:] = pattern("flowers", c.shape, rng, [i.colours[0], i.colours[1], i.paper], float(rng.uniform(12, 30)))
    tall = rng.uniform(74, 88)
    person(c, k.wear, rng, Pose(c.wide / 2, 94, tall, float(rng.uniform(1.0, 1.6)), bool(rng.random() < 0.5)))
    if k.double:
        halved(c, k)
    high = int(rng.integers(60, 110))
    across = max(8, round(high * c.shape[1] / c.shape[0]))
    small = cv2.resize(c.image, (across, high), interpolation=cv2.INTER_AREA)
    c.image = np.asarray(cv2.resize(small, (c.shape[1], c.shape[0]), interpolation=cv2.INTER_NEAREST), np.uint8)
    stitch = np.asarray(1 - rng.uniform(0.1, 0.4) * (np.arange(c.shape[0]) % 5 < 1), np.float32)[:, None, None]
    c.image = (c.image * stitch).astype(np.uint8)
    framed(c, replace(k, band=k.band or 4.0), rng, rank, suit, signs=False)


def painted(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """A portrait in oils: soft, dark towards the rim, in an oval frame."""
    c.image[:] = clouds(c.shape, rng, [*k.inks.colours[:2], k.inks.ink])
    tall = rng.uniform(120, 160)
    person(
        c,
        replace(k.wear, face=3, line=0.3),
        rng,
        Pose(c.wide / 2, 14 + tall, tall, float(rng.uniform(1.2, 1.6)), bool(rng.random() < 0.5)),
    )
    soft = cv2.GaussianBlur(c.image, (0, 0), float(rng.uniform(1.5, 4)))
    y, x = np.mgrid[-1 : 1 : c.shape[0] * 1j, -1 : 1 : c.shape[1] * 1j]
    light = 1.15 - 0.6 * np.hypot(x + rng.uniform(-0.4, 0.4), y + rng.uniform(-0.4, 0.4)) ** 1.5
    c.image = grain(
        np.clip(soft * np.clip(light, 0.15, 1.2)[..., None], 0, 255).astype(np.uint8), rng, float(rng.uniform(2, 12)), 2.0
    )
    if rng.random() < 0.7:
        picture = c.image
        c.image = np.empty_like(picture)
        c.image[:] = k.frame
        oval = ellipse(c.wide / 2, 50, c.wide * 0.42, 43)
        cv2.copyTo(picture, c.shape_of(oval), c.image)
        c.line(oval, k.inks.gold, 1.8, closed=True)
    framed(c, k, rng, rank, suit, signs=False)


def enamelled(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """Gold lines and rays on a dark ground."""
    dark = hsv(float(rng.uniform(0, 1)), float(rng.uniform(0.2, 0.9)), float(rng.uniform(0.05, 0.3)))
    i = replace(k.inks, paper=dark, ink=k.inks.gold, skin=dark if rng.random() < 0.5 else k.inks.skin, hair=dark)
    cloths: tuple[Paint, ...] = (
        dark,
        dark,
        *k.wear.cloths[:3],
        *(pattern(kind, c.shape, rng, [dark, i.gold], 16.0) for kind in ("rays", "lattice")),
    )
    wear = replace(k.wear, inks=i, cloths=cloths, outline=i.gold, line=0.45)
    c.image[:] = pattern("rays" if rng.random() < 0.5 else str(rng.choice(list(PATTERNS))), c.shape, rng, [dark, dark, i.gold])
    tall = rng.uniform(80, 88)
    if k.double:
        person(c, wear, rng, Pose(c.wide / 2, 92, tall, 1.7, bool(rng.random() < 0.5)))
        halved(c, replace(k, wear=wear))
    else:
        person(c, wear, rng, Pose(c.wide / 2, 94, tall, 1.2, bool(rng.random() < 0.5)))
    framed(c, replace(k, inks=i, wear=wear), rng, rank, suit)


def cartoon(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """A big head with bold outlines before rays or dots."""
    i = k.inks
    c.image[:] = pattern(str(rng.choice(["rays", "halftone", "stripes", "dots", "rings"])), c.shape, rng, [*i.some(rng, 2)])
    wear = replace(
        k.wear, head=float(rng.uniform(0.32, 0.45)), line=float(rng.uniform(0.9, 1.6)), face=3, cloths=tuple(i.colours)
    )
    tall = 86 - k.margin - k.band if not k.double else 66.0
    person(c, wear, rng, Pose(c.wide / 2, 12 + tall, tall, 1.4, bool(rng.random() < 0.5)))
    if k.double:
        halved(c, k)
    framed(c, k, rng, rank, suit)


def woodcut(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """Coarse black lines with flat tints that do not quite meet them."""
    wear = replace(k.wear, line=float(rng.uniform(0.7, 1.2)))
    flat = replace(k, margin=0.0, band=0.0, letters=0.0, wear=wear)
    (standing if rng.random() < 0.7 else mounted)(c, flat, rng, rank, suit)
    grey = cv2.cvtColor(c.image, cv2.COLOR_BGR2GRAY)
    rough = cv2.GaussianBlur(grey, (0, 0), 2).astype(np.int16) - grey
    lines = (rough > 12) | (grey < 60)
    small = cv2.resize(c.image, None, fx=1 / 6, fy=1 / 6, interpolation=cv2.INTER_AREA)
    levels = float(rng.integers(60, 110))
    tints = np.clip(np.round(small / levels) * levels, 0, 255).astype(np.uint8)
    flats = cv2.resize(tints, (c.shape[1], c.shape[0]), interpolation=cv2.INTER_NEAREST)
    pale = cv2.addWeighted(flats, 0.8, np.full_like(c.image, k.inks.paper), 0.2, 0)
    c.image = np.roll(np.asarray(pale, np.uint8), (int(rng.integers(-7, 8)), int(rng.integers(-7, 8))), (0, 1))
    c.image[lines] = k.inks.ink
    framed(c, k, rng, rank, suit, signs=False)


def heraldic(c: Canvas, k: Kit, rng: Rng, rank: int, suit: int) -> None:
    """A coat of arms: a quartered shield under a crown, with mantling."""
    i, ink = k.inks, k.inks.ink
    c.image[:] = k.ground
    for n in range(int(rng.integers(6, 14))):  # mantling
        for side in (-1, 1):
            y = 18 + n * 5
            leaf = smooth([(0, 0), (9, -5), (16, 2), (12, 8), (7, 4), (4, 9)], 3)
            c.draw(
                placed(leaf, c.wide / 2 + side * c.wide * 0.2, y, c.wide / 62, 20.0 * side, side < 0),
                i.colours[n % len(i.colours)],
                ink,
                k.wear.line,
            )
    shield = placed(smooth(SHAPES["shield"][0], 1), c.wide / 2, 56, c.wide * 0.92)
    whole = c.shape_of(shield)
    under = c.image.copy()
    for quarter in range(4):
        x, y = c.wide / 2 * (quarter % 2), 56 * (quarter // 2)
        c.fill(box(x, y, x + c.wide / 2, 56 if quarter < 2 else 101), k.wear.cloth(rng))
        sign(
            c,
            str(rng.choice(list(SHAPES))),
            c.wide * (0.33 + 0.34 * (quarter % 2)),
            42 + 25 * (quarter // 2),
            c.wide * 0.24,
            i.some(rng, 1)[0],
            ink,
        )
    cv2.copyTo(c.image, whole, under)
    c.image = under
    c.line(shield, i.gold, 1.6, closed=True)
    c.line(shield, ink, k.wear.line, closed=True)
    tips = np.column_stack(
        [c.wide / 2 + np.linspace(-0.3, 0.3, 11) * c.wide, np.where(np.arange(11) % 2, 17, 8 + rng.uniform(0, 3))]
    )
    c.draw([(c.wide * 0.26, 26), *map(tuple, tips), (c.wide * 0.74, 26)], i.gold, ink, k.wear.line)
    if k.double:
        halved(c, k)
    framed(c, k, rng, rank, suit)


STYLES: Mapping[str, Callable[[Canvas, Kit, Rng, int, int], None]] = MappingProxyType(
    {
        "standing": standing,
        "twofold": twofold,
        "mounted": mounted,
        "enthroned": enthroned,
        "engraved": engraved,
        "leaded": leaded,
        "woven": woven,
        "painted": painted,
        "enamelled": enamelled,
        "cartoon": cartoon,
        "woodcut": woodcut,
        "heraldic": heraldic,
    }
)
"""Style → draws the court card of a rank 0..2 and a suit 0..3."""

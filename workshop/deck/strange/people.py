"""Kings, queens, knaves and riders, in dresses of patterned cloth, each with something in a hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from workshop.deck.strange.canvas import Canvas, Colour, Floats, Paint, Rng, ellipse, placed, smooth, star
from workshop.deck.strange.inks import Inks, darker
from workshop.deck.strange.patterns import CLOTH, pattern
from workshop.deck.strange.signs import SHAPES, club, coin, cup, sword

HELD = ("sword", "sceptre", "cup", "coin", "club", "flower", "banner", "shield", "nothing")


@dataclass(frozen=True, slots=True, eq=False)
class Wardrobe:
    """What the people of one deck wear. ``cloths``: paints; ``line``: units; ``head``: its height as a share of the person's;
    ``face``: how much of a face is drawn, 0 to 3."""

    inks: Inks
    cloths: tuple[Paint, ...]
    line: float = 0.5
    head: float = 0.17
    face: int = 2
    outline: Colour | None = None

    @staticmethod
    def random(c: Canvas, i: Inks, rng: Rng, dense: float = 0.6, line: float | None = None) -> Wardrobe:
        """Six to nine cloths, the share ``dense`` of them patterned."""
        cloths: list[Paint] = []
        for _ in range(int(rng.integers(6, 10))):
            if rng.random() < dense:
                kind, some = str(rng.choice(CLOTH)), [*i.some(rng, 2), i.gold if rng.random() < 0.5 else i.paper]
                cloths.append(pattern(kind, c.shape, rng, [some[int(n)] for n in rng.permutation(3)], float(rng.uniform(8, 34))))
            else:
                cloths.append(i.some(rng, 1)[0])
        drawn = float(rng.uniform(0.25, 0.8)) if line is None else line
        return Wardrobe(i, tuple(cloths), drawn, float(rng.uniform(0.13, 0.2)), int(rng.integers(1, 4)))

    def cloth(self, rng: Rng) -> Paint:
        """One of the cloths."""
        return self.cloths[int(rng.integers(len(self.cloths)))]


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a person is: the middle of their feet, their height in units, how broad, mirrored, seated or cut off at the waist."""

    x: float
    y: float
    tall: float
    broad: float = 1.0
    flip: bool = False
    seated: bool = False


def person(c: Canvas, w: Wardrobe, rng: Rng, pose: Pose, held: str | None = None) -> None:
    """A person in a robe or in breeches, with a head-dress and something in the hand."""
    i, ink = w.inks, w.outline or w.inks.ink
    tall, broad = pose.tall, pose.broad
    head = tall * w.head
    lift = tall - head * 1.4  # of the shoulders over the feet
    shoulder, waist, hem = tall * 0.145 * broad, tall * rng.uniform(0.07, 0.12) * broad, tall * rng.uniform(0.16, 0.27) * broad

    def at(points: object) -> Floats:
        return placed(np.asarray(points, np.float64), pose.x, pose.y, flip=pose.flip)

    def shape(points: object, paint: Paint, fine: float = 1.0) -> None:
        c.draw(at(points), paint, ink, w.line * fine)

    robe, tunic, lining = w.cloth(rng), w.cloth(rng), w.cloth(rng)
    if rng.random() < 0.6:  # a cloak behind everything
        swing = rng.uniform(0.9, 1.5)
        shape(
            smooth(
                [
                    (-shoulder, -lift),
                    (shoulder, -lift),
                    (hem * swing * 1.1, -lift * 0.4),
                    (hem * swing, -1),
                    (-hem * swing, -1),
                    (-hem * swing * 1.2, -lift * 0.45),
                ],
                4,
            ),
            w.cloth(rng),
        )
    breeches = rng.random() < 0.3 and not pose.seated
    if breeches:
        for side in (-1, 1):
            knee = side * waist * rng.uniform(0.8, 1.6)
            shape(
                [
                    (side * waist * 0.1, -lift * 0.5),
                    (side * waist * 1.1, -lift * 0.5),
                    (knee + 2, -lift * 0.2),
                    (knee + 3.5, 0),
                    (knee - 2, 0),
                    (knee - 1.5, -lift * 0.2),
                ],
                w.cloth(rng),
            )
        shape([(-waist, -lift * 0.62), (waist, -lift * 0.62), (hem * 0.8, -lift * 0.36), (-hem * 0.8, -lift * 0.36)], robe)
    else:
        spread = 1.35 if pose.seated else 1.0
        skirt = np.array(
            [
                (-waist, -lift * 0.6),
                (waist, -lift * 0.6),
                (hem * spread, -lift * 0.2),
                (hem * 1.08, 0),
                (-hem * 1.08, 0),
                (-hem * spread, -lift * 0.2),
            ]
        )
        shape(skirt, robe)
        panel = rng.uniform(0.2, 0.55)
        shape([(-waist * panel, -lift * 0.6), (waist * panel, -lift * 0.6), (hem * panel, 0), (-hem * panel, 0)], lining)
        for fold in rng.uniform(-0.95, 0.95, int(rng.integers(0, 6))):
            c.line(at([(waist * fold, -lift * 0.58), (hem * fold * 1.05, -lift * 0.02)]), ink, w.line * 0.6)
        shape(
            [(-hem * 1.08, -tall * 0.035), (hem * 1.08, -tall * 0.035), (hem * 1.08, 0), (-hem * 1.08, 0)], i.some(rng, 1)[0], 0.7
        )
    shape(
        [
            (-shoulder, -lift),
            (shoulder, -lift),
            (waist, -lift * 0.6),
            (waist, -lift * 0.55),
            (-waist, -lift * 0.55),
            (-waist, -lift * 0.6),
        ],
        tunic,
    )
    stripe = rng.uniform(0.2, 0.6)
    shape([(-shoulder * stripe, -lift), (shoulder * stripe, -lift), (0, -lift * 0.58)], w.cloth(rng), 0.8)
    shape(
        [
            (-waist * 1.05, -lift * 0.62),
            (waist * 1.05, -lift * 0.62),
            (waist * 1.05, -lift * 0.57),
            (-waist * 1.05, -lift * 0.57),
        ],
        i.gold,
        0.7,
    )
    what = held or str(rng.choice(HELD))
    sleeve = w.cloth(rng)
    for side in (-1, 1):
        hand = (side * shoulder * rng.uniform(0.9, 1.9), -lift * rng.uniform(0.55, 0.95 if side > 0 else 0.75))
        elbow = (side * shoulder * rng.uniform(1.25, 1.7), -lift * rng.uniform(0.6, 0.75))
        thick = tall * rng.uniform(0.035, 0.06) * broad
        if side > 0:
            _attribute(c, w, rng, at([hand])[0], tall, what, pose.flip)
        shape(
            smooth(
                [
                    (side * shoulder * 0.7, -lift),
                    (side * shoulder * 1.15, -lift * 0.95),
                    (elbow[0] + side * thick, elbow[1]),
                    (hand[0], hand[1] + thick),
                    (hand[0], hand[1] - thick * 0.7),
                    (elbow[0] - side * thick, elbow[1] - thick),
                ],
                3,
            ),
            sleeve,
            0.9,
        )
        x, y = at([hand])[0]
        c.draw(ellipse(x, y, thick * 0.6), i.skin, ink, w.line * 0.8)
    x, y = at([(0, -lift - head * 0.42)])[0]
    _head(c, w, rng, float(x), float(y), head, pose.flip)


def _head(c: Canvas, w: Wardrobe, rng: Rng, x: float, y: float, head: float, flip: bool) -> None:
    i, ink = w.inks, w.outline or w.inks.ink

    def at(points: object) -> Floats:
        return placed(np.asarray(points, np.float64), x, y, head, flip=flip)

    def shape(points: object, paint: Paint, fine: float = 1.0) -> None:
        c.draw(at(points), paint, ink, w.line * fine)

    long = rng.uniform(0.3, 0.9)
    shape(smooth([(-0.3, -0.45), (0.3, -0.45), (0.46, 0), (0.42, long), (-0.42, long), (-0.46, 0)], 4), i.hair)
    if rng.random() < 0.6:
        shape(ellipse(0, 0.55, 0.55, 0.16), w.cloth(rng))
    shape(ellipse(0, 0, 0.33, 0.45), i.skin)
    if rng.random() < 0.4:
        shape(
            smooth([(-0.33, 0.1), (0, 0.2), (0.33, 0.1), (0.22, 0.6), (0, rng.uniform(0.6, 1.1)), (-0.22, 0.6)], 4), i.hair, 0.8
        )
    look = 0.05 * rng.integers(-1, 2)
    if w.face > 0:
        for side in (-1, 1):
            c.fill(at(ellipse(side * 0.14 + look, -0.07, 0.055, 0.035 + 0.02 * w.face, sides=10)), ink)
        c.line(at([(-0.09 + look, 0.26), (0.09 + look, 0.26)]), i.some(rng, 1)[0] if w.face > 2 else ink, w.line)
    if w.face > 1:
        c.line(at([(look, -0.1), (look + 0.07, 0.12), (look, 0.14)]), ink, w.line * 0.7)
        for side in (-1, 1):
            c.line(at([(side * 0.05 + look, -0.17), (side * 0.23 + look, -0.18)]), ink, w.line * 0.8)
    if w.face > 2:
        for side in (-1, 1):
            c.fill(at(ellipse(side * 0.2, 0.12, 0.06, sides=10)), darker(i.skin, 0.85))
    hat, tip = (
        str(rng.choice(["crown", "crown", "crown", "cap", "turban", "helmet", "veil", "feathers"])),
        int(rng.integers(3, 7)),
    )
    if hat == "crown":
        high = rng.uniform(0.35, 0.75)
        across = np.linspace(-0.38, 0.38, 2 * tip + 1)
        ups = np.where(np.arange(2 * tip + 1) % 2, -0.3 - high * 0.4, -0.3 - high)
        shape([(-0.34, -0.26), *zip(across * 1.15, ups, strict=True), (0.34, -0.26)], i.gold)
        shape([(-0.36, -0.36), (0.36, -0.36), (0.36, -0.24), (-0.36, -0.24)], w.cloth(rng), 0.7)
        for n in range(0, 2 * tip + 1, 2):
            c.draw(at(ellipse(across[n] * 1.15, ups[n], 0.06, sides=10)), i.some(rng, 1)[0], ink, w.line * 0.5)
    elif hat == "cap":
        shape(smooth([(-0.45, -0.22), (0.45, -0.22), (0.5, -0.5), (0.1, -0.75), (-0.4, -0.6)], 4), w.cloth(rng))
        shape(smooth([(0.3, -0.4), (0.6, -0.9), (0.95, -0.8), (0.7, -0.5)], 4), i.some(rng, 1)[0], 0.7)
    elif hat == "turban":
        for n, half in enumerate((0.46, 0.42, 0.32)):
            shape(ellipse(0, -0.3 - 0.16 * n, half, 0.14), w.cloth(rng))
        c.draw(at(ellipse(0, -0.4, 0.08)), i.gold, ink, w.line * 0.6)
    elif hat == "helmet":
        shape(
            smooth([(-0.4, 0.1), (-0.42, -0.3), (0, -0.65), (0.42, -0.3), (0.4, 0.1), (0.2, -0.15), (-0.2, -0.15)], 4),
            i.some(rng, 1)[0],
        )
        shape(smooth([(0, -0.6), (0.3, -1.0), (0.8, -0.7), (0.5, -0.3)], 4), w.cloth(rng), 0.8)
    elif hat == "veil":
        shape(smooth([(-0.36, -0.2), (0, -0.62), (0.36, -0.2), (0.3, -0.28), (0, -0.36), (-0.3, -0.28)], 4), w.cloth(rng))
    else:
        for n in range(tip):
            shape(placed(ellipse(0, -0.4, 0.1, 0.3), 0, -0.3, 1, (n - (tip - 1) / 2) * 28), i.some(rng, 1)[0], 0.7)
        shape([(-0.36, -0.34), (0.36, -0.34), (0.36, -0.22), (-0.36, -0.22)], i.gold, 0.7)


def _attribute(c: Canvas, w: Wardrobe, rng: Rng, hand: Floats, tall: float, what: str, flip: bool) -> None:
    i, ink, (x, y) = w.inks, w.outline or w.inks.ink, (float(hand[0]), float(hand[1]))
    turn = float(rng.uniform(-25, 30)) * (-1 if flip else 1)
    inks = replace(i, ink=ink)
    if what == "sword":
        at_x, at_y = placed([(0, -tall * 0.16)], x, y, turn=turn)[0]
        sword(c, float(at_x), float(at_y), tall * rng.uniform(0.4, 0.6), inks, rng, w.line, turn)
    elif what == "club":
        club(c, x, y - tall * 0.08, tall * rng.uniform(0.35, 0.55), inks, rng, w.line, turn)
    elif what == "cup":
        cup(c, x, y - tall * 0.09, tall * rng.uniform(0.16, 0.26), inks, rng, w.line)
    elif what == "coin":
        coin(c, x, y - tall * 0.08, tall * rng.uniform(0.15, 0.25), inks, rng, w.line)
    elif what == "shield":
        c.draw(
            placed(SHAPES["shield"][0], x, y + tall * 0.08, tall * rng.uniform(0.25, 0.4), turn * 0.3), w.cloth(rng), ink, w.line
        )
        c.draw(star(x, y + tall * 0.08, int(rng.integers(4, 9)), tall * 0.08, tall * 0.04), i.gold, ink, w.line * 0.7)
    elif what in ("sceptre", "flower", "banner"):
        pole = placed([(0, tall * 0.25), (0, -tall * 0.2)], x, y, turn=turn)
        c.line(pole, ink, w.line * 2 + 0.8)
        c.line(pole, i.gold, 0.9)
        head_x, head_y = pole[1]
        if what == "sceptre":
            c.draw(star(head_x, head_y, int(rng.integers(4, 8)), tall * 0.05, tall * 0.025), i.gold, ink, w.line * 0.7)
        elif what == "flower":
            c.draw(
                smooth(star(head_x, head_y, int(rng.integers(5, 8)), tall * 0.07, tall * 0.03), 3),
                i.some(rng, 1)[0],
                ink,
                w.line * 0.7,
            )
            c.fill(ellipse(head_x, head_y, tall * 0.02, sides=12), i.gold)
        else:
            cloth = [(0, 0), (tall * 0.2, tall * 0.04), (tall * 0.16, tall * 0.08), (tall * 0.2, tall * 0.13), (0, tall * 0.11)]
            c.draw(placed(cloth, head_x, head_y, turn=turn, flip=flip), w.cloth(rng), ink, w.line)

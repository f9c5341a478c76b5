"""How cards come to rest on one another: heights and slopes, so that nothing cuts into what lies below it.

The drawn scenes say in which order cards lie, not how high: every flat card there is at height 0. Here each comes down on what
is below it as a stiff plate does: of all planes that keep it above everything beneath, it takes the one in which its middle is
lowest, a linear programme in height and slope.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from workshop.stage import camera as cam
from workshop.stage import cardshape
from workshop.stage.scene import Camera, CardPose

Floats = NDArray[np.float64]
THICK = 0.3
"""Thickness of a card, mm."""
AIR = 0.03
"""What is left between two cards, mm: they are never quite flat."""
STEEPEST = 0.4
"""The most slope of a card that leans on something."""
LOW = 6.0
"""A flat card whose pose is less high than this, mm, rests on what is below it."""
RAISED = 0.95
"""A pose that is this high, mm, or higher stands off from what is below it; a lower one only says that it lies on other cards."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A card where it came to rest. ``centre``: of the unbent sheet, mm. ``right``, ``up``, ``normal``: unit vectors of its
    printed face. ``slope``: what it rises by along x and y, mm per mm, and at its middle, mm."""

    card: CardPose
    centre: Floats
    right: Floats
    up: Floats
    normal: Floats
    slope: Floats

    def at(self, local: Floats, off: float = 0.0) -> Floats:
        """N x 2 mm (to the right and up from the middle of the printed face) to N x 3 mm, ``off`` mm before the middle of the
        card's thickness."""
        half = self.card.mm[1] / 2
        out = self.card.bend * (local[:, 1] / half) ** 2 + off
        points = self.centre + local[:, :1] * self.right + local[:, 1:] * self.up + out[:, None] * self.normal
        points[:, 2] += (points[:, :2] - self.centre[:2]) @ self.slope[:2] + self.slope[2]
        return np.asarray(points, np.float64)

    def local(self, places: Floats) -> Floats:
        """N x 2 mm on the table to N x 2 mm on the sheet straight above; NaN where the sheet stands upright."""
        matrix = np.column_stack([self.right[:2], self.up[:2]])
        if abs(np.linalg.det(matrix)) < 0.2:
            return np.full((len(places), 2), np.nan)
        return np.asarray((places - self.centre[:2]) @ np.linalg.inv(matrix).T, np.float64)

    def top(self, places: Floats) -> Floats:
        """Height in mm of its upper side above N x 2 mm on the table; -inf beside it."""
        local = self.local(places)
        inside = (np.abs(local) <= np.array(self.card.mm) / 2 + 0.01).all(1)
        heights = np.full(len(places), -np.inf)
        heights[inside] = self.at(local[inside])[:, 2] + THICK / 2
        return heights

    def grid(self) -> Floats:
        """N x 2 mm on the sheet, its rim with it."""
        across, along = np.meshgrid(np.linspace(-0.5, 0.5, 5), np.linspace(-0.5, 0.5, 9))
        return np.column_stack([across.ravel(), along.ravel()]) * self.card.mm

    def rim(self) -> Floats:
        """4 x 2 mm: its corners on the table."""
        half = np.array(self.card.mm) / 2
        return self.at(np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half)[:, :2]

    def outline(self) -> Floats:
        """N x 3 mm on its upper side."""
        return np.asarray(self.at(self.grid()) + np.array([0, 0, THICK / 2]), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A flat thing that carries cards: the polygon ``edge`` (N x 2 mm, counter-clockwise) at the height ``height``."""

    edge: Floats
    height: float

    def rim(self) -> Floats:
        """N x 2 mm: its corners on the table."""
        return self.edge

    def top(self, places: Floats) -> Floats:
        """As `Sheet.top`."""
        ahead = np.roll(self.edge, -1, 0) - self.edge
        off = places[:, None] - self.edge
        inside = (ahead[:, 0] * off[..., 1] - ahead[:, 1] * off[..., 0] >= -0.01).all(1)
        return np.asarray(np.where(inside, self.height, -np.inf), np.float64)

    def outline(self) -> Floats:
        """N x 3 mm on its upper side."""
        ahead = np.roll(self.edge, -1, 0) - self.edge
        points = np.concatenate([self.edge + ahead * share for share in (0.0, 0.25, 0.5, 0.75)])
        return np.column_stack([points, np.full(len(points), self.height)])


Support = Sheet | Block


def height(places: Floats, below: Iterable[Support]) -> Floats:
    """The height, mm, of what lies at N x 2 mm on the table; 0 is the table."""
    heights = np.zeros(len(places))
    for one in below:
        heights = np.maximum(heights, one.top(places))
    return heights


def crossings(one: Floats, other: Floats) -> Floats:
    """K x 2: where the edges of two polygons (N x 2 and M x 2) cross."""
    a, b = one[:, None], other[None]
    along, across = np.roll(one, -1, 0)[:, None] - a, np.roll(other, -1, 0)[None] - b
    turn = along[..., 0] * across[..., 1] - along[..., 1] * across[..., 0]
    turn = np.where(np.abs(turn) < 1e-9, np.nan, turn)
    off = b - a
    s = (off[..., 0] * across[..., 1] - off[..., 1] * across[..., 0]) / turn
    t = (off[..., 0] * along[..., 1] - off[..., 1] * along[..., 0]) / turn
    hit = (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    return np.asarray((a + s[..., None] * along)[hit], np.float64)


def settled(card: CardPose, below: list[Support]) -> Sheet:
    """The card at rest on what is below it. A tilted card, or one held high, is only raised as far as it must be."""
    resting = abs(card.tilt) < 0.3 and card.z < LOW
    flat = cardshape.corners3(replace(card, bend=0.0, z=0.0 if resting else card.z))
    right, up = flat[1] - flat[0], flat[0] - flat[3]
    right, up = right / np.linalg.norm(right), up / np.linalg.norm(up)
    sheet = Sheet(card, flat.mean(0), right, up, cardshape.cross(right, up), np.zeros(3))
    own = sheet.at(sheet.grid())
    lower = own[:, 2] - THICK / 2
    wanted = height(own[:, :2], below)
    if not resting:
        rise = max(0.0, float((wanted - lower).max()) + AIR) + max(0.0, -float(lower.min()))
        return replace(sheet, slope=np.array([0.0, 0.0, rise]))
    places, needed = [own[:, :2]], [wanted - lower]
    reach = float(np.hypot(*card.mm))
    for one in below:
        points = one.outline()
        if len(crossed := crossings(sheet.rim(), one.rim())):
            points = np.concatenate([points, np.column_stack([crossed, one.top(crossed)])])
        points = points[np.hypot(*(points[:, :2] - sheet.centre[:2]).T) < reach]
        local = sheet.local(points[:, :2])
        inside = (np.abs(local) <= np.array(card.mm) / 2 + 0.01).all(1) & np.isfinite(points[:, 2])
        if inside.any():
            places.append(points[inside, :2])
            needed.append(points[inside, 2] - (sheet.at(local[inside])[:, 2] - THICK / 2))
    at, least = np.concatenate(places) - sheet.centre[:2], np.concatenate(needed)
    if least.max() - least.min() < 1e-6 or (len(places) == 1 and not (wanted > 0).any()):
        slope = np.array([0.0, 0.0, least.max()])
    else:
        found = linprog([0, 0, 1], -np.column_stack([at, np.ones(len(at))]), -least,
                        bounds=[(-STEEPEST, STEEPEST), (-STEEPEST, STEEPEST), (None, None)])
        slope = np.asarray(found.x, np.float64) if found.success else np.array([0.0, 0.0, least.max()])
    down = replace(sheet, slope=slope + np.array([0.0, 0.0, AIR]))
    rise = card.z - float(down.at(down.grid())[:, 2].min()) if card.z >= RAISED else 0.0
    return replace(down, slope=down.slope + np.array([0.0, 0.0, max(0.0, rise)]))


def shows_face(camera: Camera, sheet: Sheet) -> bool:
    """Whether the printed face is turned to the camera."""
    half = np.array(sheet.card.mm) / 2
    corners = sheet.at(np.array([[-1, 1], [1, 1], [-1, -1]]) * half)
    normal = cardshape.cross(corners[1] - corners[0], corners[0] - corners[2])
    return bool(normal @ (cam.position(camera) - sheet.centre) > 0)


def quad(camera: Camera, sheet: Sheet) -> Floats:
    """4 x 2 px, clockwise as seen, beginning with the printed top left corner of the side that shows."""
    half = np.array(sheet.card.mm) / 2
    face = shows_face(camera, sheet)
    corners = sheet.at(np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half, THICK / 2 if face else -THICK / 2)
    seen = cam.project(camera, corners)
    return seen if face else seen[[1, 0, 3, 2]]

"""The table and everybody's place at it, and where the camera stands: the whole table in view, cards large enough to read."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from workshop.choreography.motion import Pose
from workshop.stage import camera as cam
from workshop.stage.cardshape import quad
from workshop.stage.scene import CARD_SIZES, Camera, CardPose, Shape, Surface

CARD_WIDTH, CARD_LENGTH = CARD_SIZES["stu"]
TOKEN_WIDTH, TOKEN_LENGTH = CARD_SIZES["ramino"]
_EDGE = 105.0
"""mm from the table's edge to the middle of a card that lies in its place."""
_GAP = 22.0
"""mm between a card in its place and the first pedina."""
_LEAST_FAN = 17.0
"""mm between the pedine of the tightest fan: more than a quarter of each must show (docs/camera.md, What counts as a card)."""

_SHOULDERS = (400.0, 450.0)
"""mm from one's middle to the neighbour's, where people sit close."""
_CHAIR = 180.0
"""mm from a round table's edge to the circle on which people sit."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's part of the table. ``facing``: where they look, degrees; their card's printed top points there.

    ``edge``: the point of the table's edge in front of them. ``place``: the middle of their card. Their pedine lie beside it, on
    ``token_side`` (1: their right, -1: their left), ``token_step`` mm apart.
    """

    name: str
    facing: float
    edge: tuple[float, float]
    place: tuple[float, float]
    token_side: int
    token_step: float

    def local(self, right: float, forward: float, origin: tuple[float, float] | None = None) -> tuple[float, float]:
        """The table point ``right`` and ``forward`` mm of ``origin`` (by default the place), as this player sees it."""
        ox, oy = origin or self.place
        a = math.radians(self.facing)
        return ox + right * math.cos(a) - forward * math.sin(a), oy + right * math.sin(a) + forward * math.cos(a)

    def card(self, rng: Random, sloppiness: float) -> Pose:
        """The pose of a card put down by hand in this place, face down."""
        right, forward, turn = (min(max(rng.gauss(0, 6), -11), 11) * sloppiness for _ in range(3))
        x, y = self.local(right, forward)
        return Pose(x, y, self.facing + turn)

    def token(self, index: int, count: int, rng: Random) -> Pose:
        """Where pedina ``index`` (from 0) of ``count`` lies."""
        room = self.token_step * 2
        step = self.token_step if count <= 3 else max(room / (count - 1), 10.0)
        right = CARD_WIDTH / 2 + _GAP + TOKEN_WIDTH / 2 + index * step
        x, y = self.local(self.token_side * right + rng.gauss(0, 1.5), -14 + rng.gauss(0, 2.5))
        return Pose(x, y, self.facing + rng.gauss(0, 3) - self.token_side * (index - 1) * (3 if self.token_step < 40 else 0))

    def home(self, left: bool) -> Pose:
        """Where this player's hand waits, off the table."""
        x, y = self.local(-170 if left else 170, -170, self.edge)
        return Pose(x, y, self.facing, z=20)


@dataclass(frozen=True, slots=True)
class Plan:
    """A table top (mm; a round one: ``width`` is its diameter), who sits where, and how they keep the deck.

    ``cards``: the deck that is played with, a name of `stage.scene.CARD_SIZES`.
    """

    shape: Shape
    width: float
    depth: float
    seats: tuple[Seat, ...]
    deck_in_middle: bool
    sloppiness: float
    cards: str = "stu"

    def deck(self, dealer: int, rng: Random) -> Pose:
        """Where the deck lies while this seat deals."""
        if self.deck_in_middle:
            return Pose(rng.gauss(0, 12), rng.gauss(0, 12), rng.uniform(0, 360))
        seat = self.seats[dealer]
        x, y = seat.local(-seat.token_side * rng.uniform(5, 45), CARD_LENGTH + rng.uniform(22, 40))
        return Pose(x, y, seat.facing + rng.gauss(0, 10))


def plan_table(
    names: tuple[str, ...], rng: Random, shape: Shape | None = None, room: float = 0.0, people: bool = False
) -> Plan:
    """A table large enough for these players, with everybody's place. ``shape``: None draws one. ``room``: mm by which all places
    are further from the middle than cards in them need. ``people``: there is room for everybody's shoulders."""
    n = len(names)
    shape = shape or ("round" if n <= 8 and rng.random() < 0.4 else "rect")
    apart = rng.uniform(*_SHOULDERS) if people else 0.0
    spots, width, depth = _round_spots(n, rng, room, apart) if shape == "round" else _rect_spots(n, rng, room, apart)
    pitch = min(math.dist(spots[i][1], spots[i - 1][1]) for i in range(n))
    # Between two places: half a card each side, a gap, and the fan of one player's pedine.
    room = (pitch - CARD_WIDTH - _GAP - 16 - TOKEN_WIDTH) / 2
    side = rng.choice((-1, 1))
    seats = []
    for name, (edge, place, facing) in zip(names, spots, strict=True):
        a = math.radians(facing)
        outer = (place[0] + 14 * math.sin(a), place[1] - 14 * math.cos(a))
        aside = _to_edge(shape, width, depth, outer, (side * math.cos(a), side * math.sin(a)))
        free = min(room, (aside - CARD_WIDTH / 2 - _GAP - TOKEN_WIDTH - 6) / 2)
        wide = free > TOKEN_WIDTH + 5 and rng.random() < 0.5
        step = TOKEN_WIDTH + rng.uniform(2, 5) if wide else rng.uniform(_LEAST_FAN, max(min(free, 30.0), _LEAST_FAN))
        seats.append(Seat(name, facing, edge, place, side, step))
    return Plan(shape, width, depth, tuple(seats), rng.random() < 0.25 and n > 2, rng.uniform(0.5, 1.3))


def _to_edge(shape: Shape, width: float, depth: float, at: tuple[float, float], way: tuple[float, float]) -> float:
    """How far (mm) a pedina beside ``at`` can lie in the direction ``way`` (a unit vector) before it sticks out over the edge."""
    if shape == "round":
        # Its outer corners lie half its length nearer to the rim.
        outward = math.hypot(*at) + TOKEN_LENGTH / 2
        return math.sqrt(max((width / 2) ** 2 - outward**2, 0.0))
    half = width / 2 if abs(way[0]) > 0.5 else depth / 2
    return half - (at[0] * way[0] + at[1] * way[1])


Spot = tuple[tuple[float, float], tuple[float, float], float]
"""(edge, place, facing) of a seat."""


def _spot(x: float, y: float, facing: float) -> Spot:
    a = math.radians(facing)
    return (x, y), (x - _EDGE * math.sin(a), y + _EDGE * math.cos(a)), facing


def _round_spots(n: int, rng: Random, room: float, apart: float) -> tuple[list[Spot], float, float]:
    pitch = rng.uniform(235, 270)
    radius = max(pitch / (2 * math.sin(math.pi / max(n, 4))) + _EDGE, 350.0, apart * n / (2 * math.pi) - _CHAIR) + room
    start = rng.uniform(0, 360)
    spots = []
    for i in range(n):
        direction = start + 360 * i / n + (rng.uniform(-4, 4) if n <= 6 else 0)
        a = math.radians(direction)
        spots.append(_spot(radius * math.cos(a), radius * math.sin(a), direction + 90))
    return spots, 2 * radius, 2 * radius


def _rect_spots(n: int, rng: Random, room: float, apart: float) -> tuple[list[Spot], float, float]:
    """Players along the four sides of a rectangle, the long ones along x, the same pitch everywhere."""
    pitch = max(rng.uniform(225, 260) if n <= 8 else rng.uniform(200, 225) if n <= 12 else rng.uniform(190, 205), apart)
    ends = 0 if n == 2 else 1 if n <= 10 else 2 if n <= 14 else 3
    near, odd = divmod(n - 2 * ends, 2)
    sides = {"near": near, "right": ends, "far": near + odd, "left": ends}
    width = max(2 * _EDGE + CARD_LENGTH + 90 + max(sides["far"], 1) * pitch, 720.0) + 2 * room
    depth = max(2 * _EDGE + CARD_LENGTH + 60 + ends * pitch, 680.0) + 2 * room
    spots: list[Spot] = []
    for side, direction, reach, length in (
        ("near", 0.0, depth / 2, width), ("right", 90.0, width / 2, depth),
        ("far", 180.0, depth / 2, width), ("left", 270.0, width / 2, depth),
    ):  # fmt: skip
        count = sides[side]
        free = min((length - 2 * _EDGE - CARD_LENGTH - 40 - pitch * count) / 2, 25.0)
        drift = rng.uniform(-free, free) if free > 0 else 0.0
        a = math.radians(direction)
        for i in range(count):
            along = (i - (count - 1) / 2) * min(pitch * 1.2, (length - 2 * _EDGE - CARD_LENGTH) / count) + drift
            spots.append(_spot(along * math.cos(a) + reach * math.sin(a), along * math.sin(a) - reach * math.cos(a), direction))
    turn = rng.randrange(n)
    return spots[turn:] + spots[:turn], width, depth


LEAST_LENGTH = 45 / 1280
"""Length of a card in its place, in picture widths, that is always reached at a table of up to six."""


def surface_of(plan: Plan, kind: str, seed: int) -> Surface:
    """The plan's table top, of this ``kind`` (one of `stage.surfaces.KINDS`)."""
    return Surface(kind, seed, plan.shape, plan.width, plan.depth)


def pick_camera(plan: Plan, rng: Random, size: tuple[int, int]) -> Camera:
    """A camera that sees the whole table. ``size``: picture width and height in pixels."""
    surface = surface_of(plan, "wood", 0)
    slack = 14 if plan.width > 1.3 * plan.depth else 30
    camera = Camera(
        size[0], size[1], elevation=rng.uniform(40, 66), azimuth=rng.uniform(-slack, slack), roll=rng.gauss(0, 0.7),
        focal=rng.uniform(0.72, 1.0),
    )  # fmt: skip
    margin = rng.uniform(0.015, 0.04)
    camera = cam.fit(camera, surface, margin)
    while len(plan.seats) <= 6 and camera.elevation < 69 and shortest(plan, camera) < LEAST_LENGTH * size[0]:
        camera = cam.fit(replace(camera, elevation=camera.elevation + 2), surface, margin)
    return camera


def turned(plan: Plan, camera: Camera, elevation: float | None, azimuth: float | None) -> Camera:
    """The camera moved to another side, with the whole table in view. ``elevation``, ``azimuth``: degrees, as in `Camera`; None:
    unchanged."""
    moved = replace(camera, elevation=camera.elevation if elevation is None else elevation,
                    azimuth=camera.azimuth if azimuth is None else azimuth)  # fmt: skip
    return cam.fit(moved, surface_of(plan, "wood", 0), 0.025)


def card_in_place(plan: Plan, camera: Camera, seat: int) -> NDArray[np.float64]:
    """The quad (4 x 2 pixels) of a card that lies exactly in this seat's place."""
    place = plan.seats[seat]
    return quad(camera, CardPose("", (plan.cards, "back"), *place.place, angle=place.facing))


def shortest(plan: Plan, camera: Camera) -> float:
    """Length in pixels (mean of the long sides) of the smallest card that lies in a place."""
    lengths = []
    for seat in range(len(plan.seats)):
        corners = card_in_place(plan, camera, seat)
        sides = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
        lengths.append(float(max(sides[0] + sides[2], sides[1] + sides[3]) / 2))
    return min(lengths)

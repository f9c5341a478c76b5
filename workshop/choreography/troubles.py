"""Trouble for the camera: it is knocked, somebody is in the way, the lights go out, video is missing. Planned by a seed; pure.

Troubles change what is filmed, not what happens at the table: the same game goes on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from workshop.stage.camera import project
from workshop.stage.scene import BodyPose, Camera, Scene

Kind = Literal["knock", "blocked", "dark", "gap"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Amount = Literal["none", "some", "much", "knock", "blocked", "dark", "gap"]
"""No trouble, troubles of any kind about twice (some) or five times (much) a minute, or troubles of one kind only."""
AMOUNTS: tuple[Amount, ...] = get_args(Amount)

_EVERY: Mapping[str, float] = MappingProxyType({"some": 30.0, "much": 12.0})
_EVERY_OF_ONE_KIND = 20.0
"""Mean seconds from the end of a trouble to the next."""
FIRST, LAST = 4.0, 4.0
"""Seconds of peace at the clip's beginning, and at its end."""
PEACE = 4.0
"""Seconds of peace between two troubles at least."""


@dataclass(frozen=True, slots=True)
class Knock:
    """Somebody knocks the camera at ``t``: it jumps within `SWING` seconds, shakes until ``t`` + ``lasts``, and stays there.

    ``shift``: mm on the table by which the point in the picture's middle moves. ``elevation``, ``azimuth``, ``roll``: degrees by
    which they change; ``nearer``: factor of the distance.
    """

    t: float
    lasts: float
    shift: tuple[float, float]
    elevation: float
    azimuth: float
    roll: float
    nearer: float

    def moved(self, camera: Camera, share: float) -> Camera:
        """The camera after ``share`` of the way (0: not yet knocked, 1: at its new stand, more: swinging beyond it)."""
        return replace(
            camera,
            target=(camera.target[0] + share * self.shift[0], camera.target[1] + share * self.shift[1]),
            elevation=camera.elevation + share * self.elevation,
            azimuth=camera.azimuth + share * self.azimuth,
            roll=camera.roll + share * self.roll,
            distance=camera.distance * self.nearer**share,
        )

    def share(self, t: float) -> float:
        """The share of the way that the camera has gone at ``t``."""
        since = t - self.t
        if since <= 0:
            return 0.0
        if since >= self.lasts:
            return 1.0
        eased = 0.5 - 0.5 * math.cos(math.pi * min(since / SWING, 1.0))
        return eased + 0.25 * math.exp(-since / 0.18) * math.sin(2 * math.pi * 6.5 * since) * (1 - since / self.lasts)

    def halved(self) -> Knock:
        """The knock, half as hard."""
        x, y = self.shift
        return replace(self, shift=(x / 2, y / 2), elevation=self.elevation / 2, azimuth=self.azimuth / 2, roll=self.roll / 2,
                       nearer=math.sqrt(self.nearer))  # fmt: skip


SWING = 0.2
"""Seconds that a knocked camera takes to its new stand."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """Somebody leans over the table from ``t`` to ``t`` + ``lasts``, coming from ``side`` (degrees off the camera's own azimuth).
    ``reach``: mm from the table's middle to the point below the head. ``skin``, ``clothes``: BGR."""

    t: float
    lasts: float
    side: float
    reach: float
    skin: tuple[int, int, int]
    clothes: tuple[int, int, int]
    seed: int

    def body(self, t: float, azimuth: float) -> BodyPose | None:
        """Where the body is at ``t``; None while it is away. ``azimuth``: the camera's, degrees."""
        since = t - self.t
        if not 0 <= since < self.lasts:
            return None
        inside = min(since / COMES, (self.lasts - since) / COMES, 1.0)
        eased = 0.5 - 0.5 * math.cos(math.pi * inside)
        from_middle = self.reach + (1 - eased) * 900 + 12 * math.sin(1.7 * since)
        around = math.radians(azimuth + self.side)
        x, y = from_middle * math.sin(around), -from_middle * math.cos(around)
        return BodyPose("body", x, y, angle=azimuth + self.side, skin=self.skin, clothes=self.clothes, seed=self.seed)


COMES = 0.8
"""Seconds in which somebody comes into view, and goes."""


@dataclass(frozen=True, slots=True)
class Dark:
    """The lights are out, or nearly, from ``t`` to ``t`` + ``lasts``; then the camera's exposure hunts for a second.

    ``left``: the share of the light that remains.
    """

    t: float
    lasts: float
    left: float

    def gain(self, t: float) -> float:
        """The factor of the picture's brightness at ``t``."""
        since, after = t - self.t, t - self.t - self.lasts
        if since < 0:
            return 1.0
        raised = 1 + 1.2 * (1 - math.exp(-since / 0.9))  # automatic exposure opens, as far as it can
        if after < 0:
            return raised * (self.left + (1 - self.left) * math.exp(-since / 0.05))
        return 1 + 1.2 * math.exp(-after / 0.35)


@dataclass(frozen=True, slots=True)
class Gap:
    """No new pictures from ``t`` to ``t`` + ``lasts``: they are missing, or with ``frozen`` the last one is repeated."""

    t: float
    lasts: float
    frozen: bool

    def holds(self, t: float) -> bool:
        """Whether the camera is silent at ``t``."""
        return self.t <= t < self.t + self.lasts


Trouble = Knock | Blocked | Dark | Gap
NAMES: Mapping[type, Kind] = MappingProxyType({Knock: "knock", Blocked: "blocked", Dark: "dark", Gap: "gap"})


@dataclass(frozen=True, slots=True)
class Troubles:
    """All that goes wrong with one clip's camera, in order of time."""

    all: tuple[Trouble, ...] = ()

    def camera(self, camera: Camera, t: float) -> Camera:
        """The camera at ``t``, after the knocks so far or in the middle of one."""
        for trouble in self.all:
            if isinstance(trouble, Knock) and trouble.t < t:
                camera = trouble.moved(camera, trouble.share(t))
        return camera

    def scene(self, scene: Scene, azimuth: float) -> Scene:
        """The scene with those who are in the way and with the light that there is. ``azimuth``: the camera's, degrees."""
        bodies = [trouble.body(scene.t, azimuth) for trouble in self.all if isinstance(trouble, Blocked)]
        gain = math.prod(trouble.gain(scene.t) for trouble in self.all if isinstance(trouble, Dark))
        here = tuple(body for body in bodies if body)
        return replace(scene, bodies=here, gain=scene.gain * gain) if here or gain != 1 else scene

    def silent(self, t: float) -> Gap | None:
        """The gap in the video at ``t``, if there is one."""
        return next((trouble for trouble in self.all if isinstance(trouble, Gap) and trouble.holds(t)), None)

    def entries(self) -> list[dict[str, Any]]:
        """Kind, start and end (seconds) of each, as the clip's truth lists them."""
        return [{"kind": NAMES[type(one)], "t": round(one.t, 3), "until": round(one.t + one.lasts, 3)} for one in self.all]


PEACEFUL = Troubles()


def plan(rng: Random, duration: float, amount: Amount) -> Troubles:
    """What goes wrong in a clip of ``duration`` seconds: at least one thing where there is room, unless ``amount`` is none."""
    found: list[Trouble] = []
    if amount == "none":
        return PEACEFUL
    every = _EVERY.get(amount, _EVERY_OF_ONE_KIND)
    kinds = list(KINDS) if amount in _EVERY else [kind for kind in KINDS if kind == amount]
    t = FIRST + rng.uniform(0, min(every, max(duration - FIRST - LAST - 6, 0)))
    bag: list[Kind] = []
    while True:
        bag = bag or rng.sample(kinds, len(kinds))  # each kind once before any comes again
        trouble = _draw(rng, bag.pop(), t)
        if t + trouble.lasts > duration - LAST:
            return Troubles(tuple(found))
        found.append(trouble)
        t += trouble.lasts + PEACE + rng.expovariate(1 / max(every - PEACE, 1.0))


def _draw(rng: Random, kind: Kind, t: float) -> Trouble:
    match kind:
        case "knock":
            way, far = rng.uniform(0, 2 * math.pi), rng.uniform(10, 60)
            up, round_, tilted = (rng.choice((-1, 1)) * rng.uniform(0.3, 2.0) for _ in range(3))
            return Knock(t, rng.uniform(0.5, 0.9), (far * math.cos(way), far * math.sin(way)), up, round_, tilted,
                         nearer=rng.uniform(0.97, 1.03))  # fmt: skip
        case "blocked":
            light, dye = rng.uniform(0.4, 1.05), rng.uniform(20, 190)
            skin = (int(128 * light), int(160 * light), int(min(214 * light, 255)))
            blue, green, red = (int(max(8.0, min(dye + rng.uniform(-45, 45), 235))) for _ in range(3))
            return Blocked(t, rng.uniform(2, 6) + 2 * COMES, rng.uniform(-70, 70), rng.uniform(-60, 160), skin,
                           (blue, green, red), rng.randrange(10_000))  # fmt: skip
        case "dark":
            return Dark(t, rng.uniform(2, 6), rng.choice((0.0, rng.uniform(0.01, 0.08))))
        case "gap":
            return Gap(t, rng.uniform(0.8, 1.6), rng.random() < 0.5)


def kept_in_view(troubles: Troubles, camera: Camera, points: ArrayLike, margin: float = 0.02) -> Troubles:
    """The troubles with knocks softened until the ``points`` (N x 2 mm on the table) stay in the picture. ``margin``: their least
    distance from the picture's edge, as a share of its width and height.
    """
    size = np.array([camera.width, camera.height])
    kept: list[Trouble] = []
    for trouble in troubles.all:
        if isinstance(trouble, Knock):
            for _ in range(5):
                seen = project(trouble.moved(camera, 1.0), points)
                if np.all((seen > margin * size) & (seen < (1 - margin) * size)):
                    break
                trouble = trouble.halved()
            camera = trouble.moved(camera, 1.0)
        kept.append(trouble)
    return Troubles(tuple(kept))

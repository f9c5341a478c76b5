"""Notices what keeps the eyes from seeing the table, and says what is known afterwards.

The camera is knocked, somebody leans into the view, the light goes out, the camera repeats one picture, or gives none for a
while: the `CameraGuard` notices this before anything is concluded from such pictures. A card that cannot be seen is not gone.

`Tremor` tells for every picture, at little cost, whether the camera stands still, by a few points of an earlier picture.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from statistics import median
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.image import Image
from companion.eyes.obstruction import Obstruction
from companion.eyes.registration import FINE_WIDTH, Grey, Reference, shrunk_grey, smooth, table_mask
from companion.eyes.sighting import CameraMoved, Sighting, Unseen, Why
from companion.eyes.table import TableMap

# Whether the camera stands still: a few points of an earlier picture are looked for in the newest one. Cheap, for every look.


MAX_POINTS = 80
MIN_POINT_PIXELS = 8
"""Least distance in pixels between two points."""
MIN_POINTS = 12
"""Least number of points from which anything is concluded."""
FOUND_LEVELS = 12.0
"""Greatest mean difference in grey levels around a point that counts as found again."""
STILL_WIDTHS = 0.7 / FINE_WIDTH
"""Picture widths: a point that moved by less has not moved."""
STANDS_SHARE, WORN_SHARE = 0.35, 0.6
"""Least share of the points that have not moved while the camera stands still: the others are hidden, or on things that people
move. Below the second share new points are chosen."""
TOGETHER_SHARE = 0.5
"""Least share of the points that move together when the camera has moved."""

Movement = Literal["stands", "worn", "moved", "unclear"]
"""``worn``: it stands still, but many points are not found any more."""


class Tremor:
    """Finds a few points of one small grey picture (H, W) uint8 in later ones of the same size."""

    def __init__(self, eye: Grey) -> None:
        self._eye = eye
        corners = cv2.goodFeaturesToTrack(eye, MAX_POINTS, 0.01, MIN_POINT_PIXELS)
        self._points: NDArray[np.float32] = (
            np.zeros((0, 1, 2), np.float32) if corners is None else np.asarray(corners, np.float32)
        )

    def movement(self, eye: Grey) -> Movement:
        """How the camera has moved since (pyramidal Lucas-Kanade optical flow, 1981)."""
        count = len(self._points)
        if count < MIN_POINTS:
            return "unclear"
        mean = max(float(eye.mean()), 1.0)  # the overall light may have changed
        eye = cv2.convertScaleAbs(eye, alpha=float(np.clip(self._eye.mean() / mean, 0.3, 3.0))).astype(np.uint8)
        nowhere = np.empty_like(self._points)
        there, status, errors = cv2.calcOpticalFlowPyrLK(self._eye, eye, self._points, nowhere, winSize=(11, 11))
        good = (np.asarray(status).ravel() == 1) & (np.asarray(errors).ravel() < FOUND_LEVELS)
        before, after = self._points[good, 0], np.asarray(there, np.float32)[good, 0]
        still = float((np.linalg.norm(after - before, axis=1) < STILL_WIDTHS * eye.shape[1]).sum()) / count
        if still >= STANDS_SHARE:
            return "stands" if still >= WORN_SHARE else "worn"
        if len(before) < max(MIN_POINTS, TOGETHER_SHARE * count):
            return "unclear"
        _, inliers = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=1.0)
        together = 0 if inliers is None else int(np.count_nonzero(inliers))
        return "moved" if together >= TOGETHER_SHARE * count else "unclear"


SPAN_SECONDS = 0.5
"""Seconds: shorter spans without sight are not reported, as a passing hand causes them, too."""
GAP_SECONDS = 0.7
"""Seconds between two pictures from which on they have a gap between them, unless pictures always come this slowly."""
MAX_GAP_SECONDS = 1.5
"""Seconds between two pictures that are a gap in any case: two players exchange cards in less."""
FROZEN_SECONDS = 2.0
"""Seconds without any change after which the picture is frozen: a camera's noise is never the same twice."""
DARK_LEVEL = 10.0
"""Mean grey level of the table below which nothing can be made out."""
DARKER_SHARE = 0.3
"""Share of the usual level: if the table's level falls below it, nothing can be made out either."""
LIGHT_SECONDS = 8.0
"""Time constant with which the usual light follows the light: people may turn it down for the evening."""
MOVED_WIDTHS = 0.006
"""Picture widths: a table whose corners are nearer than this to where they were has not moved, as registration is no more
exact."""
QUIET_LEVELS = 1.0
"""Grey levels: greatest mean difference of two pictures between which nothing has happened."""
QUIET_SECONDS = 1.0
"""Seconds after which a quiet picture is inspected more closely all the same: a camera may creep."""
CALM_PIXELS = 0.5
"""Pixels of the small picture by which a shaking camera moves between two looks: above it, it is not registered yet."""
UNMOVED_SHARE = 0.25
"""Share of the table that looks the same, from which on the camera stands still, even if its points are hard to follow."""
NEW_POINTS_SECONDS = 5.0
"""Least seconds before new points are chosen: hands come and go."""
FAMILIAR_SECONDS = 3.0
"""Seconds without having seen the table once, after which the first picture is given up: the camera may have been switched on in
the dark, or with somebody in its view."""
TRY_SECONDS = 0.3
"""Least seconds between two attempts to register a camera."""


@dataclass(frozen=True, slots=True)
class FrameQuality:
    """What can be concluded from one picture.

    ``blind``: why nothing can be; None where something can. ``since``: when that began, seconds. ``hidden``: places that cannot
    be seen, while others can. ``resumed``: this is the first picture after some that were missing, or from which nothing could be
    concluded. ``sightings``: what the guard itself reports.
    """

    blind: Why | None = None
    since: float | None = None
    hidden: frozenset[int] = frozenset()
    resumed: bool = False
    sightings: tuple[Sighting, ...] = ()


class CameraGuard:
    """Guards one source. `step` takes its pictures in order of time.

    ``top``: the table in the first picture, ``image``. The attribute of that name says where it is in the latest one.
    """

    def __init__(self, top: TableMap, image: Image) -> None:
        self._first_top = top
        self._shape = image.shape
        self._anchor(image)
        self._clear_since: float | None = None
        self._familiar = False
        self._t: float | None = None
        self._intervals: deque[float] = deque(maxlen=9)
        self._same_since: float | None = None
        self._tried = self._checked = -math.inf
        self._blind: tuple[Why, float] | None = None
        self._quiet = False
        self._covered = self._covered_now = frozenset[int]()
        self._covered_since = 0.0
        self._skipped = False

    def _anchor(self, image: Image) -> None:
        """Take this picture as the reference, in which the table is where ``top`` says."""
        self.top = self._first_top
        self._first = self._latest = Reference(image, self.top.corners)
        self._latest_way = np.eye(3)
        self._eye = _eye(image)
        self._mask, self._obstruction = self._table(image)
        self._tremor, self._chosen = Tremor(self._eye), -math.inf
        self._light = self._brightness(self._eye)

    def step(self, t: float, image: Image) -> FrameQuality:
        """What can be concluded from the picture at ``t`` seconds, (H, W, 3) uint8 BGR."""
        last = t if self._t is None else self._t
        gap = len(self._intervals) > 2 and t - last > min(MAX_GAP_SECONDS, max(GAP_SECONDS, 3 * median(self._intervals)))
        self._intervals.append(t - last)
        said: list[Sighting] = [Unseen(last, t, None, "gap")] if gap and self._blind is None else []
        why, since = self._trouble(t, last, image, said)
        self._t = t
        resumed = gap or self._skipped
        self._skipped = True
        self._clear_since = None if why is not None else t if self._clear_since is None else self._clear_since
        self._familiar = self._familiar or (self._clear_since is not None and t - self._clear_since >= FAMILIAR_SECONDS)
        if why is not None:
            before, began = self._blind or (why, since)
            self._blind = (why if why != "blocked" else before), began
            return FrameQuality(*self._blind, sightings=tuple(said))
        if self._blind is not None:
            before, began = self._blind
            self._blind = None
            began = min(began, self._covered_since) if self._covered else began
            if t - began >= SPAN_SECONDS:
                moved = any(isinstance(sighting, CameraMoved) for sighting in said)
                said.insert(0, Unseen(began, t, None, "moved" if moved else before))
                self._covered = frozenset()  # this report covers them too
        hidden = self._covered_now if self._quiet else self._obstruction.step(t, image, self._eye)
        self._covered_now = hidden
        said += self._uncovered(t, hidden)
        if len(hidden) == len(self.top.places):
            return FrameQuality("blocked", self._covered_since, sightings=tuple(said))
        self._skipped = False
        return FrameQuality(None, None, hidden, resumed, tuple(said))

    def _trouble(self, t: float, last: float, image: Image, said: list[Sighting]) -> tuple[Why | None, float]:
        """Why nothing can be concluded from the picture, None where something can; and since when (seconds)."""
        if image.shape != self._shape:  # another resolution in mid-game, for which TABLE.json is not valid
            return "moved", last
        before, self._eye = self._eye, _eye(image)
        if not np.array_equal(before, self._eye):
            self._same_since = None
        elif self._same_since is None:
            self._same_since = last
        if self._same_since is not None and t - self._same_since >= FROZEN_SECONDS:
            return "frozen", self._same_since
        light = self._brightness(self._eye)
        dark = light < max(DARK_LEVEL, DARKER_SHARE * self._light)
        self._light += min(1.0, (t - last) / LIGHT_SECONDS) * (light - self._light)
        if dark:
            return "dark", last
        changed = float(cv2.mean(cv2.absdiff(before, self._eye))[0]) >= QUIET_LEVELS
        self._quiet = not changed and self._blind is None and t - self._checked < QUIET_SECONDS
        if self._quiet:
            return None, last
        self._checked = t
        return self._movement(t, image, before, said), last

    def _movement(self, t: float, image: Image, before: Grey, said: list[Sighting]) -> Why | None:
        """Why it is not known where the table is; None where it has not moved, or has been found again."""
        movement = self._tremor.movement(self._eye)
        if movement == "worn" and t - self._chosen > NEW_POINTS_SECONDS:
            self._tremor, self._chosen = Tremor(self._eye), t
        if movement in ("stands", "worn") or (movement == "unclear" and self._latest.unmoved(self._eye) >= UNMOVED_SHARE):
            return None
        (dx, dy), _ = cv2.phaseCorrelate(before.astype(np.float32), self._eye.astype(np.float32))
        if math.hypot(dx, dy) < CALM_PIXELS and t - self._tried >= TRY_SECONDS:
            self._tried = t
            moved = self._register(t, image)
            if moved is not None:
                said += moved
                return None
            if not self._familiar and self._blind is not None and t - self._blind[1] >= FAMILIAR_SECONDS:
                self._anchor(image)  # the first picture showed the dark, or the person who switched the camera on
                return None
        return "moved" if movement == "moved" else "blocked"

    def _register(self, t: float, image: Image) -> list[Sighting] | None:
        """Find the table again. Returns the sightings that report it; None where it cannot be found."""
        for reference, way in ((self._first, np.eye(3)), (self._latest, self._latest_way)):
            found = reference.register(image)
            if found is None:
                continue
            here = self._first_top.moved(found.homography @ way)
            shift = float(np.linalg.norm(here.corners - self.top.corners, axis=1).mean())
            self._tremor, self._chosen = Tremor(self._eye), t
            if shift <= MOVED_WIDTHS * image.shape[1]:
                return []
            self.top = here
            self._latest, self._latest_way = Reference(image, here.corners), found.homography @ way
            self._mask, self._obstruction = self._table(image)
            return [CameraMoved(t, shift)]
        return None

    def _table(self, image: Image) -> tuple[Grey, Obstruction]:
        """The mask of the table where it is now in the small picture, and a new watch over what gets in its way."""
        scale = self._eye.shape[1] / self._shape[1]
        mask = table_mask(self._eye.shape, self.top.corners * scale)
        return mask, Obstruction(image, self._eye, mask, self.top.to_pixels(self.top.places) * scale)

    def _brightness(self, eye: Grey) -> float:
        return float(cv2.mean(eye, self._mask)[0])

    def _uncovered(self, t: float, hidden: frozenset[int]) -> list[Sighting]:
        """Once nothing is in the way any more: the sighting that says which places could not be seen, and since when."""
        if hidden:
            if not self._covered:
                self._covered_since = t
            self._covered |= hidden
            return []
        covered, self._covered = self._covered, frozenset()
        if not covered or t - self._covered_since < SPAN_SECONDS:
            return []
        return [Unseen(self._covered_since, t, tuple(sorted(covered)), "blocked")]


def _eye(image: Image) -> Grey:
    """The picture made small, grey and a little blurred. Of large pictures not every pixel is read."""
    stride = max(1, image.shape[1] // (2 * FINE_WIDTH))
    size = -(-image.shape[1] // stride), -(-image.shape[0] // stride)
    return smooth(shrunk_grey(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_NEAREST), np.uint8), FINE_WIDTH)[0])

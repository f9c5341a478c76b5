"""Where a card lies on the table's plane, and what the picture shows there.

On the plane all cards of a deck have the same rectangle, so the place of a card has only three unknowns. That helps with a card
that is half covered, whose corners the detector has to guess.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.geometry import long_side_upright
from companion.eyes.plane import Plane
from companion.eyes.templates import BORDER_PIXELS, SIZE, Floats, Mask, evened

EDGE: Final = 2
"""Pixels by which what covers a card may reach further than its quad."""


@dataclass(frozen=True, slots=True)
class Pose:
    """The middle ``x``, ``y`` of a card on a plane, and how its short side is turned from the plane's x axis, radians."""

    x: float
    y: float
    turn: float

    def towards(self, other: Pose, share: float) -> Pose:
        """The pose at this ``share`` of the way to the ``other``: 0.5 is half way, 2 as far beyond it. As cards look the same
        upside down, it turns the shorter way."""
        turn = (other.turn - self.turn + math.pi / 2) % math.pi - math.pi / 2
        return Pose(self.x + share * (other.x - self.x), self.y + share * (other.y - self.y), self.turn + share * turn)


@dataclass(frozen=True, eq=False)
class CardView:
    """What ``image`` ((H, W, 3) uint8 BGR) shows of a card at ``pose`` on the ``plane``, at the scale of a deck's pictures
    (`templates.SIZE`), with ``border`` pixels of the table around the card."""

    image: NDArray[np.uint8]
    plane: Plane
    pose: Pose
    border: int = BORDER_PIXELS

    @staticmethod
    def of(image: NDArray[np.uint8], plane: Plane, quad: ArrayLike) -> CardView:
        """The view of the card whose rectangle on the plane is nearest to ``quad`` (4, 2), pixels, clockwise."""
        there = cv2.perspectiveTransform(np.asarray(quad, np.float64)[None], plane.homography)
        corners = long_side_upright(there)[0]  # in the picture the long side of a card seen at a flat angle may be the shorter
        x, y = corners.mean(axis=0)
        across = corners[1] - corners[0] + corners[2] - corners[3]
        down = corners[3] - corners[0] + corners[2] - corners[1]
        return CardView(image, plane, Pose(float(x), float(y), math.atan2(across[1] - down[0], across[0] + down[1])))

    def moved(self, right: float, down: float, turn: float, border: int = BORDER_PIXELS) -> CardView:
        """The view of a card that lies ``right`` and ``down`` of this one (pixels of this view), turned by ``turn`` more
        radians."""
        across, along = self._axes
        x, y = np.array([self.pose.x, self.pose.y]) + right * across + down * along
        return CardView(self.image, self.plane, Pose(float(x), float(y), self.pose.turn + turn), border)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the view, pixels."""
        return SIZE[0] + 2 * self.border, SIZE[1] + 2 * self.border

    @cached_property
    def picture(self) -> Floats:
        """The view as a picture, (height, width, 3)."""
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        there = cv2.warpPerspective(self.image, self._to_image, self.size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return evened(np.asarray(there, np.uint8))

    @cached_property
    def quad(self) -> NDArray[np.float64]:
        """The card's corners, (4, 2) pixels of the image, clockwise from its printed top left or bottom right corner."""
        low, (right, bottom) = self.border - 0.5, (self.border + length - 0.5 for length in SIZE)
        corners = np.array([[[low, low], [right, low], [right, bottom], [low, bottom]]])
        return np.asarray(cv2.perspectiveTransform(corners, self._to_image)[0])

    def shows(self, covers: Iterable[CardView]) -> Mask:
        """The pixels of this view that none of the other cards covers: 1, the others 0."""
        mask = np.ones(self.size[::-1], np.uint8)
        for cover in covers:
            there = cv2.perspectiveTransform(cover.quad[None], self._from_image)[0]
            hidden = cv2.fillConvexPoly(np.zeros_like(mask), np.round(there).astype(np.int32), 1)
            mask &= 1 - cv2.dilate(hidden, np.ones((2 * EDGE + 1, 2 * EDGE + 1), np.uint8))
        return mask

    def share(self, shows: Mask) -> float:
        """The visible share of the card itself, 0..1."""
        return float(shows[self.border : -self.border, self.border : -self.border].mean())

    @cached_property
    def _axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """One pixel of the view to the right, and one down, as vectors (2,) on the plane."""
        width, length = np.exp(self.plane.sides)
        cos, sin = math.cos(self.pose.turn), math.sin(self.pose.turn)
        return np.array([cos, sin]) * width / SIZE[0], np.array([-sin, cos]) * length / SIZE[1]

    @cached_property
    def _to_image(self) -> NDArray[np.float64]:
        across, along = self._axes
        middle = (self.size[0] - 1) / 2, (self.size[1] - 1) / 2
        origin = np.array([self.pose.x, self.pose.y]) - middle[0] * across - middle[1] * along
        flat = np.array([[across[0], along[0], origin[0]], [across[1], along[1], origin[1]], [0, 0, 1]])
        return np.asarray(np.linalg.inv(self.plane.homography) @ flat)

    @cached_property
    def _from_image(self) -> NDArray[np.float64]:
        return np.asarray(np.linalg.inv(self._to_image))


def between(one: CardView, other: CardView, share: float) -> CardView:
    """The view of a card at this ``share`` of the way from one to the other, as of `Pose.towards`."""
    return replace(one, pose=one.pose.towards(other.pose, share))

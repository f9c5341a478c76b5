"""Where the table is after the camera was knocked: the motion of its plane between two pictures, if one can be trusted.

Two pictures of a plane are related by a homography (Hartley and Zisserman, Multiple View Geometry, 13). First guesses come from
ORB features on the table (Rublee et al. 2011; MAGSAC++, Barath et al. 2020) and from the phase correlation of the whole picture.
The best is refined on the grey values themselves (Evangelidis and Psarakis 2008, ECC), which also uses the rim and cards on the
table where the cloth has no texture. Whether to trust the result is decided independently, by how many parts of the table look
alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.image import Image

Floats = NDArray[np.float64]
Grey = NDArray[np.uint8]

WIDTH = 640
"""Width in pixels of the pictures in which features are looked for."""
FINE_WIDTH = 320
"""Width in pixels of the pictures in which guesses are refined."""
RIM_SHARE = 0.02
"""Share of the picture's width: a rim this wide around the table top counts as table, as it is often all the texture there is."""
TILES = (16, 9)
"""Number of parts of a picture, across and down, that are compared one by one."""
MIN_TEXTURE_LEVELS = 2.5
"""Standard deviation in grey levels from which on a tile has enough texture to be compared."""
MIN_TILE_CORRELATION = 0.7
"""Correlation coefficient of a tile from which on it looks the same in both pictures."""
MIN_REFINED_SHARE = 0.15
"""Least share of the table that looks the same after a first guess, for the guess to be refined."""
MIN_TILES, MIN_TILES_SHARE = 6, 0.55
"""Number of textured tiles of the table, and the share of them, that must look the same after a motion for it to be trusted."""
MAX_KNOCK_SHARE = 0.25
"""Share of the picture's width: if a corner of the table has moved further, it was not a knock, and the camera has been moved."""
MAX_KNOCK_FACTOR = 1.35
"""Greatest factor in length by which a knock makes the table larger or smaller."""


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """How the table lies in a later picture.

    ``homography``: (3, 3), from pixels of the earlier picture to pixels of the later one, both at full size. ``moved``: mean
    displacement of the table's corners, pixels. ``alike``: share 0..1 of the table's textured tiles that look the same after this
    motion.
    """

    homography: Floats
    moved: float
    alike: float


class Reference:
    """A picture to compare later ones with. ``image``: (H, W, 3) uint8 BGR; ``corners``: the table top's, (4, 2) pixels,
    clockwise."""

    def __init__(self, image: Image, corners: Floats) -> None:
        self.size = image.shape[1], image.shape[0]
        self.corners = np.asarray(corners, np.float64)
        self.grey, self._scale = shrunk_grey(image, WIDTH)
        self.mask = table_mask(self.grey.shape, self.corners * self._scale)
        self._fine = smooth(self.grey)
        self._fine_mask = np.asarray(cv2.resize(self.mask, self._fine.shape[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)
        self._tiles = textured_tiles(self._fine, self._fine_mask)
        self._orb = cv2.ORB.create(nfeatures=1200, fastThreshold=7)
        self._points, self._descriptors = self._orb.detectAndCompute(self.grey, self.mask)

    def register(self, image: Image) -> Registration | None:
        """Where the table is in ``image``, a picture of the same size; None where no motion can be trusted.

        Raises:
            ValueError: the picture has another size.
        """
        if (image.shape[1], image.shape[0]) != self.size:
            raise ValueError(f"picture of {image.shape[1]} x {image.shape[0]}, expected {self.size[0]} x {self.size[1]}")
        grey, _ = shrunk_grey(image, WIDTH)
        fine = smooth(grey)
        to_fine = fine.shape[1] / self.size[0]
        guesses = (self._likeness(guess, fine) for guess in self._guesses(grey, fine) if self._is_knock(guess, to_fine))
        best = max(guesses, key=lambda likeness: likeness.score)
        if best.share < MIN_REFINED_SHARE:
            return None
        # Twice: the second time only on what surely lies still, as hands and moved cards bias a motion a little.
        for mask in (self._fine_mask, None):
            found = self._refined(best.homography, fine, self._still(best) if mask is None else mask)
            if found is not None and self._is_knock(found, to_fine):
                best = max(best, self._likeness(found, fine), key=lambda likeness: likeness.score)
        if best.share < MIN_TILES_SHARE or best.alike.sum() < MIN_TILES:
            return None
        homography = _scaled(best.homography, 1 / to_fine)
        moved = float(np.linalg.norm(mapped(homography, self.corners) - self.corners, axis=1).mean())
        return Registration(homography, moved, best.share)

    def unmoved(self, eye: Grey) -> float:
        """The share 0..1 of the table's textured tiles that look the same at the same place in ``eye``, a `smooth` picture."""
        return self._likeness(np.eye(3), eye).share

    def _guesses(self, grey: Grey, fine: Grey) -> list[Floats]:
        """Motions in pixels of the fine pictures: none, a shift of the whole picture, and the one that the table's features
        imply."""
        found = [np.eye(3)]
        (dx, dy), _ = cv2.phaseCorrelate(self._fine.astype(np.float32), fine.astype(np.float32))
        found.append(np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]], np.float64))
        points, descriptors = self._orb.detectAndCompute(grey, None)
        if self._descriptors is None or descriptors is None or min(len(self._points), len(points)) < 8:
            return found
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(self._descriptors, descriptors, 2)
        good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.8 * pair[1].distance]
        if len(good) < 8:
            return found
        before = np.array([self._points[match.queryIdx].pt for match in good])
        after = np.array([points[match.trainIdx].pt for match in good])
        homography, _ = cv2.findHomography(before, after, cv2.USAC_MAGSAC, 1.5, maxIters=2000, confidence=0.999)
        if homography is not None:
            found.append(_scaled(np.asarray(homography, np.float64), fine.shape[1] / grey.shape[1]))
        return found

    def _refined(self, guess: Floats, fine: Grey, mask: Grey) -> Floats | None:
        """The guess, refined until the grey values under ``mask`` agree best; None where that does not converge."""
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)
        try:
            # The mask belongs to the second picture, so the reference is given as that one, and the inverse motion comes out.
            _, back = cv2.findTransformECC(
                fine, self._fine, np.linalg.inv(guess).astype(np.float32), cv2.MOTION_HOMOGRAPHY, stop, mask, 5
            )
            return np.asarray(np.linalg.inv(np.asarray(back, np.float64)), np.float64)
        except (cv2.error, np.linalg.LinAlgError):  # nothing in common, or no motion left to follow
            return None

    def _is_knock(self, motion: Floats, to_fine: float) -> bool:
        """Whether a knock of the camera can have caused this ``motion``, in pixels of the fine pictures."""
        homography = _scaled(motion, 1 / to_fine)
        if not np.all(np.isfinite(homography)):
            return False
        depths = self.corners @ homography[2, :2] + homography[2, 2]
        if depths.min() <= 0.2 * depths.max():
            return False
        corners = mapped(homography, self.corners)
        if not cv2.isContourConvex(corners.astype(np.float32)):
            return False
        if np.linalg.norm(corners - self.corners, axis=1).max() > MAX_KNOCK_SHARE * self.size[0]:
            return False
        growth = cv2.contourArea(corners.astype(np.float32)) / cv2.contourArea(self.corners.astype(np.float32))
        return bool(MAX_KNOCK_FACTOR**-2 < growth < MAX_KNOCK_FACTOR**2)

    def _likeness(self, homography: Floats, fine: Grey) -> _Likeness:
        """How alike the table's textured tiles look once the motion to the picture ``fine`` is undone."""
        size = (fine.shape[1], fine.shape[0])
        back = cv2.warpPerspective(fine, homography, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        inside = cv2.warpPerspective(np.full_like(fine, 255), homography, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
        # Parts of the table that have left the picture say nothing.
        tiles = [tile for tile in self._tiles if int(inside[tile].min()) > 0]
        values = np.array([correlation(self._fine[tile], np.asarray(back[tile], np.uint8)) for tile in tiles])
        return _Likeness(homography, tiles, values)

    def _still(self, likeness: _Likeness) -> Grey:
        """The part of the reference's mask that looks the same in both pictures."""
        mask = np.zeros_like(self._fine_mask)
        for tile, alike in zip(likeness.tiles, likeness.alike, strict=True):
            if alike:
                mask[tile] = self._fine_mask[tile]
        return mask


Tile = tuple[slice, slice]


@dataclass(frozen=True, slots=True, eq=False)
class _Likeness:
    """``values``: correlation coefficient of each of ``tiles`` after the motion ``homography`` (of the fine pictures)."""

    homography: Floats
    tiles: list[Tile]
    values: Floats

    @property
    def alike(self) -> NDArray[np.bool_]:
        return self.values >= MIN_TILE_CORRELATION

    @property
    def share(self) -> float:
        return float(self.alike.mean()) if len(self.values) else 0.0

    @property
    def score(self) -> float:
        return float(np.clip(self.values, 0, 1).mean()) if len(self.values) else 0.0


def textured_tiles(fine: Grey, mask: Grey) -> list[Tile]:
    """The tiles of the table that have texture."""
    across, down = TILES
    height, width = fine.shape
    found = []
    for row in range(down):
        for column in range(across):
            rows = slice(row * height // down, (row + 1) * height // down)
            tile = rows, slice(column * width // across, (column + 1) * width // across)
            if float(mask[tile].mean()) > 127 and float(fine[tile].std()) > MIN_TEXTURE_LEVELS:
                found.append(tile)
    return found


def correlation(one: Grey, other: Grey) -> float:
    """Correlation coefficient, -1..1, of two patches of the same size; 0 where one of them is flat."""
    a, b = one.astype(np.float64) - one.mean(), other.astype(np.float64) - other.mean()
    power = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / power if power > 1e-6 else 0.0


def shrunk_grey(image: Image, width: int) -> tuple[Grey, float]:
    """The picture in grey, at most ``width`` px wide, and the factor by which it was shrunk."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, width / grey.shape[1])
    if scale < 1:
        grey = cv2.resize(grey, (width, round(grey.shape[0] * scale)), interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8), scale


def smooth(grey: Grey) -> Grey:
    """The picture at most `FINE_WIDTH` px wide and a little blurred, so that noise is not taken for texture."""
    scale = min(1.0, FINE_WIDTH / grey.shape[1])
    small = cv2.resize(grey, (round(grey.shape[1] * scale), round(grey.shape[0] * scale)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.uint8)


def table_mask(shape: tuple[int, ...], corners: Floats) -> Grey:
    """(H, W) uint8: 255 on the table and its `RIM_SHARE`; ``corners``: (4, 2) pixels."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    rim = 2 * round(RIM_SHARE * shape[1]) + 1
    return np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (rim, rim))), np.uint8)


def _scaled(homography: Floats, factor: float) -> Floats:
    """The same motion in pictures that are ``factor`` times as large."""
    larger, smaller = np.diag([factor, factor, 1.0]), np.diag([1 / factor, 1 / factor, 1.0])
    return np.asarray(larger @ homography @ smaller, np.float64)


def mapped(homography: Floats, points: Floats) -> Floats:
    """(N, 2) pixels mapped by a homography (3, 3)."""
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), homography), np.float64).reshape(-1, 2)

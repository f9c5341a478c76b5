"""The table's plane, by the cards that lie on it: cards of one game are equally large there, and their corners are right angles.

A quad that covers one half of each of two cards in a fan looks like a card to the networks. On the plane it is too wide.

One picture often has too few cards to tell their size there. So `KnownPlane` remembers all cards that were surely read, wherever
they lay, as long as the camera stands still.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.sighting import CardSeen

Floats = NDArray[np.float64]

MIN_CARDS = 4
"""Least number of cards from which their plane is found."""
SPREAD = 0.06
"""Standard deviation of true cards' sides from the usual ones (natural logarithms), and of the cosine of their corners: the
networks' corners are no more exact."""
USUAL_TILT = np.array([0.0, 0.5, -0.15, 0.0])
"""The plane before any card is known, as of `Plane.tilt`: a camera before a table, looking down. Medians of drawn tables."""
USUAL_TILT_SPREAD = np.array([0.15, 0.5, 0.25, 0.1])
SEVERAL_WIDTHS = (1.25, 3.3)
"""Least and greatest width, in card widths, of a quad that holds two or three cards."""
MAX_LENGTH_LOG = 0.2
"""Natural logarithm: greatest ratio of the other side of such a quad to a card's length."""
PART_SHARES = (0.3, 0.88)
"""Least and greatest share of a card's width, or of its length, of a quad that holds only a part of a card."""
UNKNOWN_MISFIT = 1.4
"""The misfit (`Plane.misfit`) that is assumed where no plane is known: its mean over the detector's proposals."""

_STEPS = 12
_STEP = 1e-4
_LONGEST = 0.3
_DAMPING = 1e-3
_SETTLED = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The map from a picture of ``size`` (width, height; pixels) to the plane, up to its scale, and the size of cards there.

    ``tilt`` (4,): the vanishing line's x and y, the logarithm of how much x is stretched against y, and the shear; of points
    whose origin is the picture's middle and whose unit its width. ``sides`` (2,): logarithms of a card's width and length on the
    plane; ``others`` (n, 2): those of cards of other sizes that lie there, too, such as pedine.
    """

    size: tuple[int, int]
    tilt: Floats
    sides: Floats
    others: Floats = field(default_factory=lambda: np.zeros((0, 2)))

    @staticmethod
    def through(
        quads: ArrayLike, weights: Sequence[float], size: tuple[int, int], least: int = MIN_CARDS
    ) -> Plane | None:
        """The plane on which cards with these ``quads`` (n, 4, 2), pixels, are most alike; None with fewer than ``least``.

        ``weights`` (n,): how sure each is, 0 to 1. Fitted by iteratively reweighted least squares with Cauchy's weights, so that
        cards in a hand, and quads that are no cards, do not bend the plane.
        """
        points = _centred(quads, size)
        if len(points) < least:
            return None
        sure = np.tile(np.asarray(weights, np.float64), 3)
        width, length, _ = _measured(points, USUAL_TILT[None])[0]
        found = np.concatenate([USUAL_TILT, [np.median(width), np.median(length)]])
        trials = np.concatenate([np.zeros((1, 6)), _STEP * np.eye(6)])
        for _ in range(_STEPS):
            off = _off(points, found + trials)
            here, slopes = off[0], ((off[1:] - off[0]) / _STEP).T
            weight = sure / (1 + (here / 2) ** 2)
            hessian = slopes.T @ (weight[:, None] * slopes) + _DAMPING * np.eye(6)
            gradient = slopes.T @ (weight * here)
            hessian[:4, :4] += np.diag(USUAL_TILT_SPREAD**-2)
            gradient[:4] += (found[:4] - USUAL_TILT) / USUAL_TILT_SPREAD**2
            step = np.clip(np.linalg.solve(hessian, gradient), -_LONGEST, _LONGEST)
            found = found - step
            if np.abs(step).max() < _SETTLED:
                break
        return Plane(size, found[:4], found[4:])

    @property
    def homography(self) -> Floats:
        """From pixels of the picture to the plane, (3, 3)."""
        (width, height), (bend_x, bend_y, stretch, shear) = self.size, self.tilt
        centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, width]]) / width
        return np.asarray(np.array([[np.exp(stretch), shear, 0], [0, 1, 0], [bend_x, bend_y, 1]]) @ centred)

    def misfit(self, quads: ArrayLike) -> Floats:
        """How unlike a card on the plane each of ``quads`` (n, 4, 2), pixels, is, (n,): the logarithm of one and the squared
        differences in width, length and angle, in `SPREAD`; about 1 for a true card, 3 and more for what is none."""
        sizes = np.concatenate([self.sides[None], self.others])
        planes = np.concatenate([np.tile(self.tilt, (len(sizes), 1)), sizes], axis=1)
        off = _off(_centred(quads, self.size), planes).reshape(len(sizes), 3, -1)
        return np.asarray(np.log1p((off**2).sum(axis=1)).min(axis=0))

    def sizes(self, quads: ArrayLike) -> Floats:
        """The logarithms of width and length, on the plane, of cards at ``quads`` (n, 4, 2), pixels: (n, 2)."""
        return np.asarray(_measured(_centred(quads, self.size), self.tilt[None])[0, :2].T)

    def side_by_side(self, quad: ArrayLike) -> Floats:
        """The quads (n, 4, 2), pixels, of the cards of this plane's size that ``quad`` (4, 2), pixels, may hold side by side: one
        at each end and, if there are three, one between them. n is 0 where neither side of the quad matches a card's, or the quad
        is not larger than a card the other way."""
        corners = cv2.perspectiveTransform(np.asarray(quad, np.float64).reshape(1, 4, 2), self.homography)[0]
        width, length = np.exp(self.sides)
        found: list[Floats] = []
        for turned in (corners, np.roll(corners, -1, axis=0)):
            near, far = turned[[0, 3]], turned[[1, 2]]
            across = (far - near).mean(axis=0)
            widths = float(np.linalg.norm(across) / width)
            along = float(np.linalg.norm((near[1] - near[0] + far[1] - far[0]) / 2))
            if SEVERAL_WIDTHS[0] <= widths <= SEVERAL_WIDTHS[1] and abs(np.log(along / length)) <= MAX_LENGTH_LOG:
                step = across / widths
                starts = np.linspace(0, 1, max(2, round(widths)))[:, None, None] * (far - step - near) + near
                found += [np.array([start[0], start[0] + step, start[1] + step, start[1]]) for start in starts]
        return self._in_picture(found)

    def completed(self, quad: ArrayLike) -> Floats:
        """The whole cards of this plane's size whose visible part may be ``quad`` (4, 2), pixels: extended at one end or at the
        other, each with the part that was added, (n, 2, 4, 2) pixels. n is 0 where neither side of the quad matches a card's, or
        the quad is not shorter than a card the other way."""
        corners = cv2.perspectiveTransform(np.asarray(quad, np.float64).reshape(1, 4, 2), self.homography)[0]
        sides = np.exp(self.sides)
        found: list[Floats] = []
        for turned in (corners, np.roll(corners, -1, axis=0)):
            near, far = turned[[0, 3]], turned[[1, 2]]
            across = (far - near).mean(axis=0)
            along = float(np.linalg.norm((near[1] - near[0] + far[1] - far[0]) / 2))
            for other, whole in (sides, sides[::-1]):
                share = float(np.linalg.norm(across) / other)
                if PART_SHARES[0] <= share <= PART_SHARES[1] and abs(np.log(along / whole)) <= MAX_LENGTH_LOG:
                    for one, end, more in ((near, far, across * (1 / share - 1)), (far, near, across * (1 - 1 / share))):
                        found += [np.array([one[0], (end + more)[0], (end + more)[1], one[1]]),
                                  np.array([end[0], (end + more)[0], (end + more)[1], end[1]])]  # fmt: skip
        return self._in_picture(found).reshape(-1, 2, 4, 2)

    def _in_picture(self, quads: Sequence[Floats]) -> Floats:
        """Quads (4, 2) on the plane, as quads (n, 4, 2) in the picture, pixels."""
        back = np.linalg.inv(self.homography)
        points = np.array(quads, np.float64).reshape(1, -1, 2)
        return np.asarray(cv2.perspectiveTransform(points, back) if len(quads) else points, np.float64).reshape(-1, 4, 2)


def _centred(quads: ArrayLike, size: tuple[int, int]) -> Floats:
    """Quads (n, 4, 2) with their origin in the picture's middle and its width as the unit."""
    return np.asarray((np.asarray(quads, np.float64).reshape(-1, 4, 2) - np.array(size) / 2) / size[0])


def _off(points: Floats, planes: Floats) -> Floats:
    """The deviations (k, 3 n) of quads (n, 4, 2) from a card on each of the ``planes`` (k, 6: tilt and sides), in units of
    `SPREAD`."""
    measured = _measured(points, planes[:, :4])
    measured[:, :2] -= planes[:, 4:, None]
    return np.asarray(measured.reshape(len(planes), -1) / SPREAD)


def _measured(points: Floats, tilts: Floats) -> Floats:
    """The logarithms of width and length of quads (n, 4, 2), and the cosine of their angle, under tilts (k, 4): (k, 3, n)."""
    x, y = points[..., 0], points[..., 1]
    bend_x, bend_y, stretch, shear = (tilts[:, i, None, None] for i in range(4))
    depth = np.maximum(1 + bend_x * x + bend_y * y, 0.05)
    plane = np.stack([(np.exp(stretch) * x + shear * y) / depth, y / depth], axis=-1)
    one = (plane[:, :, 1] - plane[:, :, 0] + plane[:, :, 2] - plane[:, :, 3]) / 2
    other = (plane[:, :, 3] - plane[:, :, 0] + plane[:, :, 2] - plane[:, :, 1]) / 2
    lengths = np.stack([np.linalg.norm(one, axis=-1), np.linalg.norm(other, axis=-1)]) + 1e-9
    angle = (one * other).sum(axis=-1) / lengths.prod(axis=0)
    return np.stack([np.log(lengths.min(axis=0)), np.log(lengths.max(axis=0)), angle], axis=1)


Quad = NDArray[np.float64]
"""(4, 2) float64, pixels."""
STRANGE = "unknown"
"""The deck of cards that are of none of the game's."""
MIN_SCORE = 0.8
"""Least score of a card from which the plane is learnt."""
MAX_CARDS, MIN_KNOWN_CARDS = 40, 6
"""Number of a deck's cards that are remembered at most, and that must be known before the plane is."""
SAME_PLACE_PIXELS = 3.0
"""Pixels by which the corners of a card that lies still differ from look to look, at most."""
STANDS_PIXELS = 2.0
"""Pixels by which the table's corners are found elsewhere while the camera stands still, at most."""


class KnownPlane:
    """The plane of one source, learnt while its camera stands still; light and sharpness may change.

    The deck with most named faces gives the plane; cards of other decks, such as pedine, only their own size.
    """

    def __init__(self) -> None:
        self._named: dict[str, deque[Quad]] = defaultdict(_few)
        self._nameless: dict[str, deque[Quad]] = defaultdict(_few)
        self._plane: Plane | None = None
        self._deck = ""
        """The deck that says where the plane is."""
        self._top: NDArray[np.float64] | None = None

    def moved(self, top: NDArray[np.float64] | None) -> bool:
        """Whether the camera has moved, judged by the table's corners in the next picture, ``top`` (4, 2), pixels, None: not
        known. If it has, all that was learnt is forgotten."""
        before, self._top = self._top, self._top if top is None else np.array(top)
        if top is None or before is None or np.abs(top - before).max() <= STANDS_PIXELS:
            return False
        self._named.clear()
        self._nameless.clear()
        self._plane = None
        return True

    def learn(self, cards: Iterable[CardSeen]) -> None:
        """Learn from cards that were seen on the table."""
        for card in cards:
            if card.score < MIN_SCORE or card.deck == STRANGE:
                continue
            known = (self._named if card.card is not None else self._nameless)[card.deck]
            quad = np.array(card.quad)
            if not any(np.abs(quad - one).max() < SAME_PLACE_PIXELS for one in known):
                known.append(quad)
                if card.card is not None or card.deck != self._deck:  # its own backs, on their way, say nothing
                    self._plane = None

    def of(self, size: tuple[int, int]) -> Plane | None:
        """The plane in pictures of a ``size`` (width, height; pixels); None where too few cards are known."""
        if self._plane is None and self._named:
            self._deck, cards = max(self._named.items(), key=lambda one: len(one[1]))
            plane = Plane.through(list(cards), [1.0] * len(cards), size) if len(cards) >= MIN_KNOWN_CARDS else None
            self._plane = plane and replace(plane, others=self._sizes(plane))
        return self._plane

    def _sizes(self, plane: Plane) -> NDArray[np.float64]:
        """The sizes (n, 2) of cards of other decks, as `Plane.others`."""
        others = [list(cards) for name, cards in self._nameless.items() if name != self._deck and len(cards) >= MIN_KNOWN_CARDS]
        return np.array([np.median(plane.sizes(cards), axis=0) for cards in others]).reshape(-1, 2)


def _few() -> deque[Quad]:
    return deque(maxlen=MAX_CARDS)

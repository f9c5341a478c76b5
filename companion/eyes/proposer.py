"""The first network: proposes quads where a card may lie. ONNX Runtime, no torch.

For each of its anchors it gives the probabilities of the sides, and the corners named in two ways (see
`companion.eyes.geometry.compass_order`). Its input may have any size in multiples of 32; larger ones cost more.

`comfortable_width` chooses the size of its input, at which cards have the length that the network finds best.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.detection import CLASSES, MAX_FAN_IOU, Detection, settle
from companion.eyes.geometry import card_length, is_convex, pick_compass
from companion.eyes.modelfile import metadata, open_session
from companion.table.errors import BadModel

LENGTHS = (11.0, 260.0)
"""Range of card lengths, in pixels of the input, that the network was trained on; detections beyond it are dropped."""

_PAD = 114
_STRIDE = 32


class Proposer:
    """The first network. It proposes quads where a card may lie, with raw probabilities as scores."""

    def __init__(self, model: Path, threads: int = 1) -> None:
        """Raises `BadModel`: the file cannot be loaded or is not a detector."""
        self._session = open_session(model, threads)
        if self._session.get_outputs()[0].shape[1] != len(CLASSES) + 16:
            raise BadModel(f"{model}: an ONNX model, but not a card detector: expected one made by companion train detector")
        self._input = self._session.get_inputs()[0].name
        self.notes = metadata(self._session)

    def propose(self, image: NDArray[np.uint8], width: int, least: float) -> list[Detection]:
        """Possible cards in ``image`` ((H, W, 3) uint8 BGR) with a raw probability of ``least`` or more, best first.

        ``width``: the input's longer side in pixels; the picture is scaled to it, up or down.
        """
        blob, scale = fit(image, width)
        (output,) = self._session.run(None, {self._input: blob})
        return settle(decode(np.asarray(output[0]), scale, least), MAX_FAN_IOU)


def fit(image: NDArray[np.uint8], width: int) -> tuple[NDArray[np.float32], float]:
    """The network's input (1, 3, h, w) float32 BGR 0..1, with h and w multiples of 32, and the scale from picture to input.

    The picture is in the input's top left corner; grey fills the rest.
    """
    scale = width / max(image.shape[:2])
    size = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    resized = image if scale == 1 else cv2.resize(image, size, interpolation=interpolation)
    height, limits = (-(-resized.shape[i] // _STRIDE) * _STRIDE for i in (0, 1))
    canvas = np.full((height, limits, 3), _PAD, dtype=np.uint8)
    canvas[: resized.shape[0], : resized.shape[1]] = resized
    return np.asarray(cv2.dnn.blobFromImage(canvas, 1 / 255), np.float32), scale  # in C++: a hot path


def decode(output: NDArray[np.float32], scale: float, floor: float) -> list[Detection]:
    """Detections, before suppression, in the network's output (5 + 16, anchors), with a raw probability of ``floor`` or more.

    ``scale``: from picture to input; the quads are in pixels of the picture.
    """
    probabilities = output[: len(CLASSES)]
    kinds = probabilities.argmax(axis=0)
    raw = probabilities.max(axis=0).astype(np.float64)
    chosen = np.flatnonzero(raw >= floor)
    if len(chosen) > 1500:  # even a picture full of cards has fewer; this bounds the time in the worst case
        chosen = chosen[np.argsort(-raw[chosen])[:1500]]
    points = output[len(CLASSES) :, chosen].T.reshape(-1, 8, 2)
    quads, agreement = pick_compass(points)
    length = card_length(quads)
    sound = is_convex(quads) & (length >= LENGTHS[0]) & (length <= LENGTHS[1]) & (agreement > 0.3)
    pictured = (quads[sound] + 0.5) / scale - 0.5
    return [
        Detection(quad, int(kind), float(p), float(p))
        for quad, kind, p in zip(pictured, kinds[chosen][sound], raw[chosen][sound], strict=True)
    ]


VIDEO_WIDTH = 640
"""Default input width in pixels: a Stù card 30 px long in a picture 1280 px wide is 15 px long there."""

COMFORTABLE_PIXELS = 48.0
"""Card length, in pixels of the input, that the network finds well; larger inputs cost time and find hardly more."""

VIDEO_WIDTHS, VIDEO_STEP = (640, 1280), 64
"""The least and the greatest input width in pixels for a picture of a running game, and the step in which it changes."""

STILL_WIDTHS = (320, 640, 1280, 1920)
"""Input widths for single pictures, where time matters less than finding cards that are far off or very near."""

LENGTH_BAND = (48.0, 190.0)
"""Where one picture is looked at in several input sizes, each is used for cards of these lengths in pixels of its own input; the
smallest also for longer ones, the largest also for shorter ones. So no part of a near card is taken for a card farther off."""

MIN_CLOSER_FACTOR = 1.25
"""Least factor by which a closer look's input must be larger than the largest one so far, to be worth its time."""


def comfortable_width(lengths: Iterable[float], available: int) -> int:
    """The input width in pixels for a picture with a longer side of ``available`` pixels and cards of these ``lengths`` (pixels).

    It makes the median card `COMFORTABLE_PIXELS` long. Where no card is known it is the picture's own width.
    """
    known, (least, greatest) = list(lengths), VIDEO_WIDTHS
    if not known:
        return min(greatest, max(least, available))
    wanted = available * COMFORTABLE_PIXELS / median(known)
    return int(min(greatest, max(least, -(-wanted // VIDEO_STEP) * VIDEO_STEP)))


def answers(length: float, width: int, widths: Sequence[int]) -> bool:
    """Whether this one of several input ``widths``, smallest first, is used for a card that is ``length`` pixels long in it."""
    return (width == widths[-1] or length >= LENGTH_BAND[0]) and (width == widths[0] or length <= LENGTH_BAND[1])

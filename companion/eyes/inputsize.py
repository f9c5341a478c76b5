"""The size of the detector's input: the one at which cards have the length that the network finds best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

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

    It makes the median card `COMFORTABLE_PIXELS`. Where no card is known it is the picture's own width.
    """
    known, (least, greatest) = list(lengths), VIDEO_WIDTHS
    if not known:
        return min(greatest, max(least, available))
    wanted = available * COMFORTABLE_PIXELS / median(known)
    return int(min(greatest, max(least, -(-wanted // VIDEO_STEP) * VIDEO_STEP)))


def answers(length: float, width: int, widths: Sequence[int]) -> bool:
    """Whether of several input ``widths``, smallest first, this one is used for a card ``length`` pixels long in its input."""
    return (width == widths[-1] or length >= LENGTH_BAND[0]) and (width == widths[0] or length <= LENGTH_BAND[1])

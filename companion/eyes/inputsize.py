"""How large a picture is shown to the detector: so that its cards have the length that the network finds best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

VIDEO_WIDTH = 640
"""Input width in pixels where nothing else is asked for: a Stù card of 30 px in a 1280 px picture is 15 px there."""

COMFORTABLE = 48.0
"""Card length in pixels of the input that the network finds well; larger inputs cost time and find hardly more."""

VIDEO_WIDTHS, VIDEO_STEP = (640, 1280), 64
"""The least and the greatest input width in pixels for a picture of a running game, and by how many pixels it changes."""

STILL_WIDTHS = (320, 640, 1280, 1920)
"""Input widths for single pictures, where time matters less than cards far off or quite near."""

BAND = (48.0, 190.0)
"""Where several input sizes look at one picture, each answers for cards of these lengths in pixels of its own input; the
smallest also for longer ones, the largest also for shorter ones. So no part of a near card is taken for a card farther off."""

CLOSER = 1.25
"""A closer look at a single picture is worth while from this many times the largest input size on."""


def comfortable_width(lengths: Iterable[float], available: int) -> int:
    """The input width in pixels for a picture whose longer side has ``available`` pixels and whose cards are so long (pixels).

    The median card is to be `COMFORTABLE` there. Where no card is known it is the picture's own width.
    """
    known, (least, greatest) = list(lengths), VIDEO_WIDTHS
    if not known:
        return min(greatest, max(least, available))
    wanted = available * COMFORTABLE / median(known)
    return int(min(greatest, max(least, -(-wanted // VIDEO_STEP) * VIDEO_STEP)))


def answers(length: float, width: int, widths: Sequence[int]) -> bool:
    """Whether of several input ``widths``, smallest first, this one answers for a card of ``length`` pixels of its own input."""
    return (width == widths[-1] or length >= BAND[0]) and (width == widths[0] or length <= BAND[1])

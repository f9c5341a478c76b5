"""How wide the networks are that ship; without torch, so that the commands can say it."""

from __future__ import annotations

from typing import Final

DETECTOR: Final = 0.25
"""The detector's channels, as a share of YOLO11's."""
REFINER: Final = 1.4
"""The refiner's channels, as a multiple of the first one's that shipped (`refinement.CHANNELS`)."""

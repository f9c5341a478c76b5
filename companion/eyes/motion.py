"""What moves from one look to the next: hands above all, with or without a card in them."""

from __future__ import annotations

from companion.eyes.change import Floats, Mask, Memory, compare, remember


class MotionDetector:
    """Watches the pictures of one source. Other than the gaze, which remembers what it looked at, it forgets at once."""

    def __init__(self) -> None:
        self._before: Memory | None = None

    def step(self, grey: Floats) -> Mask | None:
        """The cells (rows, columns) of a picture that differ from the one before, as `change.compare` counts them; ``grey``: what
        `change.shrink` made of it. None where nothing can be said: no picture before it, another camera, another light."""
        before = self._before
        if before is None or before.grey.shape != grey.shape:
            self._before = remember(grey)
            return None
        change = compare(before, grey)
        self._before = Memory(grey, change.memory.noise)
        return None if change.everywhere else change.cells

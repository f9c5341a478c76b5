"""What moves from one look to the next: mostly hands, with or without a card."""

from __future__ import annotations

from companion.eyes.change import Floats, Mask, Memory, compare, remember


class MotionDetector:
    """Compares each picture of a source with the one before. The incremental, in contrast, compares with what it last looked
    at."""

    def __init__(self) -> None:
        self._before: Memory | None = None

    def step(self, grey: Floats) -> Mask | None:
        """The cells (rows, columns) of a picture that differ from the one before, by `change.compare`; ``grey``: the small
        picture that `change.shrink` made of it. None where that is not known: there was none before, or camera or light have
        changed."""
        before = self._before
        if before is None or before.grey.shape != grey.shape:
            self._before = remember(grey)
            return None
        change = compare(before, grey)
        self._before = Memory(grey, change.memory.noise)
        return None if change.everywhere else change.cells

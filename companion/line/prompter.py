"""Words that were written down beforehand, told to an evening at their time, as somebody with the phone in hand would.

For clips of games in which words and amounts cannot be seen: the demo, and the workshop's measurements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from companion.referee import Evening
from companion.referee.corrections import Correction, belated, correct
from companion.table.errors import Illegal
from companion.table.log import Line

WAIT_SECONDS = 3.0
"""Seconds for which a person with the phone waits for the eyes to see what must come before a line; then they say that, too."""
RETRY_SECONDS = 10.0
"""Seconds for which a line that does not fit what has been seen is tried again; then it is left out."""

Tell = Callable[[Evening, Line], Evening]
"""The evening with one more line; the very same one where the line does not fit."""


def with_line(evening: Evening, line: Line) -> Evening:
    """The evening with this line where it belongs by its time: before what came later and was seen already, else after all that
    is known of the hand; or of the hand before, where that ended first. Where it fits nowhere the evening stays as it is."""
    current, t = evening.current, line.t or 0.0
    places = {sum(one.t is not None and one.t <= t for one in current.lines), len(current.lines)}
    for at in sorted(places):
        with suppress(Illegal):
            return correct(evening, Correction(current.id, at, at, (line.event,), t=t))
    return belated(evening, (line.event,), t) or evening


class Prompter:
    """Tells ``lines`` in their order, each ``thumb`` seconds after its time ``t`` (seconds of the source).

    ``with_more``: tells a line together with what must come before it, where it does not fit alone after `WAIT_SECONDS`.
    ``fitted``: how many it has told; the others did not fit.
    """

    def __init__(self, lines: Iterable[Line], thumb: float = 0.0, with_more: Tell | None = None) -> None:
        self._waiting = list(lines)
        self._thumb, self._with_more = thumb, with_more
        self.fitted = 0

    def __call__(self, evening: Evening, now: float) -> Evening:
        """The evening once all that is due by ``now`` (seconds) is told, in order."""
        while self._waiting and (due := (self._waiting[0].t or 0.0) + self._thumb) <= now:
            after = with_line(evening, self._waiting[0])
            if after is evening and self._with_more is not None and now > due + WAIT_SECONDS:
                after = self._with_more(evening, self._waiting[0])
            if after is evening and now < due + RETRY_SECONDS:
                break
            self.fitted += after is not evening
            evening = after
            self._waiting.pop(0)
        return evening

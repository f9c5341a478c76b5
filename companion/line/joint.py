"""What several cameras send of one game → what its recorder gets: their messages, joined by `companion.referee.witnesses`."""

from __future__ import annotations

import threading
from collections import deque

from companion.eyes.sighting import Sighting
from companion.line.recorder import EveningRecorder
from companion.line.views import bare_of
from companion.line.worker.messages import Glimpsed
from companion.referee import Evening
from companion.referee.record import Saw, decode_entry
from companion.referee.witnesses import Testimony, Witnesses

OWN_SIGHTINGS = 200
"""Number of a view's latest sightings in a hand that are remembered, should its process begin again: more than a hand has."""


class Joint:
    """The views of one game. Any thread may tell.

    ``evening``: as it stands when they begin. ``views``: their number; ``places``: that of players. ``going_on``: the first view
    has told of the hand in progress alone, and goes on watching; False: the program was started again, or another camera began.
    """

    def __init__(self, evening: Evening, views: int, places: int, *, going_on: bool) -> None:
        assert evening.game.sighting_model is not None, "a game without eyes is followed by no camera"
        self._game, self._cleared = evening.game, evening.game.sighting_model.TAGS.get("Cleared")
        self._lock = threading.Lock()
        self._witnesses = Witnesses(evening.game.sighting_model, views, places)
        self._witnesses.begin(evening.sightings, seen=going_on)
        self._own = [deque[Sighting](maxlen=OWN_SIGHTINGS) for _ in range(views)]
        self._owed: list[Sighting | bytes] = []

    def own(self, view: int) -> tuple[Sighting, ...]:
        """What the view with this number (from 0) has told of the hand in progress."""
        with self._lock:
            return tuple(self._own[view])

    def hear(self, view: int, seen: Glimpsed, recorder: EveningRecorder, **notes: str) -> bool:
        """Take what this view tells, and let the ``recorder`` have what follows from it, with the ``notes``; whether anything
        does. What a single view tells goes on as the very bytes that it sent. Raises LedgerError: it is told with the next
        look."""
        with self._lock:
            came = {id(one.sighting): (one.sighting, text) for text in seen.sightings
                    if isinstance(one := decode_entry(text, self._game), Saw)}  # fmt: skip
            told = tuple(sighting for sighting, _ in came.values())
            self._own[view].extend(told)
            testimony = Testimony(view, seen.t, told, frozenset(seen.hidden), seen.blind, bare_of(seen.cards or (), seen.places))
            joined = self._witnesses.hear(testimony)
            if any(type(one) is self._cleared for one in joined):
                for own in self._own:
                    own.clear()
            self._owe(joined, {key: text for key, (_, text) in came.items()})
            return self._pay(recorder, notes)

    def later(self, view: int) -> float | None:
        """As of `Witnesses.later`."""
        with self._lock:
            return self._witnesses.later(view)

    def end(self, recorder: EveningRecorder) -> None:
        """No view tells any more: what was held goes to the ``recorder``. Raises LedgerError."""
        with self._lock:
            self._owe(self._witnesses.end(), {})
            self._pay(recorder, {})

    def _owe(self, told: tuple[Sighting, ...], as_sent: dict[int, bytes]) -> None:
        self._owed += [as_sent.get(id(one), one) for one in told]

    def _pay(self, recorder: EveningRecorder, notes: dict[str, str]) -> bool:
        if not self._owed:
            return False
        recorder.saw(self._owed, **notes)
        self._owed = []
        return True

"""A phone's pictures as a source: silence is the phone's alone, however long somebody takes over a picture."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hostile import jpeg

from companion.line import phone_source
from companion.line.phone_camera import Frame, PhoneStatus
from companion.line.phone_source import phone_pictures
from companion.table.errors import SourceError


class Sends:
    """A phone that sends what is put here, one picture after the other; None: nothing for as long as somebody waits. ``now``:
    seconds by the clock of all."""

    def __init__(self, *frames: Frame | None) -> None:
        self.frames, self.now = list(frames), 0.0

    def after(self, at: float, seconds: float) -> Frame | None:
        frame = self.frames.pop(0) if self.frames else None
        self.now += seconds if frame is None else 0.0
        return frame

    def status(self) -> PhoneStatus:
        return PhoneStatus(joined=True, sending=True, away=False, per_second=5.0)


def test_eyes_that_are_loaded_over_a_picture_make_no_silent_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    phone = Sends(Frame(0.0, jpeg()), None, Frame(30.5, jpeg()))
    monkeypatch.setattr(phone_source, "time", SimpleNamespace(monotonic=lambda: phone.now))
    pictures = phone_pictures(phone, 0.0, lambda: True, patient=True)
    next(pictures)
    phone.now = 30.0  # the eyes were loaded
    assert next(pictures).t == 30.5
    heard = phone.now
    with pytest.raises(SourceError, match="no picture from the phone"):
        next(pictures)
    assert phone.now - heard > phone_source.STALE_SECONDS

"""A phone's pictures as a source: silence is the phone's alone, however long somebody takes over a picture."""

from __future__ import annotations

import time

import pytest
from hostile import jpeg

from companion.line import phone_source
from companion.line.phone_camera import Frame, PhoneStatus
from companion.line.phone_source import phone_pictures
from companion.table.errors import SourceError


class Sends:
    """A phone that sends what is put here, one picture after the other; None: nothing for a moment."""

    def __init__(self, *frames: Frame | None) -> None:
        self.frames = list(frames)

    def after(self, at: float, seconds: float) -> Frame | None:
        time.sleep(0.02)
        return self.frames.pop(0) if self.frames else None

    def status(self) -> PhoneStatus:
        return PhoneStatus(joined=True, sending=True, away=False, per_second=5.0)


def test_eyes_that_are_loaded_over_a_picture_make_no_silent_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_source, "STALE_SECONDS", 0.15)
    now = time.monotonic()
    phone = Sends(Frame(now, jpeg()), None, Frame(now + 0.5, jpeg()))
    pictures = phone_pictures(phone, 0.0, lambda: True, patient=True)
    next(pictures)
    time.sleep(0.3)  # the eyes are loaded
    assert next(pictures).t == pytest.approx(0.5, abs=0.1)
    with pytest.raises(SourceError, match="no picture from the phone"):
        next(pictures)

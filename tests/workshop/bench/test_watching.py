"""What was found in a clip is kept without what was made of it: worked out afresh it is what the live line said."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from companion.assets import asset
from companion.eyes.seeing import Seen
from companion.eyes.sighting import CameraMoved, CardSeen
from companion.eyes.source import Picture
from companion.eyes.table import TableMap
from companion.eyes.trouble import FrameQuality
from companion.games.stu.sight import Watcher
from companion.line.tablefile import read_table_file
from workshop.bench import watching

TABLE = read_table_file(asset("datasets/demo/table.json")).table
SIZE = (1280, 720)


def seen_by_line() -> list[Seen]:
    """Two seconds: a back comes to the first place, the camera is knocked, the view is blocked, the back lies there still."""
    image = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    here = TableMap(TABLE, SIZE)
    shift = np.array([[1.0, 0, 35], [0, 1, -20], [0, 0, 1]])
    there = here.moved(shift)
    steps = []
    for n in range(60):
        top, t = (here if n < 30 else there), n / 15
        x, y = top.to_pixels(here.places)[0]
        quad = tuple((float(x + dx), float(y + dy)) for dx, dy in ((-15, -28), (15, -28), (15, 28), (-15, 28)))
        back = CardSeen(quad, "stu", "back", 0.98)
        frame_quality = FrameQuality()
        if n == 30:
            frame_quality = replace(frame_quality, resumed=True, sightings=(CameraMoved(t, 40.0),))
        if 40 <= n < 45:
            frame_quality = FrameQuality("blocked", 40 / 15)
        moving = None if n in (0, 30) or frame_quality.blind else np.random.default_rng(n).random((45, 80)) < 0.1
        steps.append(Seen(Picture(t, image), (back,) if n >= 8 and frame_quality.blind is None else (), frame_quality, top,
                          moving))
    return steps


def test_what_is_worked_out_again_from_what_was_kept_is_what_the_line_said(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = seen_by_line()
    watcher = Watcher(steps[0].top)
    live = [watcher.step(one.picture.t, one.cards, one.frame_quality, one.top, one.moving) for one in steps]
    assert any(live[:30]), "the back is said to lie there"
    monkeypatch.setattr(watching, "see", lambda *_: iter(steps))
    footage = watching.look_through((), TABLE, asset("models").resolve())
    kept = msgspec.msgpack.decode(msgspec.msgpack.encode(footage), type=watching.Footage)
    assert kept == footage
    assert [one.corners is not None for one in kept.looks] == [n in (0, 30) for n in range(60)]
    assert [look.decoded() for look in watching.stream_of(kept, TABLE).looks] == live
    for one, step in zip(kept.looks, steps, strict=True):
        assert np.array_equal(watching.unpacked(one.moving), step.moving)

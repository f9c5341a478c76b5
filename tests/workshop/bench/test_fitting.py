"""What the eyes found in a clip becomes cases to fit on: traffic, and whether it was an exchange."""

from __future__ import annotations

import cv2
import numpy as np

from companion.assets import asset
from companion.eyes.sighting import CardSeen
from companion.eyes.table import TableMap
from companion.games.stu.sightings import Exchanged
from companion.line.tablefile import read_table_file
from workshop.bench import watching
from workshop.bench.recipe import read_bench
from workshop.bench.stu.fitting import filmed_cases

TABLE = read_table_file(asset("datasets/demo/table.json")).table
SIZE = (1280, 720)


def footage(a: int, b: int) -> watching.Footage:
    """Everybody's card lies for two seconds; hands change those of places ``a`` and ``b``, for one; all lie for three more."""
    top = TableMap(TABLE, SIZE)
    at = top.to_pixels(top.places)
    looks = []
    for n in range(90):
        hands, moved = 30 <= n < 45, n >= 45
        cells = np.zeros((45, 80), np.uint8)
        if hands:
            first, second = ((round(x / 16), round(y / 16)) for x, y in (at[a], at[b]))
            cv2.line(cells, first, second, 1, 3)
        cards = []
        for place, (x, y) in enumerate(at):
            if hands and place in (a, b):
                continue
            dx, dy = (5, 4) if moved and place in (a, b) else (0, 0)
            left, right, above, below = float(x - 15 + dx), float(x + 15 + dx), float(y - 28 + dy), float(y + 28 + dy)
            cards.append(CardSeen(((left, above), (right, above), (right, below), (left, below)), "stu", "back", 0.98))
        corners = tuple((float(x), float(y)) for x, y in top.corners) if n == 0 else None
        looks.append(watching.Found(n / 15, tuple(cards), None, None, (), False, (), corners, watching.packed(cells > 0)))
    return watching.Footage(SIZE, tuple(looks), 0.0)


def test_traffic_in_a_clip_is_told_apart_by_its_true_log() -> None:
    exchange = Exchanged(1.8, 3.1, (0, 1), 1.0)
    found = [case for case in filmed_cases(footage(0, 1), TABLE, (exchange,)) if case.true]
    (case,) = found
    assert not case.deck
    assert case.evidence.stir > 0.3
    assert case.evidence.stir > case.evidence.aside
    assert not any(case.true for case in filmed_cases(footage(0, 1), TABLE, ()))
    assert not any(case.true for case in filmed_cases(footage(1, 2), TABLE, (exchange,)))


def test_clips_to_fit_on_are_those_of_no_other_bench() -> None:
    fit, bench = (read_bench(asset(f"datasets/{name}.yaml")).clips for name in ("fitting", "bench"))
    for field in ("name", "seed", "style", "cloth"):
        assert not {getattr(clip, field) for clip in fit} & {getattr(clip, field) for clip in bench} - {None}

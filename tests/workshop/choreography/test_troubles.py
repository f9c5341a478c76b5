"""What goes wrong with a camera is planned by a seed, leaves room to recover, and is told by the clip's truth."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from directed import GNAFFATA
from hypothesis import given
from hypothesis import strategies as st

from workshop.choreography.troubles import (
    AMOUNTS,
    KINDS,
    LAST,
    NAMES,
    PEACE,
    PEACEFUL,
    Blocked,
    Dark,
    Gap,
    Knock,
    Troubles,
    kept_in_view,
    plan,
)
from workshop.clip.film import FilmRecipe, film, filmed, prepare, textures
from workshop.stage.camera import project
from workshop.stage.scene import Camera, Scene

CAMERA = Camera(640, 360)
plans = st.builds(lambda seed, duration, amount: (seed, duration, plan(Random(seed), duration, amount)),
                  st.integers(0, 2**32), st.floats(5, 600), st.sampled_from(AMOUNTS))  # fmt: skip


@given(st.integers(0, 2**32), st.floats(5, 600), st.sampled_from(AMOUNTS))
def test_the_same_seed_plans_the_same_troubles(seed: int, duration: float, amount: str) -> None:
    assert plan(Random(seed), duration, amount) == plan(Random(seed), duration, amount)


@given(plans)
def test_troubles_come_one_after_the_other_and_leave_peace_at_the_end(planned: tuple[int, float, Troubles]) -> None:
    _, duration, troubles = planned
    for one, following in pairwise(troubles.all):
        assert one.t + one.lasts + PEACE <= following.t
    assert all(one.t + one.lasts <= duration - LAST for one in troubles.all)


@pytest.mark.parametrize("kind", KINDS)
def test_troubles_of_one_kind_only(kind: str) -> None:
    assert {NAMES[type(one)] for one in plan(Random(3), 300, kind).all} == {kind}


def test_much_is_more_than_some_and_none_is_nothing() -> None:
    counts = [len(plan(Random(1), 600, amount).all) for amount in ("none", "some", "much")]
    assert counts[0] == 0 < counts[1] < counts[2]


@given(st.integers(0, 2**32), st.floats(0, 5))
def test_a_knocked_camera_stays_where_it_was_knocked_to(seed: int, later: float) -> None:
    troubles = Troubles((plan(Random(seed), 300, "knock").all[0],))
    knock = troubles.all[0]
    assert troubles.camera(CAMERA, knock.t) == CAMERA
    settled = troubles.camera(CAMERA, knock.t + knock.lasts)
    assert settled != CAMERA
    assert troubles.camera(CAMERA, knock.t + knock.lasts + later) == settled


@given(st.integers(0, 2**32))
def test_knocks_leave_the_places_in_the_picture(seed: int) -> None:
    points = [(400.0, 0.0), (-400.0, 0.0), (0.0, 300.0), (0.0, -300.0)]
    troubles = kept_in_view(plan(Random(seed), 400, "knock"), CAMERA, points)
    seen = project(troubles.camera(CAMERA, 400), points)
    assert np.all((seen > 0) & (seen < [640, 360]))


def test_a_body_comes_over_the_table_and_goes() -> None:
    blocked = Blocked(10, 5, side=20, reach=0, skin=(90, 120, 160), clothes=(60, 60, 60), seed=1)
    troubles = Troubles((blocked,))
    there = [bool(troubles.scene(Scene(t=t), 0.0).bodies) for t in (9.9, 10.1, 12, 14.9, 15.1)]
    assert there == [False, True, True, True, False]


def test_the_light_goes_and_comes_back_too_bright_for_a_moment() -> None:
    dark = Troubles((Dark(10, 4, left=0.02),))
    before, within, back, later = (dark.scene(Scene(t=t), 0.0).gain for t in (9, 13, 14.1, 18))
    assert before == 1
    assert within < 0.1
    assert back > 1.5
    assert later == pytest.approx(1, abs=0.01)


def made_with(*troubles: Knock | Blocked | Dark | Gap) -> Troubles:
    return Troubles(troubles)


def test_the_truth_follows_the_knocked_camera_and_the_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short clip with a knock and a missing second: picture times, truth times and quads agree."""
    knock = Knock(3, 0.6, (40, 10), 1.0, -1.5, 0.8, 1.02)
    troubles = made_with(knock, Gap(5, 1, frozen=False), Gap(7, 1, frozen=True))
    monkeypatch.setattr("workshop.clip.film.plan", lambda *_: troubles)
    recipe = FilmRecipe(seed=5, size=(320, 180), fps=10, tempo=4, level="easy", trouble="some")
    made = film(GNAFFATA, recipe, tmp_path / "c.mp4", None, tmp_path / "t.jsonl")
    meta, *lines = map(json.loads, (tmp_path / "t.jsonl").read_text().splitlines())
    frames = [line for line in lines if "frame" in line]
    video, times = cv2.VideoCapture(str(tmp_path / "c.mp4")), []
    while video.grab():
        times.append(video.get(cv2.CAP_PROP_POS_MSEC) / 1000)
    assert [one["kind"] for one in meta["meta"]["trouble"]] == ["knock", "gap", "gap"]
    assert len(frames) == meta["meta"]["frames"] == len(times) == made.frames - 10
    assert [frame["t"] for frame in frames] == pytest.approx(times, abs=0.02)
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    still = {frame["frame"]: {card["id"]: card["quad"] for card in frame["cards"]} for frame in frames if 7 <= frame["t"] < 7.9}
    assert all(quads == still[min(still)] for quads in still.values())
    deck_before, deck_after = (
        next(card["quad"] for card in frame["cards"] if card["id"] == "deck")
        for frame in (frames[29], next(frame for frame in frames if frame["t"] > 3.7))
    )
    assert np.abs(np.array(deck_after) - deck_before).max() > 3


def test_a_troubled_clip_is_the_same_each_time_and_a_peaceful_one_knows_no_trouble() -> None:
    recipe = FilmRecipe(seed=6, size=(160, 90), fps=2, tempo=4, level="easy", trouble="much")
    made = prepare(GNAFFATA, recipe)
    assert made.troubles.all
    assert made.troubles == prepare(GNAFFATA, recipe).troubles
    assert prepare(GNAFFATA, replace(recipe, trouble="none")).troubles == PEACEFUL
    pictures = textures(recipe)
    pairs = zip(filmed(made, pictures), filmed(made, pictures), strict=True)
    assert all(np.array_equal(one[1], other[1]) for one, other in pairs)

"""What the guard makes of a camera that is knocked, blocked, in the dark, frozen or silent; pictures are rendered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from companion.eyes.following.follower import SeeingClock
from companion.eyes.obstruction import Obstruction
from companion.eyes.sighting import CameraMoved, CardSeen, TableView, Unseen
from companion.eyes.table import Seat, Table, TableMap
from companion.eyes.trouble import CameraGuard, FrameQuality
from companion.games.stu.sight.places import Places
from companion.games.stu.sightings import Appeared, Cleared, Exchanged, Shown, Sighting
from workshop.choreography.troubles import Blocked, Dark, Gap, Knock, Troubles
from workshop.deck import raster
from workshop.stage import camera as cam
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, FingersPose, Image, Look, Scene, Surface

SURFACE = Surface("wood", 3)
CAMERA = cam.fit(Camera(480, 270, elevation=52, azimuth=5), SURFACE, 0.03)
PLACES = [(0.0, -330.0), (480.0, 0.0), (0.0, 330.0), (-480.0, 0.0)]
CARDS = tuple(CardPose(str(n), ("stu", "back"), x, y, angle=90.0 * n) for n, (x, y) in enumerate(PLACES))
FPS = 10.0


def top() -> TableMap:
    pixel = [tuple(map(float, point)) for point in cam.project(CAMERA, PLACES)]
    corners = tuple(tuple(map(float, point)) for point in cam.corners(CAMERA, SURFACE))
    seats = tuple(Seat(name, place) for name, place in zip("ABCD", pixel, strict=True))  # type: ignore[arg-type]
    return TableMap(Table(1, (480, 270), corners, seats), (480, 270))  # type: ignore[arg-type]


def filmed(seconds: float, *troubles: Knock | Blocked | Dark | Gap, hands: bool = False) -> Iterator[tuple[float, Image]]:
    """A quiet table with troubles; with ``hands`` an arm comes and goes all the time."""
    planned = Troubles(troubles)
    renderers: dict[Camera, Renderer] = {}
    last: Image | None = None
    for number in range(round(seconds * FPS)):
        t = number / FPS
        gap = planned.silent(t)
        if gap is not None and last is not None:
            if gap.frozen:
                yield t, last
            continue
        camera = planned.camera(CAMERA, t)
        if camera not in renderers:
            renderers = {camera: Renderer(camera, SURFACE, raster.drawn(), Look(noise=2.5, drift=0.3), 3)}
        reach = abs((t * 0.7) % 2 - 1)
        arm = FingersPose("hand", -300 + 500 * reach, -250 + 300 * reach, angle=-30)
        scene = planned.scene(Scene(CARDS, fingers=(arm,) if hands else (), t=t), CAMERA.azimuth)
        last = renderers[camera].frame(scene).image
        yield t, last


def watched(pictures: Iterator[tuple[float, Image]]) -> tuple[CameraGuard, list[tuple[float, FrameQuality]]]:
    t, first = next(pictures)
    guard = CameraGuard(top(), first)
    seen = [(t, guard.step(t, first))]
    seen += [(t, guard.step(t, image)) for t, image in pictures]
    return guard, seen


def said(seen: list[tuple[float, FrameQuality]], kind: type) -> list[Sighting]:
    return [sighting for _, frame_quality in seen for sighting in frame_quality.sightings if isinstance(sighting, kind)]


def blind(seen: list[tuple[float, FrameQuality]]) -> list[float]:
    return [t for t, frame_quality in seen if frame_quality.blind is not None]


@pytest.mark.workshop
def test_hands_at_play_are_no_trouble() -> None:
    _, seen = watched(filmed(5, hands=True))
    assert not blind(seen)
    assert not [sighting for _, frame_quality in seen for sighting in frame_quality.sightings if not _of_one_place(sighting)]


def _of_one_place(sighting: Sighting) -> bool:
    """A sleeve may well lie over one place."""
    return isinstance(sighting, Unseen) and sighting.places is not None and len(sighting.places) == 1


def test_after_a_knock_the_places_are_where_the_camera_now_sees_them() -> None:
    knock = Knock(2, 0.6, (40, -25), 1.3, -1.6, 1.2, 1.02)
    guard, seen = watched(filmed(5, knock))
    (moved,) = said(seen, CameraMoved)
    assert isinstance(moved, CameraMoved)
    assert 2 < moved.t < 3.5
    there = cam.project(knock.moved(CAMERA, 1.0), PLACES)
    assert np.linalg.norm(guard.top.to_pixels(guard.top.places) - there, axis=1).max() < 2.5
    assert all(2 < t < moved.t for t in blind(seen))


def test_two_knocks_one_after_the_other_add_up() -> None:
    one, two = Knock(1.5, 0.6, (30, 20), 1.0, 1.2, -1.0, 1.02), Knock(3.5, 0.6, (-50, 10), -1.5, 0.8, 1.4, 0.98)
    guard, seen = watched(filmed(6, one, two))
    assert len(said(seen, CameraMoved)) == 2
    there = cam.project(two.moved(one.moved(CAMERA, 1.0), 1.0), PLACES)
    assert np.linalg.norm(guard.top.to_pixels(guard.top.places) - there, axis=1).max() < 3


def test_a_camera_that_was_turned_away_stays_lost_and_says_so() -> None:
    _, seen = watched(filmed(5, Knock(2, 0.5, (900, 700), 10, 25, 20, 1.0)))
    assert not said(seen, CameraMoved)
    assert all(frame_quality.blind in ("moved", "blocked") for t, frame_quality in seen if t > 2.6)
    assert seen[-1][1].since == pytest.approx(2, abs=0.2)


def test_somebody_in_the_way_hides_places_and_moves_nothing() -> None:
    _, seen = watched(filmed(8, Blocked(2, 4, side=10, reach=0, skin=(90, 120, 160), clothes=(40, 160, 200), seed=1)))
    hidden = [t for t, frame_quality in seen if frame_quality.blind or len(frame_quality.hidden) >= 2]
    assert hidden
    assert min(hidden) > 2
    assert max(hidden) < 6.2
    assert len([t for t in hidden if 3 < t < 5]) > 15
    assert not said(seen, CameraMoved)
    assert said(seen, Unseen)
    assert all(isinstance(span, Unseen) and span.why == "blocked" for span in said(seen, Unseen))


def test_somebody_once_taken_for_another_light_hides_nothing_after_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = iter(range(1000))
    monkeypatch.setattr(Obstruction, "_is_light", lambda *_: next(asked) == 15)
    _, seen = watched(filmed(9, Blocked(2, 4, side=10, reach=0, skin=(90, 120, 160), clothes=(40, 160, 200), seed=1)))
    assert next(asked) > 15, "somebody was in the way"
    assert all(not frame_quality.blind and not frame_quality.hidden for t, frame_quality in seen if t > 6.5)


@pytest.mark.parametrize("left", [0.0, 0.03])
def test_lights_out(left: float) -> None:
    _, seen = watched(filmed(7, Dark(2, 3, left)))
    assert {frame_quality.blind for t, frame_quality in seen if 2.3 < t < 4.9} == {"dark"}
    assert seen[-1][1].blind is None
    spans = said(seen, Unseen)
    assert [span.why for span in spans if isinstance(span, Unseen)] == ["dark"]
    assert not said(seen, CameraMoved)


def test_a_gap_in_the_video_was_not_seen() -> None:
    _, seen = watched(filmed(5, Gap(2, 1.2, frozen=False)))
    (gap,) = said(seen, Unseen)
    assert isinstance(gap, Unseen)
    assert (gap.why, gap.places) == ("gap", None)
    assert gap.until - gap.t == pytest.approx(1.3, abs=0.11)
    assert [t for t, frame_quality in seen if frame_quality.resumed] == [gap.until]


def test_a_source_that_always_gives_one_picture_a_second_has_no_gaps() -> None:
    slow = [(t, image) for t, image in filmed(6) if t == int(t)]
    _, seen = watched(iter(slow))
    assert not said(seen, Unseen)


def test_looks_that_come_too_rarely_are_gaps_though_they_always_do() -> None:
    """Two players exchange cards in less than the time from one picture to the next."""
    slow = [(t, image) for t, image in filmed(13) if t % 2 == 0]
    _, seen = watched(iter(slow))
    spans = said(seen, Unseen)
    assert len(spans) >= 3
    assert all(isinstance(span, Unseen) and span.why == "gap" and span.until - span.t == 2 for span in spans)


def test_a_camera_that_is_switched_on_in_the_dark_sees_the_table_once_there_is_light() -> None:
    guard, seen = watched((t, image) for t, image in filmed(12, Dark(0, 4, 0.0)) if t >= 1.5)
    assert all(frame_quality.blind is None for t, frame_quality in seen if t > 9)
    assert guard.top.corners == pytest.approx(top().corners, abs=3)


def test_a_camera_that_gives_the_same_picture_without_end_is_noticed() -> None:
    _, seen = watched(filmed(7, Gap(1.5, 4, frozen=True)))
    assert {frame_quality.blind for t, frame_quality in seen if 3.6 < t < 5.4} == {"frozen"}
    (frozen,) = said(seen, Unseen)
    assert isinstance(frozen, Unseen)
    assert frozen.t == pytest.approx(1.4, abs=0.11)  # since the last picture that was new
    assert frozen.why == "frozen"


def test_a_picture_of_another_size_shows_no_table_that_is_known() -> None:
    guard, _ = watched(filmed(0.5))
    assert guard.step(0.6, np.zeros((100, 160, 3), np.uint8)).blind == "moved"


def test_the_clock_stands_still_while_nothing_is_seen() -> None:
    clock = SeeingClock()
    assert [clock.seeing_time(t) for t in (0.0, 1.0, 2.0)] == [0, 1, 2]
    resumed = clock.seeing_time(7.0, resumed=True)
    assert 2 < resumed < 2.2
    assert clock.seeing_time(8.0) == pytest.approx(resumed + 1)
    assert clock.in_source_time(Exchanged(1.0, resumed + 1, (0, 1), 0.5)) == Exchanged(1.0, pytest.approx(8.0), (0, 1), 0.5)  # type: ignore[arg-type]
    assert clock.in_source_time(Appeared(2.0, 1)).t == 2.0


def card(at: tuple[float, float], side: str = "face") -> CardSeen:
    x, y = at
    quad = ((x - 1, y - 2), (x + 1, y - 2), (x + 1, y + 2), (x - 1, y + 2))
    return CardSeen(quad, "stu", side, 0.9, "gnao", (("gnao", 0.99),)) if side == "face" else CardSeen(quad, "stu", "back", 0.9)  # type: ignore[arg-type]


def view(t: float, *numbers: int) -> TableView:
    """Faces in these places, seen from above."""
    at = [(0.5, 0.9), (0.9, 0.5), (0.5, 0.1), (0.1, 0.5)]
    count = len(numbers)
    return TableView(t, tuple(card(at[n]) for n in numbers), tuple(at[n] for n in numbers), (0.1,) * count, (90.0,) * count)


def heard(hidden: frozenset[int]) -> list[Sighting]:
    """Four faces lie; for four seconds none is seen, those of ``hidden`` because something is in the way; then all again."""
    places = Places(np.array([(0.5, 0.9), (0.9, 0.5), (0.5, 0.1), (0.1, 0.5)]))
    found: list[Sighting] = []
    for look in range(90):
        covered = 20 <= look < 60
        found += places.step(view(look / 10, *(() if covered else range(4))), hidden if covered else frozenset())
    return found


def test_unseen_is_not_gone() -> None:
    everything = heard(frozenset(range(4)))
    assert [seen.place for seen in everything if isinstance(seen, Shown)] == [0, 1, 2, 3]
    assert not any(isinstance(seen, Cleared) for seen in everything)


def test_bare_is_gone() -> None:
    """The same looks with nothing in the way: the cards were gathered, and others dealt."""
    assert any(isinstance(seen, Cleared) for seen in heard(frozenset()))


def test_trouble_is_the_same_for_the_same_pictures() -> None:
    pictures = list(filmed(3, replace(Knock(1, 0.5, (30, 0), 1, 1, 1, 1.0))))
    assert watched(iter(pictures))[1] == watched(iter(pictures))[1]

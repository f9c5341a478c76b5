"""What a camera can show of the places: nothing is claimed before it was watched, and nothing that lies still is in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from serving import until
from side_eyes import PLACES, lying
from test_camera_session import GAME, TABLE

from companion.eyes.sighting import CardSeen
from companion.ledger import Ledger
from companion.line.camera import AdviceView, PlaceState, PlaceView
from companion.line.camera_session import CameraSession
from companion.line.placewatch import WATCHED_SECONDS, PlaceWatch, lengths_at, more_advice

SIZE = (320, 180)
CORNERS = ((40.0, 20.0), (280.0, 20.0), (310.0, 170.0), (10.0, 170.0))
TOP = cv2.resize(np.random.default_rng(1).normal(110, 20, (45, 80, 3)), SIZE, interpolation=cv2.INTER_CUBIC)
Drawn = Callable[[float, np.ndarray], object]
Found = Callable[[float], Sequence[CardSeen]]


def sways(t: float, image: np.ndarray) -> None:
    """Somebody's head before the first place, which is never quite still."""
    x = 160 + 6 * np.sin(1.3 * t) + 2 * np.sin(4.1 * t)
    cv2.circle(image, (round(x), 142), 16, (70, 60, 160), -1)
    cv2.circle(image, (round(x) + 4, 138), 6, (200, 200, 220), -1)


def stands(t: float, image: np.ndarray) -> None:
    """A tray before the first place."""
    cv2.circle(image, (160, 142), 16, (70, 60, 160), -1)


def flickers(t: float, image: np.ndarray) -> None:
    """The light of the whole room."""
    image += 40.0 * (round(t / 2) % 2)


def others(t: float) -> Sequence[CardSeen]:
    return tuple(lying(at) for at in PLACES[1:])


def everybodys(t: float) -> Sequence[CardSeen]:
    return tuple(lying(at) for at in PLACES)


def watched(
    times: Iterable[float], drawn: Drawn = lambda t, image: None, found: Found = others,
    places: Sequence[tuple[float, float]] = PLACES,
) -> PlaceWatch:  # fmt: skip
    watch, noise = PlaceWatch(), np.random.default_rng(2)
    for t in times:
        image = TOP + noise.normal(0, 3, TOP.shape)
        drawn(t, image)
        watch.put(t, np.clip(image, 0, 255).astype(np.uint8), found(t), places)
    return watch


LONG = np.arange(0, 30, 0.25)


def test_who_sways_before_a_place_hides_it_once_it_was_watched_for_a_while() -> None:
    assert watched(np.arange(0, WATCHED_SECONDS - 1, 0.25), sways).states == ("unknown", "seen", "seen")
    watch = watched(LONG, sways)
    assert watch.states == ("hidden", "seen", "seen")
    assert watch.hidden == (1,)
    assert watch.seconds >= WATCHED_SECONDS


@pytest.mark.parametrize(
    ("drawn", "found", "first"),
    [
        (lambda t, image: None, others, "unknown"), (stands, others, "unknown"), (flickers, others, "unknown"),
        (sways, everybodys, "seen"), (lambda t, image: sways(t, image) if t < 10 else None, others, "unknown"),
    ],
    ids=["bare", "a tray", "flickering light", "its card is seen all the same", "somebody leaves again"],
)  # fmt: skip
def test_what_lies_still_or_is_gone_again_hides_nothing(drawn: Drawn, found: Found, first: PlaceState) -> None:
    assert watched(LONG, drawn, found).states == (first, "seen", "seen")


def test_after_a_gap_or_where_the_places_lie_elsewhere_the_watch_begins_again() -> None:
    assert watched([*LONG, 60.0], sways).seconds == 0
    watch = watched(LONG, sways)
    watch.put(30.0, np.zeros((180, 320, 3), np.uint8), (), [(10.0, 10.0), *PLACES[1:]])
    assert watch.states == ("unknown",) * 3


def test_a_place_outside_the_picture_is_never_seen() -> None:
    watch = watched([0.0], places=((160.0, 190.0), *PLACES[1:]))
    assert watch.states == ("outside", "unknown", "unknown")
    assert [one.state for one in watch.shown(((160.0, 190.0), *PLACES[1:]), ())] == ["outside", "unknown", "unknown"]
    assert [one.state for one in watch.shown(PLACES, ())] == ["unknown"] * 3, "of other places nothing is known"


def test_the_length_of_a_card_at_each_place_follows_from_those_in_sight() -> None:
    near, far = (160.0, 150.0), (160.0, 40.0)
    lengths = lengths_at(SIZE, [lying(near)], CORNERS, (near, far))
    assert lengths[0] == pytest.approx(28, rel=0.2)
    assert lengths[1] < 0.85 * lengths[0], "what is far away is smaller"
    assert lengths_at(SIZE, [], CORNERS, (near, far)) == ()
    assert lengths_at(SIZE, [lying(near)], (), (near, far)) == ()


def test_what_helps_is_said_only_where_it_is_needed() -> None:
    def place(number: int, state: PlaceState, length: float | None) -> PlaceView:
        return PlaceView(number, (1.0, 1.0), state, length)

    good = [place(1, "seen", 44.0), place(2, "unknown", 40.0)]
    assert more_advice((1280, 720), good, (), 20.0) == ()
    bad = [place(1, "hidden", 44.0), place(2, "outside", 30.0), place(3, "hidden", 33.0), place(4, "seen", None)]
    assert more_advice((1280, 720), bad, (), 20.0) == (
        AdviceView("hidden", 20.0, None, (1, 3)), AdviceView("outside", 20.0, None, (2,)),
        AdviceView("small_there", 30.0, 2), AdviceView("low_resolution", 1280, None),
    )  # fmt: skip
    assert more_advice((1920, 1080), bad[2:], (AdviceView("small", 33.0, 3),), 20.0) == (AdviceView("hidden", 20.0, None, (3,)),)
    assert more_advice((1280, 720), good, (AdviceView("tiny", 20.0, None),), 20.0) == (AdviceView("low_resolution", 1280, None),)


def test_a_place_that_something_hides_is_named_while_a_game_is_followed(ledger: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "somebody.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, SIZE)
    for number in range(130):
        picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 70), np.uint8)
        cv2.circle(picture, (160 + 5 * (number % 4), 142), 12, (80, 200, 40 * (number % 5)), -1)
        writer.write(picture)
    writer.release()
    with CameraSession(ledger, lambda: lambda picture: tuple(map(lying, PLACES[1:])), pace=0) as camera_session:
        camera_session.choose(str(path))
        camera_session.begin(GAME, TABLE)
        until(lambda: camera_session.status().state == "ended")
        assert camera_session.health().hidden_places == (1,)
        found = camera_session.check((), ())
        assert found is not None
        assert [one.state for one in found.places] == ["hidden", "seen", "seen"]
        assert [(one.code, one.places) for one in found.advice if one.places] == [("hidden", (1,))]
        assert [one.at for one in found.places] == list(PLACES)

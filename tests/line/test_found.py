"""After a start, a reconnection or another camera nothing is concluded before the table is seen as it was."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from serving import until
from side_eyes import dealt

from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.appearance import MAX_WIDTH, Appearance, Recognition, decoded
from companion.line.camera import Amiss
from companion.line.camera_session import CameraSession
from companion.line.tablefile import TableFile, parse_table_file
from companion.line.worker.found import UNSEEN_SECONDS, Found
from workshop.soak.camera import NetworkCamera

Image = NDArray[np.uint8]
SIZE = (640, 360)
GAME = new_game(["Anna", "Bruno", "Carla"], 200, "Carla")
TABLE = (
    b'{"v":1,"image_size":[640,360],"corners":[[80,40],[560,40],[620,340],[20,340]],"stake":200,"currency":"EUR",'
    b'"dealer":"Carla","players":[{"name":"Anna","place":[320,280]},{"name":"Bruno","place":[500,120]},'
    b'{"name":"Carla","place":[140,120]}]}'
)


def room(seed: int = 1) -> Image:
    """A table with a cloth in a room: both have a pattern."""
    dice = np.random.default_rng(seed)
    walls = cv2.resize(dice.normal(110, 30, (9, 16, 3)), SIZE, interpolation=cv2.INTER_CUBIC)
    cloth = cv2.resize(dice.normal(70, 22, (45, 80, 3)), SIZE, interpolation=cv2.INTER_CUBIC)
    top = cv2.fillConvexPoly(np.zeros((360, 640), np.uint8), np.array([(80, 40), (560, 40), (620, 340), (20, 340)]), 1)
    return np.clip(np.where(top[..., None] > 0, cloth, walls), 0, 255).astype(np.uint8)


ROOM, TOLD = room(), parse_table_file(TABLE)
CORNERS = np.array(TOLD.table.corners, np.float64)


def warped(image: Image, dx: float) -> Image:
    return np.asarray(cv2.warpAffine(image, np.array([[1, 0, dx], [0, 1, 0]], np.float64), SIZE, borderMode=cv2.BORDER_REFLECT))


SEEN_AGAIN: dict[str, tuple[Callable[[Image], Image], float]] = {
    "as it was": (lambda one: one, 0.0),
    "noise, and half the light": (lambda one: np.clip(one * 0.5 + np.random.default_rng(3).normal(0, 3, one.shape), 0, 255)
                                  .astype(np.uint8), 0.0),
    "knocked by 25 pixels": (lambda one: warped(one, 25), 25.0),
    "a hand in the way": (lambda one: cv2.circle(one.copy(), (320, 330), 70, (90, 120, 190), -1), 0.0),
    "a larger picture": (lambda one: np.asarray(cv2.resize(one, (1280, 720))), 0.0),
}  # fmt: skip
BARS = np.random.default_rng(4).integers(0, 255, (1, 8, 3), np.uint8)
NOT_SEEN: dict[str, Callable[[Image], Image]] = {
    "turned by 90 degrees": lambda one: np.asarray(cv2.resize(np.ascontiguousarray(np.rot90(one)), SIZE)),
    "turned by 180 degrees": lambda one: np.ascontiguousarray(one[::-1, ::-1]),
    "mirrored": lambda one: np.ascontiguousarray(one[:, ::-1]),
    "upside down": lambda one: np.ascontiguousarray(one[::-1]),
    "another table": lambda one: room(2),
    "colour bars": lambda one: np.asarray(cv2.resize(BARS, SIZE, interpolation=cv2.INTER_NEAREST)),
    "black": np.zeros_like,
    "cut to 4:3": lambda one: np.ascontiguousarray(one[:, 80:-80]),
}


@pytest.mark.parametrize(("change", "moved"), SEEN_AGAIN.values(), ids=SEEN_AGAIN)
def test_a_table_is_found_again_where_it_is_now(change: Callable[[Image], Image], moved: float) -> None:
    image = change(ROOM)
    found = Recognition(Appearance.of("", ROOM, CORNERS)).found(image)
    assert found is not None
    assert np.abs(found * (640 / image.shape[1]) - CORNERS - (moved, 0)).max() < 4


@pytest.mark.parametrize("change", NOT_SEEN.values(), ids=NOT_SEEN)
def test_what_is_not_the_table_as_it_was_is_not_taken_for_it(change: Callable[[Image], Image]) -> None:
    assert Recognition(Appearance.of("", ROOM, CORNERS)).found(change(ROOM)) is None


def test_a_table_that_looks_the_same_from_both_sides_is_told_apart_by_the_room() -> None:
    plain = ROOM.copy()
    cv2.fillConvexPoly(plain, CORNERS.astype(np.int32), (40, 90, 30))
    recognition = Recognition(Appearance.of("", plain, CORNERS))
    assert recognition.found(plain) is not None
    assert recognition.found(np.ascontiguousarray(plain[:, ::-1])) is None


def let_through(found: Found, images: list[Image]) -> tuple[list[float], list[Amiss]]:
    """The times of the pictures that pass, ten a second, and what is said after each."""
    passed: list[float] = []
    said: list[Amiss] = []
    for n, image in enumerate(images):
        passed += [one.t for one in found.only(iter([Picture(n / 10, image)]))]
        said.append(found.amiss)
    return passed, said


KEPT = Appearance.of("", ROOM, CORNERS)


def test_what_is_not_found_is_said_soon_and_nothing_passes_until_it_is() -> None:
    mirrored = np.ascontiguousarray(ROOM[:, ::-1])
    passed, said = let_through(Found(KEPT, TOLD), [mirrored] * 40 + [ROOM] * 10)
    assert min(passed) >= 4.0
    assert len(passed) >= 5
    assert said[:20] == [""] * 20
    assert said[int(10 * UNSEEN_SECONDS) : 40] == ["elsewhere"] * (40 - int(10 * UNSEEN_SECONDS))
    assert said[-1] == ""


def test_after_every_opening_it_is_asked_again_and_without_a_look_it_passes() -> None:
    found = Found(KEPT, TOLD)
    assert len(let_through(found, [ROOM] * 3)[0]) == 3
    found.again()
    assert let_through(found, [room(2)] * 30)[0] == []
    assert len(let_through(Found(None, TOLD), [room(2)] * 3)[0]) == 3


def test_a_look_that_is_damaged_holds_nobody_up() -> None:
    broken = bytearray(KEPT.jpeg)
    broken[broken.index(b"\xff\xc0") + 12] = 3  # a table that it does not bring: its head is right, and it cannot be decoded
    assert len(let_through(Found(Appearance("", bytes(broken), KEPT.corners), TOLD), [ROOM] * 3)[0]) == 3


def test_a_table_that_was_knocked_meanwhile_is_followed_where_it_is() -> None:
    found = Found(KEPT, TOLD)
    let_through(found, [warped(ROOM, 25)])
    assert np.abs(np.array(found.table.table.corners) - CORNERS - (25, 0)).max() < 4
    assert found.table.table.players[0].place == pytest.approx((345, 280), abs=4)


@pytest.mark.parametrize("told", [TOLD, None], ids=["a game", "none"])
def test_pictures_of_another_shape_never_pass_and_are_said_at_once(told: TableFile | None) -> None:
    passed, said = let_through(Found(None, told), [np.ascontiguousarray(ROOM[:, 80:-80])] * 3)
    assert (passed, said) == (([], ["other_shape"] * 3) if told is not None else ([0.0, 0.1, 0.2], [""] * 3))


def test_what_the_ledger_keeps_is_small_and_anything_else_is_none() -> None:
    import msgspec

    text = msgspec.json.encode(Appearance.of("Webcam", np.asarray(cv2.resize(ROOM, (1920, 1080))), CORNERS * 3)).decode()
    kept = decoded(text)
    assert kept is not None
    assert (kept.camera, len(text) < 150_000) == ("Webcam", True)
    assert np.abs(np.array(kept.corners) - CORNERS * (MAX_WIDTH / 640)).max() < 0.1
    assert decoded("") is decoded("{}") is decoded(text[:-9]) is decoded(text.replace("Webcam", "W\n")) is None


def seen_by(camera_session: CameraSession) -> list[str]:
    return [notice.what for notice in camera_session.notices()]


@pytest.mark.parametrize("change", [
    "another table", "black", *(pytest.param(change, marks=pytest.mark.workshop) for change in ("mirrored", "cut to 4:3")),
])
def test_an_evening_that_goes_on_with_a_camera_that_shows_something_else_says_so_and_concludes_nothing(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr("companion.line.worker.found.SETTLED_SECONDS", 0.5)
    looked: list[float] = []

    def look(picture: Picture) -> tuple[CardSeen, ...]:
        looked.append(picture.t)
        return dealt(picture)

    with NetworkCamera(ROOM) as camera, CameraSession(ledger, lambda: look) as camera_session:
        camera_session.choose(camera.url)
        game = camera_session.begin(GAME, TABLE)
        until(lambda: ledger.notes(game).get("look"))
    other = NOT_SEEN[change](ROOM)
    with NetworkCamera(other, noise=0.0 if change == "black" else 2.0) as camera, CameraSession(ledger, lambda: look) as again:
        ledger.note(game, camera=camera.url)
        looked.clear()
        assert again.resume() is not None
        before = list(ledger.reports(game))
        said = {"cut to 4:3": "resized", "black": "black"}.get(change, "elsewhere")
        until(lambda: seen_by(again) == [said] and again.health().amiss)
        assert looked == []
        assert list(ledger.reports(game)) == before
    with NetworkCamera(ROOM) as camera, CameraSession(ledger, lambda: look) as again:
        ledger.note(game, camera=camera.url)
        assert again.resume() is not None
        until(lambda: looked and seen_by(again) == [])


def test_corners_that_are_shown_again_are_what_counts(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.line.worker.found.SETTLED_SECONDS", 0.5)
    with NetworkCamera(ROOM) as camera, CameraSession(ledger, lambda: dealt) as camera_session:
        camera_session.choose(camera.url)
        game = camera_session.begin(GAME, TABLE)
        until(lambda: ledger.notes(game).get("look"))
    with NetworkCamera(room(2)) as camera, CameraSession(ledger, lambda: dealt) as again:
        ledger.note(game, camera=camera.url)
        again.resume()
        until(lambda: seen_by(again) == ["elsewhere"])
        again.moved(TOLD.table.corners, SIZE)
        until(lambda: seen_by(again) == [] and ledger.notes(game).get("look"))

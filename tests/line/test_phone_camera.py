"""A phone as the camera: which of its pictures count, when they were taken, and a phone that comes and goes."""

from __future__ import annotations

import threading
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hostile import many_scans, two_sizes
from hypothesis import given
from hypothesis import strategies as st
from serving import until

from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.camera import CameraStatus
from companion.line.camera_session import CameraSession
from companion.line.notices import Notice
from companion.line.phone_camera import (
    MAX_BURST,
    MAX_BYTES,
    MAX_PER_SECOND,
    PHONE,
    SIDE_PIXELS,
    SILENT_SECONDS,
    PhoneCamera,
    jpeg_size,
)

SIZE = (320, 180)
TABLE = (
    b'{"v":1,"image_size":[320,180],"corners":[[40,20],[280,20],[310,170],[10,170]],"stake":200,"currency":"EUR",'
    b'"dealer":"Carla","players":[{"name":"Anna","place":[160,140]},{"name":"Bruno","place":[250,60]},'
    b'{"name":"Carla","place":[70,60]}]}'
)
GAME = new_game(["Anna", "Bruno", "Carla"], 200, "Carla")


def jpeg(number: int = 0, size: tuple[int, int] = SIZE) -> bytes:
    """A grained picture, each number another."""
    grain = np.random.default_rng(number).integers(0, 255, (45, 80, 3)).astype(np.uint8)
    return cv2.imencode(".jpg", cv2.resize(grain, size))[1].tobytes()


JPEG = jpeg()


class Clock:
    """Seconds that a test moves on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def inbox(clock: Clock) -> PhoneCamera:
    return PhoneCamera(clock)


def claiming(width: int, height: int) -> bytes:
    """A picture whose head claims another size."""
    at = JPEG.index(b"\xff\xc0")
    return JPEG[: at + 5] + height.to_bytes(2) + width.to_bytes(2) + JPEG[at + 9 :]


def test_the_size_is_read_from_the_head() -> None:
    assert jpeg_size(JPEG) == SIZE
    assert jpeg_size(claiming(4000, 3000)) == (4000, 3000)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"hello", id="text"),
        pytest.param(JPEG[: len(JPEG) // 2], id="half a picture"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + JPEG, id="another format"),
        pytest.param(b"\xff\xd8\xff\xd9", id="no picture in it"),
        pytest.param(b"\xff\xd8\xff\xe0\x00\x00" + b"\xff\xd9", id="a marker of no length"),
        pytest.param(JPEG[:-2] + b"\0" * MAX_BYTES + b"\xff\xd9", id="too large a file"),
        pytest.param(many_scans(700, 320, 240), id="700 scans"),
        pytest.param(two_sizes(b"\xff\x01", 320, 240), id="a marker that stands alone"),
        pytest.param(claiming(65_500, 65_500), id="a small file of four gigapixels"),
        pytest.param(claiming(0, 180), id="no width"),
        pytest.param(jpeg(size=(SIDE_PIXELS[0] - 1, 200)), id="too narrow for a card"),
    ],
)
def test_what_is_no_picture_is_not_taken(inbox: PhoneCamera, body: bytes) -> None:
    assert inbox.put("anna", "p", 1.0, body) == "bad"
    assert inbox.after(0, 0) is None
    assert not inbox.status().sending


@given(st.binary(max_size=300))
def test_whatever_comes_nothing_is_raised(body: bytes) -> None:
    assert jpeg_size(b"\xff\xd8\xff" + body) is None or len(body) > 8


@pytest.mark.parametrize("taken", [float("nan"), float("inf"), -float("inf")])
def test_a_time_that_is_none_is_refused(inbox: PhoneCamera, taken: float) -> None:
    assert inbox.put("anna", "p", taken, JPEG) == "bad"


def test_only_the_newest_picture_is_kept(inbox: PhoneCamera, clock: Clock) -> None:
    pictures = [jpeg(number) for number in range(4)]
    for number in (0, 1, 3, 2, 3):  # one overtaken on its way, one sent twice
        clock.now += 0.1
        verdict = inbox.put("anna", "p", number / 10, pictures[number])
        assert verdict == ("late" if clock.now > 100.35 else "kept"), number
    frame = inbox.after(0, 0)
    assert frame is not None
    assert frame.jpeg == pictures[3]
    assert inbox.after(frame.at, 0) is None


@given(st.lists(st.tuples(st.floats(0.05, 0.5), st.floats(0.01, 1.0)), min_size=2, max_size=60))
def test_pictures_are_in_the_order_in_which_they_were_taken_and_never_ahead_of_now(steps: list[tuple[float, float]]) -> None:
    """``steps``: seconds to the next picture, and how long each is on its way; the phone's clock begins anywhere."""
    clock, begun = Clock(), 5000.0
    inbox = PhoneCamera(clock)
    taken, sent = 0.0, []
    for pause, way in steps:
        taken += pause
        sent.append((100 + taken + way, begun + taken))
    times = []
    for arrives, phone_time in sorted(sent):
        clock.now = arrives
        if inbox.put("anna", "p", phone_time, JPEG) == "kept":
            frame = inbox.after(0, 0)
            assert frame is not None
            assert frame.at <= clock.now
            times.append((frame.at, phone_time))
    assert times
    for (one, first), (other, second) in pairwise(times):
        assert one < other
        assert first < second
    at, phone_time = times[-1]
    assert at >= phone_time - begun + 100 - 1e-6  # none is said to be older than it is


def test_a_slow_way_does_not_change_when_a_picture_was_taken(inbox: PhoneCamera, clock: Clock) -> None:
    for number in range(10):
        clock.now = 100 + number * 0.1 + 0.02
        inbox.put("anna", "p", 7 + number * 0.1, JPEG)
    clock.now = 101.7  # taken at 101, and 0.7 s on its way
    inbox.put("anna", "p", 8.0, JPEG)
    frame = inbox.after(0, 0)
    assert frame is not None
    assert frame.at == pytest.approx(101.02)


def test_a_phone_whose_clock_stood_still_in_its_sleep_is_not_seconds_behind(inbox: PhoneCamera, clock: Clock) -> None:
    inbox.put("anna", "p", 1.0, JPEG)
    clock.now += 60
    inbox.put("anna", "p", 2.0, JPEG)  # a second has passed for it
    frame = inbox.after(0, 0)
    assert frame is not None
    assert frame.at == pytest.approx(clock.now)


def test_a_page_that_was_loaded_again_counts_from_nothing(inbox: PhoneCamera, clock: Clock) -> None:
    inbox.put("anna", "first", 900.0, JPEG)
    clock.now += 1
    assert inbox.put("anna", "second", 0.5, JPEG) == "kept"


def test_what_comes_too_fast_is_refused_and_what_came_together_is_not(inbox: PhoneCamera, clock: Clock) -> None:
    verdicts = [inbox.put("anna", "p", number / 1000, JPEG) for number in range(100)]
    assert verdicts.count("fast") == 100 - MAX_BURST
    kept = 0
    for number in range(1000):  # ten seconds at a hundred a second
        clock.now += 0.01
        kept += inbox.put("anna", "p", 1 + number / 100, JPEG) == "kept"
    assert kept == pytest.approx(10 * MAX_PER_SECOND, abs=MAX_BURST)


def test_a_second_phone_replaces_the_first_only_when_it_asks(inbox: PhoneCamera, clock: Clock) -> None:
    assert inbox.put("anna", "a", 1.0, JPEG) == "kept"
    clock.now += 1
    assert inbox.put("bruno", "b", 1.0, JPEG) == "other"
    inbox.take_over("bruno")
    assert inbox.put("bruno", "b", 1.1, JPEG) == "kept"
    clock.now += 1
    assert inbox.put("anna", "a", 3.0, JPEG) == "other"
    inbox.away("anna", "a", 4.0)  # says it of itself alone
    assert inbox.status().sending


@pytest.mark.parametrize("gone", ["silent", "away"])
def test_a_phone_that_is_gone_is_replaced_without_asking(inbox: PhoneCamera, clock: Clock, gone: str) -> None:
    inbox.put("anna", "a", 1.0, JPEG)
    if gone == "silent":
        clock.now += SILENT_SECONDS + 0.1
    else:
        inbox.away("anna", "a", 1.1)
        clock.now += 0.1
    assert not inbox.status().sending
    assert inbox.put("bruno", "b", 1.0, JPEG) == "kept"


def test_a_picture_that_was_still_on_its_way_does_not_bring_a_hidden_page_back(inbox: PhoneCamera, clock: Clock) -> None:
    inbox.put("anna", "a", 1.0, JPEG)
    clock.now += 0.2
    inbox.away("anna", "a", 1.2)
    clock.now += 0.1
    assert inbox.put("anna", "a", 1.1, JPEG) == "late"
    assert inbox.status().away
    assert inbox.put("anna", "a", 1.3, JPEG) == "kept"
    assert not inbox.status().away


# In the line


class Sender:
    """A phone that sends fifteen pictures a second while the block runs, unless it is ``quiet``."""

    def __init__(self, inbox: PhoneCamera, phone: str = "anna") -> None:
        self.inbox, self.phone, self.quiet = inbox, phone, False
        self._number = 0
        self._pictures = [jpeg(number) for number in range(3)]
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._send)

    def __enter__(self) -> Sender:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _send(self) -> None:
        while not self._stopped.wait(1 / 15):
            self._number += 1
            if not self.quiet:
                self.inbox.put(self.phone, "p", self._number / 15, self._pictures[self._number % 3])


def no_cards(picture: Picture) -> tuple[CardSeen, ...]:
    return ()


def state(camera_session: CameraSession) -> CameraStatus:
    return camera_session.status()


@pytest.mark.slow
def test_the_setup_waits_for_the_phones_first_picture(ledger: Ledger) -> None:
    inbox = PhoneCamera()
    with CameraSession(ledger, lambda: no_cards, phone=inbox, find_cameras=lambda *_: ()) as camera_session:
        camera_session.choose(PHONE)
        inbox.put("anna", "p", 1.0, JPEG[:-300] + JPEG[-2:])  # damaged, behind a picture's head: no reason to stop
        assert state(camera_session).state == "opening"
        with Sender(inbox):
            until(lambda: state(camera_session).state == "live" and state(camera_session).size == SIZE
                  and state(camera_session).per_second > 5)
            assert camera_session.sources() == ()  # the page has a choice of its own for it
            camera_session.choose("")
            until(lambda: state(camera_session).state == "none")


@pytest.mark.slow
def test_a_phone_that_falls_silent_is_said_and_gone_on_with_when_it_is_back(ledger: Ledger) -> None:
    inbox = PhoneCamera()
    seen: list[float] = []

    def look(picture: Picture) -> tuple[CardSeen, ...]:
        seen.append(picture.t)
        return ()

    with CameraSession(ledger, lambda: look, phone=inbox) as camera_session, Sender(inbox) as phone:
        camera_session.choose(PHONE)
        until(lambda: state(camera_session).state == "live")
        game = camera_session.begin(GAME, TABLE)
        assert (ledger.notes(game)["camera"], ledger.games()[0].source) == (PHONE, "phone")
        until(lambda: seen and state(camera_session).state == "live")
        phone.quiet = True
        inbox.away("anna", "p", 0.0)  # locked: it is known at once
        until(lambda: state(camera_session).state == "lost")
        assert "hidden or closed" in state(camera_session).reason
        assert camera_session.notices() == (Notice("gap", 0.0),)
        phone.quiet = False
        until(lambda: state(camera_session).state == "live")
        phone.quiet = True  # without a word: out of the Wi-Fi
        until(lambda: state(camera_session).state == "lost")
        assert "no picture" in state(camera_session).reason
        before = len(seen)
        phone.quiet = False
        until(lambda: state(camera_session).state == "live" and len(seen) > before)
    assert seen == sorted(set(seen))  # the line's clock never goes back


@pytest.mark.slow
def test_after_a_restart_the_phone_is_waited_for(ledger: Ledger) -> None:
    inbox = PhoneCamera()
    with CameraSession(ledger, lambda: no_cards, phone=inbox) as camera_session, Sender(inbox):
        camera_session.choose(PHONE)
        game = camera_session.begin(GAME, TABLE)
        until(lambda: state(camera_session).state == "live")
    again = PhoneCamera()
    with CameraSession(ledger, lambda: no_cards, phone=again) as camera_session:
        recorder = camera_session.resume()
        assert recorder is not None
        assert recorder.game_id == game
        until(lambda: state(camera_session).state == "lost")
        with Sender(again, "anna"):
            until(lambda: state(camera_session).state == "live")


def test_where_no_phone_can_come_the_camera_is_lost_and_says_what_to_do(ledger: Ledger) -> None:
    with CameraSession(ledger, lambda: no_cards) as camera_session:
        camera_session.choose(PHONE)
        until(lambda: state(camera_session).state == "lost")
        assert "--https-port" in state(camera_session).reason

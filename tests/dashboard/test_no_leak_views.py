"""Several cameras at one table: no picture, answer or line of the log shows a face that nobody has turned up, whichever camera
saw it, also where one fails in mid-hand or comes late.

Each camera sees the bundled clip's first hand from its own side. The eyes find faces that somebody looks at, in each camera's
pictures others; they are white, and drawn for a moment before and after the eyes find them. What was turned up for all is yellow.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count

import cv2
import numpy as np
import pytest
from leaks import Case, answers, answers_from, clock_stands_still, differing
from msgspec.structs import replace
from phones import Phone
from test_several_cameras import FIRST_HAND, TABLE, Hall, lie_of, of_view

from companion.dashboard import Settings, create_app
from companion.eyes.image import Image, decode_jpeg, encode_jpeg
from companion.eyes.sighting import CardSeen, Point
from companion.games import log_format
from companion.ledger import Ledger, SeasonBook
from companion.line.camera import Lie
from companion.line.films import Films, further_footage
from companion.line.follow import Glimpse
from companion.line.footage import Footage
from companion.line.worker.glimpses import glimpsed
from companion.line.worker.messages import Glimpsed

SIZE = (1280, 720)
DRAWN = 4
"""A picture that is drawn is this many times smaller."""
WAYS = (
    np.eye(3),
    np.array([(-0.9, 0.05, 1230), (0.04, -0.85, 680), (0.0, 0.0, 1.0)]),
    np.array([(0.1, -0.75, 900), (0.62, 0.08, -40), (0.00004, 0.0, 1.0)]),
)
"""Of each camera, the homography from the clip's pixels to its own: the second sits opposite, the third at a side."""
GREEN, WHITE, YELLOW, GREY = (40, 120, 40), (255, 255, 255), (60, 220, 220), (110, 110, 110)
GRADUAL_SECONDS = 0.4
"""Seconds for which a face can be made out before the eyes find it, and after."""
MIDDLE = 5
"""Number of a place that is none: over the table's middle."""


@dataclass(frozen=True)
class Peek:
    """From ``since`` to ``until`` seconds the eyes find a face of this ``kind``, lifted from a ``place``, or in its middle."""

    since: float
    until: float
    place: int
    kind: str | None

    def quad(self, way: np.ndarray) -> tuple[Point, ...]:
        places = [seat.place for seat in TABLE.table.players]
        x, y = [*places, tuple(np.mean(places, axis=0))][self.place]
        around = [(x - 30, y - 75), (x + 30, y - 75), (x + 34, y + 5), (x - 34, y + 5)]
        return mapped(way, around)


def mapped(way: np.ndarray, points: object) -> tuple[Point, ...]:
    found = cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), np.asarray(way, np.float64))
    return tuple((float(x), float(y)) for x, y in found.reshape(-1, 2))


KINDS = ("cucco", None, "gnao", "matto", "3")
"""Of faces that somebody looks at: some lie open elsewhere at the same time, one cannot be read."""


OPEN = ((2, "gnao"), (0, "3"))
"""Which of them are turned up in which place, in the end."""


def peeks(number: int) -> tuple[Peek, ...]:
    """What this camera's pictures show and nobody has turned up: a look every 1.7 seconds."""
    begins = (8.3 + 0.55 * number + 1.7 * at for at in count())
    found: list[Peek] = []
    for at, since in enumerate(begins):
        if since > 27:
            return tuple(found)
        place, kind = (at + number) % 6, KINDS[at % len(KINDS)]
        found.append(Peek(since, since + 0.6, place, "bragon" if (place, kind) in OPEN else kind))
    return ()


def sees(number: int, way: np.ndarray, glimpse: Glimpse, message: Glimpsed, more: tuple[Peek, ...]) -> Glimpsed:
    """What the camera with this number (from 0) sends of a look at the clip."""
    t = message.t
    looked_at = [one for one in (*peeks(number), *more) if one.since - GRADUAL_SECONDS <= t <= one.until + GRADUAL_SECONDS]
    lying = [replaced(card, mapped(way, card.quad)) for card in glimpse.cards]
    lifted = [TABLE.table.players[one.place].place for one in looked_at if one.place != MIDDLE]
    homes = mapped(way, lifted) if lifted else ()
    lying = [one for one in lying if all(np.hypot(*(np.mean(one.quad, axis=0) - home)) > 60 for home in homes)]
    image = np.full((SIZE[1] // DRAWN, SIZE[0] // DRAWN, 3), GREEN, np.uint8)
    for card in lying:
        filled(image, card.quad, YELLOW if card.side == "face" else GREY)
    for peek in looked_at:
        filled(image, peek.quad(way), WHITE)
    found = [CardSeen(one.quad(way), "stu" if one.kind else "unknown", "face", 0.9, one.kind)  # type: ignore[arg-type]
             for one in looked_at if one.since <= t <= one.until]  # fmt: skip
    return replace(
        message, cards=(*lying, *found), size=SIZE, corners=mapped(way, message.corners), places=mapped(way, message.places),
        jpeg=encode_jpeg(image, quality=90),
    )  # fmt: skip


def replaced(card: CardSeen, quad: tuple[Point, ...]) -> CardSeen:
    return CardSeen(quad, card.deck, card.side, card.score, card.card)  # type: ignore[arg-type]


def filled(image: Image, quad: object, colour: tuple[int, int, int]) -> None:
    cv2.fillConvexPoly(image, np.rint(np.asarray(quad) / DRAWN).astype(np.int32), colour)


Spans = tuple[tuple[float, float], ...]


class Filmed(Hall):
    """An evening with video of every camera. ``spans``: of each, from when until when it looks, seconds; ``turned``: when the
    second one begins to see the table from the third one's side, as another camera was chosen in its place."""

    def __init__(self, ledger: Ledger, spans: tuple[Spans, ...], turned: float = 99.0) -> None:
        super().__init__(ledger, len(spans))
        self.spans, self.turned, self.said = spans, turned, list[str]()
        for view in self.further:
            view.footage = further_footage(view.number, 240.0)
        self.session.footage = Footage()
        self.session.films = Films(self.session.footage, [view.footage for view in self.further])

    @property
    def films(self) -> tuple[Footage, ...]:
        return self.session.footage, *(view.footage for view in self.further)

    def play(self) -> None:
        """The first hand. A face is being lifted where a camera fails, and put down where one comes."""
        self.session.choose("rtsp://anna:hidden-word@192.0.2.7/first")
        for number in range(1, len(self.workers)):
            self.look_from(number, number)
        self.session.begin(TABLE.first, TABLE.encode())
        ways = list(range(len(self.workers)))
        for at, glimpse in enumerate(of_view(upto=FIRST_HAND)):
            t = glimpse.picture.t
            if t >= self.turned and ways[1] == 1:
                ways[1] = 2
                self.look_from(1, 2)
            for number, worker in enumerate(self.workers):
                if any(since <= t < until for since, until in self.spans[number]) and (at % 3 == number or not number):
                    message = glimpsed(worker.doing, TABLE, glimpse, keep=False)
                    worker.sees(sees(number, WAYS[ways[number]], glimpse, message, at_the_ends(self.spans[number])))

    def look_from(self, number: int, side: int) -> None:
        """The further camera with this number is one that looks from this side, and is shown the table."""
        lie, way = lie_of(TABLE), WAYS[side]
        self.further[number - 1].choose(f"rtsp://anna:hidden-word@192.0.2.{side}/further")
        self.further[number - 1].show(Lie(SIZE, mapped(way, lie.corners), mapped(way, lie.places), lie.places))  # type: ignore[arg-type]


def at_the_ends(spans: Spans) -> tuple[Peek, ...]:
    """The eyes would find a face just after a camera has failed, and just before it comes."""
    found = [Peek(at + 0.05, at + 0.4, MIDDLE, "cucco") for _, at in spans if at < 30]
    return (*found, *(Peek(at - 0.4, at - 0.05, MIDDLE, "cucco") for at, _ in spans if at > 1))


WHOLE = ((0.0, 99.0),)
EVENINGS: dict[str, tuple[tuple[Spans, ...], float]] = {
    "two": ((WHOLE, WHOLE), 99.0),
    "one fails and comes back": ((WHOLE, ((0.0, 14.7), (22.2, 99.0))), 99.0),
    "the first one fails": ((((0.0, 14.7),), WHOLE), 99.0),
    "one comes late, one fails": ((WHOLE, ((13.1, 99.0),), ((0.0, 15.1), (16.3, 99.0))), 99.0),
    "another one in its place": ((WHOLE, WHOLE), 15.0),
}


RARE = [pytest.param(one, marks=pytest.mark.thorough) for one in ("two", "the first one fails", "one fails and comes back")]
OFTEN = ("one comes late, one fails", "another one in its place")


@pytest.fixture(scope="module", params=[*OFTEN, *RARE])
def hall(request: pytest.FixtureRequest) -> Iterator[Filmed]:
    spans, turned = EVENINGS[request.param]
    with clock_stands_still(), Ledger.in_memory(log_format) as ledger, Filmed(ledger, spans, turned) as found:
        listening = Listening(found.said)
        logging.getLogger().addHandler(listening)
        try:
            found.play()
            yield found
        finally:
            logging.getLogger().removeHandler(listening)


class Listening(logging.Handler):
    def __init__(self, said: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]


def whites(jpeg: bytes) -> int:
    return int((decode_jpeg(jpeg).min(axis=2) > 170).sum())


def yellows(jpeg: bytes) -> int:
    image = decode_jpeg(jpeg).astype(int)
    return int(((image[..., 1] > 180) & (image[..., 2] > 180) & (image[..., 0] < 120)).sum())


@cache
def stu() -> Case:
    return Case.of("stu")


def test_every_address_answers_as_if_nobody_had_seen_a_hidden_card(hall: Filmed) -> None:
    recorder = hall.session.recorder
    assert recorder is not None
    SeasonBook(hall.ledger).open_past(to_all=True)
    settings = Settings(odds=True, voice=True)
    app = create_app(hall.ledger, settings=settings, camera=hall.session, recorder=lambda: recorder, footage=hall.session.films)
    log = recorder.evening.log
    told = answers_from(app, len(log), dear=False)
    assert not differing(told, answers(stu().hidden.blind(log), dear=False))
    client = app.test_client()
    others = ("/healthz", "/metrics", "/api/games", "/api/openapi.json")
    said = b"".join([*told.values(), *(client.get(one).data for one in others)])
    for private in ("hidden-word", "192.0.2."):
        assert private.encode() not in said
        assert private not in "\n".join(hall.said)


def test_no_picture_of_any_camera_shows_a_face_that_nobody_has_turned_up(hall: Filmed) -> None:
    recorder = hall.session.recorder
    assert recorder is not None
    game, chapter = recorder.game_id, recorder.evening.chapters[0]
    app = create_app(hall.ledger, camera=hall.session, recorder=lambda: recorder, footage=hall.session.films)
    phone, spectator, video = Phone(app, "en"), app.test_client(), app.extensions["video"]
    wish = phone.client.post("/api/organiser/var?lang=en", json={"hand": chapter.id}, headers={"X-CSRF-Token": phone.csrf})
    assert wish.status_code in (200, 404), wish.text
    if wish.status_code == 200:
        video.feed.shows.show_video(chapter.id, 3600, slow=False)  # until every picture has been looked at, however long it takes
    for number, film in enumerate(hall.films):
        stills = film.between(game, 7, 31)
        assert sum(whites(still.jpeg) > 0 for still in stills) > 20, "there is something to hide"
        given, opened = 0, 0
        for still in stills:
            told = [video.still(game, chapter, still)]
            opened += yellows(told[0]) > 10
            if still.number % 4 == 0:
                told.append(video.still(game, chapter, still, (still.number // 4 % 5, 2)))
                answer = spectator.get(f"/api/var/{chapter.id}/{still.number}.jpg")
                told += [answer.data] if answer.status_code == 200 else []
                given += answer.status_code == 200
            assert [whites(one) for one in told] == [0] * len(told), f"camera {number + 1} at {still.t:.2f} s"
        assert bool(given) == (wish.status_code == 200)
        assert opened or wish.status_code == 404, "what was turned up can be seen, once the referee is sure of it"


def test_what_organisers_see_uncovered_is_for_organisers_alone(hall: Filmed) -> None:
    for worker in hall.workers:
        worker.jpeg = lambda width: encode_jpeg(np.full((8, 8, 3), 255, np.uint8))  # type: ignore[method-assign]
        worker.is_now("live")
    app = create_app(hall.ledger, camera=hall.session, recorder=lambda: hall.session.recorder, footage=hall.session.films,
                     moment=hall.session.moment)  # fmt: skip
    stranger = app.test_client()
    numbers = [still.number for view in hall.further for still in view.footage.between(1, 12, 16)]
    addresses = [
        "/live.jpg", "/live.jpg?view=2", *(f"/setup/live.jpg?view={number}" for number in (1, 2, 3)), "/setup/check.json?view=2",
        "/api/organiser/picture?question=0", "/api/organiser/moment?question=0", f"/api/organiser/moment/{numbers[0]}.jpg",
        *(f"/api/var/0/{number}.jpg" for number in numbers[::5]),
    ]  # fmt: skip
    for address in addresses:
        answer = stranger.get(address)
        assert answer.status_code in (302, 303, 401, 403, 404), address
        assert answer.mimetype != "image/jpeg", address

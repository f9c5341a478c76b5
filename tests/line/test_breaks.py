"""A break of the table: what a camera sees then is no part of the game, also when the program is started again meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from serving import until
from side_eyes import PLACES, lying
from test_camera_session import GAME, SIZE, TABLE

from companion.eyes.sighting import CardSeen, Unseen
from companion.eyes.source import Picture
from companion.games.stu.sightings import Appeared
from companion.ledger import Ledger
from companion.line.breaks import BREAK
from companion.line.camera_session import CameraSession
from companion.referee import Evening
from companion.referee.questions import questions
from workshop.soak.camera import NetworkCamera

pytestmark = pytest.mark.slow


class Lying:
    """Eyes that see what a test lays on the table; ``looks``: how often they have looked."""

    def __init__(self) -> None:
        self.cards: tuple[CardSeen, ...] = ()
        self.looks = 0

    def __call__(self, picture: Picture) -> tuple[CardSeen, ...]:
        self.looks += 1
        return self.cards


@pytest.fixture
def camera() -> Iterator[NetworkCamera]:
    grain = cv2.resize(np.random.default_rng(1).normal(90, 25, (45, 80, 3)), SIZE, interpolation=cv2.INTER_CUBIC)
    with NetworkCamera(grain) as opened:
        yield opened


def looked(session: CameraSession, table: Lying, times: int = 10) -> None:
    """Waits until the table was looked at this often."""
    most = table.looks + times
    until(lambda: table.looks >= most and session.status().state == "live")


def passes(session: CameraSession) -> None:
    """Waits until pictures have come that could have been looked at."""
    until(lambda: session.status().state == "live")
    for _ in range(3):
        last = session.newest()
        until(lambda: session.newest() is not last)  # noqa: B023


def stops(evening: Evening) -> list[Unseen]:
    """The times at which nobody looked, as the program stood still; what a slow machine misses is none of them."""
    return [one for one in evening.sightings if isinstance(one, Unseen) and one.why == "stopped"]


def cards(ledger: Ledger, game: int) -> int:
    """How many cards were reported. That pictures came late, on a busy machine, is reported beside them."""
    return sum("Appeared" in text for text in ledger.reports(game))


def begun(session: CameraSession, camera: NetworkCamera, table: Lying) -> int:
    session.choose(camera.url)
    game = session.begin(GAME, TABLE)
    looked(session, table)
    return game


def test_cards_that_lie_there_in_a_break_between_two_hands_are_no_hand(ledger: Ledger, camera: NetworkCamera) -> None:
    table = Lying()
    with CameraSession(ledger, lambda: table) as session:
        game = begun(session, camera, table)
        session.rest(True)
        table.cards = tuple(map(lying, PLACES))
        passes(session)
        table.cards = ()
        session.rest(False)
        looked(session, table)
        assert cards(ledger, game) == 0
        table.cards = tuple(map(lying, PLACES))  # and now the game goes on
        until(lambda: cards(ledger, game) >= len(PLACES))
        evening = session.recorder.evening if session.recorder is not None else None
        assert evening is not None
        assert stops(evening) == []
        if not any(isinstance(one, Unseen) for one in evening.sightings):  # on a busy machine pictures come late
            assert questions(evening) == ()
            assert session.notices() == ()


def test_what_lay_on_the_table_before_a_break_is_looked_at_as_after_a_stop(ledger: Ledger, camera: NetworkCamera) -> None:
    table = Lying()
    with CameraSession(ledger, lambda: table) as session:
        game = begun(session, camera, table)
        table.cards = (lying(PLACES[0]),)
        until(lambda: ledger.reports(game))
        session.rest(True)
        passes(session)
        told = len(ledger.reports(game))
        table.cards = tuple(map(lying, PLACES[:2]))
        passes(session)
        assert len(ledger.reports(game)) == told
        session.rest(False)
        until(lambda: any('"place":1' in text for text in ledger.reports(game)))
        assert session.recorder is not None
        [hole] = stops(session.recorder.evening)
        came = [(one.place, one.t >= hole.until) for one in session.recorder.evening.sightings if isinstance(one, Appeared)]
        assert (0, False) in came
        assert (1, True) in came
        assert (1, False) not in came


def test_a_break_outlives_a_restart(ledger: Ledger, camera: NetworkCamera) -> None:
    table = Lying()
    with CameraSession(ledger, lambda: table) as session:
        game = begun(session, camera, table)
        ledger.note(game, **{BREAK: "1"})
        session.rest(True)
    table.cards = tuple(map(lying, PLACES))
    with CameraSession(ledger, lambda: table) as again:
        assert again.resume() is not None
        passes(again)
        assert ledger.reports(game) == ()
        again.rest(False)
        until(lambda: ledger.reports(game))

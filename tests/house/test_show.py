"""What stands between the line and the page: the port, the pace, the newest picture, what is kept."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing
from urllib.request import urlopen

import cv2
import numpy as np
import pytest

from companion.cli import show
from companion.cli.show import Newest, free_port, keep, paced, served
from companion.eyes.source import Picture
from companion.games import GAMES, log_format
from companion.games.stu.rules.log import Game, read_lines
from companion.ledger import Ledger
from companion.line.follow import Step
from companion.referee import Evening
from companion.table.errors import CannotServe
from companion.table.log import Line

HOST = "127.0.0.1"
GAME = b'{"e":"game","v":1,"game":"stu","players":["Anna","Bruno"],"stake":200,"currency":"EUR","dealer":"Bruno"}\n'
HAND = b'{"e":"hand"}\n'
IMAGE = np.full((900, 1600, 3), 128, np.uint8)


def picture(t: float) -> Picture:
    return Picture(t, IMAGE)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program uses."""
    with closing(socket.socket()) as holder:
        holder.bind((HOST, 0))
        holder.listen()
        yield holder.getsockname()[1]


def test_a_taken_port_gives_way_to_the_next_free_one_and_it_is_said(taken: int) -> None:
    said: list[str] = []
    ledger = Ledger.in_memory(log_format)
    with ledger, served(ledger, host=HOST, port=taken, newest=Newest(), say=said.append) as server:
        assert server.port > taken
    assert said == [f"Port {taken} is taken on {HOST}; using {server.port}."]


def test_a_free_port_is_taken_without_a_word(taken: int) -> None:
    with closing(socket.socket()) as once:
        once.bind((HOST, 0))
        free = once.getsockname()[1]
    assert free_port(HOST, free, lambda words: pytest.fail(words)) == free


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(CannotServe, match=r"203\.0\.113\.1"):
        free_port("203.0.113.1", 8000, lambda words: None)


def test_when_all_ports_are_taken_it_says_which(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "PORTS_TRIED", 1)
    with pytest.raises(CannotServe, match=f"ports {taken} to {taken} are all taken"):
        free_port(HOST, taken, lambda words: None)


def test_the_page_is_served_while_the_block_runs() -> None:
    with (
        Ledger.in_memory(log_format) as ledger,
        served(ledger, host=HOST, port=0, newest=Newest(), say=print) as server,
        urlopen(server.url) as answer,
    ):
        assert answer.status == 200
        assert b"<html" in answer.read()


def test_the_port_is_free_again_after_the_block() -> None:
    with Ledger.in_memory(log_format) as ledger, served(ledger, host=HOST, port=0, newest=Newest(), say=print) as server:
        port = server.port
    with closing(socket.socket()) as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind((HOST, port))


def test_the_newest_picture_is_a_jpeg_of_at_most_640_pixels() -> None:
    newest = Newest()
    assert newest.jpeg() is None
    newest.put(IMAGE)
    data = newest.jpeg()
    assert data is not None
    read = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert read is not None
    assert read.shape == (360, 640, 3)


def test_every_change_is_recorded_and_every_picture_shown() -> None:
    game = read_lines(GAME)[0].event
    assert isinstance(game, Game)
    first, second = read_lines(GAME), read_lines(GAME + HAND)
    logs: list[tuple[tuple[Line, ...], bool]] = [(first, True), (first, False), (second, True)]
    evening = Evening.of(GAMES["stu"], game)
    steps = [Step(picture(n), (), log, changed, evening) for n, (log, changed) in enumerate(logs)]
    newest, seen = Newest(), list[float]()
    with Ledger.in_memory(log_format) as ledger:
        game = ledger.new_game()
        keep(steps, ledger, game, newest, lambda step: seen.append(step.picture.t))
        assert ledger.version(game) == 2
        assert ledger.lines(game) == second
    assert seen == [0, 1, 2]
    assert newest.jpeg() is not None


class Clock:
    """Time that passes only by sleeping, and by looking at a picture for `look` seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, look: float) -> None:
        self.now, self.look = 100.0, look
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr(time, "sleep", self.sleep)

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def play(self, pace: float) -> list[float]:
        """When each of three pictures, a second apart, was given."""
        given = []
        for _ in paced([picture(0), picture(1), picture(2)], pace):
            given.append(round(self.now - 100, 6))
            self.now += self.look
        return given


@pytest.mark.parametrize(
    ("pace", "look", "given"),
    [(1, 0.1, [0, 1, 2]), (2, 0.1, [0, 0.5, 1]), (0, 0.1, [0, 0.1, 0.2]), (1, 3, [0, 3, 6])],
    ids=["real time", "twice as fast", "as fast as it can", "a slow machine leaves nothing out"],
)
def test_pace(monkeypatch: pytest.MonkeyPatch, pace: float, look: float, given: list[float]) -> None:
    assert Clock(monkeypatch, look).play(pace) == given

"""A page whose connection died without a word: a device that slept, a bar's Wi-Fi that went. The page is right again soon."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from fake_camera import FakeCamera
from flask import Flask
from phones import Phone
from playwright.sync_api import Browser, Page, expect
from serving import served

from companion.dashboard import create_app
from companion.dashboard.settings import Settings
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

pytestmark = pytest.mark.browser


class Hole:
    """A way to the server at ``port``. `cut`: whatever is open stays open, and nothing comes through any more."""

    def __init__(self, port: int) -> None:
        self._to, self._listening = port, socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open, self._dead = set[object](), set[object]()
        threading.Thread(target=self._run, daemon=True).start()

    def cut(self) -> None:
        self._dead |= self._open

    def close(self) -> None:
        self._listening.close()

    def _run(self) -> None:
        while True:
            try:
                one, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(one,), daemon=True).start()

    def _carry(self, one: socket.socket) -> None:
        key = object()
        self._open.add(key)
        with suppress(ConnectionError), one, socket.create_connection(("127.0.0.1", self._to)) as other:
            while key not in self._dead:
                for came in select.select([one, other], [], [], 0.05)[0]:
                    data = came.recv(65536)
                    if not data:
                        self._open.discard(key)
                        return
                    if key not in self._dead:
                        (other if came is one else one).sendall(data)
            while one.recv(65536):  # until the browser gives it up
                pass


@pytest.fixture
def house(ledger: Ledger) -> Callable[[Settings], Flask]:
    first = new_game(["Anna", "Bruno", "Carla"], 200, "Carla")
    recorder = EveningRecorder.begin(ledger, first, "by hand")
    return lambda settings: create_app(ledger, settings=settings, camera=FakeCamera(ledger), recorder=lambda: recorder)


@pytest.fixture
def alone(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(locale="it-IT")
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


WOKEN = {
    "visible again": "document.dispatchEvent(new Event('visibilitychange'))",
    "back in the network": "dispatchEvent(new Event('online'))",
    "shown again by Back": "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))",
}


@pytest.mark.parametrize("path", ["/", pytest.param("/organiser", marks=pytest.mark.pages)])
def test_a_page_that_wakes_takes_another_line_at_once(path: str, house: Callable[[Settings], Flask], alone: Page) -> None:
    """Its own patience would take it an hour."""
    told = iter(["Mano 1", "Mano 2", "Mano 3"])
    app = house(Settings(patience=3600))
    with served(app) as server:
        hole, phone = Hole(server.port), Phone(app)
        address = f"http://127.0.0.1:{hole.port}"
        if path == "/organiser":
            alone.goto(f"{address}/pair?next=/organiser")
            alone.fill("[name=pin]", app.extensions["pairing"].pin.digits)
            alone.keyboard.press("Enter")
            alone.wait_for_url("**/organiser")
        else:
            alone.goto(address)
        expect(alone.locator(".seat, #players li")).to_have_count(3)
        for woken in WOKEN.values():
            expect(alone.locator("#lost")).to_be_hidden()
            hole.cut()
            phone.say({"e": "hand"})
            alone.evaluate(woken)
            expect(alone.locator("body")).to_contain_text(next(told), ignore_case=True)
            phone.say({"e": "void"})
        hole.close()


def test_a_line_that_dies_unseen_is_given_up_after_the_pages_patience(
    house: Callable[[Settings], Flask], alone: Page
) -> None:
    app = house(Settings(patience=2, heartbeat=0.5))
    with served(app) as server:
        hole, phone = Hole(server.port), Phone(app)
        alone.goto(f"http://127.0.0.1:{hole.port}")
        expect(alone.locator(".seat")).to_have_count(3)
        hole.cut()
        phone.say({"e": "hand"})
        expect(alone.locator("body")).to_contain_text("Mano 1", ignore_case=True)
        hole.close()

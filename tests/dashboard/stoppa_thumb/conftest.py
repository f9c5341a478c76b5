"""The program without a camera; a stoppata that has begun."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from journey import Screens
from stoppa_by_thumb import NAMES
from thumbs import Thumb, thumb, without_camera

from companion.dashboard.serve import Server
from companion.games.stoppa import log
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder


@pytest.fixture
def app(ledger: Ledger) -> Iterator[Flask]:
    with without_camera(ledger) as app:
        yield app


@pytest.fixture
def laying(app: Flask, server: Server, ledger: Ledger, screens: Screens) -> Thumb:
    """A stoppata in which Anna has laid a four, and Bruno a five."""
    recorder = EveningRecorder.begin(ledger, log.new_game(NAMES, 100, 20, "Dino"))
    phone = thumb(app, server, screens, "/organiser")
    phone.tap("#next .big")
    for _ in range(5):
        phone.next("offer0")
    del recorder
    phone.says("Stoppata: apre Anna")
    phone.next("coppe-4")
    phone.next("Bruno spade-5")
    phone.says("Stoppata: serve il sei")
    phone.taps = 0
    return phone

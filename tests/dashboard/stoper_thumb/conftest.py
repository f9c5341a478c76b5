"""The program without a camera; an evening that has begun, and a hand that was opened."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from journey import Screens
from stoper_by_thumb import NAMES, STACKS
from thumbs import Thumb, thumb, without_camera

from companion.dashboard.serve import Server
from companion.games.stoper import log
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder


@pytest.fixture
def app(ledger: Ledger) -> Iterator[Flask]:
    with without_camera(ledger) as app:
        yield app


@pytest.fixture
def begun(app: Flask, server: Server, ledger: Ledger, screens: Screens) -> Thumb:
    """A hand that has begun, on a phone that is called Banco; Ciro has 4.00 left."""
    first = log.new_game(NAMES, STACKS, "Ada", usual=log.Usual(50, 50))
    EveningRecorder.begin(ledger, first)
    phone = thumb(app, server, screens, "/organiser", size=(360, 640), name="Banco")
    phone.tap("#next .big")
    phone.says("Si apre da Fante: Bice")
    return phone


@pytest.fixture
def opened(begun: Thumb) -> Thumb:
    """Bice has opened with 2.00."""
    begun.next("amount200")
    begun.says("Aperto: parola a Ciro")
    begun.taps = 0
    return begun

"""A game that the camera follows, and paired phones on it."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import Screens
from races import PICTURE, Phones

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder


@pytest.fixture
def recorder(ledger: Ledger) -> EveningRecorder:
    return EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))


@pytest.fixture
def app(ledger: Ledger, recorder: EveningRecorder) -> Flask:
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=60), recorder=lambda: recorder,
                      moment=lambda t, places: PICTURE)  # fmt: skip


@pytest.fixture
def phones(screens: Screens, server: Server, app: Flask) -> Phones:
    return Phones(screens, server, app)

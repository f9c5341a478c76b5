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
from companion.line.scribe import Scribe


@pytest.fixture
def scribe(ledger: Ledger) -> Scribe:
    return Scribe.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))


@pytest.fixture
def app(ledger: Ledger, scribe: Scribe) -> Flask:
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=60), scribe=lambda: scribe,
                      moment=lambda t, places: PICTURE)  # fmt: skip


@pytest.fixture
def phones(screens: Screens, server: Server, app: Flask) -> Phones:
    return Phones(screens, server, app)

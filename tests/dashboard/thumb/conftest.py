"""An evening with three, and the organiser's phone."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import Screens
from organiser_thumb import Thumb
from playwright import sync_api

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder


@pytest.fixture
def recorder(ledger: Ledger) -> EveningRecorder:
    return EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla", edition="piazza-2010"))


@pytest.fixture
def app(ledger: Ledger, recorder: EveningRecorder) -> Flask:
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=60), recorder=lambda: recorder)


@pytest.fixture
def thumb(screens: Screens, server: Server, app: Flask) -> Thumb:
    """Paired, its clicks counted."""
    counting = "window.clicks = 0; addEventListener('click', () => { clicks += 1; }, true);"
    page = screens.paired(server.url, app.extensions["pairing"].pin.digits, script=counting)
    sync_api.expect(page.locator("#status")).not_to_be_empty()
    return Thumb(page)

"""A ledger in memory, and the application over it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from flask.testing import FlaskClient
from journey import Screens

from companion.dashboard import create_app
from companion.games import log_format
from companion.ledger import Ledger

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.in_memory(log_format) as opened:
        yield opened


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    return create_app(ledger)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def screens(chromium: Browser) -> Iterator[Screens]:
    """Devices with pages open; a script of one that fails, fails the test."""
    opened = Screens(chromium)
    yield opened
    opened.close()

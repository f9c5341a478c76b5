"""A ledger in memory, and the application over it."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.dashboard import create_app
from companion.ledger import Ledger


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.in_memory() as opened:
        yield opened


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    return create_app(ledger)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()

"""A TV of 1280x720 whose page must not fail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright import sync_api
from serving import served

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.ledger import Ledger


@pytest.fixture
def server(ledger: Ledger) -> Iterator[Server]:
    # The moviola waits for its keys, and no page gives a busy machine up: what a test does next may take long.
    with served(create_app(ledger, settings=Settings(heartbeat=0.5, patience=60, moviola_step=600))) as running:
        yield running


@pytest.fixture
def page(chromium: sync_api.Browser) -> Iterator[sync_api.Page]:
    """A TV of 1280x720 whose page must not fail: an error in its script fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []

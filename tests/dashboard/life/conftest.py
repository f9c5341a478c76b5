"""A program that is served, with one webcam over a green table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bar_life import Bar, Drawn
from serving import served

from companion.dashboard import create_app
from companion.ledger import Ledger


@pytest.fixture
def bar(ledger: Ledger) -> Iterator[Bar]:
    camera = Drawn(ledger)
    app = create_app(ledger, camera=camera, recorder=lambda: camera.recorder)
    with served(app) as server:
        yield Bar(ledger, camera, server, app.extensions["pairing"].pin.digits)

"""A phone at the beginning of setting up, and the camera that it sees through."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from fake_camera import FakeCamera
from serving import served

from companion.dashboard import create_app
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")


@pytest.fixture
def camera(ledger: Ledger) -> FakeCamera:
    class Drawn(FakeCamera):
        def jpeg(self, width: int) -> bytes | None:
            picture = np.full((720, 1280, 3), (40, 60, 80), np.uint8)
            cv2.fillConvexPoly(picture, np.array([[330, 140], [1010, 170], [1180, 610], [120, 560]]), (60, 110, 30))
            return np.asarray(cv2.imencode(".jpg", picture)[1]).tobytes()

    return Drawn(ledger)


@pytest.fixture
def page(chromium: sync_api.Browser, ledger: Ledger, camera: FakeCamera) -> Iterator[sync_api.Page]:
    """A phone of 390x844 that is paired and stands at the beginning; an error in a script fails the test."""
    app = create_app(ledger, camera=camera)
    with served(app) as server:
        context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        opened = context.new_page()
        opened.set_default_timeout(60_000)
        errors: list[str] = []
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.request.post(f"{server.url}/pair", form={"pin": app.extensions["pairing"].pin.digits}, max_redirects=0)
        opened.goto(f"{server.url}/setup")
        yield opened
        context.close()
    assert errors == []

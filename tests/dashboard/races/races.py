"""What the tests of races share: paired phones on one game, and what the camera sees meanwhile."""

from __future__ import annotations

from functools import partial
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from journey import PHONE, Screens

from companion.dashboard.serve import Server
from companion.games.stu.sightings import Appeared, Cleared, Shown
from companion.line.recorder import EveningRecorder
from companion.table.log import tag

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

SMALL = {**PHONE, "viewport": {"width": 360, "height": 640}}
DEALT = tuple(Appeared(1.0 + place, place) for place in range(3))
UNSURE = (*DEALT, Shown(15.0, 0, 1, (("2", 0.6), ("8", 0.4))), Shown(15.5, 1, 2, (("5", 1.0),)), Shown(16.0, 2, 3, (("9", 1.0),)),
          Cleared(20.0))  # fmt: skip
PICTURE = cv2.imencode(".jpg", np.full((720, 1280, 3), 90, np.uint8))[1].tobytes()


class Phones:
    """Paired phones on one game."""

    def __init__(self, screens: Screens, server: Server, app: Flask) -> None:
        self._paired = partial(screens.paired, server.url, app.extensions["pairing"].pin.digits)

    def __call__(self, name: str, kind: dict[str, Any] = PHONE) -> sync_api.Page:
        page = self._paired(name=name, kind=kind)
        sync_api.expect(page.locator("#status")).not_to_be_empty()
        return page


def tags(recorder: EveningRecorder) -> list[str]:
    return [tag(line.event) for line in recorder.evening.log[1:]]


def line(page: sync_api.Page, text: str) -> sync_api.Locator:
    return page.locator("#hand .line", has_text=text).first

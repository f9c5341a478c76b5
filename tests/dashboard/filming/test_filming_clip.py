"""A phone's browser films the bundled clip's first hand, sends it over HTTPS, and the TV says who pays.

The hand is played at half its speed: a camera waits for nobody, and a machine with other work to do looks seldom.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from film import FILMING_PHONE, begin_evening, film, tripod
from journey import REMEMBER, TOO_LONG_MS, TV, Screens, serious
from recorded_looks import trained
from serving import served, until

from companion.assets import asset
from companion.dashboard import create_app
from companion.dashboard.phone_camera import PhoneDoor
from companion.games import log_format, stu
from companion.games.stu.rules.log import read_lines
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.line.phone_camera import PhoneCamera

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

# A browser films, another shows, in the time that the hand takes: that is all one test.
pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.processor(40)]

DEMO = asset("datasets/demo")
TABLE = json.loads((DEMO / "table.json").read_text())
TRUE = stu.replay(read_lines((DEMO / "log.jsonl").read_bytes()))
PAYERS = sorted(payment.player for payment in TRUE.hands[0].payments)
FIRST_HAND_SECONDS = 36.0
"""When the clip's first hand is over, and its cards are gathered."""


WIDTH = 640
"""Pixels of the pictures that the phone sends: a small machine has two browsers and the program to run."""


def smaller(table: dict[str, Any], scale: float) -> dict[str, Any]:
    """Its corners and places in pictures ``scale`` times as wide."""
    corners = [[scale * value for value in point] for point in table["corners"]]
    players = [{**seat, "place": [scale * value for value in seat["place"]]} for seat in table["players"]]
    return {**table, "corners": corners, "players": players}


def read_code(page: Any) -> str:
    """What the QR code on the page says."""
    shot = cv2.imdecode(np.frombuffer(page.locator(".qr").first.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    for reader in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
        for scale in (1, 2, 0.5, 1.5):  # OpenCV overlooks one code in fifty, each at another size
            if said := reader.detectAndDecode(cv2.resize(shot, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC))[0]:
                return said
    return ""


def test_a_phone_films_a_hand_through_to_its_ruling(chromium: Any, screens: Screens, tmp_path: Path) -> None:
    clip = film(DEMO / "demo.mp4", tmp_path / "clip.y4m", FIRST_HAND_SECONDS, WIDTH, pace=0.5)
    inbox = PhoneCamera()
    door = PhoneDoor(inbox, "127.0.0.1", 0, tmp_path / "phone-camera.pem")
    with (
        Ledger.open(tmp_path / "evening.ledger", log_format) as ledger,
        CameraSession(ledger, trained, find_cameras=lambda *_: (), phone=inbox) as camera_session,
        closing(door),
        tripod(chromium, clip) as other,
    ):
        app = create_app(ledger, camera=camera_session, recorder=lambda: camera_session.recorder, moment=camera_session.moment,
                         notices=camera_session.notices, door=door)  # fmt: skip
        with served(app) as server, closing(Screens(other)) as filming:
            app.extensions["pairing"].reachable = lambda: (server.url,)
            tv = screens.open(TV, server.url)
            tv.evaluate(REMEMBER)
            organiser = screens.paired(server.url, app.extensions["pairing"].pin.digits, "/setup")
            organiser.locator(".doors form button").first.tap()
            organiser.locator("form:has([value=stu]) button").tap()
            organiser.locator("#a-phone").tap()
            organiser.wait_for_url("**/setup/camera/phone")
            assert serious(organiser) == []
            code = read_code(organiser)
            assert re.fullmatch(re.escape(server.url) + r"/camera\?lang=it#[\w-]{20,}", code)

            phone = filming.open(FILMING_PHONE, code)
            sync_api.expect(phone.locator("main")).to_contain_text("certificato")
            assert serious(phone) == []
            phone.locator("#open").tap()
            phone.wait_for_url(re.compile("^https:"), wait_until="commit")
            organiser.wait_for_url("**/setup/camera", timeout=TOO_LONG_MS)  # by itself, with the first picture
            sync_api.expect(organiser.locator("svg.picture")).to_be_visible()
            sync_api.expect(phone.locator("h1")).to_have_text(re.compile("Sta guardando il tavolo"), use_inner_text=True)
            assert serious(phone) == []

            phone.locator("#stop").tap()
            begin_evening(organiser, smaller(TABLE, WIDTH / TABLE["image_size"][0]))
            sync_api.expect(tv.locator("#notices")).to_be_visible(timeout=TOO_LONG_MS)  # nothing comes, and the TV says so
            phone.locator("#again").tap()  # from the clip's beginning
            sync_api.expect(tv.locator("#notices")).to_be_hidden(timeout=TOO_LONG_MS)
            sync_api.expect(tv.locator(".ruling:not(.partial)")).to_be_visible(timeout=TOO_LONG_MS)  # asks the page once a second
            until(lambda: any(one["final"] and sorted(one["payers"]) == sorted(set(PAYERS)) for one in tv.evaluate("remembered")))
            phone.locator("#stop").tap()
            hands = stu.replay(read_lines(app.test_client().get("/api/log").data)).hands
            assert sorted(payment.player for payment in hands[0].payments) == PAYERS

"""What the journeys through the life of an evening share: the program with one webcam, the steps of setting up."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from fake_camera import FakeCamera
from film import send_forms
from journey import PHONE
from serving import Server

from companion.ledger import Ledger
from companion.line.camera import SourceView

if TYPE_CHECKING:
    from playwright.sync_api import Page

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")


SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 640}}


CUT_OFF = """() => [...document.querySelectorAll('#settlement th, #settlement td')].filter((cell) => {
  const box = cell.getBoundingClientRect(), room = document.getElementById('settlement').getBoundingClientRect();
  return box.width && (box.bottom > room.bottom + 1 || box.right > innerWidth || box.top < room.top - 1);
}).map((cell) => cell.textContent)"""


TAPS = {"Anna": (640, 560), "Bruno": (1000, 400), "Carla": (620, 190)}


class Drawn(FakeCamera):
    """One webcam, which can be unplugged, over a green table."""

    plugged = True

    def sources(self) -> tuple[SourceView, ...]:
        return (SourceView("0", "Webcam", (1280, 720)),) if self.plugged else ()

    def jpeg(self, width: int) -> bytes | None:
        return drawn_table() if self.state.size else None


@cache
def drawn_table() -> bytes:
    """A picture of 1280x720; drawn once, as pages ask for it again and again."""
    picture = np.full((720, 1280, 3), (40, 60, 80), np.uint8)
    cv2.fillConvexPoly(picture, np.array([[330, 140], [1010, 170], [1180, 610], [120, 560]]), (60, 110, 30))
    return np.asarray(cv2.imencode(".jpg", picture)[1]).tobytes()


class Bar:
    """The program, served."""

    def __init__(self, ledger: Ledger, camera: Drawn, server: Server, pin: str) -> None:
        self.ledger, self.camera, self.url, self.pin = ledger, camera, server.url, pin


def to_ready(page: Page) -> None:
    """From the first page to the last one, with a camera and three players."""
    page.get_by_role("button", name=re.compile("Serata nuova")).tap()
    page.locator("form:has([value=stu]) button").tap()
    page.get_by_role("link", name="Avanti").tap()
    page.get_by_role("button", name="Avanti").tap()
    page.wait_for_url("**/setup/players")
    picture = page.locator("svg.picture")
    scale = page.evaluate("1 / document.querySelector('svg.picture').getScreenCTM().a")
    for number, (name, (x, y)) in enumerate(TAPS.items()):
        picture.tap(position={"x": x / scale, "y": y / scale})
        sync_api.expect(page.locator("#names input").nth(number)).to_be_focused()
        page.keyboard.type(name)
    page.get_by_role("button", name="Avanti").tap()
    page.get_by_text("Carla", exact=True).tap()
    page.get_by_role("button", name="Avanti").tap()
    page.wait_for_url("**/setup/ready")


CORNERS = "330,140 1010,170 1180,610 120,560"


def prepared(page: Page) -> None:
    """The same, by forms, from any page of setting up that has one."""
    places = " ".join(f"{x},{y}" for x, y in TAPS.values())
    send_forms(page, ("new", {}), ("game", {"game": "stu"}), ("camera", {"source": "0"}), ("table", {"corners": CORNERS}),
               ("players", {"name": list(TAPS), "places": places}), ("stakes", {"stake": "1", "dealer": "Carla"}))  # fmt: skip
    page.goto("{0.scheme}://{0.netloc}/setup/ready".format(urlsplit(page.url)))


def begin(page: Page) -> None:
    page.get_by_role("button", name="Comincia").tap()
    page.wait_for_url("**/organiser")


SEND = """([path, form]) => {
  const made = Object.assign(document.createElement('form'), { method: 'post', action: path });
  for (const [name, value] of Object.entries(form)) made.append(Object.assign(document.createElement('input'), { name, value }));
  document.body.append(made);
  setTimeout(() => made.submit());
}"""


NARROW = """() => [...document.querySelectorAll('a, button, select, summary, .chip, .choice, .handle, input:not([type=hidden])')]
  .filter((one) => one.checkVisibility() && !(one.matches('input') && one.closest('label')))
  .map((one) => [one.getBoundingClientRect(), one])
  .filter(([box]) => box.height < 44 || box.width < 44).map(([box, one]) => `${box.width}x${box.height} ${one.outerHTML}`)"""


EVENING = (Path(__file__).resolve().parents[3] / "docs" / "evening.md").read_text("utf-8")


COUNTED = {what: int(taps) for what, taps in re.findall(r"^\| ([a-z ]+) \| \*\*(\d+)\*\*", EVENING, re.MULTILINE)}
"""The table of docs/evening.md: how an evening begins, and the taps besides the places and names."""

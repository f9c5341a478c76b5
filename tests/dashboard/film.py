"""A phone on a tripod, for tests: Chromium with a fake camera that plays a clip."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

import cv2

from companion.eyes.source import pictures

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PER_SECOND = 7.5
"""Pictures of a clip, for each of its seconds, that the camera shows: half of those that a phone could send."""
FILMING_PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
                                 "ignore_https_errors": True, "locale": "it-IT"}  # fmt: skip


def film(clip: Path, to: Path, seconds: float, width: int, pace: float) -> Path:
    """The clip's first ``seconds`` as a file of plain pictures of this width, which Chromium need not decode, played at ``pace``
    times their speed. Each picture that the camera shows is drawn, sent and looked at: more of them would make no other hand."""
    with to.open("wb") as file:
        for picture in pictures(str(clip), PER_SECOND):
            if picture.t > seconds:
                break
            height = 2 * round(picture.image.shape[0] * width / picture.image.shape[1] / 2)
            if not file.tell():
                file.write(b"YUV4MPEG2 W%d H%d F%d:100 Ip A1:1 C420mpeg2\n" % (width, height, round(100 * PER_SECOND * pace)))
            small = cv2.resize(picture.image, (width, height), interpolation=cv2.INTER_AREA)
            file.write(b"FRAME\n" + cv2.cvtColor(small, cv2.COLOR_BGR2YUV_I420).tobytes())
    return to


@contextmanager
def tripod(chromium: Browser, clip: Path | None = None) -> Iterator[Browser]:
    """Another Chromium, whose camera plays a file made by `film`, from its beginning whenever it is opened, over and over;
    without one a pattern that moves."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking",
                 "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream=fps=15"]  # fmt: skip
    if clip is not None:
        arguments.append(f"--use-file-for-fake-video-capture={clip}")
    browser = chromium.browser_type.launch(executable_path=found, args=arguments)
    try:
        yield browser
    finally:
        browser.close()


def begin_evening(phone: Page, table: dict[str, Any]) -> None:
    """Every step after the camera's, as the forms of a paired phone that is on a page of setting up; ``table``: a TABLE.json."""
    corners = " ".join(f"{x},{y}" for x, y in table["corners"])
    places = " ".join("{},{}".format(*seat["place"]) for seat in table["players"])
    send_forms(
        phone, ("table", {"corners": corners}),
        ("players", {"places": places, "name": [seat["name"] for seat in table["players"]]}),
        ("stakes", {"stake": "1", "dealer": table["dealer"]}), ("start", {}),
    )  # fmt: skip


def send_forms(phone: Page, *steps: tuple[str, dict[str, Any]]) -> None:
    """Steps of setting up, each with its form, sent by a paired phone that is on a page with one; no page of them is opened."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(phone.url))
    csrf = phone.locator('input[name="csrf"]').first.input_value()
    for step, form in steps:
        fields = [(key, one) for key, value in form.items() for one in (value if isinstance(value, list) else [value])]
        answer = phone.request.post(
            f"{origin}/setup/{step}", max_redirects=0, headers={"Content-Type": "application/x-www-form-urlencoded"},
            data=urlencode([("csrf", csrf), *fields]),
        )  # fmt: skip
        assert answer.status == 302, (step, re.findall(r'role="alert">([^<]*)', answer.text()))

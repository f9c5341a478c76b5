"""An evening as people live it, in Chromium: set up on a phone, filmed by the bundled clip, followed by the camera's real thread.

One run of the clip serves all of them. What comes after it: `test_journeys_after`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from clip_evening import DEMO, NAMES, PAYERS, TABLE, hesitant, seldom
from journey import REMEMBER, TV, Screens, copied, serious
from serving import program, served, until

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.line.footage import Footage

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

# The whole clip is read by the camera's own thread, and the program is started.
pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.processor(30)]

COLOURS = """image => { const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
  const context = canvas.getContext("2d"); context.drawImage(image, 0, 0);
  return [...context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data.slice(0, 3)]; }"""
"""Red, green, blue in the middle of a picture."""


@dataclass(frozen=True)
class Evening:
    """The clip has been followed to its end. ``half`` and ``whole``: the ledger in mid-hand 2 and afterwards; ``stood``: what
    `/api/game` said in mid-hand. ``tv`` and ``phone`` still follow ``server``."""

    server: Server
    tv: Any
    phone: Any
    half: Path
    whole: Path
    stood: dict[str, Any]
    corners: list[list[float]]


def saved(ledger: Path, to: Path) -> Path:
    """The ledger as it is on the disk now."""
    with closing(sqlite3.connect(ledger)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)
    return to


def set_up(phone: Any) -> list[list[float]]:
    """From the first page of setting up to the first hand, by thumb; returns the corners that were found."""
    phone.locator(".doors form button").first.tap()
    phone.locator("form:has([value=stu]) button").tap()
    phone.fill("#source", str(DEMO / "demo.mp4"))
    phone.locator("#source + button").tap()
    forward = phone.locator("main a.primary")
    sync_api.expect(forward).to_be_visible()
    until(lambda: phone.reload() and (forward.get_attribute("href") or "").endswith("/table"))  # there is a picture
    forward.tap()
    phone.wait_for_url("**/setup/table")
    sync_api.expect(phone.locator(".handle")).to_have_count(4)
    found = [[float(value) for value in pair.split(",")] for pair in phone.input_value("#corners").split()]
    phone.locator("main button.primary:visible").tap()
    sync_api.expect(phone.locator("#add")).to_be_visible()
    phone.wait_for_load_state("load")
    picture = phone.locator("svg.picture")
    for number, seat in enumerate(TABLE["players"]):
        width = picture.bounding_box()["width"]
        x, y = (value * width / TABLE["image_size"][0] for value in seat["place"])
        picture.tap(position={"x": x, "y": y})
        sync_api.expect(phone.locator("#names input").nth(number)).to_be_focused()
        phone.keyboard.type(seat["name"])
    phone.locator("main button.primary:visible").tap()
    phone.fill("#stake", "1")
    phone.get_by_label(TABLE["dealer"], exact=True).check()
    phone.locator("main button.primary:visible").tap()
    phone.locator("main button.big").tap()
    phone.wait_for_url("**/organiser")
    return found


@pytest.fixture(scope="module")
def evening(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    folder = tmp_path_factory.mktemp("evening")
    file, half, screens = folder / "evening.ledger", folder / "half.ledger", Screens(chromium)
    settings = Settings(heartbeat=0.5, patience=60)
    stood, footage = dict[str, Any](), Footage()

    def keep_half() -> None:
        """In mid-hand 2 somebody has shown a card, and others still have to: the camera's thread keeps it before it goes on."""
        if not stood and camera_session.recorder is not None and len(camera_session.recorder.state.hands) == 1:
            game = app.test_client().get("/api/game").json
            if game["hand"] == 2 and any(seat["card"] and seat["card"]["face"] for seat in game["seats"]):
                saved(file, half)
                stood.update(game)

    with (
        seldom(),
        Ledger.open(file, log_format) as ledger,
        CameraSession(ledger, lambda: hesitant(keep_half), find_cameras=lambda *_: (), pace=0,
                      footage=footage) as camera_session,
    ):  # fmt: skip
        app = create_app(ledger, settings=settings, camera=camera_session, recorder=lambda: camera_session.recorder,
                         moment=camera_session.moment, notices=camera_session.notices, footage=footage)  # fmt: skip
        with served(app) as server, closing(screens):
            tv = screens.open(TV, server.url)
            tv.evaluate(REMEMBER)
            phone = screens.paired(server.url, app.extensions["pairing"].pin.digits, "/setup")
            corners = set_up(phone)
            until(lambda: camera_session.status().state == "ended")
            assert stood, "nobody was seen to show a card in mid-hand 2"
            sync_api.expect(phone.locator("#question")).to_be_visible()
            sync_api.expect(tv.locator(".ruling.unsure:not(.partial)")).to_be_visible()
            yield Evening(server, tv, phone, half, saved(file, folder / "whole.ledger"), stood, corners)


def test_the_tv_showed_the_table_the_cards_and_the_ruling_of_what_was_filmed(evening: Evening) -> None:
    found = [min(abs(x - a) + abs(y - b) for a, b in evening.corners) for x, y in TABLE["corners"]]
    assert max(found) < 25  # pixels of 1280: the program found the table by itself
    shown = [one for one in evening.tv.evaluate("remembered") if one["hand"] == 1]
    assert [seat.text_content() for seat in evening.tv.locator(".called").all()] == NAMES
    first = next(number for number, one in enumerate(shown) if one["lying"] == len(NAMES))
    assert shown[first]["faces"] == 0
    ruled = [one["payers"] for one in shown if one["final"]]
    assert sorted(ruled[-1]) == sorted(PAYERS[0])
    assert any(one["payers"] == PAYERS[0][:1] and not one["final"] for one in shown)  # the gnaffata falls before the hand ends
    assert serious(evening.tv) == []


def test_the_open_question_is_first_with_its_picture_and_an_answer_is_one_tap(evening: Evening) -> None:
    phone, tv = evening.phone, evening.tv
    question = phone.locator("main > section:visible").first
    assert question.get_attribute("id") == "question"
    crop, moving = question.locator("img.moment[src*=picture]"), question.locator("img.moment[src*='.jpg']")
    sync_api.expect(moving).to_be_visible()  # there is video of it: the picture is a tap away
    question.locator(".swap").tap()
    sync_api.expect(crop).to_be_visible()
    sync_api.expect(moving).to_be_hidden()
    until(lambda: crop.evaluate("image => image.naturalWidth > 60"))
    offered = question.locator(".answer").evaluate_all("all => all.map((one) => one.dataset.key)")
    assert set(offered[:2]) == {"4", "8"}
    assert phone.evaluate("document.querySelector('.answer').getBoundingClientRect().bottom < innerHeight")
    sync_api.expect(tv.locator(".ruling.unsure")).to_be_visible()
    assert serious(phone) == []
    phone.locator('#question [data-key="4"]').tap()
    sync_api.expect(tv.locator(".ruling:not(.unsure)")).to_be_visible()
    assert sorted(tv.locator(".payer").all_text_contents()) == sorted(PAYERS[1])
    phone.locator("#undo").tap()
    sync_api.expect(phone.locator("#question")).to_be_visible()


def test_the_tv_plays_what_decided_the_hand_and_then_shows_the_ruling_again(evening: Evening) -> None:
    phone, tv = evening.phone, evening.tv
    ruling = tv.locator("#middle").inner_text()
    phone.locator('[data-key="var"]').tap()
    sync_api.expect(tv.locator("#var img")).to_be_visible()
    assert tv.evaluate("document.querySelector('#var').getBoundingClientRect().width === innerWidth")
    first = tv.locator("#var img").get_attribute("src")
    until(lambda: tv.locator("#var img").get_attribute("src") != first)
    said = {tv.locator("#var .says").inner_text()}
    red, green, blue = tv.locator("#var img").evaluate(COLOURS)
    assert green > red
    assert green > blue
    done = tv.locator("#var progress").evaluate("bar => bar.value / bar.max")
    until(lambda: tv.locator("#var progress").evaluate("bar => bar.value / bar.max") > min(done + 0.2, 0.9))
    said |= {tv.locator("#var .says").inner_text()}
    sync_api.expect(tv.locator("#var .verdict")).to_have_text("Non si vede")  # the ruling is not sure: a question is open
    assert tv.locator("#var .verdict").evaluate("word => parseFloat(getComputedStyle(word).fontSize)") >= 40
    sync_api.expect(tv.locator("#var")).to_be_hidden()
    assert tv.locator("#middle").inner_text() == ruling
    assert any("Bragon" in text or "scambiano" in text for text in said)
    phone.locator('[data-key="var-slow"]').tap()  # once more, for axe: the video may be over before it has seen everything
    sync_api.expect(tv.locator("#var img")).to_be_visible()
    sync_api.expect(phone.locator("#toast")).to_contain_text("c’è il video")
    assert serious(tv) == []
    tv.keyboard.press("Escape")
    sync_api.expect(tv.locator("#var")).to_be_hidden()


def test_a_correction_that_changes_the_ruling_ends_its_video(evening: Evening) -> None:
    phone, tv = evening.phone, evening.tv
    phone.locator('[data-key="var-slow"]').tap()
    sync_api.expect(tv.locator("#var img")).to_be_visible()
    phone.locator("#question .answer").nth(1).tap()
    sync_api.expect(tv.locator("#var")).to_be_hidden()
    phone.locator("#undo").click()


def test_stopped_in_mid_hand_the_program_stands_where_it_was(evening: Evening, tmp_path: Path, screens: Screens) -> None:
    ledger = copied(evening.half, tmp_path)
    with program(ledger, "--pace", "0.001") as started:  # the camera looks once again, and waits for the next picture
        phone = screens.paired(started.url, started.pin)
        sync_api.expect(phone.locator("#hand .line").first).to_be_visible()
        now = phone.evaluate("fetch('/api/game').then((answer) => answer.json())")
        for said in (now, evening.stood):  # the camera has looked again already, and may be surer
            assert said["ruling"].pop("confidence") >= 0.9  # a bbummata so far is no surer than the passo before it
        for what in ("hand", "pot", "seats", "ruling", "status"):
            assert now[what] == evening.stood[what], what

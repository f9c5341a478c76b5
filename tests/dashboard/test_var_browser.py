"""Video of the bundled clip on the TV and on the phone, in Chromium, through the camera's real thread.

The first looks at it are in `test_journeys_clip`, of an evening that others need too: here is what `make test-all` adds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from clip_evening import DEMO, hesitant, seldom
from journey import PHONE, TV, Screens, serious, turned
from serving import served, until

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.line.footage import Footage
from companion.line.tablefile import read_table_file

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

# The whole clip is read by the camera's own thread, for every picture that a video may need.
pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.processor(45)]

DARK = "rgb(36, 40, 46)"
"""The ground of a video, in both themes: what is covered has it, too."""


@dataclass(frozen=True)
class Evening:
    """The clip has been followed to its end."""

    server: Server
    app: Any
    footage: Footage
    pin: Callable[[], str]


@pytest.fixture(scope="module")
def evening() -> Iterator[Evening]:
    footage = Footage()
    with (
        seldom(),
        Ledger.in_memory(log_format) as ledger,
        CameraSession(ledger, hesitant, find_cameras=lambda *_: (), pace=0, footage=footage) as camera_session,
    ):
        app = create_app(ledger, settings=Settings(heartbeat=0.5, patience=60), camera=camera_session,
                         recorder=lambda: camera_session.recorder,
                         moment=camera_session.moment, notices=camera_session.notices, footage=footage)  # fmt: skip
        camera_session.choose(str(DEMO / "demo.mp4"))
        until(lambda: camera_session.status().state == "held")
        camera_session.begin(read_table_file(DEMO / "table.json").first, (DEMO / "table.json").read_bytes())
        until(lambda: camera_session.status().state == "ended")
        with served(app) as server:
            yield Evening(server, app, footage, lambda: app.extensions["pairing"].pin.digits)


@pytest.fixture
def tv(evening: Evening, screens: Screens) -> Any:
    page = screens.open(TV, evening.server.url)
    sync_api.expect(page.locator("#seats li")).to_have_count(5)
    return page


@pytest.fixture
def phone(evening: Evening, screens: Screens) -> Any:
    page = screens.paired(evening.server.url, evening.pin())
    sync_api.expect(page.locator('[data-key="var"]')).to_be_visible()
    return page


@pytest.mark.thorough
def test_escape_and_the_phone_end_it_and_a_page_loaded_meanwhile_does_not_begin_it(
    tv: Any, phone: Any, screens: Screens, evening: Evening
) -> None:
    phone.locator('[data-key="var-slow"]').tap()
    sync_api.expect(tv.locator("#var img")).to_be_visible()
    sync_api.expect(tv.locator("#var b")).to_contain_text("al rallentatore")
    late = screens.open(TV, evening.server.url)
    sync_api.expect(late.locator("#seats li")).to_have_count(5)
    tv.keyboard.press("Escape")
    sync_api.expect(tv.locator("#var")).to_be_hidden()
    assert late.locator("#var").is_hidden()
    phone.locator('[data-key="var"]').tap()  # again, from the beginning
    sync_api.expect(tv.locator("#var img")).to_be_visible()
    sync_api.expect(late.locator("#var img")).to_be_visible()
    phone.locator('[data-key="var-stop"]').tap()
    for page in (tv, late):
        sync_api.expect(page.locator("#var")).to_be_hidden()
    sync_api.expect(phone.locator('[data-key="var-stop"]')).to_have_count(0)


@pytest.mark.pages
def test_an_earlier_hand_is_shown_when_the_phone_looks_at_it(tv: Any, phone: Any) -> None:
    turned(phone, "#hands")
    phone.locator("#hands .line").nth(1).tap()
    sync_api.expect(phone.locator('[data-key="var"]')).to_contain_text("mano 1")
    phone.locator('[data-key="var"]').tap()
    sync_api.expect(tv.locator("#var b")).to_contain_text("Mano 1")
    sync_api.expect(tv.locator("#var .says")).to_contain_text("Nicola mostra lo Gnao")
    tv.keyboard.press("Escape")


@pytest.mark.pages
def test_beside_the_question_the_moment_moves_and_a_tap_brings_the_picture_back(phone: Any) -> None:
    moving = phone.locator("#question .moments .moment").nth(1)
    sync_api.expect(moving).to_be_visible()
    sync_api.expect(phone.locator("#question .moments .moment").first).to_be_hidden()
    first = moving.get_attribute("src")
    until(lambda: moving.get_attribute("src") != first)
    assert serious(phone) == []
    phone.locator("#question .swap").tap()
    sync_api.expect(moving).to_be_hidden()
    sync_api.expect(phone.locator("#question .moments .moment").first).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


@pytest.mark.thorough
def test_a_light_tv_a_small_one_and_a_phone_as_spectator_show_it_too(phone: Any, screens: Screens, evening: Evening) -> None:
    light = screens.open(TV, f"{evening.server.url}/?theme=light")
    small = screens.open({"viewport": {"width": 360, "height": 640}}, evening.server.url)
    for page in (light, small):
        sync_api.expect(page.locator("#seats li")).to_have_count(5)
    phone.locator('[data-key="var"]').tap()
    for page in (light, small):
        sync_api.expect(page.locator("#var img")).to_be_visible()
        assert page.evaluate("document.querySelector('#var figcaption').getBoundingClientRect().bottom <= innerHeight + 1")
    assert [one.locator("#var").evaluate("box => getComputedStyle(box).backgroundColor") for one in (light, small)] == [DARK] * 2
    phone.locator('[data-key="var-stop"]').tap()


@pytest.mark.pages
def test_where_the_video_is_gone_the_phone_says_so_and_the_tv_shows_nothing(tv: Any, phone: Any, evening: Evening) -> None:
    kept, evening.footage._kept = evening.footage._kept, type(evening.footage._kept)()  # as after a restart
    try:
        phone.locator('[data-key="var"]').tap()
        sync_api.expect(phone.locator("#toast")).to_contain_text("non c’è più")
        assert tv.locator("#var").is_hidden()
        phone.reload()
        sync_api.expect(phone.locator("#question .answers")).to_be_visible()
        sync_api.expect(phone.locator("#question .moments")).to_have_count(1)
        assert phone.locator("#question .swap").count() == 0
    finally:
        evening.footage._kept = kept


@pytest.mark.pages
def test_the_voice_calls_what_is_new_and_asks_for_a_press_where_the_browser_wants_one(tv: Any, phone: Any) -> None:
    from companion.dashboard import voice

    if not voice.installed():
        pytest.skip("needs espeak-ng")
    phone.locator('[data-key="voice"]').tap()
    sync_api.expect(phone.locator('[data-key="voice"]')).to_have_attribute("aria-pressed", "true")
    until(lambda: tv.evaluate("page.shows.voice === true && called !== null"))
    assert tv.evaluate("document.body.dataset.said ?? null") is None, "what stood there before is not said"
    phone.locator("#question .answer").first.tap()
    until(lambda: tv.evaluate("document.body.dataset.said !== undefined"))
    assert tv.evaluate("document.body.dataset.said").startswith(("Paga", "Guadagna"))
    phone.locator("#undo").click()
    sync_api.expect(phone.locator("#question")).to_be_visible()
    phone.locator('[data-key="voice"]').tap()
    sync_api.expect(phone.locator('[data-key="voice"]')).to_have_attribute("aria-pressed", "false")


@pytest.mark.pages
def test_the_sheet_and_the_files_are_a_tap_away(phone: Any) -> None:
    turned(phone, "#export")
    with phone.expect_download() as files:
        phone.locator("#export a[href*='hands.csv']").tap()
    text = files.value.path().read_text("utf-8-sig")
    assert text.startswith('"Mano";"Mazziere";')
    assert "Filomena" in text
    phone.locator("#export a[href*='sheet']").tap()
    sync_api.expect(phone.locator("h1")).to_have_text("Lu Stù")
    assert serious(phone) == []
    assert not phone.evaluate("document.documentElement.scrollWidth > innerWidth")

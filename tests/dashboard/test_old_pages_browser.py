"""Pages in browsers that are too old, on lines that die, on devices that sleep; what moves and what speaks."""

from __future__ import annotations

import io
import re
import wave
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from games import GNAFFATA, lines
from journey import TV, Screens
from serving import until

from companion.dashboard import locale
from companion.dashboard.serve import Server
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")


def test_every_page_brings_what_says_that_it_did_not_come_up(client: FlaskClient, ledger: Ledger, app: Flask) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    needed = {**dict.fromkeys(("/", "/overlay", "/charts"), locale.SPECTATORS), "/pair": locale.ORGANISERS}
    for path, needs in needed.items():
        page = client.get(path).text
        tag = re.search(r'<script id="came-up" src="([^"]+)" data-needs="([^"]+)"([^>]*)></script>', page)
        assert tag, path
        assert tag[2] == needs
        assert [word in tag[3] for word in ("troppo vecchio", "too old", "defer")] == [True, True, False]
        assert page.index(tag[0]) < page.index("<script src=")
    assert client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits}).status_code == 302
    assert f'data-needs="{locale.ORGANISERS}"' in client.get("/organiser").text
    with client.get("/static/came-up.js") as script:
        assert script.status_code == 200


@pytest.fixture
def game(ledger: Ledger) -> int:
    played = ledger.new_game()
    ledger.record(played, lines(*GNAFFATA))
    return played


@pytest.fixture
def screens(chromium: sync_api.Browser) -> Iterator[Screens]:
    """Their scripts may fail: that is what is shown."""
    opened = Screens(chromium)
    yield opened
    opened.errors.clear()
    opened.close()


OLD = "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/53.0.2785.34 Safari/537.36"


@pytest.mark.browser
@pytest.mark.parametrize(("agent", "said"), [(OLD, ["Chrome 53. Serve almeno Chrome 63", "Chrome 53. The page needs Chrome 63"]),
                                             (None, ["non si è avviata", "did not come up"])], ids=["old", "new"])  # fmt: skip
@pytest.mark.parametrize("spoilt", ["a ??? b", pytest.param(None, marks=pytest.mark.pages)], ids=["unreadable", "lost"])
def test_a_page_that_does_not_come_up_says_so_in_both_languages(
    screens: Screens, server: Server, agent: str | None, said: list[str], spoilt: str | None
) -> None:
    page = screens.open({**TV, **({"user_agent": agent} if agent else {})}, "about:blank")
    spoil = {"body": spoilt, "content_type": "text/javascript"}
    page.route("**/tv.js", lambda route: route.abort() if spoilt is None else route.fulfill(**spoil))
    page.goto(server.url)
    said_in = page.locator("#not-up p")
    sync_api.expect(said_in).to_have_count(2)
    for number, text in enumerate(said):
        sync_api.expect(said_in.nth(number)).to_contain_text(text)
        sync_api.expect(said_in.nth(number)).to_have_attribute("lang", ("it", "en")[number])


@pytest.mark.browser
def test_a_page_that_came_up_says_nothing_whatever_fails_later(screens: Screens, server: Server, game: int) -> None:
    page = screens.open(TV, server.url)
    sync_api.expect(page.locator(".seat")).to_have_count(3)
    page.evaluate("new Promise((done) => { setTimeout(() => { setTimeout(done); null.foo; }); })")
    sync_api.expect(page.locator("#not-up")).to_have_count(0)


@pytest.mark.pages
@pytest.mark.browser
def test_the_cards_of_an_exchange_fly_over_the_page_from_each_others_place(
    chromium: sync_api.Browser, server: Server, game: int
) -> None:
    with closing(chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="no-preference")) as context:
        page = context.new_page()
        page.goto(server.url)
        sync_api.expect(page.locator(".seat .card")).to_have_count(3)
        one, other = (page.locator(".seat").nth(at).get_attribute("data-player") for at in (0, 1))
        found = page.evaluate("""([one, other]) => {
          slide(one, other);
          const at = (name) => document.querySelector(`.seat[data-player="${name}"] .card`).getBoundingClientRect();
          return document.getAnimations().filter((each) => each.effect.target.className === "flying").map((each) => {
            each.pause();
            each.currentTime = 0;
            const begins = each.effect.target.getBoundingClientRect();
            each.currentTime = 899;
            const ends = each.effect.target.getBoundingClientRect();
            const near = (a, b) => Math.hypot(a.left - b.left, a.top - b.top) + Math.abs(a.width - b.width) < 5;
            return [one, other].map((name) => [near(begins, at(name)), near(ends, at(name))]);
          });
        }""", [one, other])  # fmt: skip
        assert found == [[[False, True], [True, False]], [[True, False], [False, True]]]
        page.evaluate("land()")
        sync_api.expect(page.locator(".flying")).to_have_count(0)
        assert page.evaluate("[...document.querySelectorAll('.card')].every((card) => card.style.visibility === '')")


@pytest.mark.pages
@pytest.mark.browser
@pytest.mark.parametrize("woken", [
    "document.dispatchEvent(new Event('visibilitychange'))",
    "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
    "dispatchEvent(new Event('online'))",
])  # fmt: skip
def test_a_page_that_wakes_opens_its_line_at_once(screens: Screens, server: Server, app: Flask, game: int, woken: str) -> None:
    asked: list[str] = []
    tv = screens.open(TV, server.url)
    phone = screens.paired(server.url, app.extensions["pairing"].pin.digits)
    for page, stream in ((tv, "/api/stream"), (phone, "/api/organiser/stream")):
        page.wait_for_load_state("load")
        page.on("request", lambda request: asked.append(request.url))
        page.evaluate(woken)
        until(lambda stream=stream, page=page: page.evaluate("1") and any(stream in url for url in asked))
        asked.clear()


def silence() -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(1600))
    return made.getvalue()


@pytest.mark.pages
@pytest.mark.browser
def test_one_voice_says_all_sentences_and_goes_on_after_an_interruption(screens: Screens, server: Server, game: int) -> None:
    page: Any = screens.open(TV, server.url)
    sync_api.expect(page.locator(".seat")).to_have_count(3)
    page.route("**/api/calls/*.wav", lambda route: route.fulfill(body=silence(), content_type="audio/wav"))
    page.route("**/api/calls?*", lambda route: route.fulfill(json={"id": "1", "calls": []}))
    page.evaluate("""() => { window.made = []; const Real = AudioContext;
      window.AudioContext = function () { const one = new Real(); made.push(one); return one; };
      page.shows.voice = true; return voiceSwitched(false); }""")
    page.locator("h1").click()  # a browser that plays nothing before lets it speak now
    for number in range(2):
        page.evaluate("(n) => play({ key: `k${n}`, text: `sentence ${n}` })", number)
        assert page.evaluate("[made.length, speaker.state, $('voice').hidden]") == [1, "running", True]
        page.evaluate("speaker.suspend()")  # a call comes in
    page.evaluate("play({ key: 'k', text: 'after it' })")
    assert page.evaluate("[made.length, speaker.state, $('voice').hidden]") == [1, "running", True]

"""The life of an evening in Chromium, as a bar would treat it: Back, two taps, two phones, the end and the rematch, an old
evening taken up again, a camera plugged in while the page is open."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import cv2
import numpy as np
import pytest
from fake_camera import FakeCamera
from games import GNAFFATA, lines
from journey import PHONE, TV, Screens, serious
from serving import Server, served
from test_evenings_life import TOLD, WON, recorded, table_of
from views import mostly

from companion.dashboard import create_app
from companion.ledger import Ledger
from companion.line.camera import CameraStatus, SourceView

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

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
        if not self.state.size:
            return None
        picture = np.full((720, 1280, 3), (40, 60, 80), np.uint8)
        cv2.fillConvexPoly(picture, np.array([[330, 140], [1010, 170], [1180, 610], [120, 560]]), (60, 110, 30))
        return np.asarray(cv2.imencode(".jpg", picture)[1]).tobytes()


class Bar:
    """The program, served."""

    def __init__(self, ledger: Ledger, camera: Drawn, server: Server, pin: str) -> None:
        self.ledger, self.camera, self.url, self.pin = ledger, camera, server.url, pin


@pytest.fixture
def bar(ledger: Ledger) -> Iterator[Bar]:
    camera = Drawn(ledger)
    app = create_app(ledger, camera=camera, scribe=lambda: camera.scribe)
    with served(app) as server:
        yield Bar(ledger, camera, server, app.extensions["pairing"].pin.digits)


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


def begin(page: Page) -> None:
    page.get_by_role("button", name="Comincia").tap()
    page.wait_for_url("**/organiser")


def test_back_and_a_tap_leave_the_evening_that_is_on(bar: Bar, screens: Screens) -> None:
    page = screens.paired(bar.url, bar.pin, "/setup")
    to_ready(page)
    begin(page)
    page.go_back()
    page.wait_for_url("**/setup?why=begun")
    sync_api.expect(page.get_by_role("status")).to_contain_text("La serata è cominciata")
    # And as a browser that keeps its pages would have it: the old page, shown once more.
    page.get_by_role("button", name=re.compile("Serata nuova")).tap()
    page.locator("form:has([value=stu]) button").tap()
    page.wait_for_url("**/setup/camera")
    page.go_back()
    page.wait_for_url("**/setup/game")
    page.go_back()
    page.wait_for_url("**/setup?why=begun")
    sync_api.expect(page.get_by_role("link", name="Segna la partita")).to_be_visible()
    assert [game.id for game in bar.ledger.games()] == [1]


def test_two_taps_on_begin_begin_one_evening(bar: Bar, screens: Screens) -> None:
    page = screens.paired(bar.url, bar.pin, "/setup")
    to_ready(page)
    page.evaluate("""() => { const form = document.querySelector('form[action="/setup/start"]');
      const told = new URLSearchParams(new FormData(form));
      return Promise.all([1, 2].map(() => fetch(form.action, { method: "POST", body: told }))); }""")
    assert [game.id for game in bar.ledger.games()] == [1]
    begin(page)
    assert [game.id for game in bar.ledger.games()] == [1]


def test_a_second_phone_with_an_old_page_is_led_to_the_evening(bar: Bar, screens: Screens) -> None:
    one, other = (screens.paired(bar.url, bar.pin, "/setup", name) for name in ("one", "other"))
    to_ready(one)
    other.goto(f"{bar.url}/setup/ready")
    begin(one)
    begin(other)
    assert [game.id for game in bar.ledger.games()] == [1]
    other.goto(f"{bar.url}/setup")
    to_ready(other)
    other.get_by_role("button", name="Comincia").tap()
    sync_api.expect(other.get_by_role("heading", name="C’è una serata in corso")).to_be_visible()
    assert serious(other) == []
    assert bar.ledger.newest() == 1
    other.get_by_role("link", name="Resta in questa").tap()
    other.wait_for_url("**/organiser")
    assert bar.ledger.newest() == 1


def test_a_camera_that_is_plugged_in_appears_and_its_picture_lives(bar: Bar, screens: Screens) -> None:
    bar.camera.plugged = False
    page = screens.paired(bar.url, bar.pin, "/setup")
    page.get_by_role("button", name=re.compile("Serata nuova")).tap()
    page.locator("form:has([value=stu]) button").tap()
    sync_api.expect(page.get_by_text("compare qui da sola")).to_be_visible()
    page.fill("#source", "rtsp://192")  # what is being typed stays
    bar.camera.plugged = True
    sync_api.expect(page.get_by_role("button", name=re.compile("Webcam"))).to_be_visible()
    sync_api.expect(page.get_by_role("link", name="Avanti")).to_be_visible()  # the only one: taken at once
    assert page.input_value("#source") == "rtsp://192"
    sync_api.expect(page.locator("svg.picture image")).to_have_attribute("href", re.compile(r"live\.jpg\?\d+"))
    sync_api.expect(page.locator("#camera-is")).to_have_text("funziona")
    bar.camera.plugged, bar.camera.state = False, CameraStatus("0", "lost")
    sync_api.expect(page.locator("#camera-is")).to_contain_text("persa")
    sync_api.expect(page.get_by_role("link", name="Avanti")).to_have_count(0)


def test_a_page_that_waits_for_the_camera_goes_on_by_itself(bar: Bar, screens: Screens) -> None:
    page = screens.paired(bar.url, bar.pin, "/setup")
    page.get_by_role("button", name=re.compile("Serata nuova")).tap()
    page.locator("form:has([value=stu]) button").tap()
    page.get_by_role("link", name="Avanti").wait_for()
    bar.camera.state = CameraStatus("0", "opening")
    page.goto(f"{bar.url}/setup/table")
    sync_api.expect(page.locator("svg.picture")).to_have_count(0)
    bar.camera.choose("0")
    sync_api.expect(page.locator("svg.picture")).to_be_visible()


def test_at_the_end_the_accounts_stand_and_the_rematch_is_one_tap(bar: Bar, screens: Screens) -> None:
    over = recorded(bar.ledger, WON, table=table_of(WON), camera="0")
    tv, page = screens.open(TV, bar.url), screens.paired(bar.url, bar.pin)
    for screen in (tv, page):
        rows = screen.locator("#settlement tbody tr")
        sync_api.expect(rows).to_have_count(3)
        sync_api.expect(rows.first).to_contain_text("Bruno")
        sync_api.expect(rows.first).to_contain_text("+4,00 €")
        assert serious(screen) == []
    sync_api.expect(tv.locator("#table")).to_be_hidden()
    button = page.get_by_role("button", name="Rivincita")
    button.tap()
    page.wait_for_url("**/organiser")
    sync_api.expect(page.locator("#status")).to_contain_text("mano", ignore_case=True)
    sync_api.expect(page.locator("#settlement")).to_be_hidden()
    sync_api.expect(tv.locator("#settlement")).to_be_hidden()
    sync_api.expect(tv.locator(".seat .plate").first).to_be_in_viewport()
    assert [game.id for game in bar.ledger.games()] == [2, over]
    assert bar.camera.begun is not None
    assert bar.camera.begun[1] is not None


def test_the_last_ruling_stands_before_the_accounts_do(bar: Bar, screens: Screens) -> None:
    recorded(bar.ledger, WON[:-1])
    tv = screens.open(TV, "about:blank")
    tv.clock.install()
    tv.goto(bar.url)
    sync_api.expect(tv.locator(".seat")).to_have_count(3)
    bar.ledger.record(1, lines(*WON))
    sync_api.expect(tv.locator("#middle .won")).to_be_visible()
    sync_api.expect(tv.locator("#settlement")).to_be_hidden()
    tv.clock.run_for(13_000)
    sync_api.expect(tv.locator("#settlement")).to_be_visible()
    sync_api.expect(tv.locator("#middle")).to_be_hidden()
    tv.keyboard.press("m")  # the moviola has the table back
    sync_api.expect(tv.locator("#table")).to_be_visible()
    tv.keyboard.press("Escape")
    sync_api.expect(tv.locator("#settlement")).to_be_visible()


@pytest.mark.parametrize("players", mostly([2, 10, 20, 39], [2, 20]))
def test_the_accounts_of_a_whole_bar_are_on_the_screen(bar: Bar, screens: Screens, players: int) -> None:
    names = [f"Giocatore {number}" for number in range(1, players + 1)]
    standing = {name: {"pedine": max(0, 2 - at), "virgin": False} for at, name in enumerate(names)}
    game = json.loads(GNAFFATA[0]) | {"players": names, "dealer": names[0], "standing": standing}
    shown = ({"e": "reveal", "by": names[0], "card": "9"}, {"e": "reveal", "by": names[1], "card": "1"})
    recorded(bar.ledger, tuple(json.dumps(event) for event in (game, {"e": "hand"}, *shown, {"e": "end"})))
    for size in ({"width": 1280, "height": 720}, {"width": 1920, "height": 1080}):
        tv = screens.open({"viewport": size}, bar.url)
        sync_api.expect(tv.locator("#settlement tbody tr")).to_have_count(players)
        assert tv.evaluate(CUT_OFF) == []


def test_an_old_evening_is_taken_up_again(bar: Bar, screens: Screens) -> None:
    old = recorded(bar.ledger, TOLD, table=table_of(TOLD), camera="0")
    recorded(bar.ledger, GNAFFATA)
    page = screens.paired(bar.url, bar.pin, "/setup")
    page.get_by_role("link", name=re.compile("Serate passate")).tap()
    page.get_by_role("button", name="Riprendi").nth(1).tap()
    page.wait_for_url("**/setup/ready")
    page.get_by_role("link", name="Cambia: Telecamera").tap()
    page.get_by_role("button", name=re.compile("Webcam")).tap()
    page.get_by_role("link", name="Avanti").wait_for()
    page.goto(f"{bar.url}/setup/ready")
    sync_api.expect(page.locator(".placed")).to_have_count(3)  # where everybody sat, over what the camera sees
    assert serious(page) == []
    page.get_by_role("button", name="Riprendi").tap()
    page.get_by_role("button", name=re.compile("Lasciala: riprendi")).tap()
    page.wait_for_url("**/organiser")
    assert bar.ledger.newest() == old
    assert bar.camera.gone_on is not None
    assert bar.camera.gone_on[1] is not None
    sync_api.expect(page.locator("#players")).to_contain_text("Anna")


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


@pytest.mark.parametrize("lang", mostly(["it-IT", "en-GB"], ["it-IT"]))
def test_everything_can_be_hit_on_a_small_phone(bar: Bar, screens: Screens, lang: str) -> None:
    """All pages of setting up at 360x640, in each of their states: targets of 44 px and more, nothing beside the screen."""
    over = recorded(bar.ledger, WON, table=table_of(WON), camera="0")
    old = recorded(bar.ledger, TOLD, table=table_of(TOLD), camera="0")
    recorded(bar.ledger, GNAFFATA)
    page = screens.open(SMALL_PHONE, f"{bar.url}/pair", locale=lang)
    csrf = ""
    walked: list[str] = []

    def sound(path: str = "", **form: str) -> None:
        if form:
            with page.expect_navigation():
                page.evaluate(SEND, [path, {"csrf": csrf, **form}])
        elif path:
            page.goto(bar.url + path)
        walked.append(page.url)
        assert page.evaluate(NARROW) == [], page.url
        assert page.evaluate("document.documentElement.scrollWidth") == 360, page.url

    sound()
    page.fill("#pin", bar.pin)
    page.locator("main form button").tap()
    page.wait_for_url("**/organiser")
    page.goto(f"{bar.url}/setup")
    csrf = str(page.locator("[name=csrf]").first.get_attribute("value"))
    for path in ("/setup", "/setup/camera", "/setup/check", "/setup/games", f"/setup/games/{over}?step=3", "/organiser/phones"):
        sound(path)
    sound("/setup/new", late="1")
    bar.camera.choose("0")
    for step in ("camera", "table"):
        sound(f"/setup/{step}")
    sound("/setup/table", corners="330,140 1010,170 1180,610 120,560")
    sound("/setup/players", name="Anna", places="1,1")  # alone: refused, and said
    for number, (x, y) in enumerate(TAPS.values()):
        scale = page.evaluate("1 / document.querySelector('svg.picture').getScreenCTM().a")
        if number:
            page.locator("svg.picture").tap(position={"x": x / scale, "y": y / scale})
        page.locator("#names input").nth(number).fill(f"Giocatore dal nome {number}")
    assert page.evaluate(NARROW) == []
    page.locator("button.primary").tap()
    page.wait_for_url("**/setup/stakes")
    page.locator("summary").tap()
    sound()
    page.locator("button.primary").tap()
    page.wait_for_url("**/setup/standing")
    sound()
    page.locator("button.primary").tap()
    page.wait_for_url("**/setup/draw")
    sound()
    sound("/setup/ready")
    sound("/setup/again", game=str(over))
    sound("/setup/go-on", game=str(old))
    page.locator("button.primary").tap()
    page.locator("button.danger").wait_for()
    sound()
    assert len(set(walked)) >= 14


EVENING = (Path(__file__).resolve().parents[2] / "docs" / "evening.md").read_text("utf-8")
COUNTED = {what: int(taps) for what, taps in re.findall(r"^\| ([a-z ]+) \| \*\*(\d+)\*\*", EVENING, re.MULTILINE)}
"""The table of docs/evening.md: how an evening begins, and the taps besides the places and names."""


def test_an_evening_begins_with_the_taps_that_the_page_says(bar: Bar, screens: Screens) -> None:
    page, taps, counted = screens.open(PHONE, f"{bar.url}/pair#{bar.pin}"), 0, dict[str, int]()

    def tap(name: str, role: Literal["button", "link", "radio"] = "button") -> None:
        nonlocal taps
        page.get_by_role(role, name=re.compile(name)).first.tap()
        taps += 1

    def begun(what: str, players: tuple[str, ...] = ("Anna", "Bruno", "Carla")) -> None:
        nonlocal taps
        page.wait_for_url("**/organiser")
        counted[what], taps = taps, 0
        assert bar.ledger.lines(bar.ledger.newest() or 0)[0].event.players == players

    # From the QR code.
    tap("Entra")
    page.wait_for_url("**/setup")
    tap("Serata nuova")
    tap("^Lu Stù")
    tap("Avanti", "link")
    tap("Avanti")
    page.wait_for_url("**/setup/players")
    scale = page.evaluate("1 / document.querySelector('svg.picture').getScreenCTM().a")
    for number, (name, (x, y)) in enumerate(TAPS.items()):
        page.locator("svg.picture").tap(position={"x": x / scale, "y": y / scale})
        sync_api.expect(page.locator("#names input").nth(number)).to_be_focused()
        page.keyboard.type(name)
    tap("Avanti")
    page.wait_for_url("**/setup/stakes")
    tap("Carla", "radio")
    tap("Avanti")
    tap("Comincia")
    begun("from nothing")
    # The next evening, the last one over; the phone has scanned the code, and is known.
    over = recorded(bar.ledger, WON, table=table_of(WON), camera="0")
    bar.camera.state = CameraStatus("", "none")
    page.goto(f"{bar.url}/setup")
    tap("Stessa tavola")
    sync_api.expect(page.locator(".placed")).to_have_count(3)
    tap("Comincia")
    begun("the same people again")
    # One more.
    bar.ledger.take_up(over)
    page.goto(f"{bar.url}/organiser")
    tap("Rivincita")
    sync_api.expect(page.locator("#settlement")).to_be_hidden()
    begun("the rematch")
    # An evening of the archive.
    old = recorded(bar.ledger, TOLD)
    bar.ledger.take_up(over)
    page.goto(f"{bar.url}/setup")
    tap("Serate passate", "link")
    tap("Riprendi")
    page.wait_for_url("**/setup/ready")
    tap("Riprendi")
    begun("an evening of the archive")
    assert bar.ledger.newest() == old
    assert counted == COUNTED
    assert counted["from nothing"] <= 12
    assert counted["the same people again"] <= 4


def test_the_phones_language_is_the_first_and_the_switch_is_remembered(bar: Bar, screens: Screens) -> None:
    page = screens.open(PHONE, f"{bar.url}/pair#{bar.pin}", locale="en-GB")
    sync_api.expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name="Italiano").tap()  # the PIN of the code is not lost
    sync_api.expect(page.locator("html")).to_have_attribute("lang", "it")
    sync_api.expect(page.locator("#pin")).to_have_value(bar.pin)
    page.get_by_role("button", name="Entra").tap()
    page.wait_for_url("**/setup")
    for path in ("/setup/games", "/organiser", "/"):
        page.goto(bar.url + path)
        sync_api.expect(page.locator("html")).to_have_attribute("lang", "it")
    page.goto(f"{bar.url}/setup")
    page.get_by_role("link", name="English").tap()
    sync_api.expect(page.locator("html")).to_have_attribute("lang", "en")
    for path in ("/setup/games", "/organiser", "/"):
        page.goto(bar.url + path)
        sync_api.expect(page.locator("html")).to_have_attribute("lang", "en")
    tv = screens.open(TV, bar.url, locale="en-GB")
    sync_api.expect(tv.locator("html")).to_have_attribute("lang", "it")  # the house's


def test_an_evening_from_a_file_gets_its_places_by_tapping_each_players_card(bar: Bar, screens: Screens) -> None:
    game = recorded(bar.ledger, TOLD)
    page = screens.paired(bar.url, bar.pin, "/setup/games")
    page.get_by_role("button", name="Riprendi").tap()
    page.get_by_role("link", name="Cambia: Telecamera").tap()
    page.get_by_role("button", name=re.compile("Webcam")).tap()
    page.get_by_role("link", name="Avanti").tap()
    page.get_by_role("button", name="Avanti").tap()
    page.wait_for_url("**/setup/players")
    sync_api.expect(page.locator("#names input")).to_have_count(3)
    sync_api.expect(page.locator(".placed")).to_have_count(0)
    scale = page.evaluate("1 / document.querySelector('svg.picture').getScreenCTM().a")
    for number, (x, y) in enumerate(TAPS.values(), start=1):
        page.locator("svg.picture").tap(position={"x": x / scale, "y": y / scale})
        sync_api.expect(page.locator(".placed")).to_have_count(number)
    page.locator("svg.picture").tap(position={"x": 5, "y": 5})  # one tap too many makes no player
    sync_api.expect(page.locator(".placed")).to_have_count(3)
    assert page.locator("#names input").evaluate_all("all => all.map((one) => one.value)") == list(TAPS)
    assert serious(page) == []
    page.get_by_role("button", name="Avanti").tap()
    page.get_by_role("button", name="Riprendi").tap()
    page.wait_for_url("**/organiser")
    assert bar.camera.gone_on is not None
    assert bar.camera.gone_on[0] == game == bar.ledger.newest()

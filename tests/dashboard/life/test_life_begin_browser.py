"""How an evening begins in Chromium: on a small phone, by the taps that the page counts, in the phone's language, from a file."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from bar_life import COUNTED, NARROW, SEND, SMALL_PHONE, TAPS, Bar
from games import GNAFFATA
from journey import PHONE, TV, Screens, serious
from setup_pages import dealt
from test_evenings_life import TOLD, WON, recorded, table_of
from views import mostly

from companion.line.camera import CameraStatus

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = [pytest.mark.browser, pytest.mark.processor(45)]  # one journey through every page of setting up


@pytest.mark.pages
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
    bar.camera.seen = dealt(*TAPS.values())
    tap("Sono questi 3 posti")
    for number, name in enumerate(TAPS):
        page.locator("#names input").nth(number).fill(name)
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
    tap("Stesso tavolo")
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
        assert '<html lang="it"' in page.request.get(bar.url + path).text()
    page.goto(f"{bar.url}/setup")
    page.get_by_role("link", name="English").tap()
    sync_api.expect(page.locator("html")).to_have_attribute("lang", "en")
    for path in ("/setup/games", "/organiser", "/"):
        assert '<html lang="en"' in page.request.get(bar.url + path).text()
    tv = screens.open(TV, bar.url, locale="en-GB")
    sync_api.expect(tv.locator("html")).to_have_attribute("lang", "it")  # the house's


@pytest.mark.pages
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

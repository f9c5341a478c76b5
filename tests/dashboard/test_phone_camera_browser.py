"""The phone that films, in Chromium with a fake camera: it comes, goes, is locked, loses the program, and is replaced."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from film import FILMING_PHONE, begin_evening, tripod
from journey import TOO_LONG_MS, Screens, serious
from serving import program, served, until
from views import mostly

from companion.assets import asset
from companion.dashboard import create_app
from companion.dashboard.phone_camera import PhoneDoor
from companion.dashboard.serve import Server
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.phone_camera import PHONE, PhoneCamera
from companion.line.station import Station

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = pytest.mark.browser

HIDE = """hidden => { Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange")); }"""
SMALL = """() => [...document.querySelectorAll("button, a.button, summary")].filter((one) => one.checkVisibility())
  .map((one) => [one.getBoundingClientRect(), one.textContent]).filter(([box]) => box.height < 44).map(([, text]) => text)"""
WIDER = "document.documentElement.scrollWidth > innerWidth"


@pytest.fixture(scope="module")
def filming(chromium: Any) -> Iterator[Any]:
    """The browser whose camera shows a pattern that moves."""
    with tripod(chromium) as browser:
        yield browser


@pytest.fixture
def phones(filming: Any) -> Iterator[Screens]:
    opened = Screens(filming)
    yield opened
    opened.close()


@dataclass
class House:
    """An evening's program whose eyes see no cards."""

    server: Server
    station: Station
    door: PhoneDoor
    inbox: PhoneCamera

    def code(self) -> str:
        return f"{self.server.url}/camera?lang=it#{self.door.invitation()}"

    def come(self, phones: Screens, **more: Any) -> Any:
        """A phone that scans the code and taps once."""
        phone = phones.open({**FILMING_PHONE, **more}, self.code())
        phone.locator("#open").tap()
        phone.wait_for_url(re.compile("^https:"), wait_until="commit")
        return phone


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    inbox = PhoneCamera()
    door = PhoneDoor(inbox, "127.0.0.1", port, tmp_path / "phone-camera.pem")
    with (
        Ledger.in_memory(log_format) as ledger,
        Station(ledger, lambda: lambda picture: (), find_cameras=lambda *_: (), phone=inbox) as station,
        closing(door),
    ):
        app = create_app(ledger, camera=station, scribe=lambda: station.scribe, door=door)
        with served(app) as server:
            station.choose(PHONE)
            door.open()
            yield House(server, station, door, inbox)


def says(phone: Any, state: str) -> None:
    sync_api.expect(phone.locator(f'body[data-state="{state}"]')).to_be_attached(timeout=TOO_LONG_MS)


LOOKS = [(size, scheme) for size in ((390, 844), (360, 640), (844, 390)) for scheme in ("dark", "light")]


@pytest.mark.parametrize("look", mostly(LOOKS, [((390, 844), "dark"), ((360, 640), "light")]), ids=str)
def test_the_pages_fit_the_phone_and_can_be_read(house: House, phones: Screens, look: tuple[tuple[int, int], str]) -> None:
    size, scheme = look
    more = {"viewport": {"width": size[0], "height": size[1]}, "color_scheme": scheme}
    phone = phones.open({**FILMING_PHONE, **more}, house.code())
    for page in ("before", "send", "stop"):
        if page == "send":
            phone.locator("#open").tap()
            says(phone, "send")
        elif page == "stop":
            phone.locator("#stop").tap()
            says(phone, "stop")
        assert serious(phone) == [], page
        assert phone.evaluate(SMALL) == [], page
        assert not phone.evaluate(WIDER), page


def test_the_phones_pictures_are_large_and_come_fast_enough(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    says(phone, "send")
    until(lambda: house.station.status().state == "live")
    assert house.station.status().size == (1280, 720)
    until(lambda: house.inbox.status().per_second > 8)
    assert "environment" in phone.evaluate("JSON.stringify(stream.getVideoTracks()[0].getConstraints())")


def test_the_program_stops_and_comes_back_and_the_phone_goes_on_by_itself(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    until(lambda: house.station.status().state == "live")
    house.door.close()
    says(phone, "offline")
    until(lambda: house.station.status().state == "lost")
    house.door.open()
    says(phone, "send")
    until(lambda: house.station.status().state == "live")


def test_a_page_that_is_hidden_says_goodbye_and_films_again_when_it_is_back(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    until(lambda: house.station.status().state == "live")
    phone.evaluate(HIDE, True)
    until(lambda: house.station.status().state == "lost")
    assert "hidden" in house.station.status().reason
    phone.evaluate("stream.getTracks().forEach((track) => track.stop())")  # as a phone does that was locked
    phone.evaluate(HIDE, False)
    until(lambda: house.station.status().state == "live")


def test_stopped_it_films_nothing_until_somebody_taps(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    until(lambda: house.station.status().state == "live")
    phone.locator("#stop").tap()
    until(lambda: house.station.status().state == "lost")
    assert phone.evaluate("stream === null")
    phone.locator("#again").tap()
    until(lambda: house.station.status().state == "live")


def test_a_camera_that_opens_after_it_was_stopped_is_closed_again(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    says(phone, "send")
    still_on = phone.evaluate("""async () => {
      const own = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices), opened = [];
      let open;
      navigator.mediaDevices.getUserMedia = async (wish) => {
        opened.push(await own(wish));
        await new Promise((done) => { open = done; });
        return opened.at(-1);
      };
      const filming = film();
      while (!open) await new Promise((done) => setTimeout(done, 20));
      stopped();
      open();
      await filming;
      return opened.flatMap((one) => one.getTracks()).filter((track) => track.readyState === "live").length;
    }""")
    assert still_on == 0
    says(phone, "stop")


def test_loaded_again_it_films_without_another_code(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    says(phone, "send")
    phone.reload()
    says(phone, "send")
    until(lambda: house.station.status().state == "live")


def test_a_code_that_somebody_else_came_with_is_said_with_what_to_do(house: House, phones: Screens) -> None:
    code = house.code()
    first = phones.open(FILMING_PHONE, code)
    first.locator("#open").tap()
    says(first, "send")
    second = phones.open(FILMING_PHONE, code)
    second.locator("#open").tap()
    says(second, "code")
    sync_api.expect(second.locator("main")).to_contain_text("inquadra quel codice")
    assert serious(second) == []


def test_a_second_phone_asks_before_it_takes_over_and_the_first_is_told(house: House, phones: Screens) -> None:
    first = house.come(phones)
    until(lambda: house.station.status().state == "live")
    second = house.come(phones)
    says(second, "other")
    assert serious(second) == []
    assert first.evaluate("state") == "send"
    second.locator("#take").tap()
    says(second, "send")
    says(first, "other")
    first.locator("#take").tap()
    says(first, "send")
    says(second, "other")


def test_while_another_camera_is_chosen_the_phone_waits_and_begins_by_itself(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    says(phone, "send")
    house.station.choose("")
    says(phone, "unwanted")
    house.station.choose(PHONE)
    says(phone, "send")


def test_a_camera_that_is_not_allowed_is_said_with_where_to_allow_it(house: House, phones: Screens) -> None:
    phone = phones.open(FILMING_PHONE, house.code())
    phone.context.add_init_script(
        "let asked = 0; const own = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices);"
        "if (own) navigator.mediaDevices.getUserMedia = (wish) => asked++ ? own(wish)"
        " : Promise.reject(new DOMException('', 'NotAllowedError'));"
    )
    phone.locator("#open").tap()
    says(phone, "denied")
    assert serious(phone) == []
    phone.locator("#again").tap()
    says(phone, "send")


def test_the_dark_screen_is_one_tap_away_and_one_tap_back(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    says(phone, "send")
    phone.locator("#dim").tap()
    sync_api.expect(phone.locator("#dark")).to_be_visible()
    assert serious(phone) == []
    phone.locator("#dark").tap()
    sync_api.expect(phone.locator("#dark")).to_be_hidden()
    until(lambda: house.inbox.status().sending)


@pytest.mark.slow
@pytest.mark.kills
def test_the_real_program_killed_in_mid_evening_waits_for_the_phone_again(
    phones: Screens, screens: Screens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    ledger = tmp_path / "evening.ledger"
    table = json.loads((asset("datasets/demo") / "table.json").read_text())
    with program(ledger, "--https-port", str(port)) as first:
        organiser = screens.paired(first.url, first.pin, "/setup/camera")
        assert not (tmp_path / "companion").exists()  # no certificate before somebody asks
        organiser.locator("#a-phone").tap()
        code = organiser.locator("#direct").get_attribute("href")
        phone = phones.open(FILMING_PHONE, f"http:{code}")
        phone.locator("#open").tap()
        says(phone, "send")
        organiser.wait_for_url("**/setup/camera", timeout=TOO_LONG_MS)
        begin_evening(organiser, table)
        until(lambda: organiser.request.get(f"{first.url}/setup/check.json").json()["state"] == "live")
    says(phone, "offline")
    with program(ledger, "--https-port", str(port)) as again:
        says(phone, "send")
        until(lambda: organiser.request.get(f"{again.url}/setup/check.json").json()["state"] == "live")  # a phone stays paired

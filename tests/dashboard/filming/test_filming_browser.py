"""The phone that films, in Chromium with a fake camera: its pages, its pictures, how it goes and comes back."""

from __future__ import annotations

import time

import pytest
from film import FILMING_PHONE
from filming_house import House, says
from journey import Screens, serious
from serving import until
from views import mostly

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = [pytest.mark.browser, pytest.mark.processor(60)]  # the browser draws and packs each picture of a fake camera

HIDE = """hidden => { Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange")); }"""
SMALL = """() => [...document.querySelectorAll("button, a.button, summary")].filter((one) => one.checkVisibility())
  .map((one) => [one.getBoundingClientRect(), one.textContent]).filter(([box]) => box.height < 44).map(([, text]) => text)"""
WIDER = "document.documentElement.scrollWidth > innerWidth"


LOOKS = [(size, scheme) for size in ((390, 844), (360, 640), (844, 390)) for scheme in ("dark", "light")]


@pytest.mark.pages
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


def test_the_phones_pictures_are_large_and_keep_coming(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    says(phone, "send")
    until(lambda: house.camera_session.status().state == "live")
    until(lambda: house.inbox.status().per_second > 0)
    assert phone.evaluate("PER_SECOND") >= 8  # as many as the machine can take
    assert "environment" in phone.evaluate("JSON.stringify(stream.getVideoTracks()[0].getConstraints())")


TRIAL = """(arrive) => {
  kept.set("side", "");
  trial = null;
  for (let one = 0; one <= arrive; one++) tryLarge(1000 + one * TRIAL_MS / arrive);
  return chosenSide();
}"""
"""Large pictures are tried again, and this number of them arrives in the time that is given them."""


def test_it_films_as_large_as_the_network_carries_and_says_how_large(house: House, phones: Screens) -> None:
    settled = {"name": "side", "value": f"1920 {time.time() * 1000:.0f}"}
    here = {"origin": f"https://127.0.0.1:{house.door.open()}", "localStorage": [settled]}
    phone = house.come(phones, storage_state={"cookies": [], "origins": [here]})
    until(lambda: house.camera_session.status().size == (1920, 1080))
    sync_api.expect(phone.locator("#size")).to_have_text("· 1920 × 1080")
    assert phone.evaluate(TRIAL, 40) == 1920
    assert phone.evaluate(TRIAL, 10) == 1280, "a slow network"
    until(lambda: house.camera_session.status().size == (1280, 720))
    sync_api.expect(phone.locator("#size")).to_have_text("· 1280 × 720")
    phone.reload()
    says(phone, "send")
    sync_api.expect(phone.locator("#size")).to_have_text("· 1280 × 720")
    assert phone.evaluate("stream.getVideoTracks()[0].getSettings().width") == 1280, "after a reload the choice still counts"


def test_the_program_stops_and_comes_back_and_the_phone_goes_on_by_itself(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    until(lambda: house.camera_session.status().state == "live")
    house.door.close()
    says(phone, "offline")
    until(lambda: house.camera_session.status().state == "lost")
    house.door.open()
    says(phone, "send")
    until(lambda: house.camera_session.status().state == "live")


@pytest.mark.pages
def test_a_page_that_is_hidden_says_goodbye_and_films_again_when_it_is_back(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    until(lambda: house.camera_session.status().state == "live")
    phone.evaluate(HIDE, True)
    until(lambda: house.camera_session.status().state == "lost")
    assert "hidden" in house.camera_session.status().reason
    phone.evaluate("stream.getTracks().forEach((track) => track.stop())")  # as a phone does that was locked
    phone.evaluate(HIDE, False)
    until(lambda: house.camera_session.status().state == "live")


@pytest.mark.pages
def test_stopped_it_films_nothing_until_somebody_taps(house: House, phones: Screens) -> None:
    phone = house.come(phones)
    until(lambda: house.camera_session.status().state == "live")
    phone.locator("#stop").tap()
    until(lambda: house.camera_session.status().state == "lost")
    assert phone.evaluate("stream === null")
    phone.locator("#again").tap()
    until(lambda: house.camera_session.status().state == "live")


@pytest.mark.pages
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

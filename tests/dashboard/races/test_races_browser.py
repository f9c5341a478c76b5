"""The organiser's phone while other things happen: the camera goes on seeing, another phone taps, the finger slips."""

from __future__ import annotations

import pytest
from journey import turned
from races import DEALT, SMALL, UNSURE, Phones, line, tags
from serving import until

from companion.games.stu.sightings import Exchanged
from companion.line.recorder import EveningRecorder
from companion.referee.record import Saw

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser

OUTSIDE = """() => [...document.querySelectorAll("#question, #question *")].map(e => [e.textContent, e.getBoundingClientRect()])
  .filter(([, box]) => box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth).map(([text]) => text)"""


def test_two_phones_that_tap_the_same_act_at_once_do_it_once(phones: Phones, recorder: EveningRecorder) -> None:
    page, other = phones("Banco"), phones("Cucina")
    page.locator("#next .big").tap()
    sync_api.expect(other.locator("#next .big")).to_contain_text("Anna sta")
    other.route("**/api/organiser/stream*", lambda route: route.abort())  # its network is slow: it shows what was
    other.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator("#next .big", has_text="Anna sta").tap()
    sync_api.expect(page.locator("#status")).to_have_text("Tocca a Bruno")
    other.locator("#next .big", has_text="Anna sta").tap()
    sync_api.expect(other.locator("#toast")).to_have_text("È già così")
    sync_api.expect(other.locator("#status")).to_have_text("Tocca a Bruno")
    assert tags(recorder) == ["hand", "sto"]


def test_a_tap_of_what_the_camera_has_just_seen_is_not_done_twice(phones: Phones, recorder: EveningRecorder) -> None:
    for sighting in DEALT:
        recorder.report(Saw(sighting))
    page = phones("Banco")
    before = page.locator("#next .second")
    sync_api.expect(before).to_contain_text("Anna passa e scambia con Bruno")

    def seen_first(route: sync_api.Route) -> None:
        recorder.saw([Exchanged(6.0, 7.5, (0, 1), 0.99)])
        route.continue_()

    page.route("**/api/organiser/command*", seen_first)
    before.tap()
    sync_api.expect(page.locator("#toast")).to_have_text("È già così")
    assert tags(recorder).count("swap") == 1


SECOND_TAP = """() => {
  const drawn = performance.now();
  performance.now = () => drawn;
  window.hits = [];
  const tap = (at) => {
    const big = document.querySelector("#next .big"), box = big.getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    hits.push([hit === big || big.contains(hit), getComputedStyle(big).borderStyle]);
    const down = new PointerEvent("pointerdown", {bubbles: true});
    Object.defineProperty(down, "timeStamp", {value: at});
    document.body.dispatchEvent(down);
    hit.dispatchEvent(new MouseEvent("click", {bubbles: true, detail: 1}));
    big.dispatchEvent(new MouseEvent("click", {bubbles: true, detail: 1})); // a click that comes late to where the finger was
  };
  new MutationObserver((_, seen) => {
    seen.disconnect();
    tap(drawn);
    const again = () => {
      tap(drawn + 200);
      delete performance.now;
      document.documentElement.dataset.done = "";
    };
    setTimeout(again, 200);
  }).observe(document.querySelector("#status"), {childList: true});
}"""
"""At the moment at which the page is drawn again, and 200 ms later, a finger comes down where the largest button is. The page's
clock stands meanwhile, and a browser runs what is due in order: a busy machine, which comes to it late, makes no difference."""


def test_a_second_tap_in_the_same_place_does_nothing_for_a_moment(phones: Phones, recorder: EveningRecorder) -> None:
    page = phones("Banco")
    sync_api.expect(page.locator(".fresh")).to_have_count(0)
    page.evaluate(SECOND_TAP)
    page.locator("#next .big").tap()
    sync_api.expect(page.locator("html[data-done]")).to_be_attached()
    sync_api.expect(page.locator(".fresh")).to_have_count(0)
    assert page.evaluate("hits") == [[False, "dashed"], [False, "dashed"]]
    assert page.locator("#status").inner_text() == "Tocca ad Anna"
    assert tags(recorder) == ["hand"]
    page.locator("#next .big").tap()
    sync_api.expect(page.locator("#status")).to_have_text("Tocca a Bruno")


@pytest.mark.pages
def test_a_button_that_stays_where_it_was_is_never_dead(phones: Phones, recorder: EveningRecorder) -> None:
    page, other = phones("Banco"), phones("Cucina")
    for where in ("#next .big", "#next button:has-text('Stanno tutti')"):
        page.locator(where).first.tap()
    sync_api.expect(other.locator("#next h2")).to_have_text("La carta di Anna")
    sync_api.expect(other.locator(".fresh")).to_have_count(0)
    other.clock.install()
    turned(page, "#tv")
    page.locator("#tv button", has_text="Moviola dopo").tap()
    sync_api.expect(other.locator("#tv button", has_text="Moviola dopo")).to_have_attribute("aria-pressed", "true")
    assert other.locator(".fresh").count() == 0


@pytest.mark.pages
def test_the_question_its_picture_and_all_answers_are_on_one_small_screen(phones: Phones, recorder: EveningRecorder) -> None:
    for sighting in UNSURE:
        recorder.report(Saw(sighting))
    page = phones("Banco", SMALL)
    sync_api.expect(page.locator("#question .moment")).to_be_visible()
    until(lambda: page.evaluate("document.querySelector('.moment').naturalWidth > 0"))
    sync_api.expect(page.locator("#question .answer")).to_have_count(4)
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate("scrollY") == 0


TOO_SMALL = """() => [...document.querySelectorAll("button, a, input:not([type=hidden]), select, summary")]
    .filter((one) => one.offsetParent && !one.hidden).map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44).map(([text, box]) => `${text}: ${box.width}x${box.height}`)"""


@pytest.mark.pages
def test_everything_to_touch_is_large_enough_on_a_small_phone(phones: Phones, recorder: EveningRecorder) -> None:
    page = phones("Il telefono di Maria Antonella", SMALL)
    page.locator("#next .big").tap()
    page.locator("#next .second").tap()
    sync_api.expect(page.locator("#next .trumps")).to_be_visible()

    def check() -> None:
        assert page.evaluate(TOO_SMALL) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    check()
    line(page, "Anna passa").tap()
    sync_api.expect(page.locator("dialog .refusals")).to_be_visible()
    check()
    page.locator("dialog .refusals button").first.tap()
    sync_api.expect(page.locator("dialog .big", has_text="Conferma")).to_be_visible()
    check()
    page.locator("dialog .close").tap()
    page.locator("#hand button", has_text="Solo l’esito").tap()
    sync_api.expect(page.locator("dialog .payer").first).to_be_visible()
    check()

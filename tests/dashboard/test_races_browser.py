"""The organiser's phone while other things happen: the camera goes on seeing, another phone taps, the finger slips."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from flask import Flask
from journey import PHONE, Screens
from phones import paid
from serving import until

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games.stu.rules.log import new_game
from companion.games.stu.sightings import Appeared, Cleared, Exchanged, Shown
from companion.ledger import Ledger
from companion.line.scribe import Scribe
from companion.referee.record import Saw
from companion.table.log import tag

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser

SMALL = {**PHONE, "viewport": {"width": 360, "height": 640}}
DEALT = tuple(Appeared(1.0 + place, place) for place in range(3))
UNSURE = (*DEALT, Shown(15.0, 0, 1, (("2", 0.6), ("8", 0.4))), Shown(15.5, 1, 2, (("5", 1.0),)), Shown(16.0, 2, 3, (("9", 1.0),)),
          Cleared(20.0))  # fmt: skip
PICTURE = cv2.imencode(".jpg", np.full((720, 1280, 3), 90, np.uint8))[1].tobytes()


@pytest.fixture
def scribe(ledger: Ledger) -> Scribe:
    return Scribe.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))


@pytest.fixture
def app(ledger: Ledger, scribe: Scribe) -> Flask:
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=60), scribe=lambda: scribe,
                      moment=lambda t, places: PICTURE)  # fmt: skip


class Phones:
    """Paired phones on one game."""

    def __init__(self, screens: Screens, server: Server, app: Flask) -> None:
        self._open = lambda kind, name: screens.open(kind, f"{server.url}/pair#{app.extensions['pairing'].pin.digits}")

    def __call__(self, name: str, kind: dict = PHONE) -> sync_api.Page:
        page = self._open(kind, name)
        page.fill("#name", name)
        page.locator("main form button").tap()
        sync_api.expect(page.locator("#status")).not_to_be_empty()
        return page


@pytest.fixture
def phones(screens: Screens, server: Server, app: Flask) -> Phones:
    return Phones(screens, server, app)


def tags(scribe: Scribe) -> list[str]:
    return [tag(line.event) for line in scribe.evening.log[1:]]


def line(page: sync_api.Page, text: str) -> sync_api.Locator:
    return page.locator("#hand .line", has_text=text).first


def test_a_correction_stays_on_its_sheet_while_the_camera_sees_on_and_is_brought_up_to_date(
    phones: Phones, scribe: Scribe
) -> None:
    for sighting in (*DEALT, Shown(15.0, 0, 1, (("2", 0.97), ("8", 0.03)))):
        scribe.report(Saw(sighting))
    page = phones("Banco")
    line(page, "Anna mostra il 2").tap()
    page.locator("dialog .grid button", has_text="10").tap()
    sync_api.expect(page.locator("dialog .big", has_text="Conferma")).to_be_visible()
    sync_api.expect(page.locator("dialog")).to_contain_text("Chi paga resta uguale")  # nobody has paid yet
    scribe.saw([Shown(15.5, 1, 2, (("5", 0.99), ("3", 0.01)))])
    scribe.saw([Shown(16.0, 2, 3, (("9", 1.0),))])
    scribe.saw([Cleared(20.0)])
    sync_api.expect(page.locator("dialog .then")).to_contain_text("Bruno ha la carta più bassa")
    page.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(page.locator("dialog")).to_be_hidden()
    until(lambda: paid(scribe) == [("Bruno", -1)])


def test_a_line_that_another_phone_has_changed_is_said_to_be_gone_and_the_taps_are_kept(phones: Phones, scribe: Scribe) -> None:
    page, other = phones("Banco"), phones("Cucina")
    for where in ("#next .big", "#next button:has-text('Stanno tutti')", "#next .grid button:has-text('8')"):
        page.locator(where).first.tap()
    line(page, "Anna mostra").tap()
    sync_api.expect(page.locator("dialog .grid")).to_be_visible()
    line(other, "Anna mostra").tap()
    other.locator("dialog .grid button", has_text="9").tap()
    other.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(other.locator("dialog")).to_be_hidden()
    page.locator("dialog .grid button", has_text="10").tap()
    sync_api.expect(page.locator("dialog .problem")).to_have_text("Intanto Cucina ha detto: Anna mostra il 9. Guarda di nuovo")
    page.locator("dialog .line", has_text="Anna mostra il 9").tap()
    page.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(line(page, "Anna mostra il 10")).to_be_visible()
    sync_api.expect(line(other, "Anna mostra il 10")).to_be_visible()


def test_two_phones_that_tap_the_same_act_at_once_do_it_once(phones: Phones, scribe: Scribe) -> None:
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
    assert tags(scribe) == ["hand", "sto"]


def test_a_tap_of_what_the_camera_has_just_seen_is_not_done_twice(phones: Phones, scribe: Scribe) -> None:
    for sighting in DEALT:
        scribe.report(Saw(sighting))
    page = phones("Banco")
    before = page.locator("#next .second")
    sync_api.expect(before).to_contain_text("Anna passa e scambia con Bruno")

    def seen_first(route: sync_api.Route) -> None:
        scribe.saw([Exchanged(6.0, 7.5, (0, 1), 0.99)])
        route.continue_()

    page.route("**/api/organiser/command*", seen_first)
    before.tap()
    sync_api.expect(page.locator("#toast")).to_have_text("È già così")
    assert tags(scribe).count("swap") == 1


SECOND_TAP = """() => {
  window.hits = [];
  const tap = () => {
    const big = document.querySelector("#next .big"), box = big.getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    hits.push([hit === big || big.contains(hit), getComputedStyle(big).borderStyle]);
    document.body.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}));
    hit.dispatchEvent(new MouseEvent("click", {bubbles: true, detail: 1}));
    big.dispatchEvent(new MouseEvent("click", {bubbles: true, detail: 1})); // a click that comes late to where the finger was
  };
  new MutationObserver((_, seen) => {
    seen.disconnect();
    tap();
    setTimeout(tap, 200);
    const end = () => {
      hits.push(document.querySelector("#status").textContent);
      document.querySelector("#next .big").dataset.done = "";
    };
    setTimeout(end, 450);
  }).observe(document.querySelector("#status"), {childList: true});
}"""
"""As soon as the page has been drawn anew, and 200 ms later, a finger comes down where the largest button is."""


def test_a_second_tap_in_the_same_place_does_nothing_for_a_moment(phones: Phones, scribe: Scribe) -> None:
    page = phones("Banco")
    sync_api.expect(page.locator(".fresh")).to_have_count(0)
    page.evaluate(SECOND_TAP)
    page.locator("#next .big").tap()
    sync_api.expect(page.locator("#next .big[data-done]")).to_be_visible()
    assert page.evaluate("hits") == [[False, "dashed"], [False, "dashed"], "Tocca ad Anna"]
    assert tags(scribe) == ["hand"]
    page.locator("#next .big").tap()
    sync_api.expect(page.locator("#status")).to_have_text("Tocca a Bruno")


def test_a_button_that_stays_where_it_was_is_never_dead(phones: Phones, scribe: Scribe) -> None:
    page, other = phones("Banco"), phones("Cucina")
    for where in ("#next .big", "#next button:has-text('Stanno tutti')"):
        page.locator(where).first.tap()
    sync_api.expect(other.locator("#next h2")).to_have_text("La carta di Anna")
    sync_api.expect(other.locator(".fresh")).to_have_count(0)
    other.clock.install()
    page.locator("#tv button", has_text="Moviola dopo").tap()
    sync_api.expect(other.locator("#tv button", has_text="Moviola dopo")).to_have_attribute("aria-pressed", "true")
    assert other.locator(".fresh").count() == 0


def test_an_undo_names_what_it_undoes_also_anothers(phones: Phones, scribe: Scribe) -> None:
    page, other = phones("Banco"), phones("Cucina")
    page.locator("#next .big").tap()
    page.locator("#next .big", has_text="Anna sta").tap()
    sync_api.expect(page.locator("#undo")).to_have_accessible_name("Annulla: Anna sta")
    sync_api.expect(other.locator("#undo")).to_have_accessible_name("Annulla: Anna sta (Banco)")
    sync_api.expect(other.locator("#undo small")).to_have_text("Anna sta (Banco)")
    other.locator("#undo").tap()
    sync_api.expect(page.locator("#status")).to_have_text("Tocca ad Anna")
    sync_api.expect(page.locator("#redo")).to_have_accessible_name("Ripeti: Anna sta (Cucina)")


def test_a_void_hand_has_a_verb_of_its_own(phones: Phones) -> None:
    page = phones("Banco")
    page.locator("#next .big").tap()
    sync_api.expect(page.locator("#more button", has_text="Mano nulla")).to_be_visible()
    assert page.locator("button", has_text="Annulla").count() == 1


def test_an_earlier_hand_is_corrected_after_a_ricompera_which_is_named_and_goes_in_one_step(
    phones: Phones, scribe: Scribe
) -> None:
    page = phones("Banco")
    for _ in range(3):
        played(page, Anna="2", Bruno="7", Carla="9")
    page.locator("#more button", has_text="Ricompera").tap()
    page.locator("dialog .big", has_text="Anna").tap()
    page.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(page.locator("dialog")).to_be_hidden()
    page.locator("#hands .line", has_text="Mano 3").tap()
    line(page, "Anna mostra il 2").tap()
    page.locator("dialog .grid button", has_text="10").tap()
    sync_api.expect(page.locator("dialog .without")).to_contain_text("Anna rientra con una ricompera")
    page.locator("dialog .big").tap()
    sync_api.expect(page.locator("dialog .without")).to_contain_text("Anna rientra con una ricompera")
    page.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(page.locator("dialog")).to_be_hidden()
    assert scribe.state.ricompere == 0
    page.locator("#undo").tap()
    until(lambda: scribe.state.ricompere == 1)


def played(page: sync_api.Page, **cards: str) -> None:
    """A hand in which all stay and show these cards."""
    shown = page.locator("#hand .line", has_text="mostra")
    page.locator("#next .big").tap()
    page.locator("#next button", has_text="Stanno tutti").tap()
    for number in range(len(cards)):
        sync_api.expect(shown).to_have_count(number)
        whose = page.locator("#next h2").inner_text().removeprefix("La carta di ")
        page.locator("#next .grid button").nth(4 + int(cards[whose])).tap()
    sync_api.expect(page.locator("#hand .ruling")).to_be_visible()


OUTSIDE = """() => [...document.querySelectorAll("#question, #question *")].map(e => [e.textContent, e.getBoundingClientRect()])
  .filter(([, box]) => box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth).map(([text]) => text)"""


def test_the_question_its_picture_and_all_answers_are_on_one_small_screen(phones: Phones, scribe: Scribe) -> None:
    for sighting in UNSURE:
        scribe.report(Saw(sighting))
    page = phones("Banco", SMALL)
    sync_api.expect(page.locator("#question .moment")).to_be_visible()
    until(lambda: page.evaluate("document.querySelector('.moment').naturalWidth > 0"))
    sync_api.expect(page.locator("#question .answer")).to_have_count(4)
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate("scrollY") == 0


TOO_SMALL = """() => [...document.querySelectorAll("button, a, input:not([type=hidden]), select, summary")]
    .filter((one) => one.offsetParent && !one.hidden).map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44).map(([text, box]) => `${text}: ${box.width}x${box.height}`)"""


def test_everything_to_touch_is_large_enough_on_a_small_phone(phones: Phones, scribe: Scribe) -> None:
    page = phones("Un nome di telefono molto lungo", SMALL)
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

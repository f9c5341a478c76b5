"""The organiser's phone in Debian's Chromium: long evenings, the TV's switches, two phones, sizes, axe."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import PHONE, TV, Screens, serious
from organiser_thumb import Thumb, done, played
from phones import Phone

from companion.dashboard.serve import Server
from companion.games.stu.sightings import Exchanged
from companion.line.recorder import EveningRecorder

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


@pytest.mark.pages
def test_of_a_long_evening_the_newest_hands_are_listed_and_a_tap_lists_all(thumb: Thumb, app: Flask) -> None:
    teller = Phone(app)
    for _ in range(23):
        teller.say({"e": "hand"}, {"e": "void", "reason": "misdeal"})
    rows = thumb.page.locator("#hands li")
    sync_api.expect(rows).to_have_count(20)
    sync_api.expect(rows.first).to_contain_text("Mano 23")
    thumb.tap("#hands button", "Mani precedenti (3)")
    sync_api.expect(rows).to_have_count(23)
    teller.say({"e": "hand"}, {"e": "void", "reason": "misdeal"})
    sync_api.expect(rows).to_have_count(24)


def test_the_phone_starts_the_moviola_on_the_tv_and_switches_the_chances(
    thumb: Thumb, screens: Screens, server: Server
) -> None:
    played(thumb, "2", "5", "9")
    tv = screens.open(TV, server.url)
    sync_api.expect(tv.locator(".ruling")).to_be_visible()
    thumb.tap("#tv button", "Moviola dell’ultima mano")
    sync_api.expect(tv.locator(".title")).to_contain_text("Moviola")
    tv.keyboard.press("Escape")
    thumb.tap("#next .big")
    sync_api.expect(tv.locator(".chance")).to_have_count(0)
    thumb.tap("#tv button", "Rischio di pagare")
    sync_api.expect(tv.locator(".chance")).to_have_count(3)
    sync_api.expect(tv.locator("#odds")).to_be_visible()
    thumb.tap("#tv button", "Rischio di pagare")
    sync_api.expect(tv.locator(".chance")).to_have_count(0)
    sync_api.expect(tv.locator("#odds")).to_be_hidden()


def test_two_phones_do_not_overwrite_each_other(
    thumb: Thumb, recorder: EveningRecorder, screens: Screens, server: Server, app: Flask
) -> None:
    thumb.tap("#next .big")
    sync_api.expect(thumb.page.locator("#status")).to_have_text("Tocca ad Anna")
    other = screens.open(PHONE, f"{server.url}/pair#{app.extensions['pairing'].pin.digits}")
    other.locator("button").tap()
    other.locator("#next .big", has_text="Anna sta").tap()
    sync_api.expect(thumb.page.locator("#status")).to_have_text("Tocca a Bruno")
    assert [line.event.__struct_config__.tag for line in recorder.evening.log] == ["game", "hand", "sto"]


@pytest.mark.pages
def test_an_old_hand_says_so_and_a_new_one_brings_the_current_one_back(thumb: Thumb, app: Flask) -> None:
    teller = Phone(app)
    for _ in range(2):
        teller.say({"e": "hand"}, {"e": "void", "reason": "misdeal"})
    title, old = thumb.page.locator("#hand h2"), thumb.page.locator("#hand .old")
    sync_api.expect(old).to_have_count(0)
    thumb.tap("#hands .line", "Mano 1")
    sync_api.expect(title).to_contain_text("Mano 1")
    sync_api.expect(old).to_contain_text("Una mano vecchia: la 1")
    thumb.tap("#hand .old button")
    sync_api.expect(title).to_contain_text("Mano 2")
    sync_api.expect(old).to_have_count(0)
    thumb.tap("#hands .line", "Mano 1")
    sync_api.expect(old).to_be_visible()
    teller.say({"e": "hand"})
    sync_api.expect(title).to_contain_text("Mano 3")
    sync_api.expect(old).to_have_count(0)


@pytest.mark.pages
def test_a_hand_told_by_its_outcome_is_one_line_that_leads_to_the_numbers(thumb: Thumb) -> None:
    thumb.tap("#next .big")
    thumb.tap("#hand button", "Solo l’esito…")
    thumb.tap("dialog .payer", "Anna")
    thumb.tap("dialog .big", "Vedi l’effetto")
    thumb.tap("dialog .big", "Conferma")
    done(thumb)
    thumb.tap("#hand .line", "Solo l’esito: Anna −1")
    sync_api.expect(thumb.page.locator("dialog button", has_text="Racconta")).to_be_visible()
    thumb.tap("dialog button", "Solo l’esito…")
    sync_api.expect(thumb.page.locator("dialog .payer")).to_have_count(3)


def test_what_happens_while_an_answer_is_under_way_is_not_overwritten_by_it(
    thumb: Thumb, recorder: EveningRecorder, screens: Screens, server: Server
) -> None:
    tv = screens.open(TV, server.url)

    def answered(route: sync_api.Route) -> None:
        answer = route.fetch()
        recorder.saw([Exchanged(6.0, 7.5, (0, 1), 0.99)])
        sync_api.expect(tv.locator("#happened")).to_contain_text("Bruno")
        route.fulfill(response=answer)

    thumb.page.route("**/api/organiser/command*", answered)
    thumb.tap("#next .big")
    done(thumb)
    sync_api.expect(thumb.page.locator("#hand .lines")).to_contain_text("Anna e Bruno si scambiano")


@pytest.mark.pages
@pytest.mark.parametrize("path", ["/organiser", "/organiser?lang=en", "/organiser/phones", "/pair", "/pair/show"])
def test_everything_to_touch_is_large_enough_and_nothing_sticks_out(thumb: Thumb, server: Server, path: str) -> None:
    if path == "/organiser":
        thumb.tap("#next .big")
        sync_api.expect(thumb.page.locator("#next .trumps")).to_be_visible()
    else:
        thumb.page.goto(server.url + path)
        sync_api.expect(thumb.page.locator("main :is(h1, h2)").first).to_be_attached()
    small = thumb.page.evaluate(
        """() => [...document.querySelectorAll("button, a, input:not([type=hidden]), select, summary")]
            .filter((one) => one.offsetParent && !one.hidden).map((one) => [one.textContent, one.getBoundingClientRect()])
            .filter(([, box]) => box.height < 44 || box.width < 44).map(([text, box]) => `${text}: ${box.width}x${box.height}`)"""
    )
    assert small == []
    assert thumb.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.pages
def test_axe_finds_nothing_serious_between_hands_in_a_hand_and_on_its_sheets(thumb: Thumb) -> None:
    pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
    thumb.page.emulate_media(reduced_motion="reduce")
    assert serious(thumb.page) == []
    played(thumb, "5", "7", "9")
    assert serious(thumb.page) == []
    thumb.tap("#hand button", "Anna mostra")
    sync_api.expect(thumb.page.locator("dialog[open]")).to_be_visible()
    assert serious(thumb.page) == []

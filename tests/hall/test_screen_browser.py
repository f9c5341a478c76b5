"""The big screen with 8, 16 and 30 tables, and the organisers' phone, in Chromium: nothing is cut, what is silent is said."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from journey import Screens, until
from playwright.sync_api import Browser, expect
from stories import NAMES, plain
from tables import Running, table
from test_not_seen import DARK
from ways import Way, drained, exchange

from companion.games import log_format
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings, seated
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

pytestmark = pytest.mark.browser
TV = {"viewport": {"width": 1920, "height": 1080}}
FITS = """[...document.querySelectorAll(".tile")].every((box) => box.scrollHeight <= box.clientHeight + 1
 && box.scrollWidth <= box.clientWidth + 1)"""
LEAST_LETTERS = 2.2
"""Hundredths of the screen's height that a table's name has at least, however many tables there are."""
LEAST_NAMES = 2.0
"""The same of the names of those who play, with 16 tables."""


@pytest.fixture
def screens(chromium: Browser) -> Iterator[Screens]:
    opened = Screens(chromium)
    yield opened
    opened.close()


def filled(hall: Running, tables: int) -> None:
    """This number of tables, each somewhere in an evening; the third was not heard for ten minutes."""
    way = Way(hall.hall.database)
    for number in range(tables):
        with Ledger.in_memory(log_format) as ledger:
            log = simulate(Settings(players=seated(8)), hands=2 + number % 3, seed=number)
            ledger.begin(log[: len(log) - number % 7])
            drained(exchange(way, ledger, "Sotto il portico grande" if number == 3 else ""))
    with hall.hall.database.owner() as connection:
        connection.execute("UPDATE seat_at SET heard = %s - CASE WHEN id = 3 THEN 600 ELSE 0 END", (time.time(),))
    hall.hall.showing.changed(range(1, tables + 1))


@pytest.mark.parametrize("tables", [1, 8, 16, 30])
def test_every_table_is_whole_on_the_big_screen_and_the_silent_one_is_said_to_be(
    hall: Running, screens: Screens, tables: int
) -> None:
    filled(hall, max(tables, 3))
    page = screens.open(TV, f"{hall.url}/?lang=it")
    expect(page.locator(".tile")).to_have_count(max(tables, 3))
    shown = "(box) => box.matches('.silent') || box.querySelector('.hand:not(:empty)')"
    until(page, f"[...document.querySelectorAll('.tile')].every({shown})")
    until(page, FITS)
    who_pays = page.locator(".ruled .part").all_text_contents()
    assert who_pays
    assert not [one for one in who_pays if re.search(r" \d", one)]  # how much each pays stands in the line of the name
    assert page.locator("[data-table='3'] .silent").inner_text().startswith("Tavolo 3: niente dalle ")
    expect(page.locator("[data-table='3']")).to_have_class("tile silent")
    letters = "[...document.querySelectorAll('.tile .name')].map((one) => parseFloat(getComputedStyle(one).fontSize))"
    smallest = min(page.evaluate(letters))
    assert smallest / 10.8 >= LEAST_LETTERS
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    named = "[...document.querySelectorAll('.sat, .around')].filter((one) => one.innerText.trim())"
    assert page.evaluate(f"{named}.length") >= {1: 3, 8: 8, 16: 12, 30: 0}[tables]
    if tables == 16:
        assert page.evaluate(f"{named}.every((one) => /Vergini/.test(one.parentNode.innerText))")
        sizes = f"{named}.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        assert min(page.evaluate(sizes)) / 10.8 >= LEAST_NAMES
        struck = set(page.locator(".around .struck").all_text_contents())
        out = "last.tiles.flatMap((one) => one.players).filter((one) => one.out).map((one) => one.name)"
        assert struck
        assert struck <= set(page.evaluate(out))


@pytest.mark.parametrize("tables", [8, 30])
def test_in_the_hand_the_tables_stand_below_one_another_and_can_be_read(hall: Running, screens: Screens, tables: int) -> None:
    filled(hall, tables)
    page = screens.open({"viewport": {"width": 360, "height": 740}}, f"{hall.url}/?lang=it")
    expect(page.locator(".tile")).to_have_count(tables)
    until(page, "document.querySelectorAll('.tile .hand:not(:empty)').length > 3")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("clearTimeout(watchdog); stream.close()")
    page.evaluate("draw({...last, round: 2, bell: 'Campana alle 21:40: Un Matto fuori dal mazzo (regola 12)?'})")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    until(page, FITS)
    inside = "(one) => one.left >= 0 && one.right <= 360"
    sides = f"[...document.querySelectorAll('.tile')].map((one) => one.getBoundingClientRect()).every({inside})"
    assert page.evaluate(sides)
    told = "[...document.querySelectorAll('.tile *')].filter((one) => one.innerText)"
    letters = f"{told}.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    assert min(page.evaluate(letters)) >= 14
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    until(page, "document.querySelector('.tile:last-child').getBoundingClientRect().bottom <= innerHeight")


def test_a_big_moment_fills_the_screen_once_and_what_stood_there_before_does_not(hall: Running, screens: Screens) -> None:
    filled(hall, 3)
    page = screens.open(TV, f"{hall.url}/?lang=en")
    expect(page.locator(".tile")).to_have_count(3)
    expect(page.locator("#big")).to_be_hidden()
    moment = "({...last, tiles: last.tiles.map((one) => (one.id === 1 ? {...one, big: 'Anna is back', mark: 'x'} : one))})"
    page.evaluate("clearTimeout(watchdog); stream.close()")
    page.evaluate(f"draw({moment})")
    expect(page.locator("#big")).to_have_text("Table 1Anna is back")
    page.evaluate(f"draw({moment})")
    expect(page.locator("#big")).to_be_hidden()
    rung = "({...last, round: 2, bell: 'Bell at 21:40: No more ricompere?', rang: 'No more ricompere?', bell_mark: 'y'})"
    page.evaluate(f"draw({rung})")
    expect(page.locator("#big")).to_have_text("The bellNo more ricompere?")
    expect(page.locator("#round")).to_have_text("Round 2 · Bell at 21:40: No more ricompere?")
    page.evaluate(f"draw({rung})")
    expect(page.locator("#big")).to_be_hidden()
    page.evaluate("draw({...last, final: true, bell: ''})")
    expect(page.locator("#round")).to_have_text("Final")


def test_a_tap_on_a_table_shows_it_in_full(hall: Running, screens: Screens) -> None:
    filled(hall, 3)
    page = screens.open(TV, f"{hall.url}/?lang=it")
    page.locator("[data-table='3'] .name").click()
    expect(page.locator(".seat .called").first).to_be_visible()
    expect(page.locator("#notices")).to_contain_text("Tavolo 3: niente dalle ")
    page.get_by_title("Tutti i tavoli").click()  # a screen on a wall has no way back of its own
    expect(page.locator(".tile")).to_have_count(3)


def test_the_organisers_phone_answers_a_question(hall: Running, screens: Screens) -> None:
    with table(hall, name="Portico") as asking:
        EveningRecorder.begin(asking.ledger, new_game(list(NAMES), 200, "Dino")).saw([*plain(0, "7", "8", "2", "9"), *DARK])
        pin = hall.app.extensions["pairing"].pin.digits
        phone = screens.paired(hall.url, pin, "/organiser?lang=it")
        question = phone.locator("#questions .ask")
        expect(question).to_contain_text("Chi ha preso la gnaffata da Carla?")
        question.get_by_role("button", name="Bruno").click()
        expect(phone.locator("#outcomes .yes")).to_have_text("Tavolo Portico: fatto")
        expect(phone.locator("#questions")).to_have_text("Nessuna domanda aperta")

"""What people see in Firefox and in Safari's engine: the TV of each game, and setting up on a phone, in both themes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from other_browsers import BROWSERS, Driven
from serving import served
from thumbs import without_camera
from views import CONTRAST, NAMES

from companion.dashboard.serve import Server
from companion.games.stoper.bots import Settings as Stoper
from companion.games.stoper.bots import simulate as stoper
from companion.games.stoppa.bots import Settings as Stoppa
from companion.games.stoppa.bots import simulate as stoppa
from companion.games.stu.bots.evening import simulate as stu
from companion.games.stu.bots.settings import Settings as Stu
from companion.ledger import Ledger

pytestmark = pytest.mark.browsers

PHONE = 460, 844
"""As narrow as WebKit's test browser will go."""
TVS = ((1920, 1080), (1280, 720))
LOADED = "document.readyState === 'complete'"
SHORT = 6
"""Letters of a name that has room in any box."""

CUT = """
  const cut = [];
  for (const card of document.querySelectorAll(".plate .card img")) {
    const box = card.getBoundingClientRect(), plate = card.closest(".plate").getBoundingClientRect();
    const words = card.closest(".worded") && card.closest(".plate").querySelector(".face");
    if (words && words.getBoundingClientRect().width > 5) continue; // a long name has its room: the card in words
    if (box.width < 5 || box.left < plate.left || box.top < plate.top || box.right > plate.right
        || box.bottom > plate.bottom)
      cut.push(`${card.closest(".seat").dataset.player}: ${[box.left, box.top, box.right, box.bottom].map(Math.round)} in ${
        [plate.left, plate.top, plate.right, plate.bottom].map(Math.round)}`);
  }
  return cut;"""
"""Cards that are not whole within their plate."""
DRAWN = "return document.querySelector('.seat') !== null && [...document.images].every((one) => one.complete)"
NAMES_SIZES = """return [...document.querySelectorAll(".seat")].map((seat) =>
  [seat.dataset.player, parseFloat(getComputedStyle(seat.querySelector(".called")).fontSize)]);"""
CONTROLS = """
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return [scheme, ...[...document.querySelectorAll("select, input, button, textarea, option")].filter((one) =>
    one.getClientRects().length && getComputedStyle(one).color === getComputedStyle(one).backgroundColor)
    .map((one) => one.outerHTML.slice(0, 80))];"""
"""The page's colour scheme, and controls whose letters have the colour of their ground."""


@pytest.fixture(scope="module", params=[(kind, dark) for kind in BROWSERS for dark in (True, False)],
                ids=lambda given: f"{given[0].name}-{'dark' if given[1] else 'light'}")  # fmt: skip
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driven]:
    kind, dark = request.param
    if missing := kind.missing():
        pytest.skip(missing)
    opened = kind(tmp_path_factory.mktemp(kind.name), dark)
    yield opened
    opened.close()


@pytest.fixture
def bar(ledger: Ledger) -> Iterator[tuple[Flask, Server]]:
    with without_camera(ledger) as app, served(app) as server:
        yield app, server


def paired(browser: Driven, bar: tuple[Flask, Server]) -> str:
    """A phone that has paired; the program's address."""
    app, server = bar
    browser.go(f"{server.url}/pair")
    browser.size(*PHONE)
    browser.write("#pin", app.extensions["pairing"].pin.digits)
    browser.click("form button")
    browser.until("it has paired", "return location.pathname === '/organiser' || location.pathname.startsWith('/setup')")
    return server.url


def legible(browser: Driven, where: str) -> None:
    """Every text and every control of the page stands out, and the browser knows which theme it is."""
    theme = "dark" if browser.dark else "light"
    assert (where, browser.run(f"return ({CONTRAST.strip().rstrip(';')})()")) == (where, [])
    assert (where, browser.run(CONTROLS)) == (where, [theme])


def test_what_a_page_complains_of_is_heard(browser: Driven, bar: tuple[Flask, Server]) -> None:
    browser.go(f"{bar[1].url}/")
    browser.messages()
    own_script = "document.body.append(Object.assign(document.createElement('script'), {textContent: '1'}))"
    for spoilt in ("setTimeout(() => { null.foo; }, 0)", own_script):
        browser.run(f"window.spoilt = 0; {spoilt}; setTimeout(() => {{ window.spoilt = 1; }}, 50);")
        browser.until("that has happened", "return window.spoilt")
        assert browser.messages(), spoilt


EVENINGS = {
    "stu of 4": lambda: stu(Stu(players=NAMES[:4]), hands=2, seed=4),
    "stu of 12": lambda: stu(Stu(players=NAMES[:12]), hands=2, seed=12),
    "stoppa": lambda: stoppa(Stoppa(players=("Anna", "Bice", "Ciro", "Dina")), hands=2, seed=7)[:-3],
    "stoper": lambda: stoper(Stoper(players=("Anna", "Bice", "Ciro", "Dina")), hands=2, seed=7)[:-3],
}


@pytest.mark.parametrize("evening", EVENINGS)
def test_every_card_is_whole_on_the_tv_and_short_names_are_as_large_as_others(
    browser: Driven, bar: tuple[Flask, Server], ledger: Ledger, evening: str
) -> None:
    ledger.record(ledger.new_game(), EVENINGS[evening]())
    browser.go(f"{bar[1].url}/?theme={'dark' if browser.dark else 'light'}")
    for screen in (*TVS, PHONE):
        browser.size(*screen)
        browser.until("the table is drawn", DRAWN)
        assert (screen, browser.run(CUT)) == (screen, [])
        sizes = dict(browser.run(NAMES_SIZES))
        short = {name: size for name, size in sizes.items() if len(name) <= SHORT}
        assert not short or min(short.values()) >= 0.8 * max(sizes.values()), (screen, sizes)
        legible(browser, f"{evening} at {screen}")
    assert browser.messages() == []


def test_back_from_the_next_page_of_the_setup_the_names_are_there(browser: Driven, bar: tuple[Flask, Server]) -> None:
    url = paired(browser, bar)
    browser.go(f"{url}/setup")
    legible(browser, "the setup")
    steps = {"game": ".doors form button", "camera": "form:has([value=stu]) button", "players": "form:has([name=thumb]) button"}
    for then, tapped in steps.items():
        browser.click(tapped)
        browser.until(f"the page {then} is there", f"return location.pathname.endsWith('/{then}') && {LOADED}")
        legible(browser, then)
    for number, name in enumerate(("Anna", "Bruno"), 1):
        browser.write(f"#names li:nth-child({number}) input", name)
    browser.click("main button.primary")
    browser.until("the next page is there", f"return !document.querySelector('#players-form') && {LOADED}")
    legible(browser, "after the players")
    browser.back()
    browser.until("the players' page is there", f"return document.querySelector('#names input') !== null && {LOADED}")
    assert browser.run("return [...document.querySelectorAll('#names input')].map((one) => one.value)") == ["Anna", "Bruno"]
    assert browser.messages() == []

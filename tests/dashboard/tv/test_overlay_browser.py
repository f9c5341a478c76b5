"""Chances, notices, sounds, the overlay, axe, in Debian's Chromium."""

from __future__ import annotations

import json
import re

import pytest
from games import GNAFFATA, lines
from journey import serious
from serving import served, until
from tv_pages import OUTSIDE, SMALL, evening
from views import TROUBLE, mostly

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.dashboard.settings import ShowWish
from companion.games.stu.rules.log import Reveal
from companion.ledger import Ledger
from companion.line.notices import Notice

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


def test_chances_and_notices_are_shown_where_there_are_any(page: sync_api.Page, ledger: Ledger) -> None:
    asked = (Notice("show", 0, (1,)),)
    settings = Settings(odds=True, heartbeat=0.2, patience=60)
    with served(create_app(ledger, settings=settings, notices=lambda: asked)) as server:
        ledger.record(ledger.new_game(), evening(20)[:60])
        page.goto(server.url)
        sync_api.expect(page.locator("#notices")).to_contain_text("Bruno")
        sync_api.expect(page.locator(".seat .chance").first).to_contain_text("%")
        assert page.evaluate(OUTSIDE, "#notices, .chance") == []
        assert page.evaluate(SMALL, 13.3) == []  # a line more in every box of twenty
        assert page.evaluate(TROUBLE, False) == []
        box, plates = page.locator("#notices").bounding_box(), page.locator(".seat.near .plate").first.bounding_box()
        assert box is not None
        assert plates is not None
        assert box["y"] >= plates["y"] + plates["height"]


@pytest.mark.pages
def test_sounds_are_silent_until_somebody_switches_them_on(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA[:4]))
    page.goto(server.url)
    sync_api.expect(page.locator(".seat")).to_have_count(3)
    ledger.record(game, lines(*GNAFFATA[:5]))
    sync_api.expect(page.locator(".ruling")).to_be_visible()
    assert page.evaluate("[audio, document.body.dataset.sound]") == [None, ""]
    page.get_by_role("button", name="Accendi i suoni").click()
    sync_api.expect(page.locator("#sounds")).to_have_text("Spegni i suoni")
    ledger.record(game, lines(*GNAFFATA[:4]))
    sync_api.expect(page.locator(".ruling")).to_have_count(0)
    ledger.record(game, lines(*GNAFFATA[:5]))
    sync_api.expect(page.locator("body[data-sound=cat]")).to_have_count(1)
    page.keyboard.press("s")
    sync_api.expect(page.locator("#sounds")).to_have_text("Accendi i suoni")


@pytest.mark.parametrize("players", mostly([2, 8, 20], [20]))
def test_the_overlay_lies_over_a_picture_without_a_ground(
    page: sync_api.Page, server: Server, ledger: Ledger, players: int
) -> None:
    ledger.record(ledger.new_game(), evening(players))
    page.goto(f"{server.url}/overlay")
    sync_api.expect(page.locator(".seat")).to_have_count(players)
    sync_api.expect(page.locator(".ruling")).to_be_visible()
    assert page.evaluate("[document.documentElement, document.body].map(e => getComputedStyle(e).backgroundColor)") == [
        "rgba(0, 0, 0, 0)"
    ] * 2
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [1280, 720]
    assert page.evaluate(OUTSIDE, ".plate, .ruling, #happened, #hand") == []
    assert page.evaluate(TROUBLE, False) == []
    assert page.locator("a, button, input").count() == 0


@pytest.mark.pages
def test_the_lower_third_covers_nothing_above_it_and_may_come_later(
    page: sync_api.Page, server: Server, ledger: Ledger
) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA[:5]))
    page.clock.install()
    page.goto(f"{server.url}/overlay?layout=lower&delay=8")
    sync_api.expect(page.locator("#third")).to_be_hidden()
    page.clock.run_for(9000)
    sync_api.expect(page.locator("#third .says")).to_have_text("finora · PAGA Anna 1")
    sync_api.expect(page.locator("#third .by")).to_have_text("BrunoGnao")
    sync_api.expect(page.locator("#third dl")).to_contain_text("Montepremi")
    assert page.evaluate("document.getElementById('third').getBoundingClientRect().top") > 720 * 2 / 3
    assert page.locator(".seat, .ruling").count() == 0
    ledger.record(game, lines(*GNAFFATA[:2], '{"e":"deal","to":"Anna"}', '{"e":"void"}'))
    until(lambda: page.evaluate("seen") == f"{game}.2")
    page.clock.run_for(9000)
    sync_api.expect(page.locator("#third .by")).to_have_count(0)


@pytest.mark.parametrize("layout", ["", "lower"])
def test_a_break_is_said_on_the_stream_until_it_is_over(page: sync_api.Page, ledger: Ledger, layout: str) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA[:5]))
    app = create_app(ledger, settings=Settings(heartbeat=0.5, patience=60))
    shows = app.extensions["dashboard"].shows
    with served(app) as server:
        page.goto(f"{server.url}/overlay?layout={layout}")
        says = page.locator("#third .says" if layout else "#middle .title.paused")
        sync_api.expect(page.locator("#third .says" if layout else "#seats .seat").first).to_be_attached()
        shows.change(ShowWish(pause=True))
        sync_api.expect(says).to_have_text(re.compile(r"^Pausa, dalle \d\d:\d\d$"))
        shows.change(ShowWish(pause=False))
        if layout:
            sync_api.expect(says).to_have_text("finora · PAGA Anna 1")
        else:
            sync_api.expect(says).to_have_count(0)


BOXED = {"lower": (0, 2 / 3, 1, 1), "corner": (0, 0, 1 / 2, 2 / 3), "line": (0, 0.85, 1, 1)}
"""Where each layout lies: left, top, right and bottom, as shares of the picture."""


@pytest.mark.pages
@pytest.mark.parametrize("players", mostly([2, 8, 20], [20]))
@pytest.mark.parametrize("layout", BOXED)
def test_every_layout_says_price_virgins_and_the_last_card_and_leaves_the_table_free(
    page: sync_api.Page, server: Server, ledger: Ledger, layout: str, players: int
) -> None:
    game, log = ledger.new_game(), evening(players)
    at = max(number for number, line in enumerate(log) if isinstance(line.event, Reveal))
    ledger.record(game, log[:at])
    page.goto(f"{server.url}/overlay?layout={layout}")
    sync_api.expect(page.locator("#third .stand")).to_contain_text("Vergini")
    sync_api.expect(page.locator("#third .stand")).to_contain_text("Ricompera")
    ledger.record(game, log[: at + 1])
    sync_api.expect(page.locator("#third .card img")).to_be_visible()
    until(lambda: page.locator("#third .card img").evaluate("image => image.complete"))
    left, top, right, bottom = (share * length for share, length in zip(BOXED[layout], (1280, 720) * 2, strict=True))
    box = page.locator("#third").bounding_box()
    assert box is not None
    assert (left <= box["x"], top <= box["y"]) == (True, True)
    assert (box["x"] + box["width"] <= right, box["y"] + box["height"] <= bottom) == (True, True)
    assert page.evaluate(OUTSIDE, "#third, #third .says, #third .by, #third .card") == []
    assert page.locator("#third .stand").evaluate("stand => stand.scrollWidth - stand.clientWidth") <= 1  # no sum is cut
    assert page.locator(".seat, .ruling").count() == 0


@pytest.mark.parametrize("layout", ["lower", "line"])
def test_virgins_whose_names_have_no_room_are_counted_and_a_ruling_that_stands_is_said_without_more(
    page: sync_api.Page, server: Server, ledger: Ledger, layout: str
) -> None:
    ledger.record(ledger.new_game(), evening(8))
    page.goto(f"{server.url}/overlay?layout={layout}&lang=it")
    virgins = page.locator("#third .stand div:has(dt:text('Vergini')) dd")
    sync_api.expect(page.locator("#third .says")).to_have_text(re.compile("^PAG"))
    for names, shown in (("Anna, Bruno e Carla", None), ("Anna, Bruno e Carla, " * 9, r"^\d$")):
        page.evaluate(
            "text => show({ ...last, standing: [{ ...last.standing.find(one => one.label === 'Vergini'), text }] })",
            names,
        )
        sync_api.expect(virgins).to_have_text(names if shown is None else re.compile(shown))


WHOLE = """one => one.scrollWidth <= one.clientWidth + 1 && one.getBoundingClientRect().bottom
  <= document.querySelector("#third .stand").getBoundingClientRect().top + 1"""


@pytest.mark.pages
@pytest.mark.parametrize("width", [1920, 1280])
def test_what_the_lower_third_says_is_read_to_its_end(page: sync_api.Page, server: Server, ledger: Ledger, width: int) -> None:
    page.set_viewport_size({"width": width, "height": width * 9 // 16})
    log = evening(12)
    at = max(number for number, line in enumerate(log) if isinstance(line.event, Reveal))
    ledger.record(ledger.new_game(), log[: at + 1])
    page.goto(f"{server.url}/overlay?layout=lower&lang=it")
    says = page.locator("#third .says")
    sync_api.expect(says).to_be_visible()
    for name in ("Maria Antonietta", LONG):
        said = f"{name}: vede con 1.200,00 €, rilancia oltre 3.600,00 € o passa"
        page.evaluate("said => show({ ...last, ruling: null, message: said })", said)
        sync_api.expect(says).to_have_text(said)
        assert says.evaluate(WHOLE)
        assert page.evaluate(OUTSIDE, "#third, #third .says, #third .stand") == []


LONG = "Massimiliano Bartolomeis'"
TWELVE = (LONG, "Anna", "Bruno", "Carla", "Dino", "Elsa", "Fulvio", "Gina", "Ivo", "Lea", "Marco", "Nina")
CUT = """() => { const box = (one) => one.getBoundingClientRect(), of = (what) => document.querySelector(`#third ${what}`);
  const whole = [...document.querySelectorAll("#third .stand div:not(.long) dd")], right = box(of(".stand")).right + 1;
  return [box(of(".by b")).right <= box(of(".card")).left, box(of(".by span")).right <= box(of(".by b")).left + 1,
    right <= box(of(".by")).left + 2,
    whole.every((one) => box(one).right <= right && one.scrollWidth <= one.clientWidth + 1)]; }"""
"""Whether the last card's name ends before its picture, the player's name before the card's, the sums before both, and every sum
is whole."""


@pytest.mark.pages
@pytest.mark.parametrize("pause", [False, True], ids=["in play", "in a break"])
@pytest.mark.parametrize("width", [1920, 1280])
def test_a_long_name_in_one_line_is_cut_and_no_number_is(
    page: sync_api.Page, ledger: Ledger, width: int, pause: bool
) -> None:
    page.set_viewport_size({"width": width, "height": width * 9 // 16})
    two = {name: {"pedine": 2, "virgin": False} for name in TWELVE[1:3]}
    table = {"players": TWELVE, "stake": 1100, "currency": "EUR", "standing": two, "dealer": "Nina"}
    log = [json.dumps({"e": "game", "v": 1, "game": "stu", **table}), '{"e":"hand"}']
    game = ledger.new_game()
    ledger.record(game, lines(*log))
    app = create_app(ledger, settings=Settings(heartbeat=0.5, patience=60))
    with served(app) as server:
        page.goto(f"{server.url}/overlay?layout=line&lang=it")
        sync_api.expect(page.locator("#third .stand")).to_contain_text("Vergini10")
        ledger.record(game, lines(*log, json.dumps({"e": "reveal", "by": LONG, "card": "cucco"})))
        sync_api.expect(page.locator("#third .by")).to_contain_text("Cucco")
        if pause:
            app.extensions["dashboard"].shows.change(ShowWish(pause=True))
            sync_api.expect(page.locator("#third .says")).to_contain_text("Pausa, dalle")
        until(lambda: page.locator("#third .card img").evaluate("image => image.complete"))
        assert page.evaluate(OUTSIDE, "#third, #third .says, #third .by, #third .by b, #third .card") == []
        assert page.evaluate(CUT) == [True] * 4


@pytest.mark.pages
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("path", ["/", "/charts", "/overlay", "/overlay?layout=lower&lang=it", "/overlay?layout=corner"])
def test_axe_finds_nothing_serious(
    page: sync_api.Page, server: Server, ledger: Ledger, path: str, theme: str
) -> None:
    pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
    page.emulate_media(reduced_motion="reduce")
    ledger.record(ledger.new_game(), evening(8))
    page.goto(f"{server.url}{path}{'&' if '?' in path else '?'}theme={theme}")
    shows = {"/charts": "#charts .across", "/": ".ruling", "/overlay": ".ruling"}.get(path, "#third .says")
    sync_api.expect(page.locator(shows)).to_be_visible()
    assert serious(page) == []

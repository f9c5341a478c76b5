"""The season in Debian's Chromium: on a TV and on small phones, in both themes, printed, by thumb and without scripts."""

from __future__ import annotations

import re
import time

import pytest
from fake_camera import FakeCamera
from flask import Flask
from journey import PHONE, Screens, serious, until

from companion.dashboard import create_app
from companion.dashboard.serve import Server
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings as Bots
from companion.ledger import Ledger
from companion.table.log import Line

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

SMALL = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
TV = {"viewport": {"width": 1920, "height": 1080}}
NAMES = (
    "Massimiliano D’Annunzio", "Maria Giovanna Di Pietro", "Peppe", "Giuseppe di Tommaso", "Filomena", "Nicolò",
    "Wwwwwwwwwwwwwwwwwwwwwwww", "Anna <b>&amp;", "Zoé", "Donato", "Carmela De Sanctis-Rossi", "Berardo", "Concetta",
    "Gabriele l’Elettricista", "Antonio", "Bruno", "Ivo", "Ezio", "Delia", "Nonna Assunta da Montori",
)  # fmt: skip
SIDEWAYS = """() => [...document.querySelectorAll("body *")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1).filter((e) => /auto|scroll/.test(getComputedStyle(e).overflowX))
  .map((e) => e.className)"""
"""What can be pushed sideways."""
TINY = """() => [...document.querySelectorAll('button, a.button, a.chip, select, input:not([type=hidden]), summary, th.name a')]
  .filter((e) => e.checkVisibility()).map((e) => [e.getBoundingClientRect(), e])
  .filter(([box]) => box.height < 24 || box.width < 24).map(([, e]) => e.outerHTML)"""


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    """Four evenings of twenty players with long names, one with hands that nobody has confirmed; one of four of them, won."""
    for seed in range(4):
        lines = simulate(Bots(players=NAMES, stake=200), hands=9, seed=seed)
        if seed == 1:
            lines = tuple(Line(line.event, line.t, 0.7) for line in lines)
        ledger.record(ledger.new_game(source="by hand", started=time.time() - 86400 * (5 - seed)), lines)
    ledger.record(ledger.new_game(started=time.time() - 60), simulate(Bots(players=NAMES[:4], pedine=1), hands=40, seed=1))
    ledger.new_game()
    return create_app(ledger, camera=FakeCamera(ledger))


@pytest.fixture
def pin(app: Flask) -> str:
    digits: str = app.extensions["pairing"].pin.digits
    return digits


def first_player(app: Flask) -> str:
    found: str = app.test_client().get("/api/season?season=all").json["rows"][0]["id"]
    return found


KINDS = [SMALL, *(pytest.param(kind, marks=pytest.mark.screens) for kind in (PHONE, TV))]


@pytest.mark.pages
@pytest.mark.parametrize("kind", KINDS, ids=["360x640", "390x844", "1920x1080"])
def test_pages_fit_the_screen_and_axe_finds_nothing_in_either_theme(
    screens: Screens, server: Server, app: Flask, kind: dict
) -> None:
    page = screens.open(kind, f"{server.url}/season?season=all")
    for path in ("/season?season=all", f"/season/{first_player(app)}", "/season/evening/2", "/season?season=1999"):
        page.goto(server.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") == kind["viewport"]["width"]
        assert page.evaluate(TINY) == []
        assert kind is TV or page.evaluate(SIDEWAYS) == []
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert serious(page) == []


@pytest.mark.pages
def test_the_phones_pages_fit_a_small_screen(screens: Screens, server: Server, pin: str) -> None:
    page = screens.paired(server.url, pin, to="/season/settings")
    page.set_viewport_size(SMALL["viewport"])
    for path in ("/season/settings", "/season"):
        page.goto(server.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert page.evaluate(TINY) == []
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert serious(page) == []


@pytest.mark.pages
def test_a_tap_on_a_head_sorts_and_a_row_is_on_the_screen_as_a_whole(screens: Screens, server: Server) -> None:
    page = screens.open(SMALL, f"{server.url}/season?season=all")
    head = page.locator("thead th", has_text="Pedine perse")
    head.locator("a").tap()
    page.wait_for_url("**sort=lost**")
    sync_api.expect(head).to_have_attribute("aria-sort", "descending")
    column = 6  # place, name, balance, evenings, games, won, then pedine
    lost = [int(text) for text in page.locator(f"tbody tr td:nth-child({column + 1})").all_inner_texts()]
    assert lost == sorted(lost, reverse=True)
    head.locator("a").tap()
    page.wait_for_url("**down=0**")
    lost = [int(text) for text in page.locator(f"tbody tr td:nth-child({column + 1})").all_inner_texts()]
    assert lost == sorted(lost)
    name, last = page.locator("tbody th.name").first, page.locator("tbody tr:first-child td").last
    name.scroll_into_view_if_needed()
    for one in (name, last):
        box = one.bounding_box()
        assert box is not None
        assert (box["x"] >= 0, box["x"] + box["width"] <= 360) == (True, True)
    page.go_back()
    sync_api.expect(head).to_have_attribute("aria-sort", "descending")


@pytest.mark.pages
def test_on_a_phone_the_balance_stands_beside_the_name(screens: Screens, server: Server, app: Flask) -> None:
    for path in ("/season?season=all", f"/season/{first_player(app)}"):
        page = screens.open(SMALL, server.url + path)
        balance = page.locator("tbody .name + td").first
        sync_api.expect(balance).to_have_attribute("data-head", "Saldo")
        balance.scroll_into_view_if_needed()
        sync_api.expect(balance).to_be_in_viewport(ratio=0.9)


@pytest.mark.pages
def test_all_of_it_is_read_without_scripts(screens: Screens, server: Server) -> None:
    page = screens.open(PHONE, f"{server.url}/season?season=all", java_script_enabled=False)
    page.locator("tbody th.name a").first.click()
    page.wait_for_url(re.compile(r"/season/[0-9a-f]{10}"))
    sync_api.expect(page.locator("svg .curve")).to_have_count(1)
    page.locator("tbody th.name a").first.click()
    page.wait_for_url("**/season/evening/*")
    sync_api.expect(page.locator("#share")).to_be_hidden()


@pytest.mark.pages
def test_an_evenings_picture_is_shown_and_comes_as_a_file(screens: Screens, server: Server) -> None:
    page = screens.open(PHONE, f"{server.url}/season/evening/5")
    picture = page.locator(".ending img")
    until(page, "[...document.images].every(image => image.complete && image.naturalWidth > 0)")
    box = picture.bounding_box()
    assert box is not None
    assert box["width"] > 300
    with page.expect_download() as found:
        page.locator("a.button", has_text="PNG").tap()
    assert found.value.suggested_filename == "evening-5.png"
    assert found.value.path().read_bytes()[:4] == b"\x89PNG"


@pytest.mark.pages
def test_an_evening_is_shared_where_the_phone_can(screens: Screens, server: Server) -> None:
    page = screens.open(PHONE, f"{server.url}/season")
    page.add_init_script("""
        navigator.canShare = ({ files }) => files.length === 1;
        navigator.share = async ({ files, title }) => { window.shared = [files[0].type, files[0].size, title]; };""")
    page.goto(f"{server.url}/season/evening/5")
    page.locator("#share").tap()
    until(page, "Boolean(window.shared)")
    kind, size, _ = page.evaluate("window.shared")
    assert (kind, size > 10_000) == ("image/png", True)


def test_by_thumb_two_names_become_one_and_somebody_is_forgotten(screens: Screens, server: Server, pin: str) -> None:
    phone = screens.paired(server.url, pin, to="/season/settings")
    table = screens.open(TV, f"{server.url}/season?season=all")
    names = table.locator("tbody th.name a")
    sync_api.expect(names).to_have_count(20)
    phone.locator("select[name=one]").select_option(label="Peppe")
    phone.locator("select[name=other]").select_option(label="Giuseppe di Tommaso")
    phone.locator("button", has_text="Unisci").tap()
    sync_api.expect(phone.locator("[role=alert]")).to_contain_text("allo stesso tavolo")
    phone.locator("summary", has_text="20 giocatori").tap()
    phone.get_by_role("button", name="Dimentica: Ezio", exact=True).tap()
    sync_api.expect(phone.locator("main")).to_contain_text("Dimenticare Ezio")
    phone.locator("a", has_text="Lascia stare").tap()
    phone.locator("summary", has_text="20 giocatori").tap()
    phone.get_by_role("button", name="Dimentica: Ezio", exact=True).tap()
    phone.locator("button", has_text="Sì, dimentica").tap()
    sync_api.expect(phone.locator("[role=status]")).to_contain_text("Dimenticato")
    table.reload()
    sync_api.expect(names).to_have_count(19)
    assert "Ezio" not in table.content()
    phone.go_back()  # no form is sent again by looking back, and what was asked there is gone
    sync_api.expect(phone.locator("body")).not_to_contain_text("Ezio")
    phone.goto(f"{server.url}/season/settings")
    phone.locator("input[name=name]").fill("EZIO ")
    phone.locator("button", has_text="Ricorda").tap()
    sync_api.expect(phone.locator("[role=status]")).to_contain_text("si ricorda")
    table.reload()
    sync_api.expect(names).to_have_count(20)


def test_switched_off_on_one_phone_the_tv_says_so_at_the_next_look(screens: Screens, server: Server, pin: str) -> None:
    phone = screens.paired(server.url, pin, to="/season/settings")
    table = screens.open(TV, f"{server.url}/season")
    phone.locator("button", has_text="Spegni").tap()
    sync_api.expect(phone.locator("button", has_text="Accendi")).to_be_visible()
    table.reload()
    sync_api.expect(table.locator("main")).to_contain_text("è spenta")
    phone.locator("button", has_text="Accendi").tap()
    sync_api.expect(phone.locator("button", has_text="Spegni")).to_be_visible()
    table.reload()
    sync_api.expect(table.locator("tbody th.name")).to_have_count(20)


@pytest.mark.pages
def test_setting_up_names_are_tapped_or_completed(screens: Screens, server: Server, pin: str) -> None:
    phone = screens.paired(server.url, pin, to="/setup")
    phone.locator("button.door").first.tap()
    phone.locator("form:has([value=stu]) button").tap()
    phone.locator("button", has_text="Senza telecamera").tap()
    phone.wait_for_url("**/setup/players")
    sync_api.expect(phone.locator("#names input").first).to_have_attribute("list", "known")
    sync_api.expect(phone.locator("#known option")).to_have_count(20)
    phone.locator(".pick:visible", has_text="Filomena").tap()
    sync_api.expect(phone.locator("#names input").first).to_have_value("Filomena")
    sync_api.expect(phone.locator(".pick:visible", has_text="Filomena")).to_have_count(0)


@pytest.mark.pages
def test_a_printed_table_has_every_row_on_white_and_nothing_to_tap(screens: Screens, server: Server) -> None:
    page = screens.open(TV, f"{server.url}/season?season=all")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    sync_api.expect(page.locator("tbody tr:visible")).to_have_count(20)
    sync_api.expect(page.locator("a.button:visible, form:visible, .chip:visible")).to_have_count(0)
    assert page.pdf(landscape=True, format="A4")[:4] == b"%PDF"

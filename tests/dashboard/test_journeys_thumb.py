"""Evenings without a camera, in Chromium: set up on the phone, run by thumb alone, seen on the TV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from film import send_forms
from flask import Flask
from journey import EFFECT, TV, Screens, serious, turned
from serving import until

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.eyes.seeing import Look
from companion.games import stu
from companion.games.stu.rules.log import Close, Matto, Rebuy, Split, Taverna, Void
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.table.log import Line

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = pytest.mark.browser


def no_eyes() -> Look:
    raise AssertionError("nobody looks: there is no camera")


@pytest.fixture
def app(ledger: Ledger) -> Iterator[Flask]:
    with CameraSession(ledger, no_eyes, find_cameras=lambda *_: ()) as camera_session:
        yield create_app(ledger, settings=Settings(heartbeat=0.5, patience=30), camera=camera_session,
                         recorder=lambda: camera_session.recorder,
                         moment=camera_session.moment, notices=camera_session.notices)  # fmt: skip


@pytest.fixture
def phone(app: Flask, server: Server, screens: Screens) -> Any:
    return screens.paired(server.url, app.extensions["pairing"].pin.digits, "/setup")


def begun(phone: Any, players: dict[str, tuple[int, bool]], dealer: str) -> None:
    """An evening that is on already: name → pedine and whether still a virgin."""
    phone.locator(".doors form:has([name=late]) button").tap()
    phone.locator("form:has([value=stu]) button").tap()
    phone.locator("form:has([name=thumb]) button").tap()
    sync_api.expect(phone.locator("#add")).to_be_visible()
    phone.wait_for_load_state("load")
    for number, name in enumerate(players):
        if number >= phone.locator("#names input").count():
            phone.locator("#add").tap()
        phone.locator("#names input").nth(number).fill(name)
    phone.locator("main button.primary").tap()
    phone.get_by_label(dealer, exact=True).check()
    phone.locator("main button.primary").tap()
    for number, (pedine, virgin) in enumerate(players.values()):
        phone.fill(f"[name=pedine-{number}]", str(pedine))
        phone.set_checked(f"[name=virgin-{number}]", virgin)
    assert serious(phone) == []
    phone.locator("main button.primary").tap()
    phone.locator("main button.big").tap()
    phone.wait_for_url("**/organiser")
    sync_api.expect(phone.locator("#players li")).to_have_count(len(players))


def three(phone: Any, server: Server) -> None:
    """A new evening of three, Carla deals; begun by the forms alone."""
    send_forms(
        phone, ("new", {}), ("game", {"game": "stu"}), ("camera", {"thumb": "1"}),
        ("players", {"name": ["Anna", "Bruno", "Carla"], "places": ""}),
        ("stakes", {"stake": "1", "dealer": "Carla"}), ("start", {}),
    )  # fmt: skip
    phone.goto(f"{server.url}/organiser")
    sync_api.expect(phone.locator("#players li")).to_have_count(3)


def log(ledger: Ledger) -> tuple[Line, ...]:
    game = ledger.newest()
    assert game is not None
    return ledger.lines(game)


def form(phone: Any, what: str) -> Any:
    """Open one of the rarer things, and give back its sheet."""
    turned(phone, "#more")
    phone.locator(f'#more [data-key="{what}"]').tap()
    sheet = phone.locator("dialog[open]")
    sync_api.expect(sheet.locator("button").first).to_be_visible()
    return sheet


def confirmed(phone: Any) -> None:
    """What the change would do is shown; do it, and wait until it has been done."""
    sync_api.expect(phone.locator(EFFECT)).to_be_visible()
    phone.locator("dialog > .big").tap()
    sync_api.expect(phone.locator("dialog[open]")).to_have_count(0)
    sync_api.expect(phone.locator("body.busy")).to_have_count(0)


def shows(phone: Any, *kinds: str) -> None:
    """In the showdown, one after the other."""
    for left, kind in zip(range(len(kinds), 0, -1), kinds, strict=True):
        sync_api.expect(phone.locator("#next .chip:enabled")).to_have_count(left)
        phone.locator(f'#next .grid button:has(img[src*="/{kind}.svg"])').tap()
    sync_api.expect(phone.locator("#next .grid")).to_have_count(0)


def test_who_comes_late_ricompera_with_a_partner_the_matto_and_a_split(
    phone: Any, ledger: Ledger, screens: Screens, server: Server
) -> None:
    begun(phone, {"Anna": (3, True), "Bruno": (1, False), "Carla": (0, False)}, "Anna")
    tv = screens.open(TV, server.url)
    sync_api.expect(tv.locator(".seat.out .called")).to_have_text("Carla")
    sheet = form(phone, "rebuy")
    sheet.locator("> button:last-child").tap()  # a partner
    sheet.locator("> button:last-child").tap()
    for at, name in enumerate(("Dino", "Zia")):
        sheet.locator(".name").nth(at).fill(name)
        sheet.locator(".share").nth(at).fill("60")
    sheet.locator(".big").tap()
    sync_api.expect(sheet.locator(".refused")).to_contain_text("superano")
    sheet.locator(".row .close").nth(1).tap()
    sheet.locator(".share").fill("trenta")
    sheet.locator(".big").tap()
    sync_api.expect(sheet.locator(".share")).to_have_attribute("aria-invalid", "true")
    sync_api.expect(sheet.locator(".refused")).to_have_count(0)  # that is mended: the shares are one now
    sheet.locator(".share").fill("33,3333")
    sheet.locator(".big").tap()
    confirmed(phone)
    sync_api.expect(tv.locator("#moment .beneath").first).to_contain_text(", con Dino (33,3333\u00a0%: 1,66 €, mette 0,66 €)")
    sync_api.expect(tv.locator(".seat.out")).to_have_count(0)
    phone.locator("#hand .line").tap()
    sheet = phone.locator("#sheet")
    sync_api.expect(sheet.locator(".share")).to_have_value("33,3333")
    sheet.locator(".paid").fill("1,50")
    sheet.get_by_role("button", name="Vedi l’effetto", exact=True).tap()
    confirmed(phone)
    rebuy = log(ledger)[-1].event
    assert isinstance(rebuy, Rebuy)
    assert [(partner.name, str(partner.share), partner.paid) for partner in rebuy.partners] == [("Dino", "0.333333", 150)]
    turned(phone, "#more")
    phone.locator('#more [data-key="matto"]').tap()
    until(lambda: isinstance(log(ledger)[-1].event, Matto))
    phone.locator("#undo").tap()
    sync_api.expect(phone.locator("#hand .line")).to_have_count(1)
    phone.locator("#undo").tap()  # what Dino has paid, then Carla's ricompera
    said = "Carla rientra con una ricompera con Dino (33,3333\u00a0%, mette 0,66 €)"
    sync_api.expect(phone.locator("#undo small")).to_have_text(said)
    phone.locator("#undo").tap()
    sync_api.expect(tv.locator(".seat.out")).to_have_count(1)
    form(phone, "close")
    confirmed(phone)
    assert isinstance(log(ledger)[-1].event, Close)
    sheet = form(phone, "split")
    sheet.locator("#share0").fill("66,6667")
    sync_api.expect(sheet.locator("#share1")).to_have_value("33,3333")
    sheet.locator(".big").tap()
    confirmed(phone)
    split = log(ledger)[-1].event
    assert isinstance(split, Split)
    assert {name: str(share) for name, share in split.shares.items()} == {"Anna": "0.666667", "Bruno": "0.333333"}


def test_a_ceded_taverna_its_terms_and_a_void_hand(phone: Any, ledger: Ledger, screens: Screens, server: Server) -> None:
    three(phone, server)
    tv = screens.open(TV, server.url)
    phone.locator("#next .big").tap()  # deals
    trumps = phone.locator("#next .trumps button:has(img[src*='/taverna.svg'])")
    sync_api.expect(trumps).to_have_count(2)  # refused with it, or ceded
    trumps.last.tap()
    until(lambda: isinstance(log(ledger)[-1].event, Taverna))
    phone.locator("#hand .line").last.tap()
    phone.fill("#terms", "un caffè")
    phone.fill("#share", "12.5")
    phone.locator("dialog .form button").first.tap()
    confirmed(phone)
    taverna = log(ledger)[-1].event
    assert isinstance(taverna, Taverna)
    assert (taverna.terms, taverna.share) == ("un caffè", 0.125)
    sheet = form(phone, "void")
    sheet.locator("#reason").fill("carte cadute")
    sheet.locator(".big").tap()
    confirmed(phone)
    sync_api.expect(tv.locator(".ruling .headline")).to_be_visible()  # void: nobody pays
    assert isinstance(log(ledger)[-1].event, Void)
    assert stu.replay(log(ledger)).hands[-1].payments == ()
    phone.locator("#undo").tap()
    sync_api.expect(tv.locator(".ruling")).to_have_count(0)


def test_another_dealer_and_a_whole_hand(phone: Any, ledger: Ledger, screens: Screens, server: Server) -> None:
    three(phone, server)
    tv = screens.open(TV, server.url)
    sheet = form(phone, "dealer")
    sheet.locator("button:not(.close)").first.tap()  # Anna instead of Carla
    confirmed(phone)
    sync_api.expect(tv.locator(".seat.dealer .called")).to_have_text("Anna")
    phone.locator('#next [data-key="offer2"]').tap()  # all stay
    shows(phone, "3", "7", "cucco")
    sync_api.expect(tv.locator(".ruling:not(.partial) .payer")).to_have_text("Bruno")  # the first to play has the lowest card
    assert tv.evaluate("window.innerHeight >= document.documentElement.scrollHeight")

"""A game without a script, a style sheet or a template of its own, on the TV and the phone in Debian's Chromium."""


import pytest
from flask import Flask
from journey import OUTSIDE, PHONE, TV, Screens, serious
from toy import HIGH_CARD

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games import GAMES
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

FIRST = '{"e":"game","v":1,"game":"highcard","players":["Anna","Bruno","Carla","Dino"]}'


@pytest.fixture
def app(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setitem(GAMES, HIGH_CARD.id, HIGH_CARD)
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=60, lang="en"))


def test_a_hand_of_a_plain_game_from_the_phone_to_the_tv(app: Flask, server: Server, ledger: Ledger, screens: Screens) -> None:
    tv = screens.open(TV, server.url)
    sync_api.expect(tv.locator(".message")).to_contain_text("No game yet")
    EveningRecorder.begin(ledger, HIGH_CARD.rules.LOG.decode_line(FIRST.encode()).event)
    sync_api.expect(tv.locator("h1")).to_have_text("High card")  # loaded again, as the page of another game
    sync_api.expect(tv.locator(".seat")).to_have_count(4)
    assert tv.locator("#sounds, #play").evaluate_all("all => all.every((one) => one.hidden)")
    at = {name: tv.locator(f".seat[data-player={name}] .plate").bounding_box() for name in ("Bruno", "Dino")}
    assert at["Bruno"]["x"] < at["Dino"]["x"]  # clockwise as seen from above: the next one sits at the left of who is near

    phone = screens.open(PHONE, f"{server.url}/pair#{app.extensions['pairing'].pin.digits}", locale="en-GB")
    phone.locator("main form button").tap()
    status = phone.locator("#status")
    sync_api.expect(status).to_have_text("Between hands")
    phone.get_by_role("button", name="The hand").tap()
    for name, number in (("Anna", 4), ("Bruno", 9), ("Carla", 2), ("Dino", 7)):
        phone.get_by_role("button", name=f"{name} shows {number}").tap()
        sync_api.expect(phone.locator("#hand")).to_contain_text(f"{name} shows {number}")
    sync_api.expect(status).to_have_text("Between hands")
    sync_api.expect(phone.locator("#players")).to_contain_text("2 tokens")
    # neither moviola nor chances nor video
    sync_api.expect(phone.locator("#tv button")).to_have_text(["Voice", "QR code for spectators"])
    sync_api.expect(tv.locator(".payment .payer")).to_have_text("Carla")
    sync_api.expect(tv.locator(".seat.pays .owns")).to_have_text("2 tokens")
    assert tv.evaluate(OUTSIDE, ".plate, .ruling, header, footer") == []

    phone.locator("#hand .line", has_text="Carla shows 2").tap()
    phone.locator("dialog").get_by_role("button", name="Carla shows 5").tap()
    sync_api.expect(phone.locator("dialog .then")).to_contain_text("Anna showed the lowest number")
    phone.get_by_role("button", name="Confirm").tap()
    sync_api.expect(tv.locator(".payment .payer")).to_have_text("Anna")
    phone.locator("#undo").tap()
    sync_api.expect(tv.locator(".payment .payer")).to_have_text("Carla")
    assert serious(tv) == serious(phone) == []

    EveningRecorder.begin(ledger, new_game(["Dino", "Elsa"], 200, "Dino"))
    sync_api.expect(tv.locator("h1")).to_have_text("Lu Stù")
    sync_api.expect(tv.locator(".pedina")).to_have_count(6)
    sync_api.expect(phone.get_by_role("button", name="New hand: Dino deals")).to_be_visible()

"""What goes wrong in a stoppata, and a hand that was missed, put right by thumb in Chromium."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import Screens
from phones import Phone
from serving import until
from stoppa_by_thumb import NAMES, laid, state
from thumbs import CLOCK, Thumb, thumb

from companion.dashboard.serve import Server
from companion.games.stoppa import log
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.table.log import tag

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
pytestmark = pytest.mark.browser


ROWS = "all => all.map((one) => { const box = one.getBoundingClientRect(); return [box.top + scrollY, box.height]; })"


@pytest.mark.pages
def test_the_table_stays_where_it_is_and_a_double_tap_lays_one_card(
    app: Flask, server: Server, ledger: Ledger, screens: Screens
) -> None:
    """Everybody may lay an ace on an ace: the rows are higher, and stay so, also where a long name laid last."""
    names = ("Anna Maria", "Bruno", "Carla", "Domenico Antonio")
    game = EveningRecorder.begin(ledger, log.new_game(names, 100, 20, names[-1])).game_id
    opened = {"e": "lay", "by": names[0], "cards": ["coppe-1"]}
    Phone(app).say({"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"}, opened)
    phone = thumb(app, server, screens, "/organiser", size=(412, 900))
    phone.says("Stoppata: serve il due")
    rows = phone.page.locator("#next .table li")
    place = rows.evaluate_all(ROWS)
    phone.page.evaluate(CLOCK)
    for key in ("Bruno coppe-2", "Carla spade-3", f"{names[-1]} denari-4"):
        many = len(ledger.lines(game))
        box = phone.page.locator(f"#next [data-key='{key}']").bounding_box()
        phone.page.evaluate("window.now += 1000")
        sync_api.expect(phone.page.locator("#next .fresh")).to_have_count(0)  # those look it for a moment of real time
        for _ in range(2):
            phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            until(lambda many=many: len(ledger.lines(game)) > many)
            sync_api.expect(phone.page.locator(f"#next [data-key='{key}']")).to_have_count(0)
        assert rows.evaluate_all(ROWS) == place
    lays = [line.event.cards for line in ledger.lines(game) if tag(line.event) == "lay"]
    assert lays == [("coppe-1",), ("coppe-2",), ("spade-3",), ("denari-4",)]


def test_a_declaration_and_the_choice_after_an_omission_need_no_scrolling(
    app: Flask, server: Server, ledger: Ledger, screens: Screens
) -> None:
    EveningRecorder.begin(ledger, log.new_game(NAMES, 100, 20, NAMES[-1]))
    told = Phone(app)
    told.say({"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"}, {"e": "passo", "by": "Carla"})
    phone = thumb(app, server, screens, "/organiser", size=(390, 844))
    declare, king = phone.page.locator("#next [data-key=declare]"), phone.page.locator("#next [data-key='bastoni-10']")
    for one in (declare, king):
        sync_api.expect(one).to_be_in_viewport(ratio=1)
    for by, card in (("Anna", "denari-9"), ("Dino", "coppe-10"), ("Dino", "spade-9"), ("Bruno", "spade-10")):
        told.say({"e": "lay", "by": by, "cards": [card]})
    choice = phone.page.locator("#next > .due:first-child button")
    sync_api.expect(choice).to_have_text(["Riprendere le giocate", "Niente stoppata in questa mano"])
    sync_api.expect(choice.last).to_be_in_viewport(ratio=1)


def test_what_goes_wrong_in_a_stoppata_is_put_right_by_thumb(laying: Thumb, ledger: Ledger) -> None:
    phone, page = laying, laying.page
    phone.tap("#more [data-key=several]")
    phone.sound()
    for suit in ("denari", "coppe", "spade"):
        phone.tap(f"dialog [data-key='{suit}-6']")
    sync_api.expect(page.locator("dialog [data-key=take]")).to_be_disabled()  # all four, or one
    phone.tap("dialog [data-key='bastoni-6']")
    phone.tap("dialog [data-key=take]")
    phone.confirm()
    phone.says("Stoppata: serve il sette")
    phone.tap("#more [data-key=back]")
    phone.sound()
    phone.tap("dialog button", "Le ultime 2 giocate: da Cinque di spade di Bruno in poi")
    phone.confirm()
    phone.says("Stoppata: serve il cinque")
    phone.tap("#more [data-key=skip]")
    phone.tap("dialog .chip", "Dino")
    phone.tap("dialog [data-key='spade-7']")
    phone.confirm()
    sync_api.expect(page.locator("#hand .line").last).to_contain_text("Dino cala Sette di spade, saltando il cinque")
    phone.tap("#hand .line", "Dino cala")  # it was Carla's
    phone.tap("dialog .chip", "Carla")
    phone.tap("dialog .choices .big")
    phone.confirm()
    sync_api.expect(page.locator("#hand .line").last).to_contain_text("Carla cala Sette di spade")
    phone.tap("#next .due [data-key=annul]")  # Bruno has the five
    phone.confirm()
    phone.says("Tra una mano e l’altra")
    assert state(ledger).hands[-1].payments == ()
    assert laid(ledger)[-1] == ("spade-7",)
    phone.tap("#undo")
    phone.says("Stoppata: serve il fante")
    phone.tap("#more [data-key=giro]")
    phone.tap("dialog button", "Bruno")
    phone.confirm()
    until(lambda: state(ledger).last_hand == 8)
    phone.tap("#more [data-key=void]")
    phone.tap("dialog .big")
    phone.confirm()
    until(lambda: state(ledger).hands[-1].void)


def test_a_missed_hand_is_told_on_a_sheet(app: Flask, server: Server, ledger: Ledger, screens: Screens) -> None:
    EveningRecorder.begin(ledger, log.new_game(NAMES, 100, 20, "Dino"))
    phone = thumb(app, server, screens, "/organiser")
    phone.tap("#next .big")
    phone.says("Punto piccolo 1: parola ad Anna")
    phone.tap("#hand [data-key=missed]")
    lines = phone.page.locator("dialog .told li")
    sync_api.expect(lines).to_have_count(1)
    for many in (2, 4, 6, 8, 10, 11):  # five punti on which nobody bets
        phone.tap("dialog [data-key=offer0]")
        sync_api.expect(lines).to_have_count(many)
    for number in range(1, 11):
        phone.tap(f"dialog [data-key$='denari-{number}']")
    phone.confirm()
    until(lambda: len(state(ledger).hands) == 1)
    told = state(ledger).hands[0].stoppata
    assert told is not None
    assert told.winner == "Anna"
    phone.says("Punto piccolo 1: parola a Bruno")  # Anna deals the hand after it
    phone.next("amount20")
    until(lambda: state(ledger).bets == (20,))

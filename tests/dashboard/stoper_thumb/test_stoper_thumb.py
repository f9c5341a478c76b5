"""An evening of Stoper without a camera, in Chromium on small phones: set up and kept by thumb, its taps counted."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import Screens
from serving import until
from stoper_by_thumb import HAND, SETTING_UP, set_up, show, state
from thumbs import Thumb, thumb
from views import mostly

from companion.dashboard.serve import Server
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
pytestmark = pytest.mark.browser


@pytest.mark.parametrize("look", mostly([((360, 640), "dark"), ((390, 844), "light")], [((390, 844), "light")]), ids=str)
def test_an_evening_is_set_up_and_a_hand_with_a_side_pot_is_kept_by_thumb(
    app: Flask, server: Server, ledger: Ledger, screens: Screens, look: tuple[tuple[int, int], str]
) -> None:
    size, scheme = look
    phone = thumb(app, server, screens, "/setup", scheme, size)
    set_up(phone)
    phone.says("Tra una mano e l’altra")
    assert phone.taps == SETTING_UP

    phone.taps = 0
    phone.tap("#next .big", "cip 0,50 €, invito 0,50 €")
    phone.says("Si apre da Fante: Bice")
    phone.sound()
    phone.next("amount200")
    phone.says("Aperto: parola a Ciro")
    phone.next("word0")  # sees
    phone.says("Aperto: parola a Dora")
    phone.next("word0")
    phone.says("Aperto: parola ad Ada")
    phone.next("word1")  # passes
    for name, word in (("Bice", "word0"), ("Ciro", "word1"), ("Dora", "word2")):  # two, one, served
        phone.says(f"Cambio: {name}")
        phone.next(word)
    phone.says("Fase finale: parola a Bice")
    phone.next("amount500")
    phone.says("Fase finale: parola a Ciro")
    sync_api.expect(phone.page.locator("#next [data-key=word0]")).to_have_text("Ciro vede all-in (+2,00 €)")
    phone.next("word0")
    phone.says("Fase finale: parola a Dora")
    phone.next("word0")
    phone.says("Confronto: le carte di Bice, Ciro e Dora")
    phone.sound()
    show(phone, "spade-10", "spade-9", "spade-7", comes_to="27: re, cavallo e sette di spade")
    phone.says("Confronto: le carte di Ciro e Dora")
    show(phone, "denari-1", "coppe-1", "bastoni-8", comes_to="32: due assi e figura")
    phone.next("word0")  # concedes
    phone.says("Tra una mano e l’altra")
    assert phone.taps == HAND
    stands = state(ledger)
    assert [(pot.winner, pot.amount, pot.entitled) for pot in stands.hands[-1].pots] == [
        ("Ciro", 1600, ("Bice", "Ciro", "Dora")), ("Bice", 600, ("Bice", "Dora")),
    ]  # fmt: skip
    assert stands.stacks == (4900, 4800, 1600, 4200)
    sync_api.expect(phone.page.locator("#players li").nth(2)).to_contain_text("16,00 €")

    phone.taps = 0
    phone.tap("#hand .line", "Bice punta 5,00")  # it was 3,00
    phone.tap("dialog [data-key='pad3']")
    phone.tap("dialog [data-key='pad-go']")
    table = phone.page.locator("dialog table")
    sync_api.expect(table).to_contain_text("48,00 €")  # Bice's, as it is
    sync_api.expect(table).to_contain_text("46,00 €")  # and would be
    sync_api.expect(phone.page.locator("dialog .then")).to_contain_text("2,00 €")  # the side pot
    phone.sound()
    assert state(ledger).stacks == stands.stacks  # shown, and not yet done
    phone.confirm()
    until(lambda: state(ledger).stacks == (4900, 4600, 1600, 4400))
    assert phone.taps == 4
    phone.tap("#undo")
    until(lambda: state(ledger).stacks == stands.stacks)


def test_in_mid_hand_it_is_said_why_nobody_comes_or_goes(opened: Thumb) -> None:
    page = opened.page
    page.get_by_role("button", name="Giocatori").tap()
    sync_api.expect(page.locator("#people-later")).to_contain_text("prima va finita questa")
    sync_api.expect(page.get_by_role("button", name="Chi arriva e chi va via")).to_be_hidden()


def test_the_pad_is_shut_by_its_cross_and_by_back_and_keeps_what_was_typed(opened: Thumb) -> None:
    phone, page = opened, opened.page
    pad, offered, address = page.locator("#next .pad"), page.locator("#next .amount:not(.other)"), page.url
    for shut in ("cross", "back", "back"):
        phone.next("other")
        sync_api.expect(pad).to_be_visible()
        if shut == "cross":
            for key in ("3", ","):
                phone.next(f"pad{key}")
            page.get_by_role("button", name="Chiudi").tap()
        else:
            sync_api.expect(page.locator("#next .typed")).to_have_text("3,")
            page.go_back()
        sync_api.expect(pad).to_be_hidden()
        sync_api.expect(offered.first).to_be_visible()
        assert page.url == address
    phone.next("other")
    phone.next("erase")
    for key in ("5", "0"):
        phone.next(f"pad{key}")
    sync_api.expect(page.locator("#next .typed")).to_have_text("350")


def test_a_key_of_the_pad_that_does_nothing_looks_so(opened: Thumb) -> None:
    phone, page = opened, opened.page
    pad, typed = page.locator("#next .pad"), page.locator("#next .typed")
    pale = pad.locator(".keys [aria-disabled='true']")
    phone.next("other")
    sync_api.expect(pale).to_have_text(["⌫"])  # nothing is typed
    pale.tap(force=True)
    sync_api.expect(pad).to_be_visible()
    for key in (",", "5", "5"):
        phone.next(f"pad{key}")
    page.get_by_role("button", name="Chiudi").tap()
    phone.next("other")
    sync_api.expect(typed).to_have_text(",55")  # kept, and full
    sync_api.expect(pale).to_have_text([*"123456789", ",", "0"])
    page.locator("#next [data-key='pad3']").tap(force=True)
    sync_api.expect(typed).to_have_text(",55")
    phone.next("erase")
    sync_api.expect(pale).to_have_text([","])


def test_an_amount_cannot_go_wrong(opened: Thumb, ledger: Ledger) -> None:
    phone, page = opened, opened.page
    chips = page.locator("#next .amount:not(.other)").evaluate_all("all => all.map((one) => Number(one.dataset.key.slice(6)))")
    assert chips == sorted(chips)
    everything = page.locator("#next .all-in")
    everything.tap()
    sync_api.expect(everything).to_have_text("Davvero all-in 4,00 €?")
    assert state(ledger).stacks[2] == 400
    phone.next("other")
    for key in (",", "5"):
        phone.next(f"pad{key}")
    page.locator("#next [data-key='pad,']").tap(force=True)
    sync_api.expect(page.locator("#next .typed")).to_have_text(",5")
    phone.next("erase")
    phone.next("erase")
    pad = page.locator("#next .pad")
    phone.sound()
    phone.next("pad1")
    sync_api.expect(pad).to_contain_text("Si rilancia a più di 2,00 € (regola 10)")
    sync_api.expect(page.locator("[data-key=pad-go]")).to_be_disabled()
    for key in ("2", "0"):
        phone.next(f"pad{key}")
    sync_api.expect(page.locator("[data-key=pad-go]")).to_have_text("Ciro all-in: 4,00 €")  # 120 is more than Ciro has
    phone.next("pad-go")
    sync_api.expect(page.locator("[data-key=pad-go]")).to_have_text("Davvero Ciro all-in: 4,00 €?")
    assert state(ledger).stacks[2] == 400
    phone.next("pad-go")
    phone.says("Aperto: parola a Dora")
    assert state(ledger).stacks == (4900, 4700, 0, 4900)

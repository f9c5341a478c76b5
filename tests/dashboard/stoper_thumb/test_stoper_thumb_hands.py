"""Hands of Stoper put right by thumb in Chromium: who comes back, what is told again, chips bought."""

from __future__ import annotations

import pytest
from journey import EFFECT
from serving import until
from stoper_by_thumb import state
from thumbs import Thumb

from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
pytestmark = pytest.mark.browser


def test_somebody_who_did_not_pass_comes_back_into_the_hand(opened: Thumb, ledger: Ledger) -> None:
    phone, page = opened, opened.page
    phone.next("word1")  # Ciro passes
    phone.says("Aperto: parola a Dora")
    phone.next("word0")
    phone.says("Aperto: parola ad Ada")
    phone.next("word1")
    for name in ("Bice", "Dora"):
        phone.says(f"Cambio: {name}")
        phone.next("word1")
    phone.says("Fase finale: parola a Bice")
    phone.taps = 0
    phone.tap("#hand .line", "Ciro passa")  # he saw
    phone.tap("dialog .choices button", "Ciro vede")
    sync_api.expect(page.locator(EFFECT)).to_be_visible()
    sync_api.expect(page.locator("dialog .adds")).to_contain_text("Ciro dice servito")
    phone.sound()
    phone.confirm()
    assert phone.taps == 3
    phone.says("Fase finale: parola a Bice")
    assert state(ledger).stacks == (4900, 4700, 200, 4700)


def test_a_hand_that_was_over_too_soon_is_told_again_from_its_line(opened: Thumb, ledger: Ledger) -> None:
    phone, page = opened, opened.page
    phone.next("offer0")  # all others pass
    phone.says("Tra una mano e l’altra")
    phone.tap("#hand .line", "Ada passa")  # it ended the hand, and can be changed all the same
    sync_api.expect(page.locator("dialog [data-mode=delete]")).to_be_visible()
    phone.tap("dialog .close")
    phone.tap("#next .big")
    phone.says("Si apre da Fante: Ciro")
    phone.tap("#hands .line", "Mano 1")
    phone.tap("#hand .line", "Ciro passa")  # he saw
    phone.sound()
    phone.tap("dialog [data-key=anew]")
    lines = page.locator("dialog .told li")
    sync_api.expect(lines).to_have_text(["Mano 1: dà le carte Ada", "Bice apre con 2,00 €"])
    phone.sound()
    for many, key in enumerate(("word0", "word1", "word1", "word2", "word2", "word0", "word0"), start=3):
        phone.tap(f"dialog [data-key={key}]")  # vede, passo, passo, two served, two knock
        sync_api.expect(lines).to_have_count(many)
    phone.tap("dialog button", "Annulla")
    sync_api.expect(lines).to_have_count(8)
    phone.tap("dialog [data-key=void]")
    phone.confirm()
    until(lambda: state(ledger).hands[0].void)
    assert state(ledger).stacks == (4900, 4900, 400, 4900)
    phone.says("Si apre da Fante: Bice")  # Ada deals again


@pytest.mark.pages
def test_the_next_hand_can_differ_and_chips_are_bought(opened: Thumb, ledger: Ledger) -> None:
    phone, page = opened, opened.page
    phone.next("offer0")  # all others pass
    phone.says("Tra una mano e l’altra")
    phone.tap("#more [data-key=chips]")
    phone.sound()
    phone.tap("dialog .amount", "50,00")  # Ciro's: he has fewest
    phone.confirm()
    until(lambda: state(ledger).stacks[2] == 5400)
    phone.tap("#more [data-key=hand]")
    phone.sound()
    phone.tap("dialog [data-key='cip 100']")
    phone.tap("dialog [data-key='absent Dora']")
    phone.tap("dialog [data-key=tell]")
    phone.confirm()
    phone.says("Si apre da Fante: Ciro")
    now = state(ledger)
    assert (now.cip, now.invito, now.hand is not None and now.hand.order) == (100, 50, (2, 0, 1))
    phone.next("offer0")  # nobody opens
    phone.says("Tra una mano e l’altra")
    sync_api.expect(page.locator("#next .big")).to_contain_text("senza Dora")
    phone.tap("#next [data-key=offer1]")  # Dora is back
    phone.says("Si apre da Cavallo: Dora")


def test_the_outcome_takes_a_tap_on_who_takes_the_pot_and_two_more(opened: Thumb, ledger: Ledger) -> None:
    """Other sums than those that were told are typed on a pad."""
    phone, page = opened, opened.page
    phone.next("word1")  # Ciro passes; of the others it is not told what they did
    phone.says("Aperto: parola a Dora")
    phone.tap("[data-key=outcome]")
    sync_api.expect(page.locator("dialog [role=status]")).to_have_text("Sul tavolo: 6,00 €")
    phone.tap("dialog [data-key='has Dora']")
    for key in "47":
        phone.tap(f"dialog [data-key='pad{key}']")
    phone.tap("dialog [data-key=pad-go]")
    sync_api.expect(page.locator("dialog [role=status]")).to_have_text("Sul tavolo: 8,00 €")
    phone.sound()
    phone.taps = 0
    phone.tap("dialog [data-key='takes Bice']")
    sync_api.expect(page.locator("dialog [data-key='has Bice']")).to_have_text("55,00 €")
    phone.tap("dialog .last")
    sync_api.expect(page.locator(EFFECT).first).to_be_visible()
    phone.sound()
    phone.confirm()
    assert phone.taps == 3
    assert state(ledger).stacks == (4900, 5500, 400, 4700)

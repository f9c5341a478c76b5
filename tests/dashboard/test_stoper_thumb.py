"""An evening of Stoper without a camera, in Chromium on small phones: set up and kept by thumb, its taps counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from journey import EFFECT, Screens
from serving import until
from thumbs import Thumb, thumb, without_camera
from views import mostly

from companion.dashboard.serve import Server
from companion.games import stoper
from companion.games.stoper import log
from companion.ledger import Ledger
from companion.line.scribe import Scribe

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = pytest.mark.browser

NAMES = ("Ada", "Bice", "Ciro", "Dora")
STACKS = {"Ada": 5000, "Bice": 5000, "Ciro": 500, "Dora": 5000}
SETTING_UP = 10
"""New, Stoper, without a camera, two more places, on, who deals, not all the same, on, begin; names and Ciro's chips are
typed."""
HAND = 20
"""A hand: its beginning, four words, three exchanges, three words, twice three cards and one tap to lay them open, one who
concedes."""


@pytest.fixture
def app(ledger: Ledger) -> Iterator[Flask]:
    with without_camera(ledger) as app:
        yield app


def state(ledger: Ledger) -> stoper.State:
    game = ledger.newest()
    assert game is not None
    found: stoper.State = stoper.replay(ledger.lines(game))
    return found


def set_up(phone: Thumb) -> None:
    """From the first page of setting up to the organiser's; Ciro begins with less than the others."""
    page = phone.page
    phone.begin_setup("stoper", NAMES)
    sync_api.expect(page.locator("#law")).to_contain_text("locali pubblici")
    phone.sound()
    page.get_by_label("Ada", exact=True).first.check()
    phone.taps += 1
    phone.tap("summary", "Non tutti iniziano")
    page.locator("#stack-2").fill("5")
    phone.tap("main button.primary")
    sync_api.expect(page.locator("main")).to_contain_text("28 carte")
    phone.sound()
    phone.tap("main button.big")
    page.wait_for_url("**/organiser")


def show(phone: Thumb, *cards: str, comes_to: str) -> None:
    for card in cards:
        phone.next(card)
    sync_api.expect(phone.page.locator("#next .named")).to_have_text(comes_to)
    phone.next("take")


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
    phone.says("Si apre da Donna: Bice")
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
    phone.says("Confronto: mostrano Bice, Ciro, Dora")
    phone.sound()
    show(phone, "spade-10", "spade-9", "spade-7", comes_to="27: re, cavallo e sette di spade")
    phone.says("Confronto: mostrano Ciro, Dora")
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


@pytest.fixture
def begun(app: Flask, server: Server, ledger: Ledger, screens: Screens) -> Thumb:
    """A hand that has begun, on a phone that is called Banco; Ciro has 4.00 left."""
    first = log.new_game(NAMES, STACKS, "Ada", usual=log.Usual(50, 50))
    Scribe.begin(ledger, first)
    phone = thumb(app, server, screens, "/organiser", size=(360, 640), name="Banco")
    phone.tap("#next .big")
    phone.says("Si apre da Donna: Bice")
    return phone


@pytest.fixture
def opened(begun: Thumb) -> Thumb:
    """Bice has opened with 2.00."""
    begun.next("amount200")
    begun.says("Aperto: parola a Ciro")
    begun.taps = 0
    return begun


def test_an_amount_cannot_go_wrong(opened: Thumb, ledger: Ledger) -> None:
    phone, page = opened, opened.page
    phone.next("other")
    pad = page.locator("#next .pad")
    phone.sound()
    phone.next("pad1")
    sync_api.expect(pad).to_contain_text("Si rilancia a più di 2,00 € (regola 10)")
    sync_api.expect(page.locator("[data-key=pad-go]")).to_be_disabled()
    for key in ("2", "0"):
        phone.next(f"pad{key}")
    sync_api.expect(page.locator("[data-key=pad-go]")).to_have_text("Ciro all-in: 4,00 €")  # 120 is more than Ciro has
    phone.next("pad-go")
    phone.says("Aperto: parola a Dora")
    assert state(ledger).stacks == (4900, 4700, 0, 4900)


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


def test_a_hand_that_was_over_too_soon_is_told_anew_from_its_line(opened: Thumb, ledger: Ledger) -> None:
    phone, page = opened, opened.page
    phone.next("offer0")  # all others pass
    phone.says("Tra una mano e l’altra")
    phone.tap("#hand .line", "Ada passa")  # it ended the hand, and can be changed all the same
    sync_api.expect(page.locator("dialog [data-mode=delete]")).to_be_visible()
    phone.tap("dialog .close")
    phone.tap("#next .big")
    phone.says("Si apre da Donna: Ciro")
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
    phone.says("Si apre da Donna: Bice")  # Ada deals again


def test_the_next_hand_can_be_otherwise_and_chips_are_bought(opened: Thumb, ledger: Ledger) -> None:
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
    phone.says("Si apre da Donna: Ciro")
    now = state(ledger)
    assert (now.cip, now.invito, now.hand is not None and now.hand.order) == (100, 50, (2, 0, 1))
    phone.next("offer0")  # nobody opens
    phone.says("Tra una mano e l’altra")
    sync_api.expect(page.locator("#next .big")).to_contain_text("senza Dora")
    phone.tap("#next [data-key=offer1]")  # Dora is back
    phone.says("Si apre da Cavallo: Dora")


def test_blinds_are_told_before_the_cards(begun: Thumb, ledger: Ledger) -> None:
    phone = begun
    phone.tap("#next .words button", "Bice: buio (4,00 €)")
    phone.says("Aperto al buio: parola a Ciro")
    phone.next("word1")  # passes: too little for a controbuio
    phone.says("Aperto al buio: parola a Dora")
    phone.next("word0")
    phone.says("Aperto al buio: parola ad Ada")
    phone.next("word1")
    phone.says("Buio visto: parola a Bice")
    phone.sound()
    phone.next("word0")  # does not raise
    phone.says("Cambio: Bice")
    opened = state(ledger).hand
    assert opened is not None
    assert (opened.blinds, opened.pot) == (1, 1200)


def test_two_phones_and_two_taps_say_a_thing_once(
    opened: Thumb, app: Flask, server: Server, ledger: Ledger, screens: Screens
) -> None:
    other = thumb(app, server, screens, "/organiser", "light", (390, 844), "Ada")
    other.says("Aperto: parola a Ciro")
    opened.page.locator("#next [data-key=word0]").dblclick()
    opened.says("Aperto: parola a Dora")
    other.says("Aperto: parola a Dora")
    assert [line.event for line in ledger.lines(ledger.newest() or 0)][-1] == log.Vedo(by="Ciro")
    opened.page.goto(f"{server.url}/")
    opened.page.go_back()
    opened.says("Aperto: parola a Dora")
    other.next("word1")
    opened.says("Aperto: parola ad Ada")


def test_a_pad_forgets_what_another_phone_has_overtaken(
    opened: Thumb, app: Flask, server: Server, ledger: Ledger, screens: Screens
) -> None:
    other = thumb(app, server, screens, "/organiser", "light", (390, 844), "Ada")
    for key in ("other", "pad1", "pad2"):
        opened.next(key)
    other.next("word0")  # Ciro sees
    opened.says("Aperto: parola a Dora")
    other.tap("#undo")
    opened.says("Aperto: parola a Ciro")
    sync_api.expect(opened.page.locator("#next .amounts")).to_be_visible()
    opened.next("other")
    sync_api.expect(opened.page.locator("#next .typed")).not_to_contain_text("12")


@pytest.mark.parametrize("width", [320, 360, 390])
def test_no_word_of_three_that_can_be_said_is_broken(
    app: Flask, server: Server, ledger: Ledger, screens: Screens, width: int
) -> None:
    Scribe.begin(ledger, log.new_game(("Anna", "Giuseppe", "Carla", "Dino"), 5000, "Dino", usual=log.Usual(50, 50)))
    phone = thumb(app, server, screens, "/organiser", size=(width, 640))
    phone.tap("#next .big")
    phone.tap("#next .words button", "Anna: buio")
    sync_api.expect(phone.page.locator("#next .words button", has_text="Giuseppe: controbuio")).to_be_visible()
    phone.whole_words("#next .words button")
    phone.sound()

"""A bet of more chips than somebody seems to have, typed on a small phone, in Chromium: a hand before that was not sure went
otherwise."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import Screens
from serving import until
from stoper_table import Table, after_a_doubtful_hand
from thumbs import Thumb, thumb
from views import mostly

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games.stoper.rules import log as tl
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = pytest.mark.browser


def at_adas_word() -> Table:
    """Bice has most probably won the first hand, and Ada has 6 euros left; it is her word in the second."""
    words = (tl.Hand(), tl.Parola(by="Bice"), tl.Parola(by="Ciro"), tl.Parola(by="Dora"))
    return after_a_doubtful_hand().tell(words[0]).dealt().tell(*words[1:])


@pytest.fixture
def recorder(ledger: Ledger) -> EveningRecorder:
    found = at_adas_word().evening
    recorder = EveningRecorder.begin(ledger, found.record.game)
    recorder.change(lambda _: found)
    return recorder


@pytest.fixture
def app(ledger: Ledger, recorder: EveningRecorder) -> Flask:
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=30), recorder=lambda: recorder)


def typed(phone: Thumb, amount: str) -> None:
    phone.tap("#next .amounts .other")
    for digit in amount:
        phone.tap(f"#next .pad [data-key=pad{digit}]")


def winner(recorder: EveningRecorder) -> str:
    return str(recorder.evening.game.rules.ruling(recorder.state, 1).pots[0].winner)


@pytest.mark.parametrize("scheme", mostly(["dark", "light"], ["dark"]))
def test_the_pad_says_what_more_means_and_undo_takes_it_back(
    app: Flask, server: Server, screens: Screens, recorder: EveningRecorder, scheme: str
) -> None:
    phone = thumb(app, server, screens, "/organiser", scheme)
    page = phone.page
    assert winner(recorder) == "Bice"
    typed(phone, "12")
    sync_api.expect(page.locator(".pad .why")).to_contain_text("una mano precedente è andata diversamente")
    sync_api.expect(page.locator(".pad .big")).to_contain_text("Ada apre con")
    sync_api.expect(page.locator(".pad .big")).to_contain_text("12,00 €")
    phone.sound()
    phone.tap(".pad .big")
    until(lambda: winner(recorder) == "Ada")
    sync_api.expect(page.locator("#notices")).to_contain_text("Mano 1: vittoria di Ada, a giudicare dalle puntate successive")
    phone.sound()
    phone.tap("#undo")
    until(lambda: winner(recorder) == "Bice")
    sync_api.expect(page.locator("#notices")).not_to_contain_text("puntate")


def test_more_than_any_hand_could_have_given_is_all_in(app: Flask, server: Server, screens: Screens,
                                                       recorder: EveningRecorder) -> None:
    phone = thumb(app, server, screens, "/organiser")
    typed(phone, "90")
    sync_api.expect(phone.page.locator(".pad .big")).to_contain_text("all-in")

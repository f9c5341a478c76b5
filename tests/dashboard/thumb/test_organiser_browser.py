"""The organiser's phone in Debian's Chromium, by thumb: the taps that docs/evening.md counts."""

from __future__ import annotations

import pytest
from organiser_thumb import TAPS, Thumb, done, played
from phones import paid

from companion.line.recorder import EveningRecorder

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


def test_a_hand_by_thumb_at_most_a_tap_for_each_act(thumb: Thumb, recorder: EveningRecorder) -> None:
    status = thumb.page.locator("#status")
    acts = [
        ("#next .big", None, "Tocca ad Anna"),  # deal
        ("#next .second", None, "Tocca a Bruno"),  # passo and exchange
        ("#next .big", None, "Tocca a Carla, che ha il mazzo"),  # sto
        ("#next button", "cambia col mazzo", "Si scoprono le carte"),  # draw
    ]
    for where, text, then in acts:
        thumb.tap(where, text)
        sync_api.expect(status).to_have_text(then)
        assert thumb.counted() == 1
    for name, at in (("Anna", 6), ("Bruno", 12), ("Carla", 9)):
        sync_api.expect(thumb.page.locator("#next h2")).to_have_text(f"La carta di {name}")
        thumb.page.locator("#next .grid button").nth(at).tap()
    sync_api.expect(status).to_have_text("Tra una mano e l’altra")
    assert paid(recorder) == [("Anna", -1)]
    thumb.tap("#undo")
    sync_api.expect(status).to_have_text("Si scoprono le carte")
    thumb.tap("#redo")
    sync_api.expect(status).to_have_text("Tra una mano e l’altra")


def test_the_most_frequent_corrections_take_the_taps_that_the_page_says(thumb: Thumb, recorder: EveningRecorder) -> None:
    dialog = thumb.page.locator("dialog")
    taps: dict[str, int] = {}

    def confirmed(what: str) -> None:
        thumb.tap("dialog .big", "Conferma")
        done(thumb)
        taps[what] = thumb.counted()

    played(thumb, "2", "5", "9")
    thumb.tap("#hand .line", "Anna mostra il 2")
    thumb.tap("dialog .grid button", "10")
    sync_api.expect(dialog.locator(".difference")).to_contain_text("Bruno ha la carta più bassa")
    confirmed("a card was misread")
    assert paid(recorder) == [("Bruno", -1)]

    thumb.tap("#hand .line", "Carla sta")
    thumb.tap("dialog .chip", "Prima")
    thumb.tap("dialog .choices button", "Bruno e Carla si scambiano")
    sync_api.expect(dialog).to_contain_text("Chi paga resta uguale")  # all cards were shown: who held them is not moved
    confirmed("an exchange was missed")
    sync_api.expect(thumb.page.locator("#hand .lines")).to_contain_text("Bruno e Carla si scambiano la carta")

    thumb.tap("#hand .line", "Bruno e Carla si scambiano")
    thumb.tap("dialog .chip", "Elimina")
    confirmed("an exchange was made up")
    sync_api.expect(thumb.page.locator("#hand .lines")).not_to_contain_text("Bruno passa a Carla")

    thumb.tap("#undo")
    taps["the last tap was wrong"] = thumb.counted()
    sync_api.expect(thumb.page.locator("#hand .lines")).to_contain_text("Bruno e Carla si scambiano la carta")

    thumb.tap("#hand .line", "Bruno passa a Carla")
    thumb.tap("dialog .choices .refusals button", "Bragon")
    sync_api.expect(dialog.locator(".difference .then")).to_contain_text("bbummata")
    confirmed("an act was another")
    assert ("Bruno", -1) in paid(recorder)

    thumb.tap("#hand button", "Solo l’esito")
    thumb.tap("dialog .payer", "Carla")
    thumb.tap("dialog .big", "Vedi l’effetto")
    sync_api.expect(dialog.locator(".difference .then")).to_contain_text("Carla −1")
    confirmed("only the outcome is known")
    assert paid(recorder) == [("Carla", -1)]
    assert taps | {"the program asks": 1} == TAPS

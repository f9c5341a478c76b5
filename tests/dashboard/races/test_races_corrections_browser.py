"""Corrections on the organiser's phone while the camera goes on seeing and another phone taps."""

from __future__ import annotations

import pytest
from journey import turned
from phones import paid
from races import DEALT, Phones, line
from serving import until

from companion.games.stu.sightings import Cleared, Shown
from companion.line.recorder import EveningRecorder
from companion.referee.record import Saw

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


def test_a_correction_stays_on_its_sheet_while_the_camera_sees_on_and_is_brought_up_to_date(
    phones: Phones, recorder: EveningRecorder
) -> None:
    for sighting in (*DEALT, Shown(15.0, 0, 1, (("2", 0.97), ("8", 0.03)))):
        recorder.report(Saw(sighting))
    page = phones("Banco")
    line(page, "Anna mostra il 2").tap()
    page.locator("dialog .grid button", has_text="10").tap()
    sync_api.expect(page.locator("dialog .big", has_text="Conferma")).to_be_visible()
    sync_api.expect(page.locator("dialog")).to_contain_text("Chi paga resta uguale")  # nobody has paid yet
    recorder.saw([Shown(15.5, 1, 2, (("5", 0.99), ("3", 0.01)))])
    recorder.saw([Shown(16.0, 2, 3, (("9", 1.0),))])
    recorder.saw([Cleared(20.0)])
    sync_api.expect(page.locator("dialog .then")).to_contain_text("Bruno ha la carta più bassa")
    page.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(page.locator("dialog")).to_be_hidden()
    until(lambda: paid(recorder) == [("Bruno", -1)])


@pytest.mark.pages
def test_a_line_that_another_phone_has_changed_is_said_to_be_gone_and_the_taps_are_kept(phones: Phones,
                                                                                        recorder: EveningRecorder) -> None:
    page, other = phones("Banco"), phones("Cucina")
    for where in ("#next .big", "#next button:has-text('Stanno tutti')", "#next .grid button:has-text('8')"):
        page.locator(where).first.tap()
    line(page, "Anna mostra").tap()
    sync_api.expect(page.locator("dialog .grid")).to_be_visible()
    line(other, "Anna mostra").tap()
    other.locator("dialog .grid button", has_text="9").tap()
    other.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(other.locator("dialog")).to_be_hidden()
    page.locator("dialog .grid button", has_text="10").tap()
    sync_api.expect(page.locator("dialog .problem")).to_have_text("Intanto Cucina ha detto: Anna mostra il 9. Guarda di nuovo")
    page.locator("dialog .line", has_text="Anna mostra il 9").tap()
    page.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(line(page, "Anna mostra il 10")).to_be_visible()
    sync_api.expect(line(other, "Anna mostra il 10")).to_be_visible()


@pytest.mark.pages
def test_an_undo_names_what_it_undoes_also_anothers(phones: Phones, recorder: EveningRecorder) -> None:
    page, other = phones("Banco"), phones("Cucina")
    page.locator("#next .big").tap()
    page.locator("#next .big", has_text="Anna sta").tap()
    sync_api.expect(page.locator("#undo")).to_have_accessible_name("Annulla: Anna sta")
    sync_api.expect(other.locator("#undo")).to_have_accessible_name("Annulla: Anna sta (Banco)")
    sync_api.expect(other.locator("#undo small")).to_have_text("Anna sta (Banco)")
    other.locator("#undo").tap()
    sync_api.expect(page.locator("#status")).to_have_text("Tocca ad Anna")
    sync_api.expect(page.locator("#redo")).to_have_accessible_name("Ripeti: Anna sta (Cucina)")


@pytest.mark.pages
def test_a_void_hand_has_a_verb_of_its_own(phones: Phones) -> None:
    page = phones("Banco")
    page.locator("#next .big").tap()
    turned(page, "#more")
    sync_api.expect(page.locator("#more button", has_text="Mano nulla")).to_be_visible()
    assert page.locator("button", has_text="Annulla").count() == 1


def test_an_earlier_hand_is_corrected_after_a_ricompera_which_is_named_and_goes_in_one_step(
    phones: Phones, recorder: EveningRecorder
) -> None:
    page = phones("Banco")
    for _ in range(3):
        played(page, Anna="2", Bruno="7", Carla="9")
    page.locator("#next button", has_text="Anna rientra").tap()
    page.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(page.locator("dialog")).to_be_hidden()
    turned(page, "#hands")
    page.locator("#hands .line", has_text="Mano 3").tap()
    line(page, "Anna mostra il 2").tap()
    page.locator("dialog .grid button", has_text="10").tap()
    sync_api.expect(page.locator("dialog .without")).to_contain_text("Anna rientra con una ricompera")
    page.locator("dialog .big").tap()
    sync_api.expect(page.locator("dialog .without")).to_contain_text("Anna rientra con una ricompera")
    page.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(page.locator("dialog")).to_be_hidden()
    assert recorder.state.ricompere == 0
    page.locator("#undo").tap()
    until(lambda: recorder.state.ricompere == 1)


def played(page: sync_api.Page, **cards: str) -> None:
    """A hand in which all stay and show these cards."""
    shown = page.locator("#hand .line", has_text="mostra")
    page.locator("#next .big").tap()
    page.locator("#next button", has_text="Stanno tutti").tap()
    for number in range(len(cards)):
        sync_api.expect(shown).to_have_count(number)
        whose = page.locator("#next h2").inner_text().removeprefix("La carta di ")
        page.locator("#next .grid button").nth(4 + int(cards[whose])).tap()
    sync_api.expect(page.locator("#hand .ruling")).to_be_visible()

"""The organiser's phone in Debian's Chromium: what is refused, asked, punished, told afterwards."""

from __future__ import annotations

import re

import pytest
from organiser_thumb import TAPS, Thumb, done, played
from phones import paid
from serving import until
from thumbs import CLOCK

from companion.games.stu.rules.log import Reveal
from companion.games.stu.sightings import Appeared, Cleared, Shown
from companion.line.recorder import EveningRecorder
from companion.referee.record import Saw

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


def test_what_is_not_legal_says_why_and_what_could_be_instead(thumb: Thumb, recorder: EveningRecorder) -> None:
    thumb.tap("#next .big")
    thumb.tap("#next .second")  # Anna and Bruno exchange
    thumb.tap("#next .trumps button", "Lo Gnao")  # Bruno is gnaffed: the card goes back
    thumb.tap("#next .big", "scambiano")
    thumb.tap("#hand .line", "mostra lo Gnao")
    thumb.tap("dialog .grid button", "Bragon")
    sync_api.expect(thumb.page.locator("dialog .without")).to_contain_text("si scambiano la carta")
    thumb.tap("dialog .big")
    sync_api.expect(thumb.page.locator("dialog .difference .then")).to_contain_text("bbummata")
    thumb.tap("dialog .big", "Conferma")
    sync_api.expect(thumb.page.locator("#hand .ruling")).to_contain_text("bbummata")
    assert paid(recorder) == [("Bruno", -1)]


def test_the_question_comes_first_and_an_answer_is_one_tap(thumb: Thumb, recorder: EveningRecorder) -> None:
    for sighting in (*(Appeared(1.0 + place, place) for place in range(3)), Shown(15.0, 0, 1, (("2", 0.6), ("8", 0.4))),
                     Shown(15.5, 1, 2, (("5", 1.0),)), Shown(16.0, 2, 3, (("9", 1.0),)), Cleared(20.0)):  # fmt: skip
        recorder.report(Saw(sighting))
    answers = thumb.page.locator("#question .answer")
    sync_api.expect(answers.first).to_contain_text("Il 2")
    top = thumb.page.locator("main > section:visible").first
    assert top.get_attribute("id") == "question"
    thumb.tap("#question .answer", "L’8")
    sync_api.expect(thumb.page.locator("#question")).to_be_hidden()
    done(thumb)
    assert thumb.counted() == TAPS["the program asks"]
    assert paid(recorder) == [("Bruno", -1)]


def test_a_penalty_shows_its_effect_first(thumb: Thumb, recorder: EveningRecorder) -> None:
    played(thumb, "2", "5", "9")
    thumb.tap("#more button", "Penalità")
    thumb.tap("dialog button", "Carla")
    sync_api.expect(thumb.page.locator("dialog table")).to_contain_text("2 pedine")
    thumb.tap("dialog .big", "Conferma")
    sync_api.expect(thumb.page.locator("#players li").nth(2)).not_to_contain_text("vergine")
    assert thumb.counted() == 4  # the bar, the penalty, whose, confirmed


def test_a_missed_hand_is_told_by_thumb_and_its_effect_shown_before_it_is_put_in(thumb: Thumb, recorder: EveningRecorder) -> None:
    played(thumb, "2", "5", "9")
    thumb.tap("#hand button", "Prima di questa manca una mano")
    thumb.tap("dialog .offers button", "Stanno tutti")
    for name, card in (("Anna", "7"), ("Bruno", "3"), ("Carla", "8")):
        sync_api.expect(thumb.page.locator("dialog h2", has_text=f"La carta di {name}")).to_be_visible()
        thumb.page.locator("dialog .grid button", has_text=re.compile(f"^{card}$")).tap()
    sync_api.expect(thumb.page.locator("dialog table")).to_contain_text("Bruno")
    assert len(recorder.state.hands) == 1
    thumb.tap("dialog .big", "Conferma")
    sync_api.expect(thumb.page.locator("#hands li")).to_have_count(2)
    assert [[paid.player for paid in hand.payments] for hand in recorder.state.hands] == [["Bruno"], ["Anna"]]


PLACE = "one => { const box = one.getBoundingClientRect(); return [box.left, box.top + scrollY]; }"


def twice(thumb: Thumb, one: sync_api.Locator) -> None:
    done(thumb)
    thumb.page.evaluate("window.now += 1000")
    for _ in range(2):
        clicks = thumb.page.evaluate("clicks")
        one.tap()
        until(lambda clicks=clicks: thumb.page.evaluate("clicks") > clicks)
        done(thumb)


def test_a_double_tap_on_the_grid_shows_one_card_and_the_grid_stays_where_it_is(thumb: Thumb, recorder: EveningRecorder) -> None:
    thumb.tap("#next .big")
    thumb.tap("#next button", "Stanno tutti")
    card, heading = thumb.page.locator("#next .grid button").nth(6), thumb.page.locator("#next h2")
    sync_api.expect(heading).to_have_text("La carta di Anna")
    place = card.evaluate(PLACE)
    thumb.page.evaluate(CLOCK)
    for player in ("Bruno", "Carla"):
        twice(thumb, card)
        sync_api.expect(heading).to_have_text(f"La carta di {player}")
        assert card.evaluate(PLACE) == place
    shows = [line.event for line in recorder.evening.log if isinstance(line.event, Reveal)]
    assert [show.by for show in shows] == ["Anna", "Bruno"]
    assert thumb.page.locator("#next .chip").all_inner_texts() == ["Anna", "Bruno", "Carla"]


@pytest.mark.pages
def test_a_double_tap_on_a_refusal_is_no_refusal_of_the_next(thumb: Thumb, recorder: EveningRecorder) -> None:
    thumb.tap("#next .big")
    salta = thumb.page.locator("#next .trumps button", has_text="Salta")
    sync_api.expect(salta).to_be_visible()
    thumb.page.evaluate(CLOCK)
    twice(thumb, salta)
    shows = [line.event for line in recorder.evening.log if isinstance(line.event, Reveal)]
    assert [show.by for show in shows] == ["Bruno"]

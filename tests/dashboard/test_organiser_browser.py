"""The organiser's phone in Debian's Chromium, 390x844, by thumb: the taps that docs/evening.md counts."""

import re
from pathlib import Path

import pytest
from flask import Flask
from journey import PHONE, TV, Screens, serious
from phones import Phone, paid
from serving import until

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games.stu.rules.log import new_game
from companion.games.stu.sightings import Appeared, Cleared, Exchanged, Shown
from companion.ledger import Ledger
from companion.line.scribe import Scribe
from companion.referee.record import Saw

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

EVENING = (Path(__file__).parents[2] / "docs" / "evening.md").read_text()
TAPS = {what: int(taps) for what, taps in re.findall(r"^\| ([a-z ]+) \| (\d): ", EVENING, re.MULTILINE)}
"""The table of docs/evening.md: a correction and its taps."""

pytestmark = pytest.mark.browser


@pytest.fixture
def scribe(ledger: Ledger) -> Scribe:
    return Scribe.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla", edition="piazza-2010"))


@pytest.fixture
def app(ledger: Ledger, scribe: Scribe) -> Flask:
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=60), scribe=lambda: scribe)


class Thumb:
    """A phone's page, and how often it was tapped."""

    def __init__(self, page: "sync_api.Page") -> None:
        self.page, self.taps = page, 0

    def tap(self, where: str, text: str | None = None) -> None:
        clicks = self.page.evaluate("clicks")
        self.page.locator(where, has_text=text).first.tap()
        until(lambda: self.page.evaluate("clicks") > clicks)  # the browser makes a tap a click when it has time
        self.taps += 1

    def counted(self) -> int:
        taps, self.taps = self.taps, 0
        return taps


@pytest.fixture
def thumb(screens: Screens, server: Server, app: Flask) -> Thumb:
    """Paired by the link of the QR code."""
    page = screens.open(PHONE, f"{server.url}/pair#{app.extensions['pairing'].pin.digits}")
    page.add_init_script("window.clicks = 0; addEventListener('click', () => { clicks += 1; }, true);")
    page.locator("button").tap()
    sync_api.expect(page.locator("#status")).not_to_be_empty()
    return Thumb(page)


def done(thumb: Thumb) -> None:
    """Wait until what was tapped last has been done: the sheet is closed, and the command answered."""
    sync_api.expect(thumb.page.locator("dialog")).to_be_hidden()
    sync_api.expect(thumb.page.locator("body.busy")).to_have_count(0)


def played(thumb: Thumb, *cards: str) -> None:
    """A hand in which all stay and show these cards."""
    thumb.tap("#next .big")
    thumb.tap("#next button", "Stanno tutti")
    for name, card in zip(("Anna", "Bruno", "Carla"), cards, strict=True):
        sync_api.expect(thumb.page.locator("#next h2")).to_have_text(f"La carta di {name}")
        thumb.page.locator("#next .grid button").nth(4 + int(card)).tap()
    sync_api.expect(thumb.page.locator("#hand .ruling")).to_be_visible()
    thumb.counted()


def test_a_hand_by_thumb_at_most_a_tap_for_each_act(thumb: Thumb, scribe: Scribe) -> None:
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
    assert paid(scribe) == [("Anna", -1)]
    thumb.tap("#undo")
    sync_api.expect(status).to_have_text("Si scoprono le carte")
    thumb.tap("#redo")
    sync_api.expect(status).to_have_text("Tra una mano e l’altra")


def test_the_most_frequent_corrections_take_the_taps_that_the_page_says(thumb: Thumb, scribe: Scribe) -> None:
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
    assert paid(scribe) == [("Bruno", -1)]

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
    assert ("Bruno", -1) in paid(scribe)

    thumb.tap("#hand button", "Solo l’esito")
    thumb.tap("dialog .payer", "Carla")
    thumb.tap("dialog .big", "Vedi l’effetto")
    sync_api.expect(dialog.locator(".difference .then")).to_contain_text("Carla −1")
    confirmed("only the outcome is known")
    assert paid(scribe) == [("Carla", -1)]
    assert taps | {"the program asks": 1} == TAPS


def test_what_is_not_legal_says_why_and_what_could_be_instead(thumb: Thumb, scribe: Scribe) -> None:
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
    assert paid(scribe) == [("Bruno", -1)]


def test_the_question_comes_first_and_an_answer_is_one_tap(thumb: Thumb, scribe: Scribe) -> None:
    for sighting in (*(Appeared(1.0 + place, place) for place in range(3)), Shown(15.0, 0, 1, (("2", 0.6), ("8", 0.4))),
                     Shown(15.5, 1, 2, (("5", 1.0),)), Shown(16.0, 2, 3, (("9", 1.0),)), Cleared(20.0)):  # fmt: skip
        scribe.report(Saw(sighting))
    answers = thumb.page.locator("#question .answer")
    sync_api.expect(answers.first).to_contain_text("Il 2")
    top = thumb.page.locator("main > section:visible").first
    assert top.get_attribute("id") == "question"
    thumb.tap("#question .answer", "L'8")
    sync_api.expect(thumb.page.locator("#question")).to_be_hidden()
    done(thumb)
    assert thumb.counted() == TAPS["the program asks"]
    assert paid(scribe) == [("Bruno", -1)]


def test_a_penalty_shows_its_effect_first(thumb: Thumb, scribe: Scribe) -> None:
    played(thumb, "2", "5", "9")
    thumb.tap("#more button", "Penalità")
    thumb.tap("dialog button", "Carla")
    sync_api.expect(thumb.page.locator("dialog table")).to_contain_text("2 pedine")
    thumb.tap("dialog .big", "Conferma")
    sync_api.expect(thumb.page.locator("#players li").nth(2)).not_to_contain_text("vergine")
    assert thumb.counted() == 3


def test_a_missed_hand_is_told_by_thumb_and_its_effect_shown_before_it_is_put_in(thumb: Thumb, scribe: Scribe) -> None:
    played(thumb, "2", "5", "9")
    thumb.tap("#hand button", "Prima di questa manca una mano")
    thumb.tap("dialog .offers button", "Stanno tutti")
    for name, card in (("Anna", "7"), ("Bruno", "3"), ("Carla", "8")):
        sync_api.expect(thumb.page.locator("dialog h2", has_text=f"La carta di {name}")).to_be_visible()
        thumb.page.locator("dialog .grid button", has_text=re.compile(f"^{card}$")).tap()
    sync_api.expect(thumb.page.locator("dialog table")).to_contain_text("Bruno")
    assert len(scribe.state.hands) == 1
    thumb.tap("dialog .big", "Conferma")
    sync_api.expect(thumb.page.locator("#hands li")).to_have_count(2)
    assert [[paid.player for paid in hand.payments] for hand in scribe.state.hands] == [["Bruno"], ["Anna"]]


def test_of_a_long_evening_the_newest_hands_are_listed_and_a_tap_lists_all(thumb: Thumb, app: Flask) -> None:
    teller = Phone(app)
    for _ in range(23):
        teller.say({"e": "hand"}, {"e": "void", "reason": "misdeal"})
    rows = thumb.page.locator("#hands li")
    sync_api.expect(rows).to_have_count(20)
    sync_api.expect(rows.first).to_contain_text("Mano 23")
    thumb.tap("#hands button", "Mani precedenti (3)")
    sync_api.expect(rows).to_have_count(23)
    teller.say({"e": "hand"}, {"e": "void", "reason": "misdeal"})
    sync_api.expect(rows).to_have_count(24)


def test_the_phone_starts_the_moviola_on_the_tv_and_switches_the_chances(
    thumb: Thumb, screens: Screens, server: Server
) -> None:
    played(thumb, "2", "5", "9")
    tv = screens.open(TV, server.url)
    sync_api.expect(tv.locator(".ruling")).to_be_visible()
    thumb.tap("#tv button", "Moviola dell’ultima mano")
    sync_api.expect(tv.locator(".title")).to_contain_text("Moviola")
    tv.keyboard.press("Escape")
    thumb.tap("#next .big")
    sync_api.expect(tv.locator(".chance")).to_have_count(0)
    thumb.tap("#tv button", "Rischio di pagare")
    sync_api.expect(tv.locator(".chance")).to_have_count(3)
    sync_api.expect(tv.locator("#odds")).to_be_visible()
    thumb.tap("#tv button", "Rischio di pagare")
    sync_api.expect(tv.locator(".chance")).to_have_count(0)
    sync_api.expect(tv.locator("#odds")).to_be_hidden()


def test_two_phones_do_not_overwrite_each_other(
    thumb: Thumb, scribe: Scribe, screens: Screens, server: Server, app: Flask
) -> None:
    thumb.tap("#next .big")
    sync_api.expect(thumb.page.locator("#status")).to_have_text("Tocca ad Anna")
    other = screens.open(PHONE, f"{server.url}/pair#{app.extensions['pairing'].pin.digits}")
    other.locator("button").tap()
    other.locator("#next .big", has_text="Anna sta").tap()
    sync_api.expect(thumb.page.locator("#status")).to_have_text("Tocca a Bruno")
    assert [line.event.__struct_config__.tag for line in scribe.evening.log] == ["game", "hand", "sto"]


def test_what_happens_while_an_answer_is_under_way_is_not_overwritten_by_it(
    thumb: Thumb, scribe: Scribe, screens: Screens, server: Server
) -> None:
    tv = screens.open(TV, server.url)

    def answered(route: "sync_api.Route") -> None:
        answer = route.fetch()
        scribe.saw([Exchanged(6.0, 7.5, (0, 1), 0.99)])
        sync_api.expect(tv.locator("#happened")).to_contain_text("Bruno")
        route.fulfill(response=answer)

    thumb.page.route("**/api/organiser/command*", answered)
    thumb.tap("#next .big")
    done(thumb)
    sync_api.expect(thumb.page.locator("#hand .lines")).to_contain_text("Anna e Bruno si scambiano")


@pytest.mark.parametrize("path", ["/organiser", "/organiser?lang=en", "/organiser/phones", "/pair", "/pair/show"])
def test_everything_to_touch_is_large_enough_and_nothing_sticks_out(thumb: Thumb, server: Server, path: str) -> None:
    if path == "/organiser":
        thumb.tap("#next .big")
        sync_api.expect(thumb.page.locator("#next .trumps")).to_be_visible()
    else:
        thumb.page.goto(server.url + path)
        sync_api.expect(thumb.page.locator("main :is(h1, h2)").first).to_be_attached()
    small = thumb.page.evaluate(
        """() => [...document.querySelectorAll("button, a, input:not([type=hidden]), select, summary")]
            .filter((one) => one.offsetParent && !one.hidden).map((one) => [one.textContent, one.getBoundingClientRect()])
            .filter(([, box]) => box.height < 44 || box.width < 44).map(([text, box]) => `${text}: ${box.width}x${box.height}`)"""
    )
    assert small == []
    assert thumb.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_axe_finds_nothing_serious_between_hands_in_a_hand_and_on_its_sheets(thumb: Thumb) -> None:
    pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
    thumb.page.emulate_media(reduced_motion="reduce")
    assert serious(thumb.page) == []
    played(thumb, "5", "7", "9")
    assert serious(thumb.page) == []
    thumb.tap("#hand button", "Anna mostra")
    sync_api.expect(thumb.page.locator("dialog[open]")).to_be_visible()
    assert serious(thumb.page) == []

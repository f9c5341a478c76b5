"""Corrections and the moviola on the TV, in Debian's Chromium."""

from __future__ import annotations

import json

import pytest
from games import GNAFFATA, lines
from serving import served, until
from tv_pages import OUTSIDE, corrected, evening, overlaps
from views import mostly

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


def test_after_a_correction_only_what_has_changed_is_announced(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA))
    page.goto(server.url)
    said = page.locator("#announce")
    sync_api.expect(said).to_contain_text("regola 14")
    sync_api.expect(said).to_contain_text("regola 8")
    # It was Carla who had the lowest card: the gnaffata stands as it was.
    ledger.record(
        game,
        corrected(
            (GNAFFATA[2], '{"e":"deal","to":"Anna"}'),
            (GNAFFATA[7], '{"e":"reveal","by":"Anna","card":"8"}'),
        ),
    )
    sync_api.expect(said).to_contain_text("Carla −1")
    sync_api.expect(said).to_contain_text("Anna non paga più")
    assert "regola 14" not in said.inner_text()
    sync_api.expect(page.locator(".payment.fresh .payer")).to_have_text(["Carla"])
    sync_api.expect(page.locator(".payer")).to_have_text(["Anna", "Carla"])
    sync_api.expect(page.locator(".corrected")).to_have_text("Corretta la mano 1: Anna −2 → −1 · Carla 0 → −1")


def test_the_moviola_shows_every_card_on_its_way_and_ends_when_something_happens(
    page: sync_api.Page, server: Server, ledger: Ledger
) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA))
    page.goto(server.url)
    sync_api.expect(page.locator(".ruling")).to_be_visible()
    page.keyboard.press("m")
    sync_api.expect(page.locator(".title")).to_contain_text("1/8")
    for number in range(2, 9):
        page.keyboard.press("ArrowRight")
        sync_api.expect(page.locator(".title")).to_contain_text(f"{number}/8")
        if number == 3:
            sync_api.expect(page.locator(".message")).to_contain_text("gnaffat")
            sync_api.expect(page.locator(".seat.pays .called")).to_have_text("Anna")
    page.keyboard.press("Escape")
    sync_api.expect(page.locator(".ruling .payer")).to_have_text(["Anna"])
    page.keyboard.press("m")
    sync_api.expect(page.locator(".title")).to_be_visible()
    ledger.record(game, lines(*GNAFFATA, '{"e":"hand"}'))
    sync_api.expect(page.locator(".title")).to_have_count(0)
    sync_api.expect(page.locator("#hand")).to_have_text("Mano 2")


@pytest.mark.pages
@pytest.mark.parametrize("players", mostly([2, 8, 20], [20]))
def test_every_step_of_the_moviola_fits_into_the_middle(
    page: sync_api.Page, server: Server, ledger: Ledger, players: int
) -> None:
    page.emulate_media(reduced_motion="reduce")
    ledger.record(ledger.new_game(), evening(players, hands=1))
    page.goto(server.url)
    sync_api.expect(page.locator(".ruling")).to_be_visible()
    page.keyboard.press("m")
    sync_api.expect(page.locator(".title")).to_be_visible()
    for number in range(page.evaluate("reel.steps.length")):
        page.evaluate("number => step(number)", number)
        assert page.evaluate(OUTSIDE, ".plate, .message") == []
        assert overlaps(page, ".plate, .title, .message") == []


def test_the_moviola_begins_by_itself_between_hands_where_it_is_wished(page: sync_api.Page, ledger: Ledger) -> None:
    page.add_init_script("""new MutationObserver(() => { window.played ||= document.querySelector(".title") !== null; })
      .observe(document, { subtree: true, childList: true })""")  # it may be over before anybody looks
    with served(create_app(ledger, settings=Settings(moviola_after=0.2, moviola_step=0.2))) as server:
        ledger.record(ledger.new_game(), lines(*GNAFFATA))
        page.goto(server.url)
        until(lambda: page.evaluate("window.played"))
        sync_api.expect(page.locator(".title")).to_have_count(0)
        sync_api.expect(page.locator(".ruling")).to_be_visible()  # and comes back to it


AGREED = ["Anna Maria della Montagna", "Bartolomeo Colantonio", "Carla"]


def test_a_sentence_that_is_too_long_for_its_line_is_read_whole(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    standing = {AGREED[2]: {"pedine": 0, "virgin": False}}
    first = {"e": "game", "v": 1, "game": "stu", "players": AGREED, "stake": 1_234_567, "currency": "EUR", "dealer": "Carla"}
    split = {"e": "split", "shares": {AGREED[0]: 0.333333, AGREED[1]: 0.666667}}
    ledger.record(ledger.new_game(), lines(json.dumps(first | {"standing": standing}), json.dumps(split)))
    page.goto(server.url)
    said = page.locator("#happened")
    sync_api.expect(said).to_contain_text("Bartolomeo Colantonio 66,6667 %")
    assert said.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.parentElement.clientHeight")
    assert page.evaluate(OUTSIDE, "#happened") == []
    assert overlaps(page, "#happened, footer nav > *, footer > button") == []
    page.evaluate("draw({ ...shown, happened: [shown.happened[0], 'Anna sta'] })")
    sync_api.expect(said).to_have_text("Anna sta")  # there is no room for both, and the newest is as large as it can be
    assert said.evaluate("one => [one.className, one.style.fontSize]") == ["", ""]


@pytest.mark.pages
def test_a_page_that_asks_for_chances_while_the_program_is_gone_goes_on(
    page: sync_api.Page, server: Server, ledger: Ledger
) -> None:
    page.route("**/api/chances*", lambda route: route.abort())
    with served(create_app(ledger, settings=Settings(odds=True, heartbeat=0.5, patience=60))) as asking:
        ledger.record(game := ledger.new_game(), lines(*GNAFFATA[:2]))
        with page.expect_event("requestfailed", lambda request: "chances" in request.url):
            page.goto(asking.url)
        ledger.record(game, lines(*GNAFFATA))
        sync_api.expect(page.locator(".ruling .payer")).to_have_text(["Anna"])

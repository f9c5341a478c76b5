"""The organisers' phone in a browser: it rings for a new call where that was switched on, else never; phones get their role."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from serving import until
from tables import Organiser, Running, Table, table

pytestmark = pytest.mark.browser


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    made = chromium.new_context(viewport={"width": 390, "height": 844})
    yield made
    made.close()


def opened(context: BrowserContext, hall: Running, phone: Organiser) -> Page:
    [cookie] = [one for one in phone.client._cookies.values() if one.key.startswith("organiser")]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": hall.url}])
    page = context.new_page()
    page.goto(f"{hall.url}/organiser?lang=en")
    page.wait_for_selector("#tables li.live")
    return page


def rang(page: Page, seat: Table, count: int) -> int:
    """How often the page has rung once it shows this many calls."""
    seat.joining.call_referee(count > 0)
    expect(page.locator(".call")).to_have_count(count)
    return int(page.evaluate("document.body.dataset.rung || 0"))


def test_a_new_call_rings_where_the_phone_was_told_so(hall: Running, context: BrowserContext) -> None:
    with table(hall, name="Portico") as seat:
        page = opened(context, hall, Organiser(hall, "en"))
        assert page.get_attribute("#sound", "aria-pressed") == "false"
        assert rang(page, seat, 1) == 0
        page.click("#sound")
        assert page.get_attribute("#sound", "aria-pressed") == "true"
        assert page.inner_text("#sound") == "Sound for calls: on"
        assert rang(page, seat, 0) == 0
        assert rang(page, seat, 1) == 1
        assert rang(page, seat, 0) == 1
        page.click("#sound")
        assert rang(page, seat, 1) == 1


def test_the_big_screen_shows_a_call_and_rings_for_a_new_one_where_somebody_has_switched_it_on(
    hall: Running, context: BrowserContext
) -> None:
    with table(hall, name="Portico") as seat:
        page, organiser = context.new_page(), Organiser(hall, "en")
        page.goto(f"{hall.url}/?lang=en")
        page.wait_for_selector(".tile")

        def rings(calls: int) -> int:
            expect(page.locator(".tile .calls")).to_have_count(calls)
            return int(page.evaluate("document.body.dataset.rung || 0"))

        assert page.get_attribute("#sound", "aria-pressed") == "false"
        seat.joining.call_referee(True)
        assert rings(1) == 0
        assert page.inner_text(".tile .calls") == "Calls the referee"
        page.click("#sound")
        assert page.inner_text("#sound") == "Sound for calls: on"
        [call] = organiser.look()["calls"]
        organiser.post("dealt", {"table": call["table"], "call": call["call"]})
        assert rings(0) == 0
        until(lambda: not seat.joining.called("en"))
        seat.joining.call_referee(True)
        assert rings(1) == 1
        page.click("#sound")
        seat.joining.call_referee(False)
        assert rings(0) == 1
        seat.joining.call_referee(True)
        assert rings(1) == 1


def test_a_phone_becomes_a_referees_and_shows_it(hall: Running, context: BrowserContext, chromium: Browser) -> None:
    with table(hall, name="Portico"):
        organiser, referee = Organiser(hall, "en"), Organiser(hall, "en")
        page = opened(context, hall, organiser)
        page.click("#people button")
        expect(page.locator("#people")).to_contain_text("Referee")
        assert until(lambda: referee.look()["referee"])
        with_referee = chromium.new_context()
        other = opened(with_referee, hall, referee)
        assert other.inner_text("#status") == "All tables: referee"
        assert other.query_selector("#people, #command, #tables button") is None
        page.click("#people button")
        other.wait_for_selector("#people li")  # it has loaded itself again
        with_referee.close()


def test_what_undo_takes_back_leaves_its_word_whole(hall: Running, context: BrowserContext) -> None:
    phone = Organiser(hall, "it")
    begin = {"csrf": phone.csrf, "seen": "0", "do": "begin", "least": "2", "most": "4", "go_on": "1", "stake": "2", "points": "1"}
    assert phone.client.post("/organiser/tournament", data=begin).status_code == 302
    names = "Massimiliano Colombo\nFrancesca Bianchi\nAnna Verdi"
    assert phone.client.post("/organiser/tournament", data={"csrf": phone.csrf, "do": "enrol", "names": names}).status_code == 302
    [cookie] = [one for one in phone.client._cookies.values() if one.key.startswith("organiser")]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": hall.url}])
    page = context.new_page()
    page.goto(f"{hall.url}/organiser/tournament?lang=it")
    word = "(b) => { const of = document.createRange(); of.selectNodeContents(b); return of.getClientRects().length; }"
    assert page.eval_on_selector("header button b", word) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 390

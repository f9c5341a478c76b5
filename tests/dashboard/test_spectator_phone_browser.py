"""A spectator's phone in Debian's Chromium: who its owner is, the own box first, a buzz when something is asked of them, the
hands that are over, the accounts to share."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import PHONE, TV, Screens, serious, until
from phones import Phone

from companion.dashboard.serve import Server
from companion.games.stu import bots
from companion.games.stu.bots.settings import PLAIN
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = [pytest.mark.browser, pytest.mark.pages]

BUZZES = "window.buzzes = 0; navigator.vibrate = () => { buzzes += 1; return true; };"
PLACES = "all => all.map((one) => [one.dataset.player, one.getBoundingClientRect().top])"


def test_the_own_box_comes_first_is_remembered_and_buzzes_when_its_owner_has_to_decide(
    app: Flask, game: int, server: Server, screens: Screens
) -> None:
    told = Phone(app)
    told.say({"e": "hand"})  # Anna decides, then Bruno
    phone = screens.open(PHONE, server.url)
    phone.add_init_script(BUZZES)
    phone.get_by_label("Io sono").select_option("Bruno")
    phone.reload()
    own = phone.locator("#seats .mine")
    sync_api.expect(own).to_have_attribute("data-player", "Bruno")
    placed = dict(phone.locator("#seats .seat").evaluate_all(PLACES))
    assert all(placed["Bruno"] < top for name, top in placed.items() if name != "Bruno")
    assert phone.evaluate("buzzes") == 0
    told.say({"e": "sto", "by": "Anna"})
    sync_api.expect(own.locator(".role")).to_be_visible()
    sync_api.expect(phone.locator("#announce")).to_be_attached()
    assert phone.evaluate("buzzes") == 1
    lines = phone.locator("#happened > :not(i)")
    sync_api.expect(lines).to_contain_text(["Anna sta"])
    tops = lines.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert tops == sorted(set(tops))  # line by line
    assert serious(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    sync_api.expect(screens.open(TV, server.url).locator("#mine")).to_be_hidden()


def test_the_hands_that_are_over_are_folded_and_each_opens_to_what_happened_in_it(
    app: Flask, game: int, server: Server, screens: Screens
) -> None:
    told = Phone(app)
    told.say({"e": "hand"})
    phone = screens.open(PHONE, server.url)
    sync_api.expect(phone.locator("#happened")).to_contain_text("Mano 1")
    sync_api.expect(phone.locator("#earlier")).to_be_hidden()
    told.do("outcome", hand=told.view["hand"]["id"], paid={"Bruno": 1})
    phone.locator("#earlier > summary").tap()
    rows = phone.locator("#earlier details")
    sync_api.expect(rows.locator("summary")).to_have_text(["Mano 1 Bruno\u00a0−1"])
    sync_api.expect(rows.locator("li").first).to_be_hidden()
    rows.locator("summary").tap()
    sync_api.expect(rows.locator("li")).to_have_text(["Mano 1: il mazzo a Carla", "Mano finita"])
    told.say({"e": "hand"})
    told.do("outcome", hand=told.view["hand"]["id"], paid={"Carla": 1})
    sync_api.expect(rows.locator("summary")).to_have_text(["Mano 2 Carla\u00a0−1", "Mano 1 Bruno\u00a0−1"])
    sync_api.expect(rows.last.locator("li").first).to_be_visible()  # what somebody reads stays open
    assert serious(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    sync_api.expect(screens.open(TV, server.url).locator("#earlier")).to_be_hidden()


SHARES = """window.shared = []; navigator.canShare = () => true;
navigator.share = async ({ files }) => { shared.push(...files.map((one) => [one.name, one.type, one.size > 10000])); };"""


def test_the_accounts_are_shared_as_a_picture_and_where_a_phone_cannot_share_they_are_kept(
    ledger: Ledger, server: Server, screens: Screens
) -> None:
    ledger.record(ledger.new_game(), bots.simulate(bots.Settings(players=bots.seated(4)), hands=12, seed=5))
    phone = screens.open(PHONE, server.url)
    kept, shares = phone.locator("#settlement .share a"), phone.locator("#settlement .share button")
    sync_api.expect(kept).to_be_visible()
    sync_api.expect(shares).to_be_hidden()
    with phone.expect_download() as got:
        kept.tap()
    assert got.value.suggested_filename == "accounts-1.png"
    phone.add_init_script(SHARES)
    phone.reload()
    shares.tap()
    until(phone, "shared.length > 0")
    assert phone.evaluate("shared") == [["accounts-1.png", "image/png", True]]
    assert serious(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    tv = screens.open(TV, server.url)
    sync_api.expect(tv.locator("#settlement")).to_be_visible()
    sync_api.expect(tv.locator("#settlement .share")).to_be_hidden()


NARROW = {**PHONE, "viewport": {"width": 360, "height": 740}}
BROKEN = r"""() => [...document.querySelectorAll("#settlement td, #settlement tbody th, #settlement small")].flatMap((cell) =>
  cell.firstChild.data.split(cell.tagName === "TD" ? "\n" : /[^\S\u00a0]/).filter((part) => {
    const range = document.createRange(), at = cell.firstChild.data.indexOf(part);
    range.setStart(cell.firstChild, at);
    range.setEnd(cell.firstChild, at + part.length);
    return range.getClientRects().length > 1;
}))"""
"""Sums, names and words beside a name, that begin on one line and end on another."""
LONG = ("Maria Antonietta", "Giuseppina", "Mariantoniettapasqualina", "Giandomenico Massimiliano")


@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("whose", ["spectator", "organiser"])
def test_the_accounts_of_twelve_fit_a_narrow_phone_without_breaking_a_sum_or_a_word(
    app: Flask, ledger: Ledger, server: Server, screens: Screens, whose: str, width: int
) -> None:
    names = (*LONG, *bots.seated(16)[4:12])
    ledger.record(ledger.new_game(), bots.simulate(bots.Settings(players=names), hands=90, seed=3))
    device = {**NARROW, "viewport": {"width": width, "height": 740}}
    pin = app.extensions["pairing"].pin.digits
    phone = screens.open(device, server.url) if whose == "spectator" else screens.paired(server.url, pin, kind=device)
    sync_api.expect(phone.locator("#settlement tbody tr")).to_have_count(12)
    assert phone.locator("#settlement table").count() == 1
    assert phone.locator("#settlement small").first.inner_text().startswith("vince il montepremi\u00a0· prende\u00a0")
    assert " €" not in phone.locator("#settlement small").first.inner_text()
    sync_api.expect(phone.locator("#settlement th:nth-child(3)").first).to_be_hidden()
    assert phone.evaluate(BROKEN) == []
    sync_api.expect(phone.locator("#settlement .settling li").last).to_be_visible()
    tables = phone.locator("#settlement .tables")
    assert tables.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    assert phone.evaluate("document.documentElement.scrollWidth") <= width


TOO_SMALL = """() => [...document.querySelectorAll("#settlement :is(tbody th, td, .settling li, small)")].filter(
  (one) => one.getClientRects().length && parseFloat(getComputedStyle(one).fontSize) < (one.tagName === "SMALL" ? 25 : 40)
).map((one) => one.textContent)"""
"""What is below 40 pixels, notes below 25."""


@pytest.mark.parametrize("players", [4, 8, 12])
def test_on_the_tv_names_sums_and_who_pays_whom_are_at_least_40_pixels_high(
    ledger: Ledger, server: Server, screens: Screens, players: int
) -> None:
    names = ("Maria Antonietta", "Giuseppina", "Nicola", "Ciro", *bots.seated(16)[4:])[:players]
    ledger.record(ledger.new_game(), bots.simulate(bots.Settings(players=names, event_probabilities=PLAIN), hands=90, seed=3))
    tv = screens.open({"viewport": {"width": 1920, "height": 1080}}, server.url)
    sync_api.expect(tv.locator("#settlement tbody tr")).to_have_count(players)
    small = tv.evaluate(TOO_SMALL)
    assert small == []
    assert tv.locator("#settlement .settling li").count() >= players, "a title, and everybody who pays"
    assert tv.evaluate("document.getElementById('settlement').scrollHeight <= document.getElementById('settlement').clientHeight")


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("players", [4, 5, 6])
def test_the_accounts_of_few_fill_the_tvs_width(
    ledger: Ledger, server: Server, screens: Screens, players: int, size: tuple[int, int]
) -> None:
    width, height = size
    names = bots.seated(16)[:players]
    ledger.record(ledger.new_game(), bots.simulate(bots.Settings(players=names, event_probabilities=PLAIN), hands=90, seed=3))
    tv = screens.open({"viewport": {"width": width, "height": height}}, server.url)
    sync_api.expect(tv.locator("#settlement tbody tr")).to_have_count(players)
    table, paying = (tv.locator(one).bounding_box() for one in ("#settlement table", "#settlement .settling"))
    assert table is not None
    assert paying is not None
    assert table["x"] >= 0
    assert table["x"] + table["width"] < paying["x"], "who pays whom stands beside the accounts"
    assert paying["x"] + paying["width"] <= width
    assert paying["x"] + paying["width"] - table["x"] > 0.85 * width

"""The page in Debian's Chromium, fed step by step as the camera side feeds it."""

from __future__ import annotations

import pytest
from games import GNAFFATA, lines
from serving import served
from tv_pages import ALWAYS, LONGEST_LABELS, NAMES, OUTSIDE, SMALL, TVS, evening, overlaps
from views import SMALLEST, TROUBLE, mostly

from companion.dashboard import create_app
from companion.dashboard.serve import Server
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.table.log import Line

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


def test_the_ruling_appears_without_a_reload(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    page.goto(server.url)
    sync_api.expect(page.locator(".message")).to_contain_text("Nessuna partita")
    page.evaluate("window.notReloaded = true")
    game = ledger.new_game()
    log = lines(*GNAFFATA)
    ledger.record(game, log[:4])
    sync_api.expect(page.locator(".seat")).to_have_count(3)
    sync_api.expect(page.locator(".seat.asked .called")).to_have_text("Bruno")
    sync_api.expect(page.locator(".card img[src$='back.svg']")).to_have_count(3)
    ledger.record(game, log[:5])
    sync_api.expect(page.locator(".ruling.partial .payer")).to_have_text("Anna")
    for length in range(6, len(log) + 1):
        ledger.record(game, log[:length])
    ruling = page.locator(".ruling:not(.partial)")
    sync_api.expect(ruling.locator(".headline")).to_have_text("PAGA Anna 2")
    sync_api.expect(ruling.locator(".payer")).to_have_text(["Anna"])
    sync_api.expect(ruling.locator(".delta")).to_have_text(["−2"])
    sync_api.expect(ruling.locator(".why")).to_have_text("gnaffata da Bruno (regola 14) · la più bassa, il 3 (regola 8)")
    sync_api.expect(page.locator("#announce")).to_contain_text("regola 8")
    sync_api.expect(page.locator(".seat.pays .called")).to_have_text("Anna")
    assert page.evaluate("window.notReloaded")


def test_a_sure_ruling_and_an_unsure_one_do_not_look_alike(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA))
    page.goto(server.url)
    ruling = page.locator(".ruling")
    sync_api.expect(ruling).to_be_visible()
    sync_api.expect(page.locator(".doubt")).to_have_count(0)
    style = "element => getComputedStyle(element).borderTopStyle"
    assert ruling.evaluate(style) == "solid"
    ledger.record(game, lines(*GNAFFATA[:-1], '{"e":"end","confidence":0.7}'))
    sync_api.expect(page.locator(".doubt")).to_contain_text("Non sicuro")
    sync_api.expect(page.locator("#announce")).to_contain_text("Non sicuro")
    assert ruling.evaluate(style) == "dashed"
    sync_api.expect(page.locator(".headline")).to_have_text("FORSE PAGA Anna 2")
    sync_api.expect(page.locator(".payment .delta")).to_have_text(["−2?"])
    sync_api.expect(page.locator(".seat.believed .called")).to_have_text(["Anna"])
    sync_api.expect(page.locator(".seat.believed .change")).to_have_text("−2?")
    assert page.locator(".seat.believed .plate").evaluate(style) == "dashed"
    ledger.record(game, lines(*GNAFFATA[:-1], '{"e":"end","confidence":0.7}', '{"e":"hand"}'))
    sync_api.expect(page.locator("#hand")).to_have_text("Mano 2")
    sync_api.expect(page.locator(".seat.believed .change")).to_have_text("?")  # what Anna has is still only believed


VOID = (*GNAFFATA[:2], '{"e":"void"}')


@pytest.mark.parametrize(
    ("hand", "told"),
    [pytest.param(GNAFFATA, "Anna ha la carta più bassa, il 3", id="somebody pays"), pytest.param(VOID, "Mano nulla", id="void")],
)
def test_what_was_read_out_stays_in_the_page_only_as_long_as_it_is_so(
    page: sync_api.Page, server: Server, ledger: Ledger, hand: tuple[str, ...], told: str
) -> None:
    game = ledger.new_game()
    said = page.locator("#announce")
    unsure = hand[-1].replace("}", ',"confidence":0.7}')
    ledger.record(game, lines(*hand[:-1], unsure))
    page.goto(server.url)
    sync_api.expect(said).to_contain_text("Non sicuro")
    ledger.record(game, lines(*hand))  # somebody has said that it was so
    sync_api.expect(page.locator(".doubt")).to_have_count(0)
    sync_api.expect(said).to_contain_text(told)
    assert "Non sicuro" not in said.inner_text()
    ledger.record(game, lines(*hand, '{"e":"hand"}'))
    sync_api.expect(page.locator(".ruling")).to_have_count(0)
    sync_api.expect(said).to_have_text("")


def test_a_page_that_loses_the_server_says_so_and_catches_up(page: sync_api.Page, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA[:4]))
    with served(create_app(ledger)) as server:
        page.goto(server.url)
        sync_api.expect(page.locator(".seat")).to_have_count(3)
        sync_api.expect(page.locator("#lost")).to_be_hidden()
        page.context.set_offline(True)
    sync_api.expect(page.locator("#lost")).to_be_visible()
    ledger.record(game, lines(*GNAFFATA))
    with served(create_app(ledger), server.port):
        page.context.set_offline(False)
        sync_api.expect(page.locator("#lost")).to_be_hidden()
        sync_api.expect(page.locator(".ruling:not(.partial)")).to_be_visible()


@pytest.mark.pages
def test_the_newest_sentence_is_read_whole_when_two_have_no_room(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    names = ["Massimiliano Bartolomei", "Giandomenico Sanvitale", "Carla"]
    ledger.record(
        ledger.new_game(),
        [Line(new_game(names, 100, "Carla")), *lines('{"e":"hand"}', f'{{"e":"passo","by":"{names[0]}"}}',
         f'{{"e":"swap","with":"{names[1]}"}}', f'{{"e":"passo","by":"{names[1]}"}}')],
    )  # fmt: skip
    page.goto(server.url)
    sync_api.expect(page.locator("#happened")).to_have_text(f"{names[1]} passa a Carla")
    assert page.evaluate("[$('happened').scrollWidth <= $('happened').clientWidth]") == [True]


def test_english_is_one_click_away_and_stays(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    page.goto(server.url)
    page.get_by_role("link", name="English").click()
    sync_api.expect(page.locator(".ruling .why").first).to_contain_text("rule 14")
    page.goto(server.url)
    sync_api.expect(page.locator("dt").first).to_have_text("Pot")


def test_names_of_any_kind_stay_names(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), [Line(new_game(NAMES, 100, NAMES[0])), *lines('{"e":"hand"}')])
    page.goto(server.url)
    sync_api.expect(page.locator(".called")).to_have_text(NAMES)
    assert page.title() == "Lu Stù"
    assert page.locator("#seats img[src='x'], #middle img[src='x']").count() == 0
    assert overlaps(page, ".plate") == []


@pytest.mark.parametrize("tv", mostly(TVS, ALWAYS), ids=str)
def test_everything_fits_on_one_screen_in_letters_for_four_metres(
    page: sync_api.Page, server: Server, ledger: Ledger, tv: tuple[int, tuple[int, int]]
) -> None:
    players, (width, height) = tv
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(reduced_motion="reduce")
    ledger.record(ledger.new_game(), evening(players))
    page.goto(server.url)
    sync_api.expect(page.locator(".seat")).to_have_count(players)
    sync_api.expect(page.locator(".ruling")).to_be_visible()
    page.evaluate(LONGEST_LABELS)
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [width, height]
    assert page.evaluate(SMALL, (0.02 if players > 12 else 0.0222) * min(height, width * 9 / 16)) == []
    assert page.evaluate(OUTSIDE, ".plate, .card img, .face, .ruling, header *, #happened") == []
    assert page.evaluate(TROUBLE, False) == []


@pytest.mark.parametrize("players", [13, 16, 20])
def test_what_somebody_is_about_to_do_and_who_deals_are_as_large_as_names(
    page: sync_api.Page, server: Server, ledger: Ledger, players: int
) -> None:
    """40 pixels of 1080, above and below the table with any number of players; at the sides of twenty a name comes first."""
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.emulate_media(reduced_motion="reduce")
    ledger.record(ledger.new_game(), evening(players))
    page.goto(server.url)
    sync_api.expect(page.locator(".seat")).to_have_count(players)
    page.evaluate("""() => { for (const seat of shown.seats) { seat.name = "Rosa"; seat.role = "asked"; seat.dealer = false; }
      shown.seats[0].dealer = true; draw(shown); }""")
    roles = page.evaluate("[...document.querySelectorAll('.role')].map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert sum(size >= 40 for size in roles) >= players // 2
    assert page.evaluate(SMALLEST, ".mark.deals") >= 40
    assert page.evaluate(SMALLEST, ".called") >= (40 if players <= 16 else 37), "beside *vergine* and an act"
    assert page.evaluate(TROUBLE, False) == []


def test_no_line_of_a_headline_ends_with_a_dot(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    page.goto(server.url)
    sync_api.expect(page.locator(".headline")).to_have_text("PAGA Anna 2")
    drawn = "(said) => drawTable({ ...shown, ruling: { ...shown.ruling, headline: ['Mano nulla', ...said] } }, null)"
    dot = page.locator(".headline .between")
    page.evaluate(drawn, ["PAGA Bruno 1"])
    sync_api.expect(dot).to_be_hidden()
    assert page.locator(".headline").inner_text() == "Mano nulla PAGA Bruno\u00a01"
    page.evaluate(drawn, ["no"])
    sync_api.expect(dot).to_be_visible()
    assert page.locator(".headline").inner_text() == "Mano nulla\u00a0· no"

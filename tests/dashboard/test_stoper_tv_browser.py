"""Stoper at four metres: in every state of a hand, on whatever screen, nothing covers a seat and no text is cut."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from journey import TV, Screens, drawing_board, serious
from serving import served
from stoper_views import LONG, game, states
from views import CONTRAST, FOUR_METRES, TROUBLE, check_bigger_letters, check_contrast, check_room, mostly, plain

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games.stoper.bots import PLAIN, seated, simulate
from companion.games.stoper.bots import Settings as Evening
from companion.games.stoper.pages.view import StoperView
from companion.games.stoper.rules.log import Apro, Cambio, Hand, Passo, Show, Vedo
from companion.ledger import Ledger
from companion.table.log import Line

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

SCREENS = ((1920, 1080), (1280, 720), (3840, 2160))
IN_THE_HAND = ((390, 844), (640, 360))
DRAW = """view => {
  $('middle').dataset.drawn = ''; shown = null; draw(view);
  $('settlement').hidden = true; document.body.classList.remove('settled');
}"""


@pytest.fixture
def server(ledger: Ledger) -> Iterator[Server]:
    with served(create_app(ledger, settings=Settings(patience=600, heartbeat=300, moment=0, odds=True))) as running:
        ledger.record(ledger.new_game(), [Line(game(seated(4)))])
        yield running


@pytest.fixture(scope="module")
def board(chromium: sync_api.Browser) -> Iterator[sync_api.Page]:
    with drawing_board(chromium, Line(game(seated(4)))) as page:
        yield page


EVERY = [(table, screen) for table in ((4, False), (5, False), (6, False), (6, True)) for screen in (*SCREENS, *IN_THE_HAND)]
ALWAYS = [((6, False), FOUR_METRES), ((6, True), (390, 844))]


@pytest.mark.parametrize("look", mostly(EVERY, ALWAYS), ids=str)
def test_nothing_covers_a_seat_no_text_is_cut_and_letters_are_large(
    board: sync_api.Page, look: tuple[tuple[int, bool], tuple[int, int]]
) -> None:
    table, screen = look
    check_room(board, DRAW, states(*table), screen, _none if table[1] else _letters, may_scroll=screen in IN_THE_HAND)


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
def test_bigger_letters_are_those_of_the_sums_too_and_nothing_is_cut(board: sync_api.Page, long: bool) -> None:
    check_bigger_letters(board, DRAW, states(6, long), 0 if long else 54)  # where it has room


def _none(view: StoperView) -> dict[str, float]:
    return {}


def _letters(view: StoperView) -> dict[str, float]:
    """Pixels at least, on a TV."""
    found = {".called, .balance, .mark, .role": 32.0, ".changed": 24.0, ".message, .payer, .why, .pots td": 24.0}
    return found | ({".centre .big": 64.0} if view.centre is not None and view.ruling is None else {})


@pytest.mark.screens
def test_english_has_room_too(board: sync_api.Page) -> None:
    check_room(board, DRAW, states(6, True, "en"), (1280, 720), _none)


LOOKS = [(players, theme) for players in (4, 6) for theme in ("dark", "light")]


@pytest.mark.parametrize("look", mostly(LOOKS, [(6, "light")]), ids=str)
def test_every_text_stands_out_from_what_lies_behind_it(screens: Screens, server: Server, look: tuple[int, str]) -> None:
    players, theme = look
    check_contrast(screens, server.url, theme, DRAW, states(players))


@pytest.mark.pages
def test_players_sit_clockwise_from_the_first_who_sits_near(board: sync_api.Page) -> None:
    board.set_viewport_size({"width": 1280, "height": 720})
    board.evaluate(DRAW, plain(states(4)["deal"]))
    for name, side in zip(seated(4), ("near", "left", "far", "right"), strict=True):
        sync_api.expect(board.locator(f".seat[data-player={name}]")).to_contain_class(side)


def test_each_pot_says_who_can_win_it_and_whose_hand_leads(board: sync_api.Page) -> None:
    board.evaluate(DRAW, plain(states(6)["showdown"]))
    rows = board.locator(".pots tr")
    sync_api.expect(rows).to_have_text([
        "Piatto 15.100,00 €tutti quelli in gioco · Bice 32", "Piatto 26.000,00 €Ada, Ciro, Dora ed Elsa · Ada 31",
        "Piatto 36.000,00 €Ada, Dora ed Elsa · Ada 31", "Piatto 45.000,00 €Ada ed Elsa · Ada 31",
    ])  # fmt: skip
    sync_api.expect(board.locator(".seat[data-player=Ciro] .all-in")).to_have_text("all-in")
    sync_api.expect(board.locator(".seat[data-player=Bice] .score")).to_have_text("32")
    sync_api.expect(board.locator(".seat[data-player=Dora] .changed")).to_have_text("cambia 2")
    sync_api.expect(board.locator(".seat[data-player=Fabio] .passed")).to_have_text("passa")


def test_what_is_not_sure_has_a_question_mark(board: sync_api.Page) -> None:
    board.evaluate(DRAW, plain(states(6)["unsure"]))
    sync_api.expect(board.locator(".ruling.unsure .headline")).to_contain_text("Forse Ada prende")
    sync_api.expect(board.locator(".seat[data-player=Ada] .change")).to_contain_text("?")


@pytest.mark.pages
def test_the_chances_are_shown_to_the_percent_and_say_of_what_they_are(
    server: Server, ledger: Ledger, screens: Screens
) -> None:
    names = seated(4)
    events = (
        game(names, stacks=1_000), Hand(cip=50, invito=0), Apro(by=names[0], to=950), Vedo(by=names[1]),
        *(Passo(by=name) for name in names[2:]), *(Cambio(by=name, n=0) for name in names[:2]),
        Show(by=names[0], cards=("denari-10", "denari-9", "denari-8")),
    )  # fmt: skip
    ledger.record(ledger.new_game(), [Line(event) for event in events])
    tv = screens.open(TV, server.url)
    sync_api.expect(tv.locator(".seat[data-player=Ada] .chance")).to_have_text("97%")
    sync_api.expect(tv.locator(".seat[data-player=Bice] .chance")).to_have_text("3%")
    sync_api.expect(tv.locator("#odds")).to_have_text("% = probabilità di prendere il primo piatto")
    assert tv.evaluate(TROUBLE, False) == []


def test_the_moviola_plays_the_last_hand_on_the_same_table(server: Server, ledger: Ledger, screens: Screens) -> None:
    lines = simulate(Evening(players=seated(5), event_probabilities=PLAIN, stacks=1_000), hands=3, seed=4)
    ledger.record(ledger.new_game(), lines[:-1])
    tv = screens.open(TV, server.url)
    sync_api.expect(tv.locator(".ruling")).to_be_visible()
    tv.keyboard.press("m")
    sync_api.expect(tv.locator(".title")).to_contain_text("Mano 3 · 1/")
    sync_api.expect(tv.locator(".message")).to_have_text("Chi gioca mette cip e invito")
    for _ in range(60):
        if tv.locator(".title").inner_text().startswith("Moviola") and tv.locator(".ruling").count():
            break
        assert tv.evaluate(TROUBLE, False) == []
        tv.keyboard.press("ArrowRight")
    sync_api.expect(tv.locator(".ruling")).to_be_visible()
    tv.keyboard.press("Escape")
    sync_api.expect(tv.locator(".title")).to_have_count(0)


@pytest.mark.pages
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("mode", ["cash", pytest.param("torneo", marks=pytest.mark.screens)])
def test_charts_overlay_and_the_end_are_read_and_accessible(
    server: Server, ledger: Ledger, screens: Screens, theme: str, mode: str
) -> None:
    ledger.record(ledger.new_game(), simulate(Evening(players=LONG, mode=mode), hands=200 if mode == "torneo" else 6, seed=1))
    end = "#settlement" if mode == "cash" else ".shares"
    for path, ready in (("/charts", "#charts .across"), ("/overlay", ".ruling"), ("/", end)):
        tv = screens.open(TV, f"{server.url}{path}?theme={theme}")
        sync_api.expect(tv.locator(ready)).to_be_visible()
        assert tv.evaluate(CONTRAST) == []
        assert serious(tv) == []
    if mode == "cash":
        sync_api.expect(tv.locator("#settlement tbody tr").first.locator("td:visible")).to_have_count(1)  # balances, and no pot

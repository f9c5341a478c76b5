"""Stoppa at four metres: in every state of a hand, on whatever screen, nothing covers a seat and no text is cut."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from journey import TV, Screens, drawing_board, serious
from serving import served
from stoppa_views import LONG, states
from views import CONTRAST, FOUR_METRES, TROUBLE, check_bigger_letters, check_contrast, check_room, mostly, plain

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games.stoppa.bots import PLAIN, seated, simulate
from companion.games.stoppa.bots import Settings as Evening
from companion.games.stoppa.pages.view import StoppaView
from companion.games.stoppa.rules.log import Lay, Show, new_game
from companion.ledger import Ledger
from companion.table.log import Line

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

STATES = (
    "deal", "betting", "comparison", "punto", "grosso", "stoppata", "opens", "aces", "exhausted", "stop", "misera", "unsure",
    "void", "last hand", "over",
)  # fmt: skip
SCREENS = ((1920, 1080), (1280, 720))
IN_THE_HAND = ((390, 844), (640, 360))
DRAW = """view => {
  $('middle').dataset.drawn = ''; shown = null; draw(view);
  $('settlement').hidden = true; document.body.classList.remove('settled');
}"""


@pytest.fixture
def server(ledger: Ledger) -> Iterator[Server]:
    with served(create_app(ledger, settings=Settings(patience=600, heartbeat=300, moment=0))) as running:
        ledger.record(ledger.new_game(), [Line(new_game(seated(4), 600, 100, "Dino"))])
        yield running


@pytest.fixture(scope="module")
def board(chromium: sync_api.Browser) -> Iterator[sync_api.Page]:
    with drawing_board(chromium, Line(new_game(seated(4), 600, 100, "Dino"))) as page:
        yield page


EVERY = [(table, screen) for table in ((3, False), (3, True), (6, False), (6, True)) for screen in (*SCREENS, *IN_THE_HAND)]
ALWAYS = [((6, False), FOUR_METRES), ((6, True), (390, 844))]


@pytest.mark.parametrize("look", mostly(EVERY, ALWAYS), ids=str)
def test_nothing_covers_a_seat_no_text_is_cut_and_letters_are_large(
    board: sync_api.Page, look: tuple[tuple[int, bool], tuple[int, int]]
) -> None:
    table, screen = look
    assert set(STATES) == set(states(*table))
    check_room(board, DRAW, states(*table), screen, _none if table[1] else _letters, may_scroll=screen in IN_THE_HAND)


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
def test_bigger_letters_are_those_of_the_sums_too_and_nothing_is_cut(board: sync_api.Page, long: bool) -> None:
    check_bigger_letters(board, DRAW, states(6, long), 0 if long else 54)  # where it has room


def _none(view: StoppaView) -> dict[str, float]:
    return {}


def _letters(view: StoppaView) -> dict[str, float]:
    """Pixels at least, on a TV."""
    found = {".called, .balance, .mark, .role": 32.0, ".held b, .message, .payer, .why, .numbers b, .won-punti li": 24.0}
    return found | ({".centre .big": 64.0} if view.centre is not None and view.ruling is None else {})


@pytest.mark.pages
@pytest.mark.parametrize("lang", mostly(["it", "en"], ["it"]))
def test_points_have_room_too(board: sync_api.Page, lang: str) -> None:
    check_room(board, DRAW, states(6, True, lang, points=True), (1280, 720), _none)


LOOKS = [(players, theme) for players in (3, 6) for theme in ("dark", "light")]


@pytest.mark.parametrize("look", mostly(LOOKS, [(3, "dark")]), ids=str)
def test_every_text_stands_out_from_what_lies_behind_it(screens: Screens, server: Server, look: tuple[int, str]) -> None:
    players, theme = look
    check_contrast(screens, server.url, theme, DRAW, states(players))


@pytest.mark.pages
def test_the_sequence_says_what_it_wants_and_what_is_out(board: sync_api.Page) -> None:
    board.evaluate(DRAW, plain(states(6)["exhausted"]))
    sync_api.expect(board.locator(".wants")).to_have_text("Vuole il cavallo")
    sync_api.expect(board.locator(".numbers .wanted b")).to_have_text("C")
    sync_api.expect(board.locator(".numbers .gone b")).to_have_text("6")
    sync_api.expect(board.locator(".numbers li")).to_have_count(9)  # six play without any Re
    assert board.locator(".sequence .card img").last.get_attribute("src") == "/cards/coppe-8.svg"
    sync_api.expect(board.locator(".sequence .by")).to_have_text("Carla")
    sync_api.expect(board.locator(".seat[data-player=Anna] .held b")).to_have_text("2")


def test_what_is_not_sure_has_a_question_mark(board: sync_api.Page) -> None:
    board.evaluate(DRAW, plain(states(3)["unsure"]))
    sync_api.expect(board.locator(".ruling.unsure .headline")).to_have_text("Forse Anna prende 2,00 €")
    sync_api.expect(board.locator(".seat[data-player=Anna] .change")).to_have_text("+2,00 €?")
    sync_api.expect(board.locator(".seat.believed")).to_have_count(2)  # Bruno may have won it just as well


@pytest.mark.pages
@pytest.mark.parametrize(("ended", "next_one"), [("punto", ".wants"), ("hand", ".ruling:not(.partial)")])
def test_what_comes_next_while_a_card_is_read_again_is_no_correction(
    page: sync_api.Page, ledger: Ledger, ended: str, next_one: str
) -> None:
    """With one sighting the eyes read a card again, so that the log so far has changed, and the game goes on."""
    lines = simulate(Evening(players=seated(4), event_probabilities=PLAIN), hands=1, seed=7)
    lays = [at for at, line in enumerate(lines) if isinstance(line.event, Lay)]
    at = lays[0] if ended == "punto" else lays[-1]
    game = ledger.new_game()
    ledger.record(game, lines[:at])
    sync_api.expect(page.locator(".ruling.partial")).to_have_count(1 if ended == "punto" else 0)
    ledger.record(game, [Line(one.event, one.t, 0.97) if isinstance(one.event, Show) else one for one in lines[: at + 1]])
    sync_api.expect(page.locator(next_one)).to_be_visible()
    assert page.locator(".corrected").count() == 0


def test_the_moviola_plays_the_last_hand_on_the_same_table(server: Server, ledger: Ledger, screens: Screens) -> None:
    lines = simulate(Evening(players=seated(4), event_probabilities=PLAIN), hands=2, seed=7)
    ledger.record(ledger.new_game(), lines[:-1])
    tv = screens.open(TV, server.url)
    sync_api.expect(tv.locator(".ruling")).to_be_visible()
    tv.keyboard.press("m")
    sync_api.expect(tv.locator(".title")).to_contain_text("Mano 2 · 1/")
    sync_api.expect(tv.locator(".message")).to_have_text("Tutti pagano la misera")
    for _ in range(200):
        if tv.locator(".wants").count():
            break
        tv.keyboard.press("ArrowRight")
    sync_api.expect(tv.locator(".sequence .card")).not_to_have_count(0)
    assert tv.evaluate(TROUBLE, False) == []
    tv.keyboard.press("Escape")
    sync_api.expect(tv.locator(".title")).to_have_count(0)
    sync_api.expect(tv.locator(".ruling")).to_be_visible()


@pytest.mark.pages
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_charts_overlay_and_the_end_are_read_and_accessible(
    server: Server, ledger: Ledger, screens: Screens, theme: str
) -> None:
    ledger.record(ledger.new_game(), simulate(Evening(players=LONG), hands=4, seed=1))
    for path, ready in (("/charts", "#charts .across"), ("/overlay", ".ruling"), ("/", "#settlement")):
        tv = screens.open(TV, f"{server.url}{path}?theme={theme}")
        sync_api.expect(tv.locator(ready)).to_be_visible()
        assert tv.evaluate(CONTRAST) == []
        assert serious(tv) == []
    sync_api.expect(tv.locator("#settlement tbody tr").first.locator("td:visible")).to_have_count(1)  # balances, and no pot

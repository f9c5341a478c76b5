"""The ruling at four metres: whatever is ruled, on whatever screen, nothing covers a seat and no text is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest
from games import GAME, lines
from journey import Screens, drawing_board
from msgspec.structs import replace
from serving import served
from views import FOUR_METRES, NAMES, SMALLEST, TROUBLE, check_room, mostly, plain, ruled, size

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games import log_format
from companion.ledger import Ledger
from companion.pages.view import ExchangeView

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

SEATED = (2, 3, 4, 6, 8, 10, 12, 13, 16, 20)
PLAYERS = mostly(SEATED, (2, 12, 20))
SCREENS = ((1920, 1080), (1280, 720), (3840, 2160), (1024, 768), (960, 540))
DRAWN_AGAIN = "view => { rested = ''; $('moment').hidden = true; $('middle').dataset.drawn = ''; shown = null; draw(view); }"
"""Draws a view as if the page had just been opened: else what is other than before is news."""
LETTERS = {".headline": 64, ".called, .virgin": 40, ".payment, .payer, .why, .doubt, .message": 24}
"""Pixels at least, on a TV."""
PLATES, MOST_LARGE = {".gone, .owns, .face, .mark, .role, .tag": 40}, 12
"""The same of what else stands on a plate, and number of players up to which it does."""
IN_THE_HAND = ((844, 390), (640, 360), (390, 844), (360, 640))
"""Phones lying and upright, and a TV of 1280x720 enlarged to 200 %: a column that scrolls."""


@pytest.fixture
def server(ledger: Ledger) -> Iterator[Server]:
    with served(create_app(ledger, settings=Settings(patience=600, heartbeat=300, moment=60))) as running:
        yield running


@pytest.fixture(scope="module")
def board(chromium: sync_api.Browser) -> Iterator[sync_api.Page]:
    with drawing_board(chromium) as page:
        yield page


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("screen", mostly([*SCREENS, *IN_THE_HAND], [FOUR_METRES, (390, 844)]), ids=size)
def test_nothing_covers_a_seat_no_text_is_cut_and_letters_are_large(
    board: sync_api.Page, screen: tuple[int, int], players: int
) -> None:
    views = {
        f"{payments} payments, {'sure' if sure else 'not sure'}": ruled(players, payments, sure=sure)
        for payments in range(1, 9) for sure in (True, False)
    }  # fmt: skip
    letters = LETTERS | (PLATES if players <= MOST_LARGE else {})
    check_room(board, DRAWN_AGAIN, views, screen, lambda view: letters, may_scroll=screen in IN_THE_HAND)


@pytest.mark.parametrize("players", mostly(SEATED, (20,)))
def test_a_ruling_in_mid_hand_leaves_room_for_the_arrow(board: sync_api.Page, players: int) -> None:
    board.set_viewport_size({"width": 1280, "height": 720})
    for payments in range(1, 5):
        view = ruled(players, payments, sure=False)
        assert view.ruling is not None
        now = replace(view, exchange=ExchangeView(NAMES[0], NAMES[1]), ruling=replace(view.ruling, final=False))
        board.evaluate(DRAWN_AGAIN, plain(replace(now, status="hand_in_progress", missed="8 secondi non visti")))
        sync_api.expect(board.locator("#arrow")).to_be_visible()
        assert board.evaluate(TROUBLE, False) == []


REST = "() => { rested = restsOn(shown); drawTable(shown, shown); }"
"""As when a ruling was read for long enough."""
COUNTS = "header dd, #hand, .read, .standing dd, .headline"
"""What is read from four metres, beside the plates."""


@pytest.mark.parametrize("players", mostly((2, 4, 8, 12, 20), (8, 20)))
def test_what_counts_is_at_least_40_pixels_high_between_hands_too(board: sync_api.Page, players: int) -> None:
    board.set_viewport_size({"width": 1920, "height": 1080})
    for shows in ("() => 0", REST, "switchLetters"):
        board.evaluate(DRAWN_AGAIN, plain(ruled(players, 2)))
        board.evaluate(shows)
        assert board.evaluate(TROUBLE, False) == []
        assert board.evaluate(SMALLEST, COUNTS) >= 40
    board.evaluate("switchLetters")


@pytest.fixture(scope="module")
def beside_the_clip(chromium: sync_api.Browser) -> Iterator[sync_api.Page]:
    """The TV of a demo: the table has the room that the clip leaves."""
    with Ledger.in_memory(log_format) as ledger, served(create_app(ledger, live_picture=lambda: None)) as server:
        ledger.record(ledger.new_game(), lines(GAME))
        with closing(Screens(chromium)) as screens:
            page = screens.open({}, server.url)
            sync_api.expect(page.locator(".seat")).to_have_count(3)
            yield page


@pytest.mark.parametrize("screen", mostly(SCREENS, [FOUR_METRES]), ids=size)
@pytest.mark.parametrize("players", mostly((3, 5, 8), [5]))
def test_beside_the_clip_of_a_demo_nothing_covers_a_seat_in_a_hand_or_between_two(
    beside_the_clip: sync_api.Page, screen: tuple[int, int], players: int
) -> None:
    page = beside_the_clip
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    for payments in range(1, 4):
        for shows in ("() => 0", REST):
            page.evaluate(DRAWN_AGAIN, plain(ruled(players, payments)))
            page.evaluate(shows)
            assert page.evaluate(TROUBLE, False) == [], (payments, shows)
            if screen == FOUR_METRES:
                assert page.evaluate(SMALLEST, COUNTS) >= 40, (payments, shows)


@pytest.fixture(scope="module")
def followed(chromium: sync_api.Browser) -> Iterator[sync_api.Page]:
    """A TV that other devices find in the network."""
    with Ledger.in_memory(log_format) as ledger:
        app = create_app(ledger, settings=Settings(patience=600, heartbeat=300, moment=0))
        with served(app) as server, closing(Screens(chromium)) as screens:
            app.extensions["pairing"].reachable = lambda: ("http://192.168.1.20:8000",)
            page = screens.open({}, server.url)
            page.locator(".message, .seat").first.wait_for(state="attached")
            yield page


WHAT_IT_COVERS = """() => {
  const code = $("follow").getBoundingClientRect();
  return [...document.querySelectorAll(".plate, #middle > *, header, footer")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.right > code.left && box.left < code.right && box.bottom > code.top && box.top < code.bottom;
  }).map((one) => one.className || one.tagName);
}"""


@pytest.mark.parametrize("players", mostly(SEATED, (2, 8, 20)))
def test_while_a_hand_is_played_a_code_leads_phones_here_and_covers_nothing(followed: sync_api.Page, players: int) -> None:
    followed.set_viewport_size({"width": 1280, "height": 720})
    code = followed.locator("#follow .qr")
    begun = replace(ruled(players, 1), ruling=None, standing=(), status="hand_in_progress", message=f"Tocca a {NAMES[0]}")
    asked = replace(begun, exchange=ExchangeView(NAMES[0], NAMES[1]), message=f"{NAMES[0]} passa a {NAMES[1]}")
    places = []
    for view in (begun, asked):
        followed.evaluate(DRAWN_AGAIN, plain(view))
        sync_api.expect(code).to_be_visible()
        places.append(code.bounding_box())
        assert followed.evaluate(WHAT_IT_COVERS) == []
        assert followed.evaluate(TROUBLE, False) == []
    assert places[0] == places[1], "it stays where it is when an arrow comes"
    followed.evaluate(DRAWN_AGAIN, plain(replace(begun, message="Tocca a chi sa " * 30)))
    assert not code.is_visible() or followed.evaluate(WHAT_IT_COVERS) == []


@pytest.mark.parametrize("players", mostly(SEATED, (8, 20)))
def test_a_trump_that_is_shown_large_covers_no_player(board: sync_api.Page, players: int) -> None:
    board.set_viewport_size({"width": 1280, "height": 720})
    board.evaluate(DRAWN_AGAIN, plain(ruled(players, 1)))
    board.evaluate("showCard({ card: 'gnao', title: 'Filomena', names: ['Gnaff, cart’arrit!'] })")
    covered = board.evaluate("""async () => {
      await Promise.all([...document.querySelectorAll("#played img")].map((image) => image.decode()));
      const parts = [...$("played").children].map((one) => one.getBoundingClientRect());
      $("played").hidden = true;
      return [...document.querySelectorAll(".plate")].filter((plate) => { const box = plate.getBoundingClientRect();
        return parts.some((one) => one.right > box.left && one.left < box.right && one.bottom > box.top && one.top < box.bottom);
      }).map((plate) => plate.textContent);
    }""")
    assert covered == []


def test_the_code_is_there_as_long_as_an_organiser_lets_it(followed: sync_api.Page) -> None:
    followed.set_viewport_size({"width": 1280, "height": 720})
    code = followed.locator(".qr:visible")
    played = replace(ruled(8, 1), ruling=None, standing=(), status="hand_in_progress", message="Tocca ad Anna")
    followed.evaluate(DRAWN_AGAIN, plain(played))
    sync_api.expect(code).to_have_count(1)
    followed.evaluate("drawShows({ ...page.shows, code: false })")
    sync_api.expect(code).to_have_count(0)
    followed.evaluate(DRAWN_AGAIN, plain(ruled(8, 1)))
    followed.evaluate(REST)
    sync_api.expect(followed.locator(".standing")).to_be_visible()
    sync_api.expect(code).to_have_count(0)
    followed.evaluate("drawShows({ ...page.shows, code: undefined })")
    sync_api.expect(code).to_have_count(1)


def test_a_tv_that_hides_money_shows_no_sum_and_remembers_it(board: sync_api.Page) -> None:
    board.set_viewport_size({"width": 1280, "height": 720})
    board.evaluate(DRAWN_AGAIN, plain(replace(ruled(8, 2), message="Anna paga 5,00 € a Bruno, ne mancano 1.200,50 €")))
    assert "€" in board.locator("body").inner_text()
    board.keyboard.press("e")
    assert "€" not in board.locator("body").inner_text()
    sync_api.expect(board.locator(".message")).to_have_text("Anna paga ••• a Bruno, ne mancano •••")
    assert board.evaluate("localStorage.getItem('money-hidden')") == "true"
    told = ["€1,234.50", "12 €", "pays +€4.00, 1.200 €."]
    assert board.evaluate("happened => shownOf({ figures: [], accounts: [1], happened, hand: 3 })", told) == {
        "figures": [], "accounts": [], "settlement": [], "happened": ["•••", "•••", "pays •••, •••."], "hand": 3,
    }  # fmt: skip
    board.keyboard.press("e")
    assert "€" in board.locator("body").inner_text()


def test_the_test_sees_what_it_is_for(board: sync_api.Page) -> None:
    board.set_viewport_size({"width": 1280, "height": 720})
    board.evaluate(DRAWN_AGAIN, plain(ruled(8, 2)))
    assert board.evaluate(TROUBLE, False) == []
    for spoil, said in (
        ("document.querySelector('.ruling').style.minHeight = '100vh'", "overlaps"),
        ("document.querySelector('.called').style.fontSize = '20em'", "is cut by"),
        ("document.querySelector('.headline').style = 'font-size: 30vh; white-space: nowrap'", "is cut by"),
        ("document.querySelector('#felt').style.zIndex = 9", "is covered"),
        ("document.querySelector('.face').style.transform = 'translateY(-1.2em)'", "overlaps"),
    ):
        board.evaluate(spoil)
        assert any(said in trouble for trouble in board.evaluate(TROUBLE, False)), spoil
        board.evaluate("document.querySelector('#felt').style = ''")
        board.evaluate("view => { $('middle').dataset.drawn = ''; draw(view) }", plain(ruled(8, 2)))
        assert board.evaluate(TROUBLE, False) == []


@pytest.mark.pages
@pytest.mark.parametrize("screen", [(1920, 1080), (390, 844)], ids=["TV", "phone"])
@pytest.mark.parametrize("players", [4, 20])
def test_names_of_24_letters_and_many_notes_are_read_whole(
    board: sync_api.Page, screen: tuple[int, int], players: int
) -> None:
    board.set_viewport_size({"width": screen[0], "height": screen[1]})
    notes = ("Filomena va «su saupr»", "Irregolare: Nicola ha scoperto la carta troppo presto")
    text = msgspec.json.encode(ruled(players, 4, sure=False, notes=notes)).decode()
    text = text.replace("Filomena", "Massimiliano Bartolomeis").replace("Nicola", "Giandomenico Sanvitalesi")
    board.evaluate(DRAWN_AGAIN, {**msgspec.json.decode(text), "missed": "8 secondi non visti"})
    assert board.evaluate(TROUBLE, screen[0] < 800) == []
    sync_api.expect(board.locator(".missed")).to_be_visible()


WAYS = """([players, width, height, clockwise]) => { // between every two boxes: what a way enters, and where it runs otherwise
  const { places, free, lane } = seating(players, width, height, clockwise, true), bad = [];
  const half = (box) => ({ x: box.x ?? 0, y: box.y ?? 0, w: box.width / 2, h: box.height / 2 });
  const all = [...places, { ...free, x: 0, y: 0 }].map(half);
  const turn = ([x, y], [z, w]) => { // seen from the middle, anticlockwise, in turns from -0.5 to 0.5
    const by = (Math.atan2(y, x) - Math.atan2(w, z)) / (2 * Math.PI);
    return by - Math.round(by);
  };
  const pairs = places.flatMap((from, i) => places.map((to, j) => [i, from, j, to])).filter(([i, , j]) => i !== j);
  for (const [i, from, j, to] of pairs) for (const back of [false, true]) {
    const way = wayRound(from, to, lane, clockwise === back);
    let turned = 0, last = way[0];
    for (let leg = 1; leg < way.length; leg++) for (let step = 0; step <= 20; step++) {
      const [x, y] = [0, 1].map((k) => way[leg - 1][k] + (way[leg][k] - way[leg - 1][k]) * step / 20);
      if (all.some((box) => Math.abs(x - box.x) < box.w && Math.abs(y - box.y) < box.h)) bad.push([i, j, x, y]);
      turned += turn(last, [x, y]);
      last = [x, y];
    }
    const passed = back ? (i - j + players) % players : (j - i + players) % players; // in the order of play, or against it
    const sign = clockwise === back ? 1 : -1;
    let due = 0;
    for (let k = 0; k < passed; k++) {
      const at = (n) => places[(i + (back ? -n : n) + 2 * players) % players];
      const part = turn([at(k).x, at(k).y], [at(k + 1).x, at(k + 1).y]);
      due += sign * part < -0.4999 ? part + sign : part; // two who face each other
    }
    if (Math.abs(turned - due) > 0.15) bad.push([i, j, back, turned, due]);
  }
  return bad; }"""


@pytest.mark.parametrize("clockwise", [False, True])
def test_the_arrow_of_an_exchange_runs_past_those_who_are_passed_over_and_over_no_box(
    board: sync_api.Page, clockwise: bool
) -> None:
    for players in (*range(2, 10), 12, 13, 16, 17, 20):  # each kind of table, at its ends
        for width, height in ((173.8, 84), (173.8, 117), (233, 84)):
            assert (players, board.evaluate(WAYS, [players, width, height, clockwise])) == (players, [])


def test_the_arrow_shows_who_asks_whom_and_faintly_the_exchange_before(
    page: sync_api.Page, server: Server, ledger: Ledger
) -> None:
    game = ledger.new_game()
    log = lines(GAME, '{"e":"hand"}', '{"e":"passo","by":"Anna"}', '{"e":"swap","with":"Bruno"}', '{"e":"passo","by":"Bruno"}')
    ledger.record(game, log[:3])
    page.goto(server.url)
    sync_api.expect(page.locator(".seat")).to_have_count(3)
    asked, past = page.locator("#arrow .asked"), page.locator("#arrow polyline").first
    sync_api.expect(page.locator("#arrow title")).to_have_text("Anna chiede, Bruno risponde")
    sync_api.expect(asked).to_be_visible()
    ledger.record(game, log[:4])
    sync_api.expect(page.locator("#arrow title")).to_have_text("Anna ha scambiato con Bruno")
    sync_api.expect(asked).to_have_count(0)
    ledger.record(game, log)
    sync_api.expect(page.locator("#arrow title")).to_have_text("Bruno chiede, Carla risponde")
    sync_api.expect(past).to_have_css("opacity", "0.3")
    sync_api.expect(past).to_have_attribute("points", re.compile(r"\d"))
    ledger.record(game, (*log, *lines('{"e":"reveal","by":"Carla","card":"gnao"}')))
    sync_api.expect(page.locator("#arrow title")).to_have_text("Bruno chiede, Anna risponde")
    sync_api.expect(past).to_have_attribute("points", "")  # cart'arrit goes the same way back: two heads on it would tell nothing
    ledger.record(game, log[:2])
    sync_api.expect(page.locator("#arrow")).to_be_hidden()


@pytest.mark.parametrize("screen", mostly(SCREENS, [(1280, 720)]), ids=size)
def test_what_the_table_is_asked_and_a_lost_line_cover_no_seat(page: sync_api.Page, screen: tuple[int, int]) -> None:
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    page.evaluate("view => draw(view)", plain(ruled(20, 3)))
    asked = [
        "Fate vedere ancora una volta la carta di Maria Antonietta, Massimiliano e Giandomenico",
        "La telecamera non dà immagini",
        "Il tavolo non si è visto a lungo: controllate la mano sul telefono",
    ]
    for notices in (asked[:1], asked):
        page.evaluate("notices => showNotices(notices)", notices)
        sync_api.expect(page.locator("#notices")).to_be_visible()
        assert page.evaluate(TROUBLE, False) == []
    page.evaluate("showNotices([]), lost(true)")
    line, plates = page.locator("#lost").bounding_box(), page.locator(".seat.near .plate").first.bounding_box()
    assert line is not None
    assert plates is not None
    assert line["y"] >= plates["y"] + plates["height"]
    page.evaluate("lost(false)")

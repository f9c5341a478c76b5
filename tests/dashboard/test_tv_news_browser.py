"""What the TV says for some seconds, what it shows before the first game, and that the charts follow by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from flask import Flask
from games import GAME, GNAFFATA, lines
from journey import lettered
from serving import served, until
from views import NAMES

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games import GAMES
from companion.games.simulation import Evening
from companion.ledger import Ledger
from companion.table.log import Line

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

OUT = (
    GAME.replace('"dealer"', '"standing":{"Anna":{"pedine":1,"virgin":false}},"dealer"'),
    '{"e":"hand"}',
    '{"e":"reveal","by":"Anna","card":"2"}',
    '{"e":"reveal","by":"Bruno","card":"5"}',
    '{"e":"reveal","by":"Carla","card":"6"}',
    '{"e":"end"}',
)
"""Anna pays her last pedina."""


@pytest.fixture
def settings() -> Settings:
    return Settings(patience=600, heartbeat=300, corrected=1.0, moment=1.0)


@pytest.fixture
def app(ledger: Ledger, settings: Settings) -> Flask:
    return create_app(ledger, settings=settings)


@pytest.fixture
def page(chromium: sync_api.Browser) -> Iterator[sync_api.Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    # A moment may be over before anybody looks: what was shown is kept.
    context.add_init_script("""window.told = []; addEventListener("DOMContentLoaded", () => {
      const box = document.getElementById("moment");
      if (box) new MutationObserver(() => { if (!box.hidden) told.push(`${box.dataset.kind}: ${box.textContent}`); })
        .observe(box, { attributes: true, childList: true }); })""")
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []


def test_a_correction_is_seen_at_the_headline_for_some_seconds(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA))
    page.goto(server.url)
    sync_api.expect(page.locator(".headline")).to_have_text("PAGA Anna 2")
    eight = ('{"e":"deal","to":"Anna"}', *GNAFFATA[3:7], '{"e":"reveal","by":"Anna","card":"8"}')
    ledger.record(game, lines(*GNAFFATA[:2], *eight, *GNAFFATA[8:]))
    sync_api.expect(page.locator(".corrected")).to_have_text("Corretta la mano 1: Anna −2 → −1 · Carla 0 → −1")
    sync_api.expect(page.locator(".headline")).to_have_text("PAGANO Anna 1 · Carla 1")
    sync_api.expect(page.locator(".corrected")).to_have_count(0)
    sync_api.expect(page.locator(".headline")).to_be_visible()


def test_a_correction_of_an_earlier_hand_says_whose_pedine_have_changed(
    page: sync_api.Page, server: Server, ledger: Ledger
) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA, '{"e":"hand"}'))
    page.goto(server.url)
    sync_api.expect(page.locator("#hand")).to_have_text("Mano 2")
    ledger.record(game, lines(GAME, '{"e":"hand"}', '{"e":"void"}', '{"e":"hand"}'))
    sync_api.expect(page.locator(".corrected")).to_contain_text("Corretta la mano 1: Anna: 1 pedina → 3 pedine")
    sync_api.expect(page.locator("#announce")).to_contain_text("Corretta la mano 1: Anna: 1 pedina → 3 pedine")


def test_what_merely_comes_next_is_no_correction(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    game = ledger.new_game()
    log = [GAME.replace('"dealer"', '"edition":"piazza-2010","dealer"'), *GNAFFATA[1:]]
    ledger.record(game, lines(*log))
    page.goto(server.url)
    sync_api.expect(page.locator(".headline")).to_have_text("PAGA Anna 2")
    ledger.record(game, lines(*log, '{"e":"penalty","player":"Bruno"}'))
    sync_api.expect(page.locator(".headline")).to_have_text("PAGANO Anna 2 · Bruno 1")
    assert page.locator(".corrected").count() == 0


def test_what_is_ruled_while_a_card_is_read_again_is_no_correction(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA[:5]))
    page.goto(server.url)
    sync_api.expect(page.locator(".ruling.partial .headline")).to_have_text("PAGA Anna 1")
    ledger.record(game, lines(*GNAFFATA[:2], '{"e":"deal","to":"Anna"}', *GNAFFATA[3:]))
    sync_api.expect(page.locator(".headline")).to_have_text("PAGA Anna 2")
    assert page.locator(".corrected").count() == 0


def test_who_goes_out_and_who_comes_back_fill_the_screen_and_are_gone(
    page: sync_api.Page, server: Server, ledger: Ledger
) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*OUT[:2]))
    page.goto(server.url)
    sync_api.expect(page.locator(".seat")).to_have_count(3)
    ledger.record(game, lines(*OUT))
    sync_api.expect(page.locator(".note")).to_contain_text("su saupr")
    until(lambda: page.evaluate("told.length"))
    sync_api.expect(page.locator("#moment")).to_be_hidden()  # the ruling is seen again
    ledger.record(game, lines(*OUT, '{"e":"rebuy","by":"Anna"}'))
    until(lambda: page.evaluate("told.some((one) => one.startsWith('back'))"))
    sync_api.expect(page.locator("#moment")).to_be_hidden()
    assert list(dict.fromkeys(one.replace("\xa0", " ") for one in page.evaluate("told"))) == [
        "out: Va «su saupr»AnnaLa prossima ricompera costa 4,00 €",
        "back: RicomperaAnna4,00 €Montepremi 10,00 €La prossima ricompera costa 8,00 €",
    ]
    sync_api.expect(page.locator(".headline")).to_have_text("PAGA Anna 1")
    sync_api.expect(page.locator(".note")).to_have_count(0)  # nobody is out any more


@pytest.mark.pages
def test_a_win_fills_the_screen_and_a_key_ends_it(page: sync_api.Page, ledger: Ledger) -> None:
    two = OUT[0].replace('"Anna","Bruno","Carla"', '"Anna","Bruno"').replace('"Carla"', '"Bruno"')
    log = [two, *OUT[1:4], OUT[5], '{"e":"close"}']
    with served(create_app(ledger, settings=Settings(patience=6000, heartbeat=300, moment=600))) as server:
        game = ledger.new_game()
        ledger.record(game, lines(*log[:2]))
        page.goto(server.url)
        sync_api.expect(page.locator(".seat")).to_have_count(2)
        ledger.record(game, lines(*log))
        sync_api.expect(page.locator("#moment")).to_be_visible()
        page.keyboard.press("Escape")
        sync_api.expect(page.locator("#moment")).to_be_hidden()
        sync_api.expect(page.locator(".won")).to_contain_text("Bruno")


def test_who_is_only_believed_to_be_out_or_to_have_won_does_not_fill_the_screen(
    page: sync_api.Page, server: Server, ledger: Ledger
) -> None:
    two = OUT[0].replace('"Anna","Bruno","Carla"', '"Anna","Bruno"').replace('"Carla"', '"Bruno"')
    game = ledger.new_game()
    ledger.record(game, lines(two, *OUT[1:4]))
    page.clock.install()
    page.goto(server.url)
    sync_api.expect(page.locator(".seat")).to_have_count(2)
    ledger.record(game, lines(two, *OUT[1:4], '{"e":"end","confidence":0.6}', '{"e":"close"}'))
    sync_api.expect(page.locator(".won.unsure .big")).to_have_text("Bruno ha vinto lo Stù?")
    sync_api.expect(page.locator(".seat.out.believed .called")).to_have_text("Anna")
    page.clock.run_for(3000)  # longer than a ruling is left alone before a moment
    assert page.evaluate("told") == []


@pytest.mark.pages
def test_another_game_and_a_correction_are_no_moments(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*OUT))
    page.goto(server.url)
    sync_api.expect(page.locator(".seat.out")).to_have_count(1)
    ledger.record(game, lines(*OUT[:2]))
    sync_api.expect(page.locator(".seat.out")).to_have_count(0)
    ledger.record(game, lines(*OUT))
    sync_api.expect(page.locator(".seat.out")).to_have_count(1)
    until(lambda: page.evaluate("told.length"))  # that it went out again is one
    ledger.record(ledger.new_game(), lines(*OUT[:2]))
    sync_api.expect(page.locator(".seat.out")).to_have_count(0)
    assert {told.split(":")[0] for told in page.evaluate("told")} == {"out"}


def test_before_the_first_game_the_tv_shows_the_way_to_the_setup_and_no_pin(
    page: sync_api.Page, app: Flask, server: Server, ledger: Ledger
) -> None:
    app.extensions["pairing"].reachable = lambda: ("http://192.0.2.7:8000",)
    page.goto(server.url)
    sync_api.expect(page.locator("#idle .address")).to_have_text("http://192.0.2.7:8000/organiser")
    sync_api.expect(page.locator("#idle")).to_contain_text(f"localhost:{server.url.rpartition(':')[2]}/pair/show")
    picture = cv2.imdecode(np.frombuffer(page.locator("#idle .qr").screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == "http://192.0.2.7:8000/organiser"
    assert app.extensions["pairing"].pin.digits not in page.content()
    ledger.record(ledger.new_game(), lines(GAME))
    sync_api.expect(page.locator(".seat")).to_have_count(3)
    sync_api.expect(page.locator("#idle")).to_be_hidden()


@pytest.mark.pages
def test_a_tv_that_no_phone_can_reach_says_so(page: sync_api.Page, server: Server) -> None:
    page.goto(server.url)
    sync_api.expect(page.locator("#idle")).to_contain_text("--host 0.0.0.0")
    assert page.locator(".qr").count() == 0


def test_the_charts_follow_without_a_reload(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(GAME))
    page.goto(f"{server.url}/charts")
    sync_api.expect(page.locator("#charts .across .steps")).to_have_count(3)
    lettered(page)
    page.evaluate("window.notReloaded = true")
    ledger.record(game, lines(*GNAFFATA))
    sync_api.expect(page.locator("#figures dd").first).to_have_text("1")
    sync_api.expect(page.locator("#told")).to_contain_text("3, 1")
    ledger.record(game, lines(*GNAFFATA, *OUT[1:]))
    sync_api.expect(page.locator("#told")).to_contain_text("3, 1, 0")
    assert page.evaluate("window.notReloaded")


@pytest.mark.pages
@pytest.mark.parametrize("name", ["W" * 16, "W" * 24, "Maria Antonietta Colonna"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_charts_are_as_wide_as_the_screen_and_no_name_runs_into_a_curve(
    page: sync_api.Page, server: Server, ledger: Ledger, name: str, width: int
) -> None:
    ledger.record(ledger.new_game(), lines(*(line.replace('"Anna"', f'"{name}"') for line in GNAFFATA)))
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{server.url}/charts")
    sync_api.expect(page.locator("#charts .across .steps")).to_have_count(3)
    lettered(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    right, curve = page.evaluate("""[
      Math.max(...[...document.querySelectorAll("#charts .name")].map((one) => one.getBoundingClientRect().right)),
      document.querySelector("#charts .across .ground").getBoundingClientRect().left]""")
    assert right <= (curve or width), "before the first curve, on a phone before the edge"


def simulated(game: str) -> tuple[Line, ...]:
    """Nine hands with as many people as can play."""
    bots = GAMES[game].simulation
    assert bots is not None
    house = bots.house_rules() if bots.house_rules is not None else None
    return bots.simulate(Evening(NAMES[: bots.players[1]], 9, 1, 100, house, plain=False))


@pytest.mark.parametrize("game", ["stu", "stoppa", "stoper"])
def test_the_charts_fit_a_phone_and_can_be_read(page: sync_api.Page, server: Server, ledger: Ledger, game: str) -> None:
    ledger.record(ledger.new_game(), simulated(game))
    page.goto(f"{server.url}/charts")
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        sync_api.expect(page.locator("#charts .across .steps").first).to_be_attached()
        lettered(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        pushed, left, right, least = page.evaluate("""(() => {
          const box = document.getElementById("charts"), letters = [...box.querySelectorAll(".upright text")];
          const edges = letters.map((one) => one.getBoundingClientRect());
          return [box.scrollWidth - box.clientWidth, Math.min(...edges.map((one) => one.left)),
                  Math.max(...edges.map((one) => one.right)), Math.min(...edges.map((one) => one.height))]; })()""")
        assert (pushed, left >= 0, right <= width) == (0, True, True), (width, pushed, left, right)
        assert least >= 12


@pytest.mark.pages
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("width", [390, 360])
def test_what_stands_beside_the_longest_bar_ends_before_a_phones_edge(
    page: sync_api.Page, server: Server, ledger: Ledger, width: int, theme: str
) -> None:
    dear = OUT[0].replace('"stake":200', '"stake":1100')
    ledger.record(ledger.new_game(), lines(dear, *OUT[1:], '{"e":"rebuy","by":"Anna"}'))
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{server.url}/charts?theme={theme}&lang=it")
    sync_api.expect(page.locator("#charts .upright .bar + text").first).to_be_visible()
    lettered(page)
    sync_api.expect(page.locator("#charts .upright .bar + text").first).to_have_text("33,00 € (1×R)")
    right, gap = page.evaluate("""(() => {
      const box = (one) => one.getBoundingClientRect(), bars = [...document.querySelectorAll("#charts .upright .bar")];
      return [Math.max(...bars.map((bar) => box(bar.nextElementSibling).right)),
              Math.min(...bars.map((bar) => box(bar).left - box(bar.previousElementSibling).right))]; })()""")
    assert right <= width
    assert gap >= 4


@pytest.mark.parametrize(("amount", "text", "read"), [
    ("", "Nicola −1: come ha detto il tavolo", "Nicola −1: come ha detto il tavolo."),
    ("−4,00 €", "Nicola: come ha detto il tavolo", "Nicola −4,00 €: come ha detto il tavolo."),
    ("", "Nicola ha la carta più bassa", "Nicola −1: Nicola ha la carta più bassa."),
], ids=["pedine", "chips", "a sentence"])  # fmt: skip
def test_who_pays_is_read_out_once(
    page: sync_api.Page, server: Server, ledger: Ledger, amount: str, text: str, read: str
) -> None:
    """A hand known by its outcome alone said name and number twice."""
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    page.goto(server.url)
    sync_api.expect(page.locator("#announce")).to_contain_text("Anna")
    page.evaluate("""payment => { const view = structuredClone(shown); shown = null;
      view.ruling.payments = [{ ...view.ruling.payments[0], ...payment }]; draw(view); }""",
                  {"player": "Nicola", "delta": -1, "amount": amount, "text": text})  # fmt: skip
    sync_api.expect(page.locator("#announce")).to_have_text(read)


def test_what_is_read_out_has_one_mark_at_the_end_of_each_sentence(page: sync_api.Page, server: Server, ledger: Ledger) -> None:
    """A reason with a question mark has no full stop after it; the mark that the eye finds first is not read."""
    ledger.record(ledger.new_game(), lines(*GNAFFATA[:-1], '{"e":"end","confidence":0.7}'))
    page.goto(server.url)
    said = page.locator("#announce")
    sync_api.expect(said).to_contain_text("Anna")
    assert not re.search(r"[?!.…][.?]|^\?", said.inner_text()), said.inner_text()
    ends = ["? Non sicuro: controllate", "Anna −1: la carta più bassa, il 3 (regola 8)?", "Mano nulla"]
    told = page.evaluate("said => said.map(closed).join(' ')", ends)
    assert told == "Non sicuro: controllate. Anna −1: la carta più bassa, il 3 (regola 8)? Mano nulla."

"""The page in Debian's Chromium, fed step by step as the camera side feeds it."""

from collections.abc import Iterator

import pytest
from games import GNAFFATA, lines
from journey import serious
from serving import served, until
from views import TROUBLE, mostly

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings as Evening
from companion.games.stu.bots.settings import seated
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.notices import Notice
from companion.table.log import Line

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")


pytestmark = pytest.mark.browser

TVS = [
    *((players, (1280, 720)) for players in [2, 3, 5, 8, 9, 10, 12, 13, 16, 17, 20]),
    (5, (1920, 1080)), (20, (1920, 1080)), (2, (3840, 2160)), (12, (3840, 2160)), (20, (3840, 2160)),
    (12, (1024, 768)), (12, (2560, 1080)),  # an old projector, a very wide screen
]  # fmt: skip
ALWAYS = [(2, (1280, 720)), (12, (1280, 720)), (20, (1280, 720)), (20, (1920, 1080))]


@pytest.fixture
def server(ledger: Ledger) -> Iterator[Server]:
    # The moviola waits for its keys, and no page gives a busy machine up: what a test does next may take long.
    with served(create_app(ledger, settings=Settings(heartbeat=0.5, patience=60, moviola_step=600))) as running:
        yield running


@pytest.fixture
def page(chromium: "sync_api.Browser") -> Iterator["sync_api.Page"]:
    """A TV of 1280x720 whose page must not fail: an error in its script fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []


def evening(players: int, hands: int = 2) -> tuple[Line, ...]:
    return simulate(Evening(players=seated(players)), hands=hands, seed=players)


def test_the_ruling_appears_without_a_reload(page: "sync_api.Page", server: Server, ledger: Ledger) -> None:
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


def test_a_sure_ruling_and_an_unsure_one_do_not_look_alike(page: "sync_api.Page", server: Server, ledger: Ledger) -> None:
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


def test_a_page_that_loses_the_server_says_so_and_catches_up(page: "sync_api.Page", ledger: Ledger) -> None:
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


def test_the_newest_sentence_is_read_whole_when_two_have_no_room(page: "sync_api.Page", server: Server, ledger: Ledger) -> None:
    names = ["Massimiliano Bartolomei", "Giandomenico Sanvitale", "Carla"]
    ledger.record(
        ledger.new_game(),
        [Line(new_game(names, 100, "Carla")), *lines('{"e":"hand"}', f'{{"e":"passo","by":"{names[0]}"}}',
         f'{{"e":"swap","with":"{names[1]}"}}', f'{{"e":"passo","by":"{names[1]}"}}')],
    )  # fmt: skip
    page.goto(server.url)
    sync_api.expect(page.locator("#happened")).to_have_text(f"{names[1]} passa a Carla")
    assert page.evaluate("[$('happened').scrollWidth <= $('happened').clientWidth]") == [True]


def test_english_is_one_click_away_and_stays(page: "sync_api.Page", server: Server, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    page.goto(server.url)
    page.get_by_role("link", name="English").click()
    sync_api.expect(page.locator(".ruling .why").first).to_contain_text("rule 14")
    page.goto(server.url)
    sync_api.expect(page.locator("dt").first).to_have_text("Pot")


NAMES = [
    "<img src=x onerror=\"document.title='pwned'\">",
    "W" * 200,
    "مريم العربية",
    "Z̷̡̛͎a̸̧̛l̴̡̛g̵̨̛ơ̶̡",
    "👵🏽👨‍👩‍👧‍👦",
    "{player}",
    "a\u202eb",
]


def test_names_of_any_kind_stay_names(page: "sync_api.Page", server: Server, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), [Line(new_game(NAMES, 100, NAMES[0])), *lines('{"e":"hand"}')])
    page.goto(server.url)
    sync_api.expect(page.locator(".called")).to_have_text(NAMES)
    assert page.title() == "Lu Stù"
    assert page.locator("#seats img[src='x'], #middle img[src='x']").count() == 0
    assert overlaps(page, ".plate") == []


LONGEST_LABELS = """() => { for (const seat of shown.seats) seat.card = {face: "mascherone", name: "Mascherone"};
  draw(shown); }"""

# What is smaller than so many pixels, lies outside the screen, or on top of its like.
SMALL = """least => [...document.querySelectorAll('header *, main *, #happened *')]
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) && e.checkVisibility())
  .filter(e => parseFloat(getComputedStyle(e).fontSize) < least - 0.01).map(e => e.className + ': ' + e.textContent)"""
OUTSIDE = """selector => [...document.querySelectorAll(selector)].filter(e => { const b = e.getBoundingClientRect();
  return b.left < -1 || b.top < -1 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1; }).map(e => e.textContent)"""
OVERLAPS = """selector => { const all =
  [...document.querySelectorAll(selector)].map(e => [e.textContent, e.getBoundingClientRect()]);
  return all.flatMap(([a, p], i) => all.slice(i + 1).filter(([, q]) => p.left < q.right - 2 && q.left < p.right - 2 &&
    p.top < q.bottom - 2 && q.top < p.bottom - 2).map(([b]) => [a, b])); }"""


def overlaps(page: "sync_api.Page", selector: str) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(OVERLAPS, selector)
    return found


@pytest.mark.parametrize("tv", mostly(TVS, ALWAYS), ids=str)
def test_everything_fits_on_one_screen_in_letters_for_four_metres(
    page: "sync_api.Page", server: Server, ledger: Ledger, tv: tuple[int, tuple[int, int]]
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


def corrected(*changes: tuple[str, str]) -> tuple[Line, ...]:
    """The gnaffata's log with these lines put in place of others."""
    return lines(*(dict(changes).get(line, line) for line in GNAFFATA))


def test_after_a_correction_only_what_has_changed_is_announced(page: "sync_api.Page", server: Server, ledger: Ledger) -> None:
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
    sync_api.expect(page.locator(".corrected")).to_have_text("Corretto: Anna −2 → −1 · Carla 0 → −1")


def test_the_moviola_shows_every_card_on_its_way_and_ends_when_something_happens(
    page: "sync_api.Page", server: Server, ledger: Ledger
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


@pytest.mark.parametrize("players", mostly([2, 8, 20], [20]))
def test_every_step_of_the_moviola_fits_into_the_middle(
    page: "sync_api.Page", server: Server, ledger: Ledger, players: int
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


def test_the_moviola_begins_by_itself_between_hands_where_it_is_wished(page: "sync_api.Page", ledger: Ledger) -> None:
    page.add_init_script("""new MutationObserver(() => { window.played ||= document.querySelector(".title") !== null; })
      .observe(document, { subtree: true, childList: true })""")  # it may be over before anybody looks
    with served(create_app(ledger, settings=Settings(moviola_after=0.2, moviola_step=0.2))) as server:
        ledger.record(ledger.new_game(), lines(*GNAFFATA))
        page.goto(server.url)
        until(lambda: page.evaluate("window.played"))
        sync_api.expect(page.locator(".title")).to_have_count(0)
        sync_api.expect(page.locator(".ruling")).to_be_visible()  # and comes back to it


def test_chances_and_notices_are_shown_where_there_are_any(page: "sync_api.Page", ledger: Ledger) -> None:
    asked = (Notice("show", 0, (1,)),)
    settings = Settings(odds=True, heartbeat=0.2, patience=60)
    with served(create_app(ledger, settings=settings, notices=lambda: asked)) as server:
        ledger.record(ledger.new_game(), evening(20)[:60])
        page.goto(server.url)
        sync_api.expect(page.locator("#notices")).to_contain_text("Bruno")
        sync_api.expect(page.locator(".seat .chance").first).to_contain_text("%")
        assert page.evaluate(OUTSIDE, "#notices, .chance") == []
        assert page.evaluate(SMALL, 13.3) == []  # a line more in every box of twenty
        assert page.evaluate(TROUBLE, False) == []
        box, plates = page.locator("#notices").bounding_box(), page.locator(".seat.near .plate").first.bounding_box()
        assert box is not None
        assert plates is not None
        assert box["y"] >= plates["y"] + plates["height"]


def test_sounds_are_silent_until_somebody_switches_them_on(page: "sync_api.Page", server: Server, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA[:4]))
    page.goto(server.url)
    sync_api.expect(page.locator(".seat")).to_have_count(3)
    ledger.record(game, lines(*GNAFFATA[:5]))
    sync_api.expect(page.locator(".ruling")).to_be_visible()
    assert page.evaluate("[audio, document.body.dataset.sound]") == [None, ""]
    page.get_by_role("button", name="Accendi i suoni").click()
    sync_api.expect(page.locator("#sounds")).to_be_hidden()
    ledger.record(game, lines(*GNAFFATA[:4]))
    sync_api.expect(page.locator(".ruling")).to_have_count(0)
    ledger.record(game, lines(*GNAFFATA[:5]))
    sync_api.expect(page.locator("body[data-sound=cat]")).to_have_count(1)
    page.keyboard.press("s")
    sync_api.expect(page.locator("#sounds")).to_be_visible()


@pytest.mark.parametrize("players", mostly([2, 8, 20], [20]))
def test_the_overlay_lies_over_a_picture_without_a_ground(
    page: "sync_api.Page", server: Server, ledger: Ledger, players: int
) -> None:
    ledger.record(ledger.new_game(), evening(players))
    page.goto(f"{server.url}/overlay")
    sync_api.expect(page.locator(".seat")).to_have_count(players)
    sync_api.expect(page.locator(".ruling")).to_be_visible()
    assert page.evaluate("[document.documentElement, document.body].map(e => getComputedStyle(e).backgroundColor)") == [
        "rgba(0, 0, 0, 0)"
    ] * 2
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [1280, 720]
    assert page.evaluate(OUTSIDE, ".plate, .ruling, #happened, #hand") == []
    assert page.evaluate(TROUBLE, False) == []
    assert page.locator("a, button, input").count() == 0


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("path", ["/", "/charts", "/overlay"])
def test_axe_finds_nothing_serious(
    page: "sync_api.Page", server: Server, ledger: Ledger, path: str, theme: str
) -> None:
    pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")
    page.emulate_media(reduced_motion="reduce")
    ledger.record(ledger.new_game(), evening(8))
    page.goto(f"{server.url}{path}?theme={theme}")
    sync_api.expect(page.locator("#charts svg" if path == "/charts" else ".ruling")).to_be_visible()
    assert serious(page) == []

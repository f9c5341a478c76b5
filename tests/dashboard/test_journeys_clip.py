"""An evening as people live it, in Chromium: set up on a phone, filmed by the bundled clip, followed by the camera's real thread.

One run of the clip serves all of them; what changes the game afterwards does so in a program of its own over a copy.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import pytest
from journey import EFFECT, PHONE, REMEMBER, TOO_LONG_MS, TV, Screens, copied, serious
from recorded_looks import trained
from serving import Program, program, served, until

from companion.assets import asset
from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.eyes.seeing import Look
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture, pictures
from companion.games import log_format, stu
from companion.games.stu.rules.log import Reveal, read_lines
from companion.ledger import Ledger
from companion.line.station import Station
from companion.workshop.soak.camera import NetworkCamera

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = [pytest.mark.slow, pytest.mark.browser]

DEMO = asset("datasets/demo")
TABLE = json.loads((DEMO / "table.json").read_text())
TRUE = stu.replay(read_lines((DEMO / "log.jsonl").read_bytes()))
NAMES = [seat["name"] for seat in TABLE["players"]]
PAYERS = [list(dict.fromkeys(payment.player for payment in hand.payments)) for hand in TRUE.hands]


def hesitant(first: Callable[[], None]) -> Look:
    """What the networks found, less sure of one thing: what they read as a 4 may as well be an 8. ``first``: done before each
    look."""
    look = trained()

    def looked(picture: Picture) -> tuple[CardSeen, ...]:
        first()
        return tuple(replace(card, alternatives=(("4", 0.5), ("8", 0.5))) if card.card == "4" else card for card in look(picture))

    return looked


@dataclass(frozen=True)
class Evening:
    """The clip has been followed to its end. ``half`` and ``whole``: the ledger in mid-hand 2 and afterwards; ``stood``: what
    `/api/game` said in mid-hand. ``tv`` and ``phone`` still follow ``server``."""

    server: Server
    tv: Any
    phone: Any
    half: Path
    whole: Path
    stood: dict[str, Any]
    corners: list[list[float]]


def saved(ledger: Path, to: Path) -> Path:
    """The ledger as it is on the disk now."""
    with closing(sqlite3.connect(ledger)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)
    return to


def set_up(phone: Any) -> list[list[float]]:
    """From the first page of setting up to the first hand, by thumb; returns the corners that were found."""
    phone.locator(".doors form button").first.tap()
    phone.locator("form:has([value=stu]) button").tap()
    phone.fill("#source", str(DEMO / "demo.mp4"))
    phone.locator("#source + button").tap()
    forward = phone.locator("main a.primary")
    sync_api.expect(forward).to_be_visible()
    until(lambda: phone.reload() and (forward.get_attribute("href") or "").endswith("/table"))  # there is a picture
    forward.tap()
    phone.wait_for_url("**/setup/table")
    sync_api.expect(phone.locator(".handle")).to_have_count(4)
    found = [[float(value) for value in pair.split(",")] for pair in phone.input_value("#corners").split()]
    phone.locator("main button.primary").tap()
    sync_api.expect(phone.locator("#add")).to_be_visible()
    phone.wait_for_load_state("load")
    picture = phone.locator("svg.picture")
    for number, seat in enumerate(TABLE["players"]):
        width = picture.bounding_box()["width"]
        x, y = (value * width / TABLE["image_size"][0] for value in seat["place"])
        picture.tap(position={"x": x, "y": y})
        sync_api.expect(phone.locator("#names input").nth(number)).to_be_focused()
        phone.keyboard.type(seat["name"])
    phone.locator("main button.primary").tap()
    phone.fill("#stake", "1")
    phone.get_by_label(TABLE["dealer"], exact=True).check()
    phone.locator("main button.primary").tap()
    phone.locator("main button.big").tap()
    phone.wait_for_url("**/organiser")
    return found


@pytest.fixture(scope="module")
def evening(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    folder = tmp_path_factory.mktemp("evening")
    file, half, screens = folder / "evening.ledger", folder / "half.ledger", Screens(chromium)
    settings = Settings(heartbeat=0.5, patience=60)
    stood: dict[str, Any] = {}

    def keep_half() -> None:
        """In mid-hand 2 somebody has shown a card, and others still have to: the camera's thread keeps it before it goes on."""
        if not stood and station.scribe is not None and len(station.scribe.state.hands) == 1:
            game = app.test_client().get("/api/game").json
            if game["hand"] == 2 and any(seat["card"] and seat["card"]["face"] for seat in game["seats"]):
                saved(file, half)
                stood.update(game)

    with (
        Ledger.open(file, log_format) as ledger,
        Station(ledger, lambda: hesitant(keep_half), find_cameras=lambda *_: (), pace=0) as station,
    ):
        app = create_app(ledger, settings=settings, camera=station, scribe=lambda: station.scribe,
                         moment=station.moment, notices=station.notices)  # fmt: skip
        with served(app) as server, closing(screens):
            tv = screens.open(TV, server.url)
            tv.evaluate(REMEMBER)
            phone = screens.paired(server.url, app.extensions["pairing"].pin.digits, "/setup")
            corners = set_up(phone)
            until(lambda: station.status().state == "ended")
            assert stood, "nobody was seen to show a card in mid-hand 2"
            sync_api.expect(phone.locator("#question")).to_be_visible()
            sync_api.expect(tv.locator(".ruling.unsure:not(.partial)")).to_be_visible()
            yield Evening(server, tv, phone, half, saved(file, folder / "whole.ledger"), stood, corners)


@pytest.fixture
def again(evening: Evening, tmp_path: Path) -> Iterator[Program]:
    """The real program, started once more on what it had kept."""
    with program(copied(evening.whole, tmp_path)) as started:
        yield started


@pytest.fixture(scope="module")
def archive(evening: Evening, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The same, for those that change nothing of the game."""
    with program(copied(evening.whole, tmp_path_factory.mktemp("archive"))) as started:
        yield started


def answer(phone: Any) -> None:
    """The open question, if there is one still: it was a 4."""
    asked = phone.locator('#question [data-key="4"]')
    if asked.is_visible():
        asked.tap()
    sync_api.expect(phone.locator("#question")).to_be_hidden()


def card(phone: Any, kind: str) -> Any:
    """A kind's button in the grid of the sheet."""
    return phone.locator(f'dialog .grid button:has(img[src*="/{kind}.svg"])')


def test_the_tv_showed_the_table_the_cards_and_the_ruling_of_what_was_filmed(evening: Evening) -> None:
    found = [min(abs(x - a) + abs(y - b) for a, b in evening.corners) for x, y in TABLE["corners"]]
    assert max(found) < 25  # pixels of 1280: the program found the table by itself
    shown = [one for one in evening.tv.evaluate("remembered") if one["hand"] == 1]
    assert [seat.text_content() for seat in evening.tv.locator(".called").all()] == NAMES
    first = next(number for number, one in enumerate(shown) if one["lying"] == len(NAMES))
    assert shown[first]["faces"] == 0
    ruled = [one["payers"] for one in shown if one["final"]]
    assert sorted(ruled[-1]) == sorted(PAYERS[0])
    assert any(one["payers"] == PAYERS[0][:1] and not one["final"] for one in shown)  # the gnaffata falls before the hand ends
    assert serious(evening.tv) == []


def test_the_open_question_is_first_with_its_picture_and_an_answer_is_one_tap(evening: Evening) -> None:
    phone, tv = evening.phone, evening.tv
    question = phone.locator("main > section:visible").first
    assert question.get_attribute("id") == "question"
    crop = question.locator("img.moment")
    sync_api.expect(crop).to_be_visible()
    until(lambda: crop.evaluate("image => image.naturalWidth > 60"))
    offered = question.locator(".answer").evaluate_all("all => all.map((one) => one.dataset.key)")
    assert set(offered[:2]) == {"4", "8"}
    assert phone.evaluate("document.querySelector('.answer').getBoundingClientRect().bottom < innerHeight")
    sync_api.expect(tv.locator(".ruling.unsure")).to_be_visible()
    assert serious(phone) == []
    phone.locator('#question [data-key="4"]').tap()
    sync_api.expect(tv.locator(".ruling:not(.unsure)")).to_be_visible()
    assert sorted(tv.locator(".payer").all_text_contents()) == sorted(PAYERS[1])
    phone.locator("#undo").tap()
    sync_api.expect(phone.locator("#question")).to_be_visible()


def test_a_face_is_corrected_seeing_what_it_does_and_the_tv_says_only_what_has_changed(
    evening: Evening, again: Program, screens: Screens
) -> None:
    phone, tv = screens.paired(again.url, again.pin), screens.open(TV, again.url)
    sync_api.expect(phone.locator("#players li")).to_have_count(len(NAMES))
    answer(phone)
    payers = tv.locator(".ruling:not(.unsure) .payer")
    sync_api.expect(payers).to_have_count(len(PAYERS[1]))
    said, before = tv.locator("#announce"), payers.all_text_contents()
    last = phone.locator("#hand .line").filter(has_text="Assunta").last  # her card in the showdown, a 9
    last.tap()
    card(phone, "2").tap()
    sync_api.expect(phone.locator("dialog .difference .now")).to_contain_text("Nicola")
    sync_api.expect(phone.locator("dialog .difference .then")).to_contain_text("Assunta")
    assert payers.all_text_contents() == before  # nothing has been done yet
    phone.locator("dialog .big").tap()
    sync_api.expect(tv.locator(".payment.fresh .payer")).to_have_text(["Assunta"])
    sync_api.expect(said).to_contain_text("Assunta")
    assert "Nicola" in said.inner_text()  # no longer pays
    assert "Filomena" not in said.inner_text()  # pays as before
    phone.locator("#undo").tap()
    sync_api.expect(tv.locator(".payment.fresh .payer")).to_have_text(["Nicola"])
    assert payers.all_text_contents() == before
    assert "Filomena" not in said.inner_text()


def test_stopped_in_mid_hand_the_program_stands_where_it_was(evening: Evening, tmp_path: Path, screens: Screens) -> None:
    ledger = copied(evening.half, tmp_path)
    with program(ledger, "--pace", "0.001") as started:  # the camera looks once again, and waits for the next picture
        phone = screens.paired(started.url, started.pin)
        sync_api.expect(phone.locator("#hand .line").first).to_be_visible()
        now = phone.evaluate("fetch('/api/game').then((answer) => answer.json())")
        for said in (now, evening.stood):  # the camera has looked again already, and may be surer
            assert said["ruling"].pop("confidence") >= 0.95
        for what in ("hand", "pot", "seats", "ruling", "status"):
            assert now[what] == evening.stood[what], what


def test_the_camera_stops_the_hand_is_played_by_thumb_and_the_camera_comes_back(again: Program, screens: Screens) -> None:
    phone, tv = screens.paired(again.url, again.pin), screens.open(TV, again.url)
    asked, status, told = phone.locator("#next"), phone.locator("#camera"), tv.locator("#notices")
    frozen = "L’immagine della telecamera è ferma"
    with NetworkCamera(next(pictures(str(DEMO / "demo.mp4"), 1)).image) as camera:
        phone.goto(f"{again.url}/setup/camera")
        phone.fill("#source", camera.url)
        phone.locator("#source + button").tap()
        sync_api.expect(phone.locator(".choices [aria-current]")).to_contain_text("camera")
        until(lambda: phone.reload() and phone.locator("header .camera.live").count())
        phone.goto(f"{again.url}/organiser")
        sync_api.expect(status).to_be_hidden()
        camera.mode = "frozen"
        for notice in (status, told):
            sync_api.expect(notice).to_contain_text(frozen, timeout=TOO_LONG_MS)
        taps = 0

        def tap(where: Any) -> None:
            nonlocal taps
            sync_api.expect(status).to_be_visible()  # still without the camera
            sync_api.expect(where).not_to_have_class(re.compile(r"\bfresh\b"))  # a button that has just moved is dead
            where.tap()
            taps += 1

        hands = phone.locator("#hands .line").count()
        players = len(NAMES)
        for act in (".big", *[".second"] * (players - 1)):  # the deal, then everybody passes and exchanges
            was = phone.locator("#status").inner_text()
            tap(asked.locator(act))
            sync_api.expect(phone.locator("#status")).not_to_have_text(was)
        tap(asked.locator('[data-key="offer0"]'))  # the dealer stays
        for number, kind in zip(range(players), ("5", "7", "9", "10", "secchia"), strict=True):
            sync_api.expect(asked.locator(".chip")).to_have_count(players - number)
            tap(asked.locator(f'.grid button:has(img[src*="/{kind}.svg"])'))
        sync_api.expect(phone.locator("#hands .line")).to_have_count(hands + 1)
        assert taps == 1 + players + players  # one for every act
        sync_api.expect(tv.locator(".ruling:not(.partial) .payer")).to_have_count(1)
        camera.mode = "live"
        for notice in (told, status):  # that the hand is to be checked may stay: on a slow machine the taps take long
            sync_api.expect(notice).not_to_contain_text(frozen, timeout=TOO_LONG_MS)


def test_changes_of_two_lines_on_two_phones_both_stand(again: Program, screens: Screens) -> None:
    one, other = (screens.paired(again.url, again.pin) for _ in range(2))
    for phone in (one, other):
        sync_api.expect(phone.locator("#players li")).to_have_count(len(NAMES))
    answer(one)
    sync_api.expect(other.locator("#question")).to_be_hidden()
    other.locator("#hand .line").filter(has_text="Assunta").last.tap()
    card(other, "2").tap()
    sync_api.expect(other.locator("dialog .difference")).to_be_visible()
    one.locator("#hand .line").filter(has_text="Rocco").last.tap()
    card(one, "10").tap()
    sync_api.expect(one.locator(EFFECT)).to_be_visible()
    one.locator("dialog .big").tap()
    sync_api.expect(one.locator("dialog")).to_be_hidden()
    for phone in (one, other):
        sync_api.expect(phone.locator("#hand .line").filter(has_text="Rocco").last).to_contain_text("10")
    other.locator("dialog .big", has_text="Conferma").tap()
    sync_api.expect(other.locator("dialog")).to_be_hidden()
    for phone in (one, other):
        sync_api.expect(phone.locator("#hand .line").filter(has_text="Assunta").last).to_contain_text("2")
    log = read_lines(other.evaluate("fetch('/api/log').then((answer) => answer.text())").encode())
    shown = {line.event.by: line.event.card for line in log if isinstance(line.event, Reveal)}
    assert (shown["Rocco"], shown["Assunta"]) == ("10", "2")


def test_a_phone_that_loses_the_program_says_so_and_goes_on_when_it_is_back(
    evening: Evening, tmp_path: Path, screens: Screens
) -> None:
    ledger = copied(evening.whole, tmp_path)
    with program(ledger) as first:
        phone = screens.paired(first.url, first.pin)
        sync_api.expect(phone.locator("#question")).to_be_visible()
    sync_api.expect(phone.locator("#lost")).to_be_visible(timeout=TOO_LONG_MS)
    phone.locator('#question [data-key="4"]').tap()
    sync_api.expect(phone.locator("#toast")).to_be_visible()  # it could not be said
    assert phone.locator("#question").is_visible()
    with program(ledger, "--port", first.url.rsplit(":", 1)[1]):
        sync_api.expect(phone.locator("#lost")).to_be_hidden(timeout=TOO_LONG_MS)
        answer(phone)  # still paired


def test_a_phone_that_is_withdrawn_is_out_at_once(archive: Program, screens: Screens) -> None:
    phone = screens.paired(archive.url, archive.pin, name="Lost")
    other = screens.paired(archive.url, archive.pin, "/organiser/phones", name="Bar")
    mine, its = (other.locator(".phones li").filter(has_text=name) for name in ("Bar", "Lost"))
    its.locator("button").tap()
    sync_api.expect(its).to_have_count(0)
    phone.wait_for_url("**/pair?**")
    phone.goto(f"{archive.url}/organiser")
    assert "/pair" in phone.url
    mine.locator("button").tap()  # and itself
    other.wait_for_url("**/pair")


def test_the_archive_gives_takes_and_replays(archive: Program, screens: Screens, tmp_path: Path) -> None:
    phone = screens.paired(archive.url, archive.pin, "/setup/games")
    sync_api.expect(phone.locator(".games li")).to_have_count(1)
    with phone.expect_download() as download:
        phone.locator(".games a[download]").tap()
    file = tmp_path / "evening.jsonl"
    download.value.save_as(file)
    log = read_lines(file.read_bytes())
    assert [payment.player for payment in stu.replay(log).hands[0].payments] == PAYERS[0]
    phone.set_input_files("#log", file)
    phone.locator("main button.primary").tap()
    phone.wait_for_url(re.compile(r"/setup/games/2"))
    sync_api.expect(phone.locator(".pays b")).to_have_count(3)
    phone.goto(f"{phone.url.split('?')[0]}?step=1")
    for number in range(2, len(log) + 1):
        phone.locator(".steps a").nth(-2).tap()  # the next step
        phone.wait_for_url(f"**step={number}")
    sync_api.expect(phone.locator(".steps .off")).to_have_count(2)  # no further
    sync_api.expect(phone.locator(".pays b").first).to_be_visible()
    file.write_text(file.read_text().replace('"e":"end"', '"e":"fine"', 1))
    phone.goto(f"{archive.url}/setup/games")
    phone.set_input_files("#log", file)
    phone.locator("main button.primary").tap()
    sync_api.expect(phone.locator(".problem")).to_be_visible()
    sync_api.expect(phone.locator(".games li")).to_have_count(2)


def test_overlay_charts_and_moviola_tell_the_same_evening(archive: Program, screens: Screens) -> None:
    page = screens.open(TV, f"{archive.url}/overlay")
    sync_api.expect(page.locator(".ruling.unsure .payer")).to_have_count(len(PAYERS[1]))
    assert "Filomena" in page.locator(".payer").all_text_contents()
    page.goto(f"{archive.url}/charts")
    sync_api.expect(page.locator("#charts .name")).to_have_text(NAMES)
    page.goto(archive.url)
    sync_api.expect(page.locator(".ruling")).to_be_visible()
    page.keyboard.press("m")
    sync_api.expect(page.locator(".title")).to_be_visible()
    moved = 0
    while page.locator(".title").is_visible():
        page.keyboard.press("ArrowRight")
        moved += 1
    assert moved > len(NAMES)  # every card's way


NO_PAGE = (".jpg", ".png", ".svg", ".json", ".csv", "/log", "tv.css", "/healthz", "/metrics")
"""How addresses end that no browser shows as a page."""


@pytest.mark.parametrize(
    ("kind", "scheme"), [(TV, "dark"), (PHONE, "dark"), (PHONE, "light")], ids=["TV", "phone", "phone, light"]
)
def test_axe_finds_nothing_serious_on_any_page(
    evening: Evening, archive: Program, screens: Screens, kind: dict[str, Any], scheme: Any
) -> None:
    page = screens.open(kind, f"{archive.url}/pair", color_scheme=scheme)
    found = {page.url: [serious(page), page.evaluate("document.documentElement.scrollWidth > innerWidth")]}
    page.fill("#pin", "000000" if archive.pin != "000000" else "000001")
    page.locator("main form button").click()
    sync_api.expect(page.locator(".problem")).to_be_visible()
    assert serious(page) == []
    page.fill("#pin", archive.pin)
    page.locator("main form button").click()
    page.wait_for_url("**/organiser")
    page.goto(f"{archive.url}/setup")
    page.locator("form[action='/setup/new'] button").first.click()  # the steps are only there while an evening is prepared
    page.locator("form:has([value=stu]) button").click()
    page.wait_for_url("**/setup/camera")
    app = create_app(Ledger.in_memory(log_format), camera=Station(Ledger.in_memory(log_format), trained))
    public = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and "/api/" not in rule.rule]
    for path in sorted(public):
        path = path.replace("<int:game>", "1").replace("<path:filename>", "tv.css")
        if path.endswith(NO_PAGE) or "<name>" in path or "stream" in path:
            continue
        page.goto(archive.url + path)
        found[page.url] = [serious(page), page.evaluate("document.documentElement.scrollWidth > innerWidth")]
    assert {path: wrong for path, wrong in found.items() if wrong != [[], False]} == {}
    assert len(found) > 15


def test_a_phone_scans_the_code_on_the_machines_own_screen(evening: Evening, tmp_path: Path, screens: Screens) -> None:
    with program(copied(evening.whole, tmp_path), "--host", "0.0.0.0") as started:
        own = screens.open(TV, f"http://127.0.0.1:{started.url.rpartition(':')[2]}/pair/show")
        if own.locator(".qr").count() == 0:
            pytest.skip("this machine is in no network")
        assert serious(own) == []
        own.locator(".qr").first.screenshot(path=tmp_path / "code.png")
        link, *_ = cv2.QRCodeDetector().detectAndDecode(cv2.imread(str(tmp_path / "code.png")))
        assert re.fullmatch(r"http://[\d.]+:\d+/pair#[\w-]{22}", link)
        phone = screens.open(PHONE, link)
        phone.fill("#name", "Bar")
        phone.locator("main form button").tap()
        phone.wait_for_url("**/organiser")
        sync_api.expect(phone.locator("#players li")).to_have_count(len(NAMES))
        own.reload()
        own.locator(".phones li").filter(has_text="Bar").locator("button").click()
        phone.wait_for_url("**/pair?**")

"""The evening of the bundled clip goes on, in Chromium: a face corrected, two phones, the camera that stops and comes back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clip_evening import DEMO, NAMES, PAYERS, Bar, answer, taken_up
from journey import EFFECT, TOO_LONG_MS, TV, Screens, copied
from serving import until

from companion.eyes.source import pictures
from companion.games.stu.rules.log import Reveal, read_lines
from workshop.soak.camera import NetworkCamera

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture
def again(whole: Path, tmp_path: Path) -> Iterator[Bar]:
    """The evening, gone on with."""
    with taken_up(copied(whole, tmp_path)) as bar:
        yield bar


def card(phone: Any, kind: str) -> Any:
    """A kind's button in the grid of the sheet."""
    return phone.locator(f'dialog .grid button:has(img[src*="/{kind}.svg"])')


def test_a_face_is_corrected_seeing_what_it_does_and_the_tv_says_only_what_has_changed(
    again: Bar, screens: Screens
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


def test_the_camera_stops_the_hand_is_played_by_thumb_and_the_camera_comes_back(again: Bar, screens: Screens) -> None:
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
            sync_api.expect(asked.locator(".chip:enabled")).to_have_count(players - number)
            tap(asked.locator(f'.grid button:has(img[src*="/{kind}.svg"])'))
        sync_api.expect(phone.locator("#hands .line")).to_have_count(hands + 1)
        assert taps == 1 + players + players  # one for every act
        sync_api.expect(tv.locator(".ruling:not(.partial) .payer")).to_have_count(1)
        camera.mode = "live"
        for notice in (told, status):  # that the hand is to be checked may stay: on a slow machine the taps take long
            sync_api.expect(notice).not_to_contain_text(frozen, timeout=TOO_LONG_MS)


def test_changes_of_two_lines_on_two_phones_both_stand(again: Bar, screens: Screens) -> None:
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

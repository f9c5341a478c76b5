"""What is done with the evening of the bundled clip, in Chromium: phones lost and withdrawn, the archive, charts, moviola."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from clip_evening import NAMES, PAYERS, Bar, answer, taken_up
from journey import PHONE, TOO_LONG_MS, TV, Screens, copied, serious
from serving import program

from companion.games import stu
from companion.games.stu.rules.log import read_lines

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def archive(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bar]:
    """The same, for those that change nothing of the game."""
    with taken_up(copied(whole, tmp_path_factory.mktemp("archive"))) as bar:
        yield bar


def test_a_phone_that_loses_the_program_says_so_and_goes_on_when_it_is_back(
    whole: Path, tmp_path: Path, screens: Screens
) -> None:
    ledger = copied(whole, tmp_path)
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


@pytest.mark.pages
def test_a_phone_that_is_withdrawn_is_out_at_once(archive: Bar, screens: Screens) -> None:
    phone = screens.paired(archive.url, archive.pin, name="Lost")
    other = screens.paired(archive.url, archive.pin, "/organiser/phones", name="Bar")
    mine, its = (other.locator(".phones li").filter(has_text=name) for name in ("Bar", "Lost"))
    its.locator("button").tap()
    sync_api.expect(its).to_have_count(0)
    sync_api.expect(phone).to_have_url(re.compile(r"/pair\?"))
    phone.goto(f"{archive.url}/organiser")
    assert "/pair" in phone.url
    mine.locator("button").tap()  # and itself
    other.wait_for_url("**/pair")


def test_the_archive_gives_takes_and_replays(archive: Bar, screens: Screens, tmp_path: Path) -> None:
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
    replay = phone.url.split("?")[0]
    assert {phone.request.get(f"{replay}?step={number}").status for number in range(1, len(log) + 1)} == {200}
    for before in (1, 2, len(log) - 1):
        phone.goto(f"{replay}?step={before}")
        phone.locator(".steps a").nth(-2).tap()  # the next step
        phone.wait_for_url(f"**step={before + 1}")
    sync_api.expect(phone.locator(".steps .off")).to_have_count(2)  # no further
    sync_api.expect(phone.locator(".pays b").first).to_be_visible()
    file.write_text(file.read_text().replace('"e":"end"', '"e":"fine"', 1))
    phone.goto(f"{archive.url}/setup/games")
    phone.set_input_files("#log", file)
    phone.locator("main button.primary").tap()
    sync_api.expect(phone.locator(".problem")).to_be_visible()
    sync_api.expect(phone.locator(".games li")).to_have_count(2)


@pytest.mark.pages
def test_overlay_charts_and_moviola_tell_the_same_evening(archive: Bar, screens: Screens) -> None:
    page = screens.open(TV, f"{archive.url}/overlay")
    sync_api.expect(page.locator(".ruling.unsure .payer")).to_have_count(len(PAYERS[1]))
    assert "Filomena" in page.locator(".payer").all_text_contents()
    page.goto(f"{archive.url}/charts")
    sync_api.expect(page.locator("#charts .across .name")).to_have_text(NAMES)
    page.goto(archive.url)
    sync_api.expect(page.locator(".ruling")).to_be_visible()
    page.keyboard.press("m")
    sync_api.expect(page.locator(".title")).to_be_visible()
    moved = 0
    while page.locator(".title").is_visible():
        page.keyboard.press("ArrowRight")
        moved += 1
    assert moved > len(NAMES)  # every card's way


def test_a_phone_scans_the_code_on_the_machines_own_screen(whole: Path, tmp_path: Path, screens: Screens) -> None:
    with program(copied(whole, tmp_path), "--host", "0.0.0.0") as started:
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
        sync_api.expect(phone).to_have_url(re.compile(r"/pair\?"))

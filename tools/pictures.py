"""`make pictures`: the pictures of README.md and docs/, taken from the real pages in Chromium, and the drawn Italian deck.

The pages are served by `companion serve` itself, in a process of its own, from the game in `docs/evening.jsonl` and from the
bundled clip. Nothing that a picture shows depends on the clock or on chance: the same machine makes the same files again.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import segno
from hall_pictures import square

from companion.decks.italian import KINDS
from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.hall.cluster import installed
from companion.ledger import Ledger
from companion.table.log import Line
from workshop.deck.raster import draw, raster
from workshop.deck.style import Style

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "docs" / "pictures"
EVENING = ROOT / "docs" / "evening.jsonl"
CLIP = ROOT / "datasets" / "demo" / "demo.mp4"
TABLE = ROOT / "datasets" / "demo" / "table.json"

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""Debian's browser; None where there is none."""
SWITCHES = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--font-render-hinting=none",
    "--force-color-profile=srgb", "--disable-partial-raster", "--disable-skia-runtime-opts", "--num-raster-threads=1",
]
"""The last four: so that the same page gives the same pixels every time."""
TV: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

MOST_BYTES = 252_000
"""Of a picture: the README shows several."""
COLOURS = (256, 128, 64, 32)
"""Levels for each colour channel, the finest first: the first that makes the file small enough is taken."""
PATIENCE_MS = 240_000


@dataclass(frozen=True)
class Served:
    """`companion serve`, running: its address, and the PIN that its terminal shows."""

    url: str
    pin: str


@contextmanager
def serving(folder: Path, *arguments: str, kept: bool = False) -> Iterator[Served]:
    """`companion serve` over a ledger of its own in ``folder``, on a free port, ended with the block. ``kept``: a game of before
    is in it.

    Raises:
        RuntimeError: it ended before it served; the message is what it said.
    """
    ledger = folder / f"{len(list(folder.iterdir()))}.ledger"
    if kept:
        with Ledger.open(ledger, log_format) as made:
            made.begin([Line(new_game(["Anna", "Bruno"], 200, "Bruno"))], archived=True)
    command = [sys.executable, "-u", "-m", "companion", "serve", *arguments, "--ledger", str(ledger), "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        said = ""
        try:
            while not (pin := re.search(r"PIN (\d+)", said)):
                line = process.stdout.readline()
                if not line:
                    raise RuntimeError(f"{' '.join(command)} ended: {said}")
                said += line
            address = re.search(r"http://[\d.]+:\d+", said)
            assert address is not None, said
            yield Served(address[0], pin[1])
        finally:
            process.kill()


@contextmanager
def page(browser: Browser, kind: dict[str, Any], url: str) -> Iterator[Page]:
    """A device of this kind at ``url``, at rest: no movement, fonts and pictures loaded."""
    context = browser.new_context(**kind, locale="it-IT", timezone_id="Europe/Rome", reduced_motion="reduce", bypass_csp=True)
    try:
        opened = context.new_page()
        opened.set_default_timeout(PATIENCE_MS)
        opened.goto(url)
        yield opened
    finally:
        context.close()


def paired(opened: Page, served: Served, to: str) -> None:
    """Pair this phone by the link of the QR code, and go to the page ``to``."""
    opened.goto(f"{served.url}/pair?next={to}#{served.pin}")
    opened.locator("main form button").tap()
    opened.wait_for_url(f"**{to}")


def taken(opened: Page) -> bytes:
    """The page as PNG, once its fonts and pictures are there."""
    opened.evaluate("document.fonts.ready")
    opened.wait_for_function("[...document.images].every(image => image.complete && image.naturalWidth)")
    return opened.screenshot(animations="disabled", caret="hide")


def squeezed(png: bytes) -> bytes:
    """The same picture in as many colours as `MOST_BYTES` allow.

    Raises:
        ValueError: no number of colours is few enough.
    """
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    for levels in COLOURS:
        step = 256 / levels
        fewer = ((np.floor(image / step) + 0.5) * step).astype(np.uint8) if levels < 256 else image
        packed = np.asarray(cv2.imencode(".png", fewer, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1]).tobytes()
        if len(packed) <= MOST_BYTES:
            return packed
    raise ValueError(f"the picture has {len(packed)} bytes in {COLOURS[-1]} levels: expected {MOST_BYTES} at most")


def first_hands(count: int) -> bytes:
    """The log of the evening up to the end of this many hands."""
    lines = EVENING.read_text("utf-8").splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines, start=1) if '"e":"end"' in line]
    return "".join(lines[: ends[count - 1]]).encode()


def tv(browser: Browser, folder: Path) -> Iterator[tuple[str, bytes]]:
    """The TV with the ruling of the second hand, dark and light."""
    log = folder / "two-hands.jsonl"
    log.write_bytes(first_hands(2))
    with serving(folder, str(log)) as served:
        for name, theme in (("tv", "dark"), ("tv-light", "light")):
            with page(browser, TV, f"{served.url}/?lang=it&theme={theme}") as opened:
                opened.locator(".ruling:not(.partial)").wait_for()
                yield name, taken(opened)


def phone(browser: Browser, folder: Path) -> Iterator[tuple[str, bytes]]:
    """The organiser's phone in mid-hand: somebody has to answer a passo."""
    with serving(folder, str(EVENING)) as served, page(browser, PHONE, served.url) as opened:
        paired(opened, served, "/organiser")
        opened.locator("#next button").first.wait_for()
        opened.wait_for_selector(".fresh", state="detached")  # buttons that have just come are dashed
        yield "phone", taken(opened)


def setup(browser: Browser, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Setting up at the bundled clip, which waits on its first picture: corners as the program found them, places tapped."""
    seats = json.loads(TABLE.read_text("utf-8"))["players"]
    with serving(folder, "--camera", str(CLIP)) as served, page(browser, PHONE, served.url) as opened:
        paired(opened, served, "/setup/table")
        opened.locator(".handle").nth(3).wait_for()
        opened.locator("#corners-form button.primary").tap()
        opened.wait_for_url("**/setup/players")  # and loaded: both pages have a picture, and this one's script has to listen
        picture = opened.locator("svg.picture")
        shown = picture.bounding_box()
        assert shown is not None
        scale = shown["width"] / float(picture.get_attribute("data-width") or "nan")
        for number, seat in enumerate(seats):
            x, y = seat["place"]
            picture.click(position={"x": x * scale, "y": y * scale})
            opened.locator("#names input").nth(number).fill(seat["name"])
        opened.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        yield "setup", taken(opened)


def italian_deck(_browser: Browser, _folder: Path) -> Iterator[tuple[str, bytes]]:
    """The 40 faces of the drawn Italian deck on green cloth, a suit a row."""
    gap, (width, height) = 6, (74, 132)
    cloth = np.full((4 * (height + gap) + gap, 10 * (width + gap) + gap, 3), (82, 104, 70), np.uint8)
    for place, kind in enumerate(KINDS):
        row, column = divmod(place, 10)
        card = raster(draw(("italian", kind), Style.standard()), width, height)
        y, x = gap + row * (height + gap), gap + column * (width + gap)
        spot, alpha = cloth[y : y + height, x : x + width], card[..., 3:] / 255
        spot[:] = np.round(card[..., :3] * alpha + spot * (1 - alpha)).astype(np.uint8)
    yield "italian-deck", cv2.imencode(".png", cloth)[1].tobytes()


ADDRESS = "http://192.168.1.20:8000"
"""Where a bar's machine might be; the one that takes the pictures has another address every time."""
PLAIN = """([address, qr]) => {
    for (const box of document.querySelectorAll(".qr")) box.innerHTML = qr;
    for (const pin of document.querySelectorAll(".pin")) pin.textContent = "123 456";
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) walk.currentNode.data = walk.currentNode.data.replace(/http:..[0-9.]+:[0-9]+/g, address)
        .replace(/20[0-9]{2}-[0-9]{2}-[0-9]{2}/, "2026-11-28");
}"""
"""Puts what is the same every time in the place of addresses, codes and days."""


def machine(browser: Browser, folder: Path) -> Iterator[tuple[str, bytes]]:
    """What the program opens on its own machine, and the copies of the evenings on the phone."""
    fixed = [ADDRESS, segno.make(f"{ADDRESS}/pair", error="m").svg_inline(scale=8, border=4, light="#fff", omitsize=True)]
    with serving(folder, "--host", "0.0.0.0", kept=True) as served:  # nosec B104 # for as long as the picture takes
        here = re.sub(r"//[\d.]+:", "//127.0.0.1:", served.url)
        with page(browser, TV, f"{here}/start") as opened:
            opened.evaluate(PLAIN, fixed)
            yield "start", taken(opened)
        with page(browser, PHONE, here) as opened:
            paired(opened, Served(here, served.pin), "/setup/backups")
            opened.locator("button.primary").tap()
            opened.locator(".games li").first.wait_for()
            opened.evaluate(PLAIN, fixed)
            yield "copies", taken(opened)


HALL = """(address) => {
    document.getElementById("code").textContent = "ABCD-EFGH-JKMN-PQRS-TVWX";
    const command = document.getElementById("command");
    const [code] = command.textContent.match(/\\S+$/);
    command.textContent = command.textContent.replace(/https?:\\S+/, address).replace(code, "ABCD-EFGH-JKMN-PQRS-TVWX");
}"""
"""The same for the code by which tables join a hall."""


def hall(browser: Browser, _folder: Path) -> Iterator[tuple[str, bytes]]:
    """The big screen of a hall of eight tables, and the phone of its organisers; nothing where PostgreSQL is missing."""
    if not installed():
        print("no pictures of a hall: they need PostgreSQL (sudo apt install postgresql)")
        return
    with square() as (url, pin):
        with page(browser, TV, f"{url}/?lang=it") as opened:
            opened.locator(".tile .name").nth(7).wait_for()
            yield "hall", taken(opened)
        with page(browser, PHONE, url) as opened:
            paired(opened, Served(url, pin), "/organiser")
            opened.locator("#tables li").nth(7).wait_for()
            opened.evaluate(HALL, "https://192.168.1.10:8101")
            yield "hall-phone", taken(opened)


SCENES: tuple[Callable[[Browser, Path], Iterator[tuple[str, bytes]]], ...] = (tv, phone, setup, machine, hall, italian_deck)


def make(out: Path) -> tuple[Path, ...]:
    """Write every picture into the folder ``out``, made if it is missing, and return the files."""
    from playwright.sync_api import sync_playwright

    out.mkdir(parents=True, exist_ok=True)
    written = []
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        for scene in SCENES:
            for name, png in scene(browser, Path(scratch)):
                path = out / f"{name}.png"
                path.write_bytes(squeezed(png))
                written.append(path)
        browser.close()
    return tuple(written)


def main() -> None:
    parser = argparse.ArgumentParser(description="Take the pictures of README.md and docs/ from the real pages.")
    parser.add_argument("--out", type=Path, default=OUT, help="folder to write (default: docs/pictures)")
    out = parser.parse_args().out
    if CHROMIUM is None:
        parser.error("needs Chromium: apt-get install chromium-headless-shell")
    for path in make(out):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()

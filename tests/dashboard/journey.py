"""What journeys through the pages share: screens whose scripts must not fail, a network camera, axe."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from serving import served

from companion.dashboard import Settings, create_app
from companion.games import log_format
from companion.ledger import Ledger
from companion.table.log import Line

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TV = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TOO_LONG_MS = 600_000
"""Milliseconds after which a page that hangs is given up."""

OUTSIDE = """selector => [...document.querySelectorAll(selector)].filter(e => { const b = e.getBoundingClientRect();
  return b.left < -1 || b.top < -1 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1; }).map(e => e.textContent)"""
"""What lies outside the screen."""

REMEMBER = """() => {
  window.remembered = [];
  const look = () => {
    if (!shown) return;
    const now = { hand: shown.hand, status: shown.status,
      lying: document.querySelectorAll(".card img").length, faces: document.querySelectorAll(".card img:not([src*=back])").length,
      payers: [...document.querySelectorAll(".ruling .payer")].map((one) => one.textContent),
      final: document.querySelector(".ruling:not(.partial)") !== null };
    if (JSON.stringify(now) !== JSON.stringify(remembered.at(-1))) remembered.push(now);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""Keeps what the TV has shown, one thing after the other."""

EFFECT = "dialog > .big + h3"
"""What a change would do is shown, below the button that does it."""


class Screens:
    """Opens pages, each a device of its own; `close` fails where a script of one has failed."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[Any] = []
        self.errors: list[str] = []

    def open(self, kind: dict[str, Any], url: str, **more: Any) -> Page:
        """A new device of this kind at ``url``."""
        page = self._device(kind, **more)
        page.goto(url)
        if more.get("java_script_enabled", True):  # else no frame is ever said to be drawn
            lettered(page)
        return page

    def _device(self, kind: dict[str, Any], **more: Any) -> Page:
        context = self._browser.new_context(**kind, reduced_motion="reduce", **more)
        self._contexts.append(context)
        page: Page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        # While a command is under way an organiser's buttons do nothing: whatever is done on the page waits for its answer.
        page.add_locator_handler(page.locator("body.busy"), lambda: None)
        return page

    def paired(
        self, url: str, pin: str, to: str = "/organiser", name: str = "", kind: dict[str, Any] = PHONE, *, script: str = "",
        **more: Any,
    ) -> Page:
        """A phone that has paired, at the page ``to``. The form is sent without its page, which costs a second; those who scan
        the code, in `test_journeys_archive` and others, fill it in. ``script``: runs before those of each page."""
        page = self._device(kind, **more)
        page.add_init_script(script)
        answer = page.request.post(f"{url}/pair", form={"pin": pin, "name": name}, max_redirects=0)
        assert answer.status == 302, answer.text()
        page.goto(f"{url}{to}")
        lettered(page)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        assert self.errors == []


_PART_OF = {"next": "now", "hand": "now", "hands": "hands", "export": "hands", "players": "players", "people": "players",
            "tv": "tv", "more": "more"}
"""Section of the organiser's page → the part of it that the bar shows it with."""


def turned(page: Page, selector: str) -> int:
    """Shows the part of the organiser's page in which this is; how many taps that took."""
    section = re.match(r"#(\w+)", selector)
    part = _PART_OF.get(section[1]) if section is not None else None
    button = page.locator(f'#bar [data-shows="{part}"]')
    if part is None or not button.count() or button.get_attribute("aria-pressed") == "true":
        return 0
    button.tap()  # the page may have turned there by itself meanwhile: then nothing changes
    return 1


def lettered(page: Page) -> None:
    """Waits till the page has its typeface, and what depends on how wide letters are has been measured with it."""
    page.evaluate("document.fonts.ready.then(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))))")


def until(page: Page, holds: str) -> None:
    """Waits till the JavaScript expression ``holds`` is true of the page.

    Playwright's own wait asks the page itself to evaluate it again and again, which our pages forbid (no ``unsafe-eval``).
    """
    end = time.monotonic() + TOO_LONG_MS / 1000
    while not page.evaluate(holds):
        assert time.monotonic() < end, f"waited {TOO_LONG_MS / 1000:g} s in vain for: {holds}"
        page.wait_for_timeout(50)


@contextmanager
def drawing_board(browser: Browser, *first: Line) -> Iterator[Page]:
    """A TV on which the tests of a module draw one view after the other, in an application whose log begins with ``first``."""
    settings = Settings(patience=6000, heartbeat=300, moment=60, rest=0)
    with Ledger.in_memory(log_format) as ledger, served(create_app(ledger, settings=settings)) as server:
        if first:
            ledger.record(ledger.new_game(), first)
        with closing(Screens(browser)) as screens:
            page = screens.open({}, server.url)
            page.locator(".message, .seat").first.wait_for(state="attached")
            yield page


BUILT_OF = """() => {
  const shown = document.querySelector("dialog[open]") ?? document.body;
  const kinds = new Set([...shown.querySelectorAll("*")].filter((one) => one.checkVisibility())
    .map((one) => `${one.tagName}.${one.className.baseVal ?? one.className}#${one.getAttribute("role") ?? ""}`));
  return [matchMedia("(prefers-color-scheme: light)").matches, [...kinds].sort().join(" ")];
}"""
"""The theme, and of which kinds of elements the page or its dialog is built."""
SERIOUS = """async () => (await axe.run({ resultTypes: ["violations"] })).violations
  .filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])"""
"""What axe finds: the rule, and the elements that break it."""
SHOWN_ALTHOUGH_HIDDEN = """() => [...document.querySelectorAll("[hidden]")].filter((one) => one.checkVisibility())
  .map((one) => one.cloneNode().outerHTML)"""
"""What a style sheet shows although the page hides it: taps on it come before anything listens."""
_looked_at = set[tuple[str, str]]()


def serious(page: Page) -> list[tuple[str, list[str]]]:
    """What axe finds seriously wrong with the page as it stands, and what shows although it is hidden: nothing where the same
    page has been seen before, built of the same kinds of elements in the same theme."""
    from axe_playwright_python.base import AXE_SCRIPT

    page.wait_for_load_state()  # a page that a tap has just opened has no body yet
    this = re.sub(r"\d+", "0", urlsplit(page.url).path), f"{'theme=light' in page.url} {page.evaluate(BUILT_OF)}"
    if this in _looked_at:
        return []
    _looked_at.add(this)
    if not page.evaluate("Boolean(window.axe)"):  # once a page: it is half a megabyte
        page.evaluate(AXE_SCRIPT)
    shown = page.evaluate(SHOWN_ALTHOUGH_HIDDEN)
    return [(id, nodes) for id, nodes in page.evaluate(SERIOUS)] + ([("hidden", shown)] if shown else [])


def copied(ledger: Path, folder: Path) -> Path:
    """A ledger that nobody has open, copied."""
    return Path(shutil.copy(ledger, folder / "copy.ledger"))

"""How long the TV's page takes, opened for the first time, until the ruling stands there; how large it is, in how many requests.

    python -m benchmarks.bench_pages [--runs 15] [--mbit 20] [--delay 5]

Chromium opens the page over the loopback interface, slowed down to ``--mbit`` and ``--delay`` ms each way, as a bar's Wi-Fi may
be: cold, with nothing kept, and once more, with what it has kept. Told are medians (least to most) in milliseconds of wall-clock
time, from asking for the address to the moment at which the ruling can be read: until its typeface is there the browser leaves
letters out. Wanted: a cold load below 500 ms on two cores.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import threading
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from companion.assets import asset
from companion.dashboard import create_app
from companion.dashboard.serve import Server
from companion.games import log_format, read_lines
from companion.ledger import Ledger
from companion.table.log import tag

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""Debian's; None: playwright's own."""
RULING = ".headline"
"""The lowest card and who pays, in large letters."""
SEEN = f"""
window.ruled = new Promise((can_be_read) => new MutationObserver((_, watching) => {{
  if (!document.querySelector("{RULING}")) return;
  watching.disconnect();
  // Which typefaces it needs is known once it has been laid out, in the next picture.
  requestAnimationFrame(() => requestAnimationFrame(async () => {{
    await document.fonts.ready;
    can_be_read(performance.now());
  }}));
}}).observe(document, {{ childList: true, subtree: true }}));
"""


def ruled_evening(ledger: Ledger) -> None:
    """The demo's game as it stands at the end of its first hand."""
    lines = read_lines(asset("datasets/demo/log.jsonl").read_bytes())
    end = next(at for at, line in enumerate(lines) if tag(line.event) == "end")
    ledger.record(ledger.new_game(source="demo"), lines[: end + 1])


class Loads:
    """A browser's window that has kept nothing yet, behind a slow network. ``bytes``, ``requests``: of the last load."""

    def __init__(self, context: BrowserContext, mbit: float, delay_ms: float) -> None:
        self._page = context.new_page()
        self._page.add_init_script(SEEN)
        wire = context.new_cdp_session(self._page)
        wire.send("Network.enable")
        rate = mbit * 1e6 / 8
        wire.send("Network.emulateNetworkConditions",
                  {"offline": False, "latency": 2 * delay_ms, "downloadThroughput": rate, "uploadThroughput": rate})  # fmt: skip
        wire.on("Network.loadingFinished", self._loaded)
        self.bytes = self.requests = 0

    def _loaded(self, event: Any) -> None:
        self.bytes += int(event["encodedDataLength"])
        self.requests += event["encodedDataLength"] > 0

    def load(self, url: str) -> float:
        """Milliseconds until the ruling is there."""
        self.bytes = self.requests = 0
        self._page.goto(url)
        self._page.wait_for_load_state("load")
        return float(self._page.evaluate("window.ruled"))  # a promise: pages forbid what `wait_for_function` does


def measured(browser: Browser, url: str, runs: int, mbit: float, delay_ms: float) -> dict[str, list[tuple[float, int, int]]]:
    """(milliseconds, bytes, requests) of each load: cold, and again."""
    found: dict[str, list[tuple[float, int, int]]] = {"cold": [], "again": []}
    for _ in range(runs):
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        loads = Loads(context, mbit, delay_ms)
        for which in found:
            took = loads.load(url)
            found[which].append((took, loads.bytes, loads.requests))
        context.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--mbit", type=float, default=20.0)
    parser.add_argument("--delay", type=float, default=5.0)
    asked = parser.parse_args()
    with Ledger.in_memory(log_format) as ledger, sync_playwright() as playwright:
        ruled_evening(ledger)
        server = Server(create_app(ledger), "127.0.0.1", 0)
        serving = threading.Thread(target=server.run)
        serving.start()
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            found = measured(browser, f"{server.here}/?lang=en", asked.runs, asked.mbit, asked.delay)
            browser.close()
        finally:
            server.close()
            serving.join()
    print(f"{asked.mbit:g} Mbit/s, {asked.delay:g} ms each way\n\n| load | ms to the ruling | kB | requests |\n|---|---|---|---|")
    for which, loads in found.items():
        times = [took for took, _, _ in loads]
        spread = f"{statistics.median(times):.0f} ({min(times):.0f} to {max(times):.0f})"
        print(f"| {which} | {spread} | {statistics.median(size for _, size, _ in loads) / 1000:.1f} | {loads[-1][2]} |")


if __name__ == "__main__":
    main()

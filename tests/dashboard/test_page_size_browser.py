"""What the TV's page takes through the network, as `benchmarks/bench_pages.py` counts it, is what the figures say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks import bench_pages
from companion.dashboard.serve import Server
from companion.ledger import Ledger

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FIGURES = Path(__file__).parents[2] / "docs" / "figures.md"
TOLD = re.compile(r"Opened for the first time it takes (\d+) kB in (\d+) requests.*, and once more (\d+\.\d) kB in one\.")


@pytest.mark.browser
def test_the_figures_say_what_the_page_takes(chromium: Browser, ledger: Ledger, server: Server) -> None:
    """It said 83 kB for a day after the pages had got a typeface of their own, which alone takes 127."""
    told = TOLD.search(FIGURES.read_text("utf-8"))
    assert told is not None, "docs/figures.md no longer says how large the TV's page is, or says it in other words"
    bench_pages.ruled_evening(ledger)
    loads = bench_pages.measured(chromium, f"{server.here}/?lang=en", 1, 1000.0, 0.0)
    ((_, cold, requests),), ((_, again, once),) = loads["cold"], loads["again"]
    assert cold / 1000 == pytest.approx(int(told[1]), rel=0.05)
    assert requests == pytest.approx(int(told[2]), abs=2)
    assert again / 1000 == pytest.approx(float(told[3]), rel=0.2)
    assert once == 1

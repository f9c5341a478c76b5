"""What every room's tests may ask for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.games import log_format
from companion.ledger import Ledger

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest_plugins = ["processor", "exploring"]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder beside the checkout with scans, photos and the rules made exact; never part of the product.

    It is `../shared`, or what COMPANION_SHARED says. Where it is missing the test is skipped, and says so.
    """
    folder = Path(os.environ.get("COMPANION_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    if not folder.is_dir():
        pytest.skip(f"needs {folder} (or COMPANION_SHARED), which is not there")
    return folder


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    """A ledger in memory, of any game."""
    with Ledger.in_memory(log_format) as opened:
        yield opened


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, one for all tests, in contexts of their own; where it is missing they are skipped.

    The one without windows is the same browser, and opens a page for a third of the work. Whatever a page is expected to show has
    a minute to come: a busy machine takes its time.
    """
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        pytest.skip("needs Chromium: apt-get install chromium-headless-shell, or chromium")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--accept-lang=it-IT"]
        browser = playwright.chromium.launch(executable_path=found, args=arguments)
        yield browser
        browser.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Rooms with slow tests come first where several workers share them out: else one is left with a long one in the end."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        slow = {item.path for item in items if item.get_closest_marker("slow") or item.get_closest_marker("browser")}
        items.sort(key=lambda item: item.path not in slow)

"""`companion demo` before a TV: what Chromium shows of the bundled clip is what really happened in it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from companion.assets import asset
from companion.games import stu
from companion.games.stu.rules.log import read_lines

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")


pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_the_clips_last_ruling_stands_on_the_tv(chromium: sync_api.Browser) -> None:
    true = stu.replay(read_lines((asset("datasets/demo") / "log.jsonl").read_bytes()))
    command = [sys.executable, "-u", "-m", "companion", "demo", "--port", "0", "--pace", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        try:
            assert demo.stdout is not None
            address = re.search(r"http://[\d.]+:\d+", demo.stdout.readline())
            assert address
            page = chromium.new_page(viewport={"width": 1920, "height": 1080})
            page.goto(address[0])
            page.evaluate("window.notReloaded = true")
            ruling = page.locator(".ruling:not(.partial) .payer")
            payers = list(dict.fromkeys(payment.player for payment in true.hands[-1].payments))
            sync_api.expect(ruling).to_have_text(payers, timeout=300_000)
            assert page.evaluate("window.notReloaded")
            page.close()
        finally:
            demo.kill()

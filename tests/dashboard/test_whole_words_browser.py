"""No word is broken inside on a phone of 360 pixels, on any page of organisers, in either theme."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from journey import EFFECT, PHONE, Screens, turned
from test_set import CASES, STU, begun, played

from companion.dashboard import Settings, create_app
from companion.dashboard.serve import Server
from companion.ledger import Ledger

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

BROKEN = r"""() => {
  const found = [], within = document.querySelector("dialog[open]") || document.body;
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    for (const word of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].filter((one) => one.width > 1).map((one) => Math.round(one.top)));
      if (tops.size > 1) found.push(word[0]);
    }
  }
  return found;
}"""
"""Words whose parts stand on different lines, of the dialog that is open, else of the page."""

PARTED = r"""() => {
  const found = [], walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    for (const sum of node.data.matchAll(/[\d,.]+\s€/gu)) {
      const range = document.createRange();
      range.setStart(node, sum.index);
      range.setEnd(node, sum.index + sum[0].length);
      const tops = new Set([...range.getClientRects()].filter((one) => one.width > 1).map((one) => Math.round(one.top)));
      if (tops.size > 1) found.push(node.data);
    }
  }
  return found;
}"""
"""Texts in which a sum and its sign stand on different lines."""

PAGES = ("/setup", "/setup/game", "/setup/players", "/setup/games", "/setup/backups", "/setup/doctor", "/setup/decks",
         "/organiser/phones", "/season", "/organiser/games/1/sheet")  # fmt: skip


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    return create_app(ledger, settings=Settings(heartbeat=0.5, patience=60, moment=600))


def narrow(theme: str) -> dict[str, Any]:
    return {**PHONE, "viewport": {"width": 360, "height": 740}, "color_scheme": theme, "locale": "it-IT"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_word_is_broken_inside(app: Flask, ledger: Ledger, screens: Screens, server: Server, theme: str) -> None:
    begun(ledger, {**STU, "standing": {"Anna": {"pedine": 0, "virgin": False}}})
    phone = screens.paired(server.url, app.extensions["pairing"].pin.digits, kind=narrow(theme))
    broken = {}
    for part in ("next", "hands", "players", "tv", "more"):
        turned(phone, f"#{part}")
        broken[part] = phone.evaluate(BROKEN)
    turned(phone, "#more")
    phone.locator('#more [data-key="rebuy"]').tap()
    sync_api.expect(phone.locator("dialog[open] .big").first).to_be_visible()
    broken["ricompera"] = phone.evaluate(BROKEN)
    phone.locator("dialog[open] .big:not(.fresh)").first.tap()
    sync_api.expect(phone.locator(EFFECT)).to_be_visible()
    sync_api.expect(phone.locator("dialog[open]")).to_contain_text("Montepremi")
    broken["preview"] = phone.evaluate(BROKEN)
    for address in PAGES:
        phone.goto(f"{server.url}{address}")
        broken[address] = phone.evaluate(BROKEN)
    assert not any(broken.values()), {where: words for where, words in broken.items() if words}


@pytest.mark.parametrize("case", CASES)
def test_no_sum_is_parted_from_its_sign(app: Flask, ledger: Ledger, screens: Screens, server: Server, case: str) -> None:
    played(app, ledger, case)
    phone = screens.paired(server.url, app.extensions["pairing"].pin.digits)
    parted = {}
    for part in ("next", "hands", "players"):
        turned(phone, f"#{part}")
        for width in range(320, 440, 4):
            phone.set_viewport_size({"width": width, "height": 844})
            parted[part, width] = phone.evaluate(PARTED)
    assert not any(parted.values()), {at: texts for at, texts in parted.items() if texts}

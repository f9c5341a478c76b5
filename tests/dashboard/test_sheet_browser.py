"""The sheet to print, as wide as A4."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from games import GAME, lines
from journey import Screens

from companion.dashboard.serve import Server
from companion.ledger import Ledger

pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser

A4 = {"viewport": {"width": 794, "height": 1123}}
BROKEN_SUMS = """() => [...document.querySelectorAll("td")].filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return /^[-\\d.,]+$/.test(cell.textContent) && range.getClientRects().length > 1;
}).map((cell) => cell.textContent)"""
"""Sums that begin on one line and end on another."""


@pytest.mark.pages
def test_no_sum_is_broken_beside_long_reasons_and_names(app: Flask, server: Server, ledger: Ledger, screens: Screens) -> None:
    standing = {name: {"pedine": pedine, "virgin": False} for name, pedine in (("Anna", 1), ("Bruno", 1), ("Carla", 0))}
    first = json.dumps({**json.loads(GAME), "stake": 12_345_600, "standing": standing})
    split = '{"e":"split","shares":{"Anna":0.6,"Bruno":0.4}}'
    shown = ('{"e":"hand"}', '{"e":"reveal","by":"Anna","card":"9"}', '{"e":"reveal","by":"Bruno","card":"2"}', '{"e":"end"}')
    ledger.record(game := ledger.new_game(), lines(first, split, *shown))
    page = screens.paired(server.url, app.extensions["pairing"].pin.digits, f"/organiser/games/{game}/sheet", kind=A4)
    assert "148.147,20" in page.locator("table:last-of-type").inner_text()
    assert page.evaluate(BROKEN_SUMS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

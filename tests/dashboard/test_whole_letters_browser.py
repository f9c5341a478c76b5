"""No accent and no foot of a letter is cut off, as of É and the g of vergine: on the TV, a spectator's phone, the organiser's."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from journey import PHONE, TV, Screens
from phones import Phone

from companion.dashboard.serve import Server
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

NAMES = ["Peppe", "Élodie", "Ôrsola", "Ùrsula", "Ezio", "Gigi", "Ægidio", "Ivo"]
SCREENS: dict[str, dict[str, Any]] = {
    "tv": TV, "large letters": TV, "large tv": {"viewport": {"width": 1920, "height": 1080}}, "spectator": PHONE,
}  # fmt: skip

CUT = r"""() => {
  const found = [], pen = document.createElement("canvas").getContext("2d");
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, holder = text.parentElement;
    if (!text.data.trim() || !holder.checkVisibility({ visibilityProperty: true })) continue;
    if (holder.closest(".spoken, script, noscript, svg, select, [hidden]")) continue;
    const style = getComputedStyle(holder), range = document.createRange();
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    for (const word of text.data.matchAll(/\S+/g)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const ink = pen.measureText(word[0]), [line] = range.getClientRects();
      if (!line) continue;
      const base = line.top + ink.fontBoundingBoxAscent;
      const top = base - ink.actualBoundingBoxAscent, bottom = base + ink.actualBoundingBoxDescent;
      for (let box = holder; box && box !== document.body; box = box.parentElement) {
        const edge = box.getBoundingClientRect();
        if (getComputedStyle(box).overflow !== "visible" && (top < edge.top - 0.6 || bottom > edge.bottom + 0.6))
          found.push(`${word[0]} in ${box.id || box.className || box.localName}`);
      }
    }
  }
  return [...new Set(found)];
}"""
"""The words whose letters are cut by a box at their head or foot, measured by what their font draws."""


@pytest.fixture
def game(ledger: Ledger) -> int:
    return EveningRecorder.begin(ledger, new_game(NAMES, 200, "Ivo")).game_id


@pytest.mark.parametrize("whose", [*SCREENS, "organiser"])
def test_accents_and_feet_of_letters_are_whole(app: Flask, game: int, server: Server, screens: Screens, whose: str) -> None:
    told = Phone(app)
    told.say({"e": "hand"})
    told.say({"e": "sto", "by": "Peppe"})
    told.say({"e": "passo", "by": "Élodie"}, {"e": "reveal", "by": "Ôrsola", "card": "gnao"})
    digits: str = app.extensions["pairing"].pin.digits
    page = screens.paired(server.url, digits) if whose == "organiser" else screens.open(SCREENS[whose], server.url)
    sync_api.expect(page.locator("body")).to_contain_text("Gnao")
    if whose == "large letters":
        page.keyboard.press("+")
        assert page.locator("#happened").evaluate("line => parseFloat(getComputedStyle(line).fontSize)") > 30  # has room
    cut = page.evaluate(CUT)
    assert cut == [], "\n".join(cut)

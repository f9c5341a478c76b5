"""Views of the TV as the pages of Lu Stù make them, with as many players and payments as a test wants to see; and what is wrong
with how a page shows one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.dashboard import Settings
from companion.dashboard.feed import Feed
from companion.games import log_format
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings as Evening
from companion.games.stu.pages.commentary import payment_view
from companion.games.stu.pages.view import StuView
from companion.games.stu.rules.state import RULE_OF, Payment
from companion.ledger import Ledger
from companion.table.language import Lang
from companion.table.ruling import ruling_view

NAMES = (
    "Filomena", "Nicola", "Maria Antonietta", "Giuseppe", "Massimiliano", "Anna", "Domenico", "Elisabetta", "Pasquale", "Rosa",
    "Giandomenico", "Lucia", "Vincenzo", "Addolorata", "Berardo", "Carla", "Sante", "Mariantonia", "Gino", "Concetta",
)  # fmt: skip
CAUSES: tuple[Any, ...] = (
    ("gnaffata", -1, "3"), ("lowest", -1, "mascherone"), ("bbummata", -1, "bragon"), ("matto", -1, "matto"),
    ("penalty", -1, None), ("taverna_for_nulla", -1, "nulla"), ("two_matti", 1, "matto"), ("penalty", -1, None),
)  # fmt: skip
"""Cause, pedine and card of the first, second, … payment: the seventh is a gain."""


@lru_cache(maxsize=64)
def evening(players: int, lang: Lang = "it") -> StuView:
    """After two hands of so many players."""
    with Ledger.in_memory(log_format) as ledger:
        ledger.record(ledger.new_game(), simulate(Evening(players=NAMES[:players]), hands=2, seed=players))
        view = Feed(ledger, Settings()).snapshot().view(lang)
    assert isinstance(view, StuView)
    return view


def ruled(players: int, payments: int, *, sure: bool = True, lang: Lang = "it", notes: tuple[str, ...] = ()) -> StuView:
    """The same, with so many payments, one a player before anybody pays twice."""
    view = evening(players, lang)
    paid = []
    for number in range(payments):
        cause, delta, card = CAUSES[number]
        by = NAMES[(number + 1) % players]
        paid.append(Payment(NAMES[number % players], delta, cause, RULE_OF[cause], by, card))
    shown = [payment_view(payment, lang, NAMES[players - 1]) for payment in paid]
    ruling = ruling_view(view.hand, shown, lang, final=True, sure=sure, confidence=None if sure else 0.7, notes=notes)
    change = {row.player: row.delta for row in ruling.sums}
    seats = tuple(
        replace(
            seat, change=change.get(seat.name), believed=not sure and seat.name in change,
            virgin=seat.virgin and seat.name not in change,
        )
        for seat in view.seats
    )  # fmt: skip
    return replace(view, ruling=ruling, seats=seats)


def plain(view: StuView) -> Any:
    """As the stream tells it."""
    return msgspec.json.decode(msgspec.json.encode(view))


TROUBLE = """(mayScroll) => {
  const found = [], seen = (e) => e.checkVisibility({ visibilityProperty: true });
  const name = (e) => `${e.className || e.id || e.tagName}: ${e.textContent.trim().replace(/\\s+/g, " ").slice(0, 60)}`;
  const apart = (p, q, by = 1.5) => p.right <= q.left + by || q.right <= p.left + by || p.bottom <= q.top + by || q.bottom <= p.top + by;
  const inside = (p, q, by = 1.5) => p.left >= q.left - by && p.right <= q.right + by && p.top >= q.top - by && p.bottom <= q.bottom + by;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
  const pairs = (list, box) => list.forEach((a, i) => list.slice(i + 1).forEach((b) => {
    if (!a.contains(b) && !b.contains(a) && !apart(box(a), box(b))) found.push(`${name(a)} overlaps ${name(b)}`); }));
  const rect = (e) => e.getBoundingClientRect();
  pairs(all(".plate, .ruling, .message, .corrected, .title, .won, header, #notices, #idle > *"), rect);
  for (const card of all(".card img, .pedine, .mark, .role, .face")) {
    const box = card.closest(".plate");
    if (box && !inside(rect(card), rect(box))) found.push(`${name(card)} leaves its box`);
    const bare = rect(card);
    if (!bare.width || !bare.height) found.push(`${name(card)} is nothing`);
  }
  for (const box of all(".plate, .ruling, .headline, .payment, .message, .card img")) { // and nothing lies over them
    const { left, top, width, height } = rect(box), x = left + width / 2, y = top + height / 2;
    const there = y < innerHeight ? document.elementFromPoint(x, y) : box;
    if (!there || (!box.contains(there) && !there.contains(box)) || there.contains(document.getElementById("table"))) found.push(`${name(box)} is covered`);
  }
  for (const box of all(".plate")) pairs([...box.querySelectorAll(".card, .called, .pedine, .virgin, .mark, .role, .face")].filter(seen), rect);
  const screen = { left: 0, top: 0, right: innerWidth, bottom: mayScroll ? Infinity : innerHeight };
  const lines = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, holder = text.parentElement;
    if (!text.textContent.trim() || !seen(holder) || holder.closest(".spoken, script, noscript, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const line of range.getClientRects()) {
      if (line.width < 1) continue;
      const slack = line.height * 0.2; // letters are lower than the line that a font asks for
      const ink = { left: line.left, right: line.right, top: line.top + slack, bottom: line.bottom - slack };
      const page = { ...ink, top: ink.top + scrollY, bottom: ink.bottom + scrollY };
      if (!inside(page, screen)) found.push(`${name(holder)} leaves the screen`);
      for (let box = holder; box && box !== document.body; box = box.parentElement)
        if (getComputedStyle(box).overflow !== "visible" && !inside(ink, rect(box), 2)) { found.push(`${name(holder)} is cut by ${box.className || box.id}`); break; }
      lines.push([holder, ink]);
    }
  }
  lines.forEach(([a, p], i) => lines.slice(i + 1).forEach(([b, q]) => { if (a !== b && !apart(p, q, 1)) found.push(`${name(a)} runs into ${name(b)}`); }));
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the screen");
  if (!mayScroll && document.documentElement.scrollHeight > innerHeight) found.push("the page is taller than the screen");
  return [...new Set(found)];
}"""
"""What covers what, what leaves its box, and which text is cut; with whether the page may be taller than the screen."""

SMALLEST = """selector => Math.min(...[...document.querySelectorAll(selector)].filter(e => e.checkVisibility())
  .map(e => parseFloat(getComputedStyle(e).fontSize)))"""
"""Pixels of the smallest letters."""

CONTRAST = """() => {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => { // of any notation
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = "#000";
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const light = ([r, g, b]) => [r, g, b].map((one) => one / 255)
    .reduce((sum, one, i) => sum + [0.2126, 0.7152, 0.0722][i] * (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4), 0);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const colours = (style) => [...style.backgroundImage.matchAll(/(?:rgba?|color)\\([^()]*\\)/g)].map(([one]) => rgba(one));
  const grounds = (element) => { // every colour that may lie behind it
    for (let box = element; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      const own = colours(style), flat = rgba(style.backgroundColor);
      if (own.length) return own;
      if (flat[3] > 0.85) return [flat];
      if (box.id === "table") return [...colours(getComputedStyle(document.getElementById("felt"))), rgba(getComputedStyle(document.documentElement).backgroundColor)];
    }
    return [rgba(getComputedStyle(document.documentElement).backgroundColor)];
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!text || !element.checkVisibility({ visibilityProperty: true }) || element.closest(".spoken, script, noscript, title, svg#arrow")) continue;
    const style = getComputedStyle(element);
    const ink = rgba(element.closest("svg") ? style.fill : style.color);
    let opacity = 1;
    for (let box = element; box; box = box.parentElement) opacity *= parseFloat(getComputedStyle(box).opacity);
    const worst = Math.min(...grounds(element).map((ground) => ratio(ink.map((one, i) => i < 3 ? one * opacity + ground[i] * (1 - opacity) : 1), ground)));
    if (worst < 4.5) poor.push(`${element.className.baseVal ?? element.className}: ${element.textContent.trim().slice(0, 40)}: ${worst.toFixed(2)}`);
  }
  return [...new Set(poor)];
}"""
"""Texts whose contrast to any colour behind them is below 4.5, which axe does not tell of a gradient."""

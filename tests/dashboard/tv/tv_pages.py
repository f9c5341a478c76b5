"""What tests of the TV's page share: logs, screens, what is small, outside or on top of its like."""

from __future__ import annotations

import pytest
from games import GNAFFATA, lines

from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings as Evening
from companion.games.stu.bots.settings import seated
from companion.table.log import Line

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")


TVS = [
    *((players, (1280, 720)) for players in [2, 3, 5, 8, 9, 10, 12, 13, 16, 17, 20]),
    (5, (1920, 1080)), (20, (1920, 1080)), (2, (3840, 2160)), (12, (3840, 2160)), (20, (3840, 2160)),
    (12, (1024, 768)), (12, (2560, 1080)),  # an old projector, a very wide screen
]  # fmt: skip


ALWAYS = [(2, (1280, 720)), (12, (1280, 720)), (20, (1920, 1080))]


def evening(players: int, hands: int = 2) -> tuple[Line, ...]:
    return simulate(Evening(players=seated(players)), hands=hands, seed=players)


NAMES = [
    "<img src=x onerror=\"document.title='pwned'\">",
    "W" * 200,
    "مريم العربية",
    "Z̷̡̛͎a̸̧̛l̴̡̛g̵̨̛ơ̶̡",
    "👵🏽👨‍👩‍👧‍👦",
    "{player}",
    "a\u202eb",
]


LONGEST_LABELS = """() => { for (const seat of shown.seats) seat.card = {face: "mascherone", name: "Mascherone"};
  draw(shown); }"""


# What is smaller than this many pixels, lies outside the screen, or on top of its like.
SMALL = """least => [...document.querySelectorAll('header *, main *, #happened *')]
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) && e.checkVisibility())
  .filter(e => parseFloat(getComputedStyle(e).fontSize) < least - 0.01).map(e => e.className + ': ' + e.textContent)"""


OUTSIDE = """selector => [...document.querySelectorAll(selector)].filter(e => { const b = e.getBoundingClientRect();
  return b.left < -1 || b.top < -1 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1; }).map(e => e.textContent)"""


OVERLAPS = """selector => { const all =
  [...document.querySelectorAll(selector)].map(e => [e.textContent, e.getBoundingClientRect()]);
  return all.flatMap(([a, p], i) => all.slice(i + 1).filter(([, q]) => p.left < q.right - 2 && q.left < p.right - 2 &&
    p.top < q.bottom - 2 && q.top < p.bottom - 2).map(([b]) => [a, b])); }"""


def overlaps(page: sync_api.Page, selector: str) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(OVERLAPS, selector)
    return found


def corrected(*changes: tuple[str, str]) -> tuple[Line, ...]:
    """The gnaffata's log with these lines put in place of others."""
    return lines(*(dict(changes).get(line, line) for line in GNAFFATA))

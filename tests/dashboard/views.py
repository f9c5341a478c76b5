"""Views of the TV as the pages of Lu Stù make them, with as many players and payments as a test wants to see; and what is wrong
with how a page shows one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import pytest
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
from companion.pages.ruling import ruling_view
from companion.pages.view import View
from companion.table.language import Lang

if TYPE_CHECKING:
    from journey import Screens
    from playwright.sync_api import Page

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
    """After two hands of this many players."""
    with Ledger.in_memory(log_format) as ledger:
        ledger.record(ledger.new_game(), simulate(Evening(players=NAMES[:players]), hands=2, seed=players))
        view = Feed(ledger, Settings()).snapshot().view(lang)
    assert isinstance(view, StuView)
    return view


def ruled(players: int, payments: int, *, sure: bool = True, lang: Lang = "it", notes: tuple[str, ...] = ()) -> StuView:
    """The same, with this many payments, one a player before anybody pays twice."""
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


def plain(view: View) -> Any:
    """As the stream tells it."""
    return msgspec.json.decode(msgspec.json.encode(view))


TROUBLE = (Path(__file__).parent / "trouble.js").read_text("utf-8")
"""What covers what, what leaves its box, and which text is cut; with whether the page may be taller than the screen."""

SMALLEST = """selector => Math.min(...[...document.querySelectorAll(selector)].filter(e => e.checkVisibility())
  .map(e => parseFloat(getComputedStyle(e).fontSize)))"""
"""Pixels of the smallest letters."""
LARGEST = SMALLEST.replace("min", "max")
"""Pixels of the largest letters."""

AnyView = TypeVar("AnyView", bound=View)
FOUR_METRES = (1920, 1080)
"""The screen on which letters are measured: a TV that is read from four metres."""


LOOKED_AT = f"""([views, letters, mayScroll]) => {{
  const trouble = {TROUBLE}, smallest = {SMALLEST};
  return views.map((view, at) => {{
    (DRAW)(view);
    const sizes = letters[at].map(([selector, least]) => [selector, smallest(selector), least]);
    return [trouble(mayScroll), sizes.filter(([, size, least]) => size < least)];
  }}); }}"""
"""Of each view that `DRAW` draws what is wrong, and which letters are smaller than they must be. All views in one go: a browser
that gets no time to paint what it has laid out works less."""


def check_room(
    page: Page, draw: str, views: Mapping[str, AnyView], screen: tuple[int, int],
    letters: Callable[[AnyView], Mapping[str, float]], may_scroll: bool = False,
) -> None:  # fmt: skip
    """On a screen of this size nothing covers a seat and no text is cut, in every view; on a TV letters are as large as they
    must be. ``draw``: the script that draws a view. ``letters``: selector → least size in pixels, of a view."""
    page.set_viewport_size({"width": screen[0], "height": screen[1]})
    least = [list(letters(view).items()) if screen == FOUR_METRES else [] for view in views.values()]
    found = page.evaluate(LOOKED_AT.replace("DRAW", draw), [[plain(view) for view in views.values()], least, may_scroll])
    for state, (trouble, small) in zip(views, found, strict=True):
        assert (trouble, small) == ([], []), f"{state}: {trouble} {small}"


def check_bigger_letters(page: Page, draw: str, views: Mapping[str, View], largest_sum: float) -> None:
    """With A+ no text is cut on a TV, in every view. ``draw``: the script that draws a view; ``largest_sum``: least size in
    pixels of the largest sum that a player has."""
    page.set_viewport_size({"width": FOUR_METRES[0], "height": FOUR_METRES[1]})
    page.evaluate("switchLetters")
    try:
        for state, view in views.items():
            page.evaluate(draw, plain(view))
            assert page.evaluate(TROUBLE, False) == [], state
            assert page.evaluate(LARGEST, ".plate .balance") >= largest_sum, state
    finally:
        page.evaluate("switchLetters")


CONTRAST = (Path(__file__).parent / "contrast.js").read_text("utf-8")
"""Texts whose contrast to any colour behind them is below 4.5, which axe does not tell of a gradient."""


def check_contrast(screens: Screens, url: str, theme: str, draw: str, views: Mapping[str, View]) -> None:
    """On a TV in this theme every text stands out, in every view. ``draw``: the script that draws one."""
    from playwright.sync_api import expect

    page = screens.open({"viewport": {"width": 1280, "height": 720}}, f"{url}/?theme={theme}")
    expect(page.locator(".message")).to_be_visible()
    every = f"views => {{ const poor = {CONTRAST}; return views.map((view) => {{ ({draw})(view); return poor(); }}); }}"
    found = page.evaluate(every, [plain(view) for view in views.values()])
    assert [(state, poor) for state, poor in zip(views, found, strict=True) if poor] == []


Value = TypeVar("Value")


def mostly(values: Iterable[Value], always: Collection[Value]) -> list[Any]:
    """The ``values`` of a test's parameter: those that are not among ``always`` are tried in `make test-all` only."""
    values = list(values)
    assert set(always) <= set(values)
    return [value if value in always else pytest.param(value, marks=pytest.mark.screens) for value in values]


def size(screen: tuple[int, int]) -> str:
    """A screen's name among a test's parameters."""
    return f"{screen[0]}x{screen[1]}"

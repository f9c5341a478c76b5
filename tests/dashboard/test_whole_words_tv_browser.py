"""No word on the TV is cut inside, in any of the games, however many play and whatever the table is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from journey import drawing_board
from views import NAMES, mostly, plain

from companion.dashboard.feed import Snapshot, replayed
from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES
from companion.games.stoper import bots as stoper
from companion.games.stoppa import bots as stoppa
from companion.games.stu import bots as stu
from companion.table.log import Line

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytestmark = pytest.mark.browser

TABLES = mostly(
    [
        *(("stu", players) for players in (2, 3, 5, 8, 10, 12, 13, 16, 17, 18, 20)),
        *(("stoppa", players) for players in range(3, 7)),
        *(("stoper", players) for players in range(4, 7)),
    ],
    [("stu", 17), ("stu", 20), ("stoppa", 5), ("stoper", 5)],
)  # fmt: skip
LOOKS = [((1280, 720), False), ((1920, 1080), True), ((1024, 768), False)]
"""Screens, and whether their letters are large."""

CUT = r"""() => {
  const found = [], seen = (e) => e.checkVisibility({ visibilityProperty: true });
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, holder = text.parentElement;
    if (!text.data.trim() || !seen(holder) || holder.closest(".spoken, script, noscript, svg, [hidden]")) continue;
    const range = document.createRange();
    for (const word of text.data.matchAll(/\S+/g)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      for (const { left, right, top, bottom, width, height } of range.getClientRects()) {
        const slack = height * 0.2; // letters are lower than the line that a font asks for
        const wide = (box) => left < box.left - 2 || right > box.right + 2;
        const out = (box) => wide(box) || top + slack < box.top - 2 || bottom - slack > box.bottom + 2;
        if (width < 1) continue;
        if (out(screen)) found.push(`${word[0]} leaves the screen`);
        for (let box = holder; box && box !== document.body; box = box.parentElement)
          if (getComputedStyle(box).overflow !== "visible" && out(box.getBoundingClientRect()))
            found.push(`${word[0]} is cut by ${box.id || box.className}`);
      }
    }
  }
  return [...new Set(found)];
}"""
"""The words that are not to be seen whole, as something cuts them off."""
DRAWN = f"""([views, large]) => {{
  const cut = {CUT};
  document.body.classList.toggle("large-letters", large);
  return views.map((view) => {{
    draw(view);
    const all = cut();
    $("moment").hidden = true;
    return [...new Set([...all, ...cut()])];
  }});
}}"""
TOLD = f"""notices => {{ showNotices(notices); const found = ({CUT})(); showNotices([]); return found; }}"""


def of_an_evening(game: str, players: int) -> list[dict[str, Any]]:
    """What the TV shows in an evening, as the stream tells it, in both languages."""
    names = NAMES[:players]
    logs: Mapping[str, Any] = {
        "stu": lambda: stu.simulate(stu.Settings(players=names, edition="piazza-2010"), hands=4, seed=0),
        "stoppa": lambda: stoppa.simulate(stoppa.Settings(players=names), hands=30, seed=0),
        "stoper": lambda: stoper.simulate(stoper.Settings(players=names), hands=30, seed=0),
    }
    return shown(logs[game]())


def shown(log: tuple[Line, ...]) -> list[dict[str, Any]]:
    game = GAMES[log[0].event.game]
    moments = replayed(game, log)
    ends = sorted({*range(1, len(moments) + 1, max(1, len(moments) // 12)), len(moments)})
    return [plain(Snapshot(1, at, game, moments[:at], DEFAULTS).view(lang)) for lang in ("it", "en") for at in ends]


@pytest.fixture
def board(request: pytest.FixtureRequest, chromium: sync_api.Browser) -> Iterator[tuple[sync_api.Page, str, int]]:
    game, players = request.param
    first = {"stu": stu, "stoppa": stoppa, "stoper": stoper}[game]
    with drawing_board(chromium, first.simulate(first.Settings(players=NAMES[:players]), hands=1, seed=0)[0]) as page:
        yield page, game, players


@pytest.mark.parametrize("board", TABLES, indirect=True, ids=str)
def test_no_word_is_cut_in_a_whole_evening(board: tuple[sync_api.Page, str, int]) -> None:
    page, game, players = board
    views = of_an_evening(game, players)
    for (width, height), large in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(DRAWN, [views, large])
        cut = {word for words in found for word in words}
        assert not cut, (width, large, sorted(cut)[:20])


@pytest.mark.parametrize("board", [("stu", 20)], indirect=True, ids=str)
def test_a_sentence_of_any_length_ends_behind_a_whole_word(board: tuple[sync_api.Page, str, int]) -> None:
    """The table says at once how twenty players stand, and why."""
    page, _game, _players = board
    rules = GAMES["stu"].rules
    first = stu.simulate(stu.Settings(players=NAMES), hands=1, seed=0)[0]
    stands = {name: {"pedine": 2, "virgin": False} for name in NAMES}
    set_ = rules.LOG.event({"e": "set", "standing": stands, "reason": "si è contato di nuovo " * 8})
    views = shown((first, Line(set_)))
    for (width, height), large in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(DRAWN, [views, large]) == [[] for _ in views]
        page.evaluate("view => { draw(view); $('moment').hidden = true; }", views[1])
        said, whole = page.locator("#happened").inner_text(), views[1]["happened"][-1]
        assert said.endswith(" …")
        assert whole.startswith(said.removesuffix("…"))
        assert len(said) > 60
    page.evaluate("view => draw({ ...view, happened: ['Anna sta'] })", views[1])
    assert page.locator("#happened").inner_text() == "Anna sta"


@pytest.mark.parametrize("board", [("stu", 20)], indirect=True, ids=str)
def test_of_many_notices_the_first_are_read_whole_and_the_others_counted(board: tuple[sync_api.Page, str, int]) -> None:
    page, _game, _players = board
    view = of_an_evening("stu", 20)[1]
    asked = [f"Fate vedere ancora una volta la carta di {', '.join(NAMES[:many])} e Giandomenico" for many in (1, 5, 10, 19)]
    more = ["La telecamera non dà immagini", "Il tavolo non si è visto a lungo: controllate la mano sul telefono"]
    for (width, height), large in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(DRAWN, [[view], large]) == [[]]
        for one in asked:
            assert page.evaluate(TOLD, [one]) == []
            assert page.evaluate(TOLD, [one, *more]) == []
            page.evaluate("notices => showNotices(notices)", [one, *more])
            assert page.locator("#notices").inner_text().startswith(one)
            page.evaluate("showNotices([])")

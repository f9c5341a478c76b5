"""Every page of the program, looked at by axe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clip_evening import Bar
from journey import Screens, serious

from companion.dashboard import create_app
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.station import Station

NO_PAGE = (".jpg", ".png", ".svg", ".json", ".csv", "/log", "tv.css", "/healthz", "/metrics")
"""How addresses end that no browser shows as a page."""
WIDER = "document.documentElement.scrollWidth > innerWidth"


def addresses() -> list[str]:
    """All that a browser can ask for as a page, of the evening of game 1."""
    with Ledger.in_memory(log_format) as ledger:
        app = create_app(ledger, camera=Station(ledger, lambda: lambda picture: ()))
    asked = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and "/api/" not in rule.rule]
    paths = (path.replace("<int:game>", "1").replace("<path:filename>", "tv.css") for path in sorted(asked))
    return [path for path in paths if not path.endswith(NO_PAGE) and "<name>" not in path and "stream" not in path]


def wrong_on_pages(screens: Screens, bar: Bar, scheme: Any, wanted: Callable[[str], bool]) -> dict[str, list[Any]]:
    """What axe finds serious on each page in this theme, and whether it is wider than a phone; of those ``wanted``."""
    page = screens.paired(bar.url, bar.pin, "/setup", color_scheme=scheme)
    page.locator("form[action='/setup/new'] button").first.click()  # the steps are only there while an evening is prepared
    page.locator("form:has([value=stu]) button").click()
    page.wait_for_url("**/setup/camera")
    found = {}
    for path in filter(wanted, addresses()):
        page.goto(bar.url + path)
        found[page.url] = [serious(page), page.evaluate(WIDER)]
    assert len(found) > 7
    return {path: wrong for path, wrong in found.items() if wrong != [[], False]}

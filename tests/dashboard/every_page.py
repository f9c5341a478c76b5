"""Every page of the program, looked at by axe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from clip_evening import Bar
from journey import Screens, serious

from companion.dashboard import create_app
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession

NO_PAGE = (".jpg", ".png", ".svg", ".json", ".csv", "/log", "tv.css", "/healthz", "/metrics", ".zip", "/licence", "/television",
           "/program")  # fmt: skip
"""How addresses end that no browser shows as a page."""
SCHEMES: Final[tuple[Literal["dark", "light"], ...]] = ("dark", "light")
WIDER = "document.documentElement.scrollWidth > innerWidth"


def addresses() -> list[str]:
    """All that a browser can ask for as a page, of the evening of game 1."""
    with Ledger.in_memory(log_format) as ledger:
        app = create_app(ledger, camera=CameraSession(ledger, lambda: lambda picture: ()))
    asked = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and "/api/" not in rule.rule]
    paths = (path.replace("<int:game>", "1").replace("<path:filename>", "tv.css") for path in sorted(asked))
    return [path for path in paths if not path.endswith(NO_PAGE) and "<name>" not in path and "stream" not in path]


def wrong_on_pages(screens: Screens, bar: Bar, wanted: Callable[[str], bool]) -> dict[str, list[Any]]:
    """What axe finds serious on each page in the dark and in the light, and whether it is wider than a phone."""
    page = screens.paired(bar.url, bar.pin, "/setup")
    page.locator("form[action='/setup/new'] button").first.click()  # the steps are only there while an evening is prepared
    page.locator("form:has([value=stu]) button").click()
    page.wait_for_url("**/setup/camera")
    found = {}
    for path in filter(wanted, addresses()):
        page.goto(bar.url + path)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found[page.url, scheme] = [serious(page), page.evaluate(WIDER)]
    assert len(found) > 14
    return {f"{path} {scheme}": wrong for (path, scheme), wrong in found.items() if wrong != [[], False]}

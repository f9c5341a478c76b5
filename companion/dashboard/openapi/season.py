"""Players from evening to evening."""

from __future__ import annotations

from companion.dashboard.openapi.endpoint import SVG, TEXT, THEME, Endpoint, Form
from companion.dashboard.season.pages import PlayersView
from companion.dashboard.season.view import PlayerView, TableView

SEASON = {"season": TEXT, "from": TEXT, "to": TEXT, "game": TEXT, "sort": TEXT, "down": TEXT}
"""Which evenings, of which game, in which order."""

ENDPOINTS = (
    Endpoint(
        "GET", "/season", "everybody",
        "the table. `?season=` the year in which the season begins (September), or `all`; or `?from=` and `?to=`, days as"
        " `2026-09-01`; `?game=` its id; `?sort=` a column, `?down=1` or `0`",
        query=SEASON, also=(400, 404),
    ),
    Endpoint(
        "GET", "/season.csv", "everybody",
        "the same for a spreadsheet, asked for in the same way; with `lang=it` separated by semicolons",
        query=SEASON, answer="text/csv", also=(400, 404),
    ),
    Endpoint(
        "GET", "/season/<player>", "everybody",
        "a player's page, by the `id` of the table. 404: no such player",
        query={"game": TEXT},
    ),
    Endpoint("GET", "/season/evening/<game>", "everybody", "an evening's end. 404: no such evening, or it does not count"),
    Endpoint(
        "GET", "/season/evening/<game>.svg", "everybody",
        "its picture; `?theme=light`, `?download=1`",
        query={"theme": THEME, "download": TEXT}, answer=SVG,
    ),
    Endpoint(
        "GET", "/season/evening/<game>.png", "everybody",
        "the same in pixels, 1080 wide",
        query={"theme": THEME, "download": TEXT}, answer="image/png",
    ),
    Endpoint(
        "GET", "/season/language/<lang>", "everybody",
        "remembers `it` or `en`, and goes back to `?next=`",
        query={"next": TEXT}, also=(302,),
    ),
    Endpoint(
        "GET", "/api/season", "everybody",
        "[the table as JSON](#api-season), asked for as `/season`",
        query=SEASON, answer=TableView, also=(400, 404),
    ),
    Endpoint(
        "GET", "/api/season/<player>", "everybody",
        "[a player's page as JSON](#api-season)",
        query={"game": TEXT}, answer=PlayerView,
    ),
    Endpoint(
        "GET", "/api/season/players", "phone",
        '`{"players": [name, …]}`: everybody remembered, those who come most often first; empty while no season is kept',
        answer=PlayersView,
    ),
    Endpoint("GET", "/season/settings", "phone", "the switch, names, which evenings count", query={"ask": TEXT}),
    Endpoint(
        "POST", "/season/settings", "phone",
        "a form; `do` says what, see below. Redirects; what cannot be taken back to a page that asks once more (`?ask=`),"
        " unless `sure=1`. 400: it cannot be done, with the reason",
        body=Form(("do", "one", "other", "name", "player", "sure", "game", "counts")), also=(400,),
    ),
)  # fmt: skip

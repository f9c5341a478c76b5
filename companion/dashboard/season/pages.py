"""The season's pages for everybody: the table, a player's page, an evening's end and its picture; table and player also as JSON,
the table also as CSV."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from itertools import groupby
from urllib.parse import urlencode

from flask import Response, abort, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from companion.assets import asset
from companion.clock import night_of
from companion.dashboard import locale, recap
from companion.dashboard.answers import answer
from companion.dashboard.days import clock_text, date_text, day_text
from companion.dashboard.drawing import pixels
from companion.dashboard.endpoint import SVG, TEXT, THEME, documented
from companion.dashboard.export import as_csv
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.guard import organiser_only, paired_phone
from companion.dashboard.season import picture
from companion.dashboard.season.columns import (
    NAME,
    OWN_COLUMNS,
    Figure,
    Head,
    Missing,
    balances,
    curve_of,
    heads,
    is_below,
    lacks,
    no_money,
    no_points,
    not_yet,
    shown,
    text_of,
)
from companion.dashboard.season.context import (
    game_asked,
    keeper,
    known_players,
    page,
    season,
    span_asked,
    span_text,
    theme,
    while_on,
)
from companion.dashboard.season.curve import drawing
from companion.dashboard.season.ending import by_balance, ending, named, not_yet_text, sets_text, surely_over
from companion.dashboard.season.view import (
    EveningLine,
    PlayerView,
    TableView,
    csv_rows,
    games_of,
    night_view,
    places_of,
    player_view,
    table_view,
)
from companion.games import GAMES
from companion.line.season import Record, Seasons, person_of_page
from companion.pages.season import PlayerEvening
from companion.table.language import LANGS
from companion.table.people import page_id
from companion.table.text import perhaps, sentence

SEASON = {"season": TEXT, "from": TEXT, "to": TEXT, "game": TEXT, "sort": TEXT, "down": TEXT}
"""Which evenings, of which game, in which order: the parameters of the table."""


class PlayersView(Struct, frozen=True):
    """The names of all who are remembered, those who come most often first."""

    players: tuple[str, ...]


@season.get("/season")
@documented(query=SEASON, also=(400, 404))
@while_on
def table() -> ResponseReturnValue:
    """The table. `?season=` the year in which the season begins (September), or `all`; or `?from=` and `?to=`, days as
    `2026-09-01`; `?game=` its id; `?sort=` a column, `?down=1` or `0`."""
    lang, seasons = chosen(), keeper().seasons()
    span, wish = span_asked()
    found, by, down = _table(seasons)
    chosen_by = {name: value for name in ("season", "from", "to", "game") if (value := request.args.get(name))}

    def sorted_by(column: str) -> str:
        turned = not down if column == by else column != NAME
        query = urlencode({**chosen_by, "sort": column, "down": int(turned)})
        return f"{url_for('season.table')}?{query}"

    shown_here = [record for record in seasons.records if record.counts and span.holds(record.started)]
    nights = _nights([record for record in shown_here if record.told.game_id == found.game_id])
    return page(
        "table", table=found, places=places_of(found, by), by=by, down=down, sorted_by=sorted_by, wish=wish,
        span=span_text(span, lang), first=span.first, last=span.last, years=seasons.years(), asked=chosen_by,
        games=[GAMES[game_id] for game_id in seasons.played()],
        nights=nights, many=lambda games: games_of(map(seasons.evening, games)),
        first_column=curve_of(found.columns, found.game_id), at=lambda record: clock_text(record.started),
        day_text=lambda day: day_text(day, lang), winners=lambda record: _winners(seasons, record), text_of=text_of,
        sets_text=lambda sets: sets_text(sets, lang),
        lacks=lacks, is_below=is_below, paired=paired_phone() is not None, place=lambda record: keeper().place(record, lang),
    )  # fmt: skip


@season.get("/season/language/<lang>")
@documented(query={"next": TEXT}, also=(302,))
def language(lang: str) -> ResponseReturnValue:
    """Remembers `it` or `en`, and goes back to `?next=`."""
    wish = request.args.get("next", "")
    response = make_response(redirect(wish.rstrip("?") if wish.startswith("/season") and "\\" not in wish else "/season"))
    for known in LANGS:
        if lang == known:
            locale.remember(response, known)
    return response


@season.get("/season.csv")
@documented(query=SEASON, answer="text/csv", also=(400, 404))
@while_on
def table_csv() -> ResponseReturnValue:
    """The same for a spreadsheet, asked for in the same way; with `lang=it` separated by semicolons."""
    lang = chosen()
    found = _table(keeper().seasons())[0]
    response = Response(as_csv(*csv_rows(found, lang), lang), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{found.game_id}-season.csv"'
    return response


@season.get("/season/<player>")
@documented(query={"game": TEXT})
@while_on
def player(player: str) -> ResponseReturnValue:
    """A player's page, by the `id` of the table. 404: no such player."""
    lang, seasons = chosen(), keeper().seasons()
    person = _person(seasons, player)
    game_id = game_asked(seasons)
    found = player_view(seasons, person, game_id, lang)
    balance_stands = GAMES[game_id].pages.season.has_balance

    def ends(line: EveningLine) -> str:
        """What they had in the end, unless the balance has said it."""
        return "" if balance_stands and line.figures.get(found.curve.id) is not None else line.stood

    played = [one for one in seasons.played() if any(person in evening.who for evening in seasons.evenings(one))]
    return page(
        "player", player=found, game_id=game_id, title=GAMES[game_id].pages.title, games=[GAMES[one] for one in played],
        curve=drawing(found, lang), lines={line.game: line for line in found.evenings}, own=OWN_COLUMNS, text_of=text_of,
        lacks=lacks, ends=ends, is_below=is_below, day_text=lambda day: day_text(day, lang),
        sets_text=lambda sets: sets_text(sets, lang),
    )  # fmt: skip


@season.get("/season/evening/<int:game>")
@documented()
@while_on
def evening(game: int) -> ResponseReturnValue:
    """An evening's end. 404: no such evening, or it does not count."""
    lang, seasons = chosen(), keeper().seasons()
    record = _record(seasons, game)
    figures_of, game_id = named(seasons, record, lang), record.told.game_id
    all_heads = heads(game_id, [figures_of], lang)
    curve, own = curve_of(all_heads, game_id), all_heads[OWN_COLUMNS:]
    columns = [*(head for head in own if head.id == curve.id), *(head for head in own if head.id != curve.id)]
    open_yet = not_yet(columns, figures_of, lang)
    columns = [head for head in columns if head not in open_yet]
    same = [one for one in seasons.records if one.counts and one.told.game_id == game_id]
    games = next(games for day, games in _nights(same) if day == night_of(record.started))
    season_of, of_night = GAMES[game_id].pages.season, [one.told.figures for one in games]
    who = dict(zip((one.name for one in figures_of.players), seasons.evening(record).who, strict=True))

    def figure(player: PlayerEvening, column: Head) -> Figure:
        return shown(player.figures.get(column.id), column.kind, lang, balance=column.id == curve.id)

    players = by_balance(figures_of, season_of, lang)
    links = [page_id(person) if (person := who[one.name]) is not None else None for one in players]
    figures = [[figure(player, column) for column in columns] for player in players]
    return page(
        "evening", game=game, record=record, place=keeper().place(record, lang), ending=ending(seasons, record, lang),
        columns=columns, open_yet=not_yet_text(open_yet, lang),
        players=list(zip(players, links, figures, strict=True)),
        day=sentence(date_text(night_of(record.started), lang)),
        games=games, at=lambda record: clock_text(record.started), winners=lambda record: _winners(seasons, record),
        night=night_view(seasons, record, lang) if len(games) > 1 else (), text_of=text_of, is_below=is_below,
        recap=recap.kept() and paired_phone() is not None, lacks=lacks,
        missing=Missing.of([figures_of], lang),
        night_columns=balances(heads(game_id, of_night, lang), season_of),
        played=games_of(seasons.evening(one) for one in games),
        left_out=bool(no_money(of_night, lang) or no_points(of_night, lang)),
    )  # fmt: skip


@season.get("/season/evening")
@documented(also=(302,))
@while_on
def tonight() -> ResponseReturnValue:
    """Leads to the page of the newest game of the last night that has a counted hand: of the one before, say, while a rematch
    has none yet. Where that night has none it leads to the season's table."""
    records = keeper().seasons().records
    tonight = max((night_of(one.started) for one in records), default=None)
    counted = [one for one in records if one.counts and night_of(one.started) == tonight]
    if not counted:
        return redirect(url_for("season.table"))
    return redirect(url_for("season.evening", game=max(counted, key=lambda one: one.started).game))


@season.get("/season/evening/<int:game>.svg")
@documented(query={"theme": THEME, "download": TEXT}, answer=SVG)
@while_on
def evening_svg(game: int) -> ResponseReturnValue:
    """Its picture; `?theme=light`, `?download=1`."""
    return _file(game, _drawing(game).encode(), "svg", "image/svg+xml")


@season.get("/season/evening/<int:game>.png")
@documented(query={"theme": THEME, "download": TEXT}, answer="image/png")
@while_on
def evening_png(game: int) -> ResponseReturnValue:
    """The same in pixels, 1080 wide."""
    return _file(game, pixels(_drawing(game)), "png", "image/png")


@season.get("/api/season")
@documented(query=SEASON, answer=TableView, also=(400, 404))
@while_on
def api_table() -> ResponseReturnValue:
    """[The table as JSON](#api-season), asked for as `/season`."""
    return answer(_table(keeper().seasons())[0])


@season.get("/api/season/<player>")
@documented(query={"game": TEXT}, answer=PlayerView)
@while_on
def api_player(player: str) -> ResponseReturnValue:
    """[A player's page as JSON](#api-season)."""
    seasons = keeper().seasons()
    return answer(player_view(seasons, _person(seasons, player), game_asked(seasons), chosen()))


@season.get("/api/season/players")
@documented(answer=PlayersView)
@organiser_only
def api_players() -> ResponseReturnValue:
    """`{"players": [name, …]}`: everybody remembered, those who come most often first; empty while no season is kept."""
    return answer(PlayersView(known_players()))


def _table(seasons: Seasons) -> tuple[TableView, str, bool]:
    """The table that the address asks for, the column that it is sorted by ("": the default order), and whether the highest comes
    first."""
    game_id, (span, _) = game_asked(seasons), span_asked()
    by = request.args.get("sort", "")
    down = request.args.get("down", "1" if by != NAME else "0") == "1"
    found = table_view(seasons, game_id, span, chosen(), by=by, down=down)
    known = {NAME, *(head.id for head in found.columns)}
    return found, by if by in known else "", down


def _person(seasons: Seasons, page: str) -> str:
    person = person_of_page(seasons, page)
    return person if person is not None else abort(404, "no such player")


def _record(seasons: Seasons, game: int) -> Record:
    found = next((record for record in seasons.records if record.game == game and record.counts), None)
    return found if found is not None else abort(404, "no such evening")


def _nights(records: Iterable[Record]) -> list[tuple[datetime.date, list[Record]]]:
    """Night → its games: the nights of these games, the newest first, and in each its games, the oldest first."""
    nights = [(day, list(games)) for day, games in groupby(records, lambda record: night_of(record.started))]
    return nights[::-1]


def _winners(seasons: Seasons, record: Record) -> tuple[str, ...]:
    told = named(seasons, record, chosen())
    return tuple(perhaps(player.name, sure=surely_over(told)) for player in told.players if player.won)


def _drawing(game: int) -> str:
    lang, seasons = chosen(), keeper().seasons()
    record = _record(seasons, game)
    return picture.svg(ending(seasons, record, lang, _card), "light" if theme() == "light" else "dark")


def _card(kind: str) -> str:
    return picture.drawing_of(asset("web") / "cards" / f"{kind}.svg")


def _file(game: int, data: bytes, ending: str, mimetype: str) -> Response:
    response = Response(data, mimetype=mimetype)
    kind = "attachment" if request.args.get("download") else "inline"
    response.headers["Content-Disposition"] = f'{kind}; filename="evening-{game}.{ending}"'
    return response

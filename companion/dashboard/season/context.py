"""What the season's pages share: the application's keeper, and the game and the days that an address asks for."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec

from flask import Blueprint, abort, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from companion.clock import night_of
from companion.dashboard import limits
from companion.dashboard.days import day_text
from companion.games import first_game, shown_games
from companion.line.season import FIRST_MONTH, Keeper, Seasons, Span, year_of
from companion.table.language import Lang

P = ParamSpec("P")
season = Blueprint("season", __name__)


def keeper() -> Keeper:
    """The season's keeper of the current application."""
    found: Keeper = current_app.extensions["season"]
    return found


season.after_request(limits.never_kept)


def known_players() -> tuple[str, ...]:
    """The names of everybody remembered, those who come most often first; none while the season is off. Raises LedgerError."""
    return keeper().seasons().known_names() if keeper().on else ()


def remembered(names: Iterable[str]) -> tuple[str, ...]:
    """These names without those of people who are forgotten; all of them while the season is off. Raises LedgerError."""
    if not keeper().on:
        return tuple(names)
    people = keeper().seasons().people
    return tuple(name for name in names if people.person(name) is not None)


def while_on(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """A view that works while a season is kept; while none is, it answers 404 and says so."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        if keeper().on:
            return view(*args, **kwargs)
        if request.path.startswith("/api/"):
            return jsonify(error="season_off", message=_("No season is kept: it is switched off.")), 404
        return page("off"), 404

    return guarded


def page(template: str, **values: object) -> str:
    """A page of the season in the device's language. ``template``: its name without folder and ending."""
    return render_template(f"season/{template}.html", theme=theme(), **values)


def theme() -> str | None:
    """The theme in the address, else the one that the device remembers; None: as the device shows all pages."""
    wish = request.args.get("theme") or request.cookies.get("theme")
    return wish if wish in ("dark", "light") else None


def game_asked(seasons: Seasons) -> str:
    """The id of the game that the address names, else of the one that is played most. Aborts with 404 where there is no such
    game."""
    wish = request.args.get("game")
    if wish is not None and wish not in (game.id for game in shown_games()):
        abort(404, "no such game")
    return wish or next(iter(seasons.played()), first_game().id)


def span_asked() -> tuple[Span, str]:
    """The days that the address asks for: ``?season=YEAR`` or ``all``, or ``?from=`` and ``?to=``, by default this season's; and
    the value of ``season`` that stands for them, "" for none."""
    wish, first, last = (request.args.get(name, "") for name in ("season", "from", "to"))
    if first or last:
        return Span(_day(first), _day(last)), ""
    if wish == "all":
        return Span(), "all"
    is_year = wish.isascii() and wish.isdigit() and len(wish) == 4 and 0 < int(wish) < datetime.MAXYEAR
    year = int(wish) if is_year else year_of(night_of(time.time()))
    return Span.of_season(year), str(year)


def span_text(span: Span, lang: Lang) -> str:
    """The days in words: "2026/27", "from 1 Jan 2026", "all evenings"."""
    if span.first is not None and span.last is not None:
        if span == Span.of_season(span.first.year) and span.first.month == FIRST_MONTH:
            return f"{span.first.year}/{(span.first.year + 1) % 100:02}"
        return _("from {first} to {last}").format(first=day_text(span.first, lang), last=day_text(span.last, lang))
    if span.first is not None:
        return _("from {first}").format(first=day_text(span.first, lang))
    if span.last is not None:
        return _("until {last}").format(last=day_text(span.last, lang))
    return _("All evenings")


def _day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text) if text else None
    except ValueError:
        abort(400, "expected a day as 2026-09-01")

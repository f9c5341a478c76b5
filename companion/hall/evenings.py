"""The past evenings of all tables: a season's list of them, each evening step by step, and its log, as everybody at the table has
seen it. Paired phones may see them, and everybody while an organiser has opened them, as on a table.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.clock import night_of
from companion.dashboard import limits
from companion.dashboard.days import date_text
from companion.dashboard.feed import Snapshot, replay_step, replayed
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.guard import organiser_only, paired_phone
from companion.dashboard.season.context import span_asked, span_text
from companion.dashboard.season.ending import named
from companion.games import GAMES, game_of_log, read_lines
from companion.hall.context import the_hall
from companion.line.chains import ELSEWHERE, before_of
from companion.line.season import Record, Seasons
from companion.pages.settling import Before
from companion.table.text import sentence

P = ParamSpec("P")
evenings = Blueprint("evenings", __name__)
evenings.after_request(limits.never_kept)


def unless_open(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """A view of past evenings: for paired phones, and for everybody while they are open."""
    of_phone = organiser_only(view)

    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        return view(*args, **kwargs) if the_hall().season.past.open else of_phone(*args, **kwargs)

    return guarded


@evenings.get("/evenings")
@unless_open
def listing() -> ResponseReturnValue:
    """The evenings of a season, the newest first, those that do not count among them; `?season=` as on the season's page."""
    seasons, lang = the_hall().season.seasons(), chosen()
    span, wish = span_asked()
    found = [record for record in reversed(seasons.records) if span.holds(record.started)]
    return render_template(
        "hall/evenings.html", evenings=found, years=seasons.years(), wish=wish, span=span_text(span, lang),
        day=lambda record: sentence(date_text(night_of(record.started), lang)),
        place=lambda record: the_hall().season.place(record, lang),
        title=lambda record: GAMES[record.told.game_id].pages.title, sat=lambda record: _sat(seasons, record),
        open=the_hall().season.past.open, paired=paired_phone() is not None,
    )  # fmt: skip


def _sat(seasons: Seasons, record: Record) -> list[tuple[str, bool]]:
    """The players of an evening: the name, as that table writes it, and whether they have won."""
    return [(player.name, player.won) for player in named(seasons, record, chosen()).players if player.played]


@evenings.post("/evenings/open")
@organiser_only
def open_past() -> ResponseReturnValue:
    """`open`: 1 opens past evenings to everybody in the network, otherwise they are for paired phones."""
    the_hall().season.past.open_past(to_all=request.form.get("open") == "1")
    return redirect(url_for("evenings.listing"))


@evenings.get("/evenings/<int:evening>")
@unless_open
def replay(evening: int) -> ResponseReturnValue:
    """An evening step by step, as everybody had seen it after `?step=N` lines. Lines that stand in for what nobody told are no
    steps."""
    record, lines = _found(evening), read_lines(_log(evening).encode())
    if not lines:
        abort(404, "nothing can be shown of this evening")
    game = game_of_log(lines)
    earlier = the_hall().season.before(evening)
    before = tuple(map(_before, earlier)) if earlier is not None else None
    whole = Snapshot(evening, len(lines), game, replayed(game, lines), the_hall().settings, before=before)
    snapshot, step, at = replay_step(whole, request.args.get("step", type=int))
    where, day = the_hall().season.place(record, chosen()), date_text(night_of(record.started), chosen())
    return render_template("hall/evening.html", view=snapshot.view(chosen()), step=step, steps=len(at),
                           at=lambda step: url_for("evenings.replay", evening=evening, step=at[step - 1]), evening=evening,
                           heading=f"{where} · {day}", counts=record.counts)  # fmt: skip


@evenings.get("/evenings/<int:evening>/log")
@unless_open
def log(evening: int) -> ResponseReturnValue:
    """The table log of an evening, as everybody at the table has seen it."""
    record = _found(evening)
    response = Response(_log(evening), mimetype="application/x-ndjson")
    response.headers["Content-Disposition"] = f'attachment; filename="{record.told.game_id}-{evening}.jsonl"'
    return response


def _found(evening: int) -> Record:
    records = the_hall().season.seasons().records
    return next((one for one in records if one.game == evening), None) or abort(404, "no such evening")


def _before(evening: int | None) -> Before:
    """What was won and lost in an evening that went on as another one; None: nobody knows."""
    if evening == ELSEWHERE:
        return Before((), None, elsewhere=True)
    lines = read_lines(_log(evening).encode()) if evening is not None else ()
    return before_of(lines, the_hall().settings.view.sure_from) if lines else Before((), None)


def _log(evening: int) -> str:
    return the_hall().overview.log(evening)

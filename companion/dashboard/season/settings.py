"""What organisers decide about the season on a paired phone: whether it is kept, which names are one person's, whom to forget,
which evenings count."""

from __future__ import annotations

from collections.abc import Callable

from flask import abort, current_app, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec import Struct

from companion.clock import night_of
from companion.dashboard.days import clock_text, day_text
from companion.dashboard.endpoint import TEXT, Form, documented
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.guard import organiser_only
from companion.dashboard.recap import erase_recaps
from companion.dashboard.season.context import keeper, page, season
from companion.dashboard.season.ending import hands_text, named
from companion.dashboard.season.view import games_of, written
from companion.games import GAMES
from companion.line.season import SeasonKeeper, Seasons, person_of_page
from companion.table.people import Same, page_id

MAX_NAME_LENGTH = 200
"""Letters of a name that is typed to be remembered again."""


class KnownPerson(Struct, frozen=True):
    """A person of the season. ``others``: their other names (id, as written); ``clash``: a day on which two of their names sat at
    one table, so that they may be two people, "" for none."""

    id: str
    name: str
    others: tuple[tuple[str, str], ...]
    clash: str


@season.get("/season/settings")
@documented(query={"ask": TEXT})
@organiser_only
def show(problem: str | None = None) -> ResponseReturnValue:
    """The switch, names, which evenings count."""
    keeps, lang = keeper(), chosen()
    if problem is None and keeps.on and (ask := request.args.get("ask", "")) in _ASKS.keys() & keeps.may:
        return _ASKS[ask]()
    on = keeps.on
    seasons = keeps.seasons() if on else None
    people = _known(seasons) if seasons is not None else []
    found = page(
        "settings", allowed=keeps.allowed, on=on, problem=problem, notice=session.pop("season", None), people=people,
        evenings=list(reversed(seasons.records)) if seasons is not None else [], forgotten=len(keeps.book.forgotten()),
        day=lambda record: f"{day_text(night_of(record.started), lang)}, {clock_text(record.started)}",
        hands=lambda record: hands_text(record.told.figures.hands, lang),
        title=lambda record: GAMES[record.told.game_id].pages.title,
        players=lambda record: ", ".join(player.name for player in named(seasons, record, lang).players) if seasons else "",
        place=lambda record: keeps.place(record, lang), may=keeps.may,
    )  # fmt: skip
    return found, 400 if problem else 200


@season.post("/season/settings")
@documented(body=Form(("do", "one", "other", "name", "player", "sure", "game", "counts")), also=(400,))
@organiser_only
def change() -> ResponseReturnValue:
    """A form; `do` says what, see below. Redirects; what cannot be taken back to a page that asks once more (`?ask=`), unless
    `sure=1`. 400: it cannot be done, with the reason.

    What cannot be taken back asks on a page of its own address, so that looking back sends no form again.
    """
    done = _CHANGES.get(do := request.form.get("do", ""))
    if done is None or do not in keeper().may or (done not in _WHILE_OFF and not keeper().on):
        return redirect(url_for("season.show"))
    if do in _ASKS and request.form.get("sure") != "1":
        return redirect(url_for("season.show", ask=do, player=request.form.get("player")))
    try:
        done()
    except ChangeRefused as refused:
        return show(str(refused))
    return redirect(url_for("season.show"))


class ChangeRefused(ValueError):
    """A change that is not possible; the message is for people."""


def _switch_on() -> None:
    _of_ledger().switch(off=False)
    session["season"] = _("The season is on: it is worked out from the evenings in the archive.")


def _switch_off() -> None:
    _of_ledger().switch(off=True)
    session["season"] = _("The season is off: nothing is worked out, and nothing written.")


def _merge() -> None:
    seasons = keeper().seasons()
    other = _person(seasons, "other")
    if request.form.get("one", "") in map(page_id, seasons.people.names_of(other)[1:]):
        return  # tapped twice
    one = _person(seasons, "one")
    if one == other:
        raise ChangeRefused(_("Choose two different names."))
    try:
        keeper().merge(one, other)
    except Same:
        text = _("{one} and {other} have sat at the same table: they cannot be one person.")
        raise ChangeRefused(text.format(one=seasons.written[one], other=seasons.written[other])) from None
    text = _("{one} and {other} are one person from now on.")
    session["season"] = text.format(one=seasons.written[one], other=seasons.written[other])


def _split() -> None:
    for name in keeper().book.links():
        if page_id(name) == request.form.get("name"):
            keeper().split(name)
            session["season"] = _("These are two people again.")


def _forget() -> None:
    person = person_of_page(keeper().seasons(), request.form.get("player", ""))
    if person is not None:  # else it was tapped twice, or another phone was quicker
        _of_ledger().forget(person)
        erase_recaps()
        if (backups := current_app.extensions["backups"]) is not None:
            backups.begin_again()
        session["season"] = _("Forgotten: the name is gone from the season and from every evening.")


def _recall() -> None:
    name = request.form.get("name", "")[:MAX_NAME_LENGTH]
    known = keeper().seasons()
    if known.people.person(name) in known.written:
        return  # tapped twice, or never forgotten
    if not name.strip() or not _of_ledger().recall(name):
        raise ChangeRefused(_("No forgotten name is spelt like that."))
    session["season"] = _("The name is remembered again.")


def _count() -> None:
    game = request.form.get("game", "")
    if game.isdecimal() and len(game) < 10:
        keeper().book.count([int(game)], counts=request.form.get("counts") == "1")


def _begin_again() -> None:
    keeper().begin_again()
    session["season"] = _("No evening so far counts any more.")


def _of_ledger() -> SeasonKeeper:
    """The season's keeper, which must be a ledger's: a hall's season cannot be switched off, and forgets nobody."""
    found = keeper()
    assert isinstance(found, SeasonKeeper)
    return found


def _ask_forget() -> str:
    seasons = keeper().seasons()
    person = person_of_page(seasons, request.args.get("player", ""))
    if person is None:
        abort(404, "no such player")
    played = games_of(one for record in seasons.records if record.counts and person in (one := seasons.evening(record)).who)
    names = [seasons.written[person], *(written(seasons, key) for key in seasons.people.names_of(person)[1:])]
    return page("sure", do="forget", player=page_id(person), names=names, played=played)


def _ask_again() -> str:
    seasons = keeper().seasons()
    played = games_of(seasons.evening(record) for record in seasons.records if record.counts)
    return page("sure", do="anew", player=None, names=[], played=played)


_ASKS: dict[str, Callable[[], str]] = {"forget": _ask_forget, "anew": _ask_again}
_CHANGES: dict[str, Callable[[], None]] = {
    "on": _switch_on, "off": _switch_off, "merge": _merge, "split": _split, "forget": _forget, "recall": _recall, "count": _count,
    "anew": _begin_again,
}  # fmt: skip
_WHILE_OFF = (_switch_on, _switch_off)


def _person(seasons: Seasons, field: str) -> str:
    person = person_of_page(seasons, request.form.get(field, ""))
    if person is None:
        raise ChangeRefused(_("Choose a name of the list."))
    return person


def _known(seasons: Seasons) -> list[KnownPerson]:
    """Everybody of the season, sorted by name."""
    lang, found = chosen(), []
    for person, name in sorted(seasons.written.items(), key=lambda one: one[1].casefold()):
        others = tuple((page_id(key), written(seasons, key)) for key in seasons.people.names_of(person)[1:])
        clashes = seasons.clashes(person) if others else ()
        found.append(KnownPerson(page_id(person), name, others, day_text(night_of(clashes[0].started), lang) if clashes else ""))
    return found

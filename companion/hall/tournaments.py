"""A hall's tournament: its acts in the database, the page on which organisers add to them, and the page that tells everybody
where they sit."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Sequence

import msgspec
from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from companion.dashboard import limits
from companion.dashboard.answers import PAGE
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.guard import csrf_token, organiser_only, paired_phone
from companion.hall.context import the_hall
from companion.hall.database import Connection, Database
from companion.hall.messages import BELL_SECONDS, Rung
from companion.hall.overview import SILENT_SECONDS, Won
from companion.table.errors import Reason
from companion.table.language import N_
from companion.table.money import grouped, minor_units, money, typed
from companion.table.people import name_key
from companion.table.text import plain_name
from companion.tournament.acts import (
    MAX_CENTS,
    MAX_HALL,
    MAX_NAME_LENGTH,
    MAX_PEOPLE,
    MAX_TABLES,
    Act,
    At,
    Begin,
    Draw,
    Enrol,
    Leave,
    Over,
    Paid,
    Pot,
    Ring,
    Undo,
)
from companion.tournament.standing import MEANWHILE, TOO_LONG, NotNow, Tournament, allowed, as_enrolled, history, stands
from companion.tournament.stu import PROPOSALS, Proposal

MAX_SEED = 9999
"""The largest seed: four digits are easy to copy from a sheet."""
RUNG_SECONDS = 1.0
"""Seconds for which it is not asked again whether the bell has rung."""

tournaments = Blueprint("tournament", __name__)
tournaments.after_request(limits.never_kept)
_MALFORMED = PAGE["malformed"]
NUMBER = Reason("number", N_("{field}: expected a whole number from {least} to {most}"))
SUM = Reason("sum", N_("{field}: expected a sum of money, such as {example}, and at most {most}"))
POINTS = Reason("points", N_("{field}: expected numbers, such as {example}: at most {count} of them, and none above {most}"))
NO_NAMES = Reason("no_names", N_("No name was typed: one a line"))
MANY_NAMES = Reason("many_names", N_("Too many names at once: at most {most}"))
NO_FIRST = Reason("no_first", N_("Choose who was first"))
GAP = Reason("gap", N_("Choose who was number {missing}, before {name}"))
PEOPLE_AT, TABLES_OF, PLACES_FOR_POINTS, MOST_POINTS = (2, 39), (1, MAX_TABLES), 12, 10**6
"""What people may type: the bounds of `companion.tournament.acts`."""
_acts = msgspec.json.Decoder(Act)


class Tournaments:
    """The tournament of one database. Any thread may ask; raises HallDown."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._known: tuple[int, Tournament] = (0, Tournament())
        self._rung: tuple[float, Ring | None] = (0.0, None)

    def now(self) -> Tournament:
        """The tournament after all acts so far."""
        with self._database.viewing() as connection:
            (count,) = connection.execute("SELECT coalesce(max(id), 0) FROM act").fetchone() or (0,)
            with self._lock:
                known, found = self._known
            if known == count:
                return found
            found = stands(_read(connection))
        with self._lock:
            self._known = count, found
        return found

    def round(self) -> int | None:
        """The number of the round that is on, or of the last one; None before the first."""
        last = self.now().round
        return last.number if last is not None else None

    def final(self) -> bool:
        """Whether that round is the final."""
        last = self.now().round
        return last is not None and last.final

    def bell(self) -> Ring | None:
        """The last ring of the bell, as `Tournament.bell`."""
        return self.now().bell

    def rung(self) -> Rung | None:
        """The last ring of the bell as tables are told it; None where that was more than `BELL_SECONDS` ago. Every table asks
        once a second: so the database is looked into once a second at most."""
        now = time.time()
        with self._lock:
            asked, ring = self._rung
        if not 0 <= now - asked < RUNG_SECONDS:
            ring = self.bell()
            with self._lock:
                self._rung = now, ring
        if ring is None or not 0 <= now - ring.at <= BELL_SECONDS:
            return None
        return Rung(ring.proposes, now - ring.at)

    def log(self) -> tuple[Act, ...]:
        """Every act so far."""
        with self._database.viewing() as connection:
            return _read(connection)

    def add(self, act: Act, by: str, seen: int | None = None, round: int | None = None) -> None:
        """Add this act, which the phone called ``by`` has sent. Raises NotNow where it is not possible now, where there are other
        acts than the ``seen`` number of them, or where another ``round`` is on than this; nothing has changed then."""
        with self._database.organiser() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(1400141106)")  # nobody else says something in between
            acts = _read(connection)
            if seen not in (None, len(acts)) or round not in (None, _round_of(stands(acts))):
                raise NotNow(MEANWHILE)
            allowed(acts, act)
            connection.execute("INSERT INTO act (at, by_phone, body) VALUES (%s, %s, %s)",
                               (time.time(), by, msgspec.json.encode(act).decode()))  # fmt: skip


def _round_of(now: Tournament) -> int:
    """The number of the round that is on, 0 before the first."""
    return now.round.number if now.round is not None else 0


def _read(connection: Connection) -> tuple[Act, ...]:
    return tuple(_acts.decode(body) for (body,) in connection.execute("SELECT body FROM act ORDER BY id").fetchall())


@tournaments.get("/draw")
def draw() -> str:
    """Who sits where, with the seed of the draw, and how everybody stands: for everybody, and to print."""
    now = the_hall().tournament.now()
    return render_template("hall/draw.html", now=now, pots=_pots(now))


@tournaments.get("/draw/sheets")
def sheets() -> str:
    """A sheet for each table of the round, to print and to lay there: who sits there, and empty lines for the result."""
    now = the_hall().tournament.now()
    gone = frozenset(person.name for person in now.people if person.gone)
    return render_template("hall/sheets.html", now=now, pots=_pots(now), gone=gone)


@tournaments.get("/organiser/tournament")
@organiser_only
def page() -> str:
    """The organisers' page of the tournament, with a form for each act that is possible now."""
    return _page("")


@tournaments.post("/organiser/tournament")
@organiser_only
def say() -> ResponseReturnValue:
    """Add an act to the tournament, from a form with ``do``, the act's name, and its values. ``seen``, ``round``: how many acts
    there were, and which round was on, on the page of the form, where it matters: two organisers may tap at the same time."""
    phone, form = paired_phone(), request.form
    try:
        act = _act(form.get("do", ""))
        seen, round = (int(form[name]) if name in form else None for name in ("seen", "round"))
        the_hall().tournament.add(act, phone.name if phone is not None else "", seen, round)
    except NotNow as error:
        return _page(_(error.reason.text).format(**error.values)), 422
    except (msgspec.ValidationError, ValueError):
        return _page(_(_MALFORMED)), 400
    the_hall().bell.ring()
    return redirect(url_for("tournament.page", _anchor=_place(act)))


def _place(act: Act) -> str | None:
    """The place on the page at which this act was said: one of hundreds of people may be far down; None: at its top."""
    if not isinstance(act, Paid | Leave):
        return None
    names = [person.name for person in the_hall().tournament.now().people]
    return f"person-{names.index(act.name) + 1}" if act.name in names else None


def _number(name: str, field: str, bounds: tuple[int, int]) -> int:
    """The whole number that was typed into this ``field``. Raises NotNow."""
    said = request.form.get(name, "").strip()
    if not (said.isdecimal() and len(said) < 6 and bounds[0] <= int(said) <= bounds[1]):
        raise NotNow(NUMBER, field=field, least=bounds[0], most=bounds[1])
    return int(said)


def _sum(name: str, field: str) -> int:
    """The cents that were typed into this ``field``. Raises NotNow."""
    try:
        found = minor_units(request.form.get(name, "") or "0")
    except ValueError:
        found = MAX_CENTS + 1
    if found > MAX_CENTS:
        raise NotNow(SUM, field=field, example=typed(250), most=money(MAX_CENTS, chosen()))
    return found


def _points(field: str) -> tuple[int, ...]:
    """The points that were typed into this ``field``. Raises NotNow."""
    words = re.split(r"[\s,;]+", request.form.get("points", "").strip(" ,;\t\r\n"))
    good = all(word.isdecimal() and len(word) < 8 and int(word) <= MOST_POINTS for word in words if word)
    if not good or len(words) > PLACES_FOR_POINTS:
        example = " ".join(map(str, Begin().points))
        raise NotNow(POINTS, field=field, example=example, count=PLACES_FOR_POINTS, most=grouped(MOST_POINTS, chosen()))
    return tuple(int(word) for word in words if word)


def _names() -> tuple[str, ...]:
    """The names that were typed. Raises NotNow."""
    found = [name for line in re.split(r"[\n,;]", request.form.get("names", "")) if (name := plain_name(line))]
    if (long := next((name for name in found if len(name) > MAX_NAME_LENGTH), "")):
        raise NotNow(TOO_LONG, name=long[:MAX_NAME_LENGTH], most=MAX_NAME_LENGTH)
    if not found:
        raise NotNow(NO_NAMES)
    if len(found) > MAX_PEOPLE:
        raise NotNow(MANY_NAMES, most=MAX_PEOPLE)
    return as_enrolled(the_hall().tournament.now(), found)


def _places() -> tuple[str, ...]:
    """Who was first, second, … of a table. Raises NotNow where somebody in between was left out."""
    said = request.form.getlist("place")
    while said and not said[-1]:
        said.pop()
    if not said or not said[0]:
        raise NotNow(NO_FIRST)
    if "" in said:
        missing = said.index("") + 1
        raise NotNow(GAP, missing=missing, name=next(name for name in said[missing:] if name))
    return tuple(said)


def _act(what: str) -> Act:
    """The act that the form describes. Raises NotNow where what was typed cannot be taken, with a sentence about it; ValueError,
    msgspec.ValidationError where no page has such a form."""
    form = request.form
    match what:
        case "begin":
            least, most = (_number("least", _("People at a table, at least"), PEOPLE_AT),
                           _number("most", _("At most"), PEOPLE_AT))  # fmt: skip
            stake, final_stake = _sum("stake", _("Stake, €")), _sum("final_stake", _("Stake of the final, € (0: none)"))
            points = _points(_("Points for the first of a table, the second, …"))
            pot = msgspec.convert(form.get("pot", Begin().pot), Pot)
            act: Act = Begin(least, most, int(form.get("go_on", "")), stake, points, pot, final_stake)
        case "enrol":
            act = Enrol(_names())
        case "leave":
            act = Leave(form.get("name", ""))
        case "paid" | "unpaid":
            act = Paid(form.get("name", ""), what == "paid", "final" in form)
        case "draw":
            asked = form.get("tables", "").strip() not in ("", "0")
            tables = _number("tables", _("Tables (empty: as few as possible)"), TABLES_OF) if asked else 0
            act = Draw(secrets.randbelow(MAX_SEED) + 1, tables, _called()[:MAX_HALL])
        case "at":
            act = At(int(form.get("table", "")), form.get("hall", ""))
        case "over":
            act = Over(int(form.get("table", "")), _places())
        case "ring":
            act = Ring(msgspec.convert(form.get("proposes"), Proposal), int(time.time()))
        case "undo":
            act = Undo()
        case _:
            raise ValueError(what)
    checked: Act = msgspec.convert(msgspec.to_builtins(act), Act)  # its bounds, too
    return checked


def _called() -> tuple[str, ...]:
    """What the hall's tables are called, those that are heard first, also after their game: the machine of one that played here
    last year may be far away."""
    found = the_hall().overview.view(chosen()).tables
    heard = {table.name: table.since_s is not None and table.since_s < SILENT_SECONDS for table in found}
    return tuple(sorted(heard, key=lambda name: not heard[name]))


def _page(problem: str) -> str:
    hall = the_hall()
    acts = hall.tournament.log()
    now, left = stands(acts), [said.act for said in history(acts) if not said.undone]
    last = _act_in_words(left[-1]) if left else ""
    values = {
        "now": now, "seen": len(acts), "problem": problem,
        "csrf": csrf_token(), "defaults": Begin(), "last": last, "pot": money(now.pot, chosen()),
        "stake": typed(Begin().stake), "final_stake": typed(Begin().final_stake), "pots": _pots(now),
        "won": _won(now, hall.overview.winners()),
        "called": _called(), "proposals": PROPOSALS, "kept": request.form if problem else {},
    }  # fmt: skip
    return render_template("hall/tournament.html", **values)


def _pots(now: Tournament) -> dict[tuple[int, int], str]:
    """What is played for at a table: number of the round and of the table → the sum of money; without those that play for
    none."""
    pots = {(round.number, table.number): now.pot_of(round, table) for round in now.rounds for table in round.tables}
    return {where: money(pot, chosen()) for where, pot in pots.items() if pot}


def _won(now: Tournament, winners: Sequence[Won]) -> dict[int, str]:
    """Who seems to have won at a table that plays: number of the table → a name, to be confirmed. It is the winner of the one
    game of the hall that is over and was played by people of this table alone."""
    found = dict[int, str]()
    for table in now.round.tables if now.round is not None else ():
        names = {name_key(name): name for name in table.people}
        here = [names[name_key(one.winner)] for one in winners if {name_key(name) for name in one.people} <= names.keys()]
        if len(here) == 1 and not table.places:
            found[table.number] = here[0]
    return found


def _act_in_words(act: Act) -> str:
    """An act in a few words, for the button that undoes it."""
    match act:
        case Begin():
            return _("the beginning")
        case Enrol(names):
            return _("enrolled: {names}").format(names=", ".join(names[:3]) + ("…" if len(names) > 3 else ""))
        case Leave(name):
            return _("{name} plays no more").format(name=name)
        case Paid(name, paid, final):
            said = _("{name} has paid") if paid else _("{name} has not paid")
            return " · ".join([*([_("Final")] if final else []), said.format(name=name)])
        case Ring(proposes):
            return _("the bell: {proposal}").format(proposal=_(PROPOSALS[proposes]))
        case At(table, hall):
            return _("table {table}: {hall}").format(table=table, hall=hall or "–")
        case Draw(seed):
            return _("the draw with seed {seed}").format(seed=seed)
        case Over(table, places):
            return _("table {table}: {name} has won").format(table=table, name=places[0])
    return ""

"""The state of a tournament, worked out from its acts. Pure, so that the same acts always give the same state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.table.errors import Reason
from companion.table.language import N_
from companion.table.people import name_key
from companion.tournament.acts import Act, At, Begin, Draw, Enrol, Leave, Over, Paid, Ring, Undo
from companion.tournament.draw import drawn, places, sizes

NOT_BEGUN = Reason("not_begun", N_("No tournament has begun"))
BEGUN = Reason("begun", N_("The tournament has begun already"))
BOUNDS = Reason("bounds",
                N_("At most as many people at a table as {most}, and at least {least}: the first must be the larger number"))
TWICE = Reason("twice", N_("{name} is enrolled already"))
UNKNOWN = Reason("unknown", N_("Nobody of this name plays: {name}"))
ON = Reason("on", N_("Table {table} still plays: the next round is drawn when all tables are over"))
NOBODY = Reason("nobody", N_("There are not enough people for a table"))
NO_TABLE = Reason("no_table", N_("There is no table {table} in this round"))
NOT_THERE = Reason("not_there", N_("{name} does not sit at this table"))
FEW = Reason("few", N_("{count} of this table go on: say at least as many, the first one first"))
SAME = Reason("same", N_("{name} stands there twice"))
NOTHING_TO_UNDO = Reason("nothing", N_("There is nothing to undo"))
TOO_LONG = Reason("too_long", N_("“{name}…” is too long: at most {most} letters."))
MEANWHILE = Reason("meanwhile", N_("Something else was done meanwhile, and this was not: look at the page once more"))
NO_FINAL = Reason("no_final", N_("{name} does not play in the final"))
IDLE = Reason("idle", N_("The bell is for tables that play: none does now"))
WON = Reason("won", N_("The tournament is over"))


class NotNow(ValueError):
    """An act that is not possible now. ``reason``, with ``values`` in its blanks, says why."""

    def __init__(self, reason: Reason, **values: object) -> None:
        super().__init__(reason.text.format(**values))
        self.reason, self.values = reason, values


class Person(Struct, frozen=True):
    """Somebody who was enrolled. ``gone``: they have stopped playing; ``points``: of all rounds so far; ``paid_final``: they have
    paid the stake of the final, too."""

    name: str
    paid: bool = False
    gone: bool = False
    points: int = 0
    paid_final: bool = False


class Table(Struct, frozen=True):
    """A table of a round. ``people``: who sits there, with those who came late last; ``places``: who was first, second, …, empty
    while the table plays; ``hall``: what the hall calls the table at which it is played, "" where that is not said."""

    number: int
    people: tuple[str, ...]
    places: tuple[str, ...] = ()
    hall: str = ""

    @property
    def elsewhere(self) -> str:
        """What the hall calls it, where that is not its number; else ""."""
        return self.hall if self.hall != str(self.number) else ""


class Round(Struct, frozen=True):
    """A round. ``number``: from 1; ``seed``: of its draw, as printed; ``final``: whether its winner wins the tournament;
    ``rung``: the last ring of the bell in this round, None for none."""

    number: int
    seed: int
    tables: tuple[Table, ...]
    rung: Ring | None = None

    @property
    def final(self) -> bool:
        """Whether the round has one table, and so its winner wins the tournament."""
        return len(self.tables) == 1


class Tournament(Struct, frozen=True):
    """The state of a tournament. ``settings``: how it was begun, None before the first."""

    settings: Begin | None = None
    people: tuple[Person, ...] = ()
    rounds: tuple[Round, ...] = ()

    @property
    def round(self) -> Round | None:
        """The round that is on, or the last one; None before the first."""
        return self.rounds[-1] if self.rounds else None

    @property
    def winner(self) -> str | None:
        """The winner of the tournament; None while nobody has won."""
        last = self.round
        return last.tables[0].places[0] if last is not None and last.final and last.tables[0].places else None

    @property
    def bell(self) -> Ring | None:
        """The last ring of the bell in the round that is on; None where it has not rung, or no table of it plays any more."""
        last = self.round
        return last.rung if last is not None and any(not table.places for table in last.tables) else None

    @property
    def pot(self) -> int:
        """The sum of all stakes that were paid, cents."""
        return sum(self._put_in(person) for person in self.people)

    def pot_of(self, round: Round, table: Table) -> int:
        """What the people of a table play for, cents: the stakes, as far as paid, of those who sit down for the first time at it;
        where there is a common pot, the final alone plays for those of all. The final's stakes come to that."""
        if self.settings is None:
            return 0
        if self.settings.pot == "common":
            return self.pot if round.final else 0
        final = sum(self._put_in_final(person) for person in self.people) if round.final else 0
        before = {name for one in self.rounds if one.number < round.number for other in one.tables for name in other.people}
        first = [person for person in self.people if person.name in table.people and person.name not in before]
        return final + sum(person.paid for person in first) * self.settings.stake

    def _put_in(self, person: Person) -> int:
        stake = self.settings.stake if self.settings is not None and person.paid else 0
        return stake + self._put_in_final(person)

    def _put_in_final(self, person: Person) -> int:
        return self.settings.final_stake if self.settings is not None and person.paid_final else 0

    def ranking(self) -> tuple[Person, ...]:
        """All people, those with most points first; in order of enrolling where they have equally many."""
        return tuple(sorted(self.people, key=lambda person: -person.points))


class RecordedAct(NamedTuple):
    """An act of the log, and whether it was taken back (``undone``)."""

    act: Act
    undone: bool


def history(acts: Sequence[Act]) -> tuple[RecordedAct, ...]:
    """All acts but `Undo`, each with whether it was taken back."""
    counts: list[int] = []
    for index, act in enumerate(acts):
        if not isinstance(act, Undo):
            counts.append(index)
        elif counts:
            counts.pop()
    left = frozenset(counts)
    return tuple(RecordedAct(act, index not in left) for index, act in enumerate(acts) if not isinstance(act, Undo))


def stands(acts: Sequence[Act]) -> Tournament:
    """The tournament after these acts. Raises NotNow where one of them was not possible."""
    found = Tournament()
    for said in history(acts):
        if not said.undone:
            found = after(found, said.act)
    return found


def allowed(acts: Sequence[Act], more: Act) -> Tournament:
    """The tournament after these acts and ``more``. Raises NotNow where that is not possible."""
    if isinstance(more, Undo) and all(said.undone for said in history(acts)):
        raise NotNow(NOTHING_TO_UNDO)
    return stands((*acts, more))


def after(now: Tournament, act: Act) -> Tournament:
    """The tournament after one act that is no `Undo`. Raises NotNow where it is not possible."""
    if isinstance(act, Begin):
        if now.settings is not None and now.winner is None:
            raise NotNow(BEGUN)
        if act.most < act.least:
            raise NotNow(BOUNDS, most=act.most, least=act.least)
        return Tournament(act)
    if (settings := now.settings) is None:
        raise NotNow(NOT_BEGUN)
    match act:
        case Enrol(names):
            for name in names:
                now = _enrolled(now, name)
            return now
        case Leave(name):
            return _person(now, name, gone=True)
        case Paid(name, paid, final):
            return _paid_final(now, name, paid) if final else _person(now, name, paid=paid)
        case Draw():
            return _drawn(now, settings, act)
        case At(table, hall):
            return _at(now, table, hall)
        case Over(table, places):
            return _over(now, settings, table, places)
        case Ring():
            return _rung(now, act)
    raise NotNow(NOTHING_TO_UNDO)


def as_enrolled(now: Tournament, names: Sequence[str]) -> tuple[str, ...]:
    """These typed names, each as it is spelt in the tournament where somebody's there differs from it in case, accents or spaces
    alone: they are the same person, who is enrolled already, or comes back."""
    known = dict[str, str]()
    for name in (*(person.name for person in now.people), *names):
        known.setdefault(name_key(name), name)
    here = {person.name for person in now.people}
    return tuple(name if name in here else known[name_key(name)] for name in names)


def _enrolled(now: Tournament, name: str) -> Tournament:
    if now.winner is not None:
        raise NotNow(WON)
    known = next((person for person in now.people if person.name == name), None)
    if known is not None and not known.gone:
        raise NotNow(TWICE, name=name)
    now = _person(now, name, gone=False) if known is not None else replace(now, people=(*now.people, Person(name)))
    if now.round is None:
        return now
    playing = [table for table in now.round.tables if not table.places]
    if not playing or any(name in table.people for table in now.round.tables):
        return now  # they are drawn with the next round, or sit there still
    least = min(playing, key=lambda table: len(table.people))
    return _with_table(now, replace(least, people=(*least.people, name)))


def _person(now: Tournament, name: str, **values: object) -> Tournament:
    if all(person.name != name for person in now.people):
        raise NotNow(UNKNOWN, name=name)
    return replace(now, people=tuple(replace(one, **values) if one.name == name else one for one in now.people))


def _paid_final(now: Tournament, name: str, paid: bool) -> Tournament:
    if now.round is None or not now.round.final or name not in now.round.tables[0].people:
        raise NotNow(NO_FINAL, name=name)
    return _person(now, name, paid_final=paid)


def _rung(now: Tournament, act: Ring) -> Tournament:
    last = now.round
    if last is None or all(table.places for table in last.tables):
        raise NotNow(IDLE)
    return replace(now, rounds=(*now.rounds[:-1], replace(last, rung=act)))


def _with_table(now: Tournament, table: Table) -> Tournament:
    last = now.rounds[-1]
    tables = tuple(table if one.number == table.number else one for one in last.tables)
    return replace(now, rounds=(*now.rounds[:-1], replace(last, tables=tables)))


def _table(now: Tournament, number: int) -> Table:
    """The table of the round that is on. Raises NotNow where there is none."""
    tables = now.round.tables if now.round is not None else ()
    found = next((one for one in tables if one.number == number), None)
    if found is None:
        raise NotNow(NO_TABLE, table=number)
    return found


def _at(now: Tournament, number: int, hall: str) -> Tournament:
    """Say where a table is played; another one that was to be played there changes places with it."""
    table = _table(now, number)
    other = next((one for one in now.rounds[-1].tables if hall and one.hall == hall), table)
    return _with_table(_with_table(now, replace(other, hall=table.hall)), replace(table, hall=hall))


def _drawn(now: Tournament, settings: Begin, draw: Draw) -> Tournament:
    last = now.round
    if now.winner is not None:
        raise NotNow(WON)
    if last is not None and (playing := next((table for table in last.tables if not table.places), None)) is not None:
        raise NotNow(ON, table=playing.number)
    names = going_on(now, settings)
    try:
        counts = sizes(len(names), settings.least, settings.most, draw.tables)
    except ValueError as error:
        raise NotNow(NOBODY) from error
    number = len(now.rounds) + 1
    hall, people = places(len(counts), draw.hall), drawn(names, draw.seed, number, counts)
    found = tuple(Table(at + 1, people[at], hall=hall[at]) for at in range(len(counts)))
    return replace(now, rounds=(*now.rounds, Round(number, draw.seed, found)))


def going_on(now: Tournament, settings: Begin) -> tuple[str, ...]:
    """The people of the next round. Of the first: everybody who is enrolled; of later ones: those of each table who go on, and
    those who were enrolled too late to sit down at a table."""
    here = [person.name for person in now.people if not person.gone]
    if not now.rounds:
        return tuple(here)
    sat = {name for round in now.rounds for table in round.tables for name in table.people}
    on = {name for table in now.rounds[-1].tables for name in table.places[: settings.go_on]}
    return tuple(name for name in here if name in on or name not in sat)


def _over(now: Tournament, settings: Begin, number: int, places: Sequence[str]) -> Tournament:
    table, last = _table(now, number), now.rounds[-1]
    for name in places:
        if name not in table.people:
            raise NotNow(NOT_THERE, name=name)
    wanted = 1 if last.final else min(settings.go_on, len(table.people))
    if (same := next((name for name in places if places.count(name) > 1), None)) is not None:
        raise NotNow(SAME, name=same)
    if len(places) < wanted:
        raise NotNow(FEW, count=wanted)
    points = dict(zip(places, settings.points, strict=False))
    before = dict(zip(table.places, settings.points, strict=False))  # it was said before, and is said again
    people = tuple(
        replace(one, points=one.points + points.get(one.name, 0) - before.get(one.name, 0)) for one in now.people
    )
    return _with_table(replace(now, people=people), replace(table, places=tuple(places)))

"""A hall with `--keep-all`: a table whose machine was lost goes on in mid-hand on another one, and in no other case."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from serving import until
from tables import Table, running
from ways import Plain, Way, drained

from companion.games import find_game, log_format
from companion.hall.database import Database
from companion.hall.intake import Intake
from companion.hall.messages import Fetch, Pair
from companion.hall.table.exchange import Exchange
from companion.hall.table.link import Away, HallRefused
from companion.hall.table.membership import Membership
from companion.hall.table.remaking import has_no_game, remade
from companion.ledger import Ledger, outbox
from companion.ledger.statements import Rewrite
from companion.line.recorder import EveningRecorder
from companion.referee.record import Entry, decode
from companion.table.log import Event

STREAM = Path(__file__).parents[1] / "games" / "stu" / "referee" / "streams" / "gnao4.sightings.jsonl"


class KeepingWay(Way):
    """A way to a hall that keeps all, or, where not ``keeps_all``, to one that does not."""

    def __init__(self, database: Database, *, keeps_all: bool = True) -> None:
        super().__init__(database)
        self.intake = Intake(database, keeps_all=keeps_all)

    def _answered(self, body: object, token: str) -> object:
        if isinstance(body, Fetch):
            seat = self.seats.find(token)
            assert seat is not None
            return self.intake.fetched(seat, body)
        return super()._answered(body, token)

    def joined(self, ledger: Ledger, name: str = "Portico") -> Exchange:
        """As `companion.hall.table.joining.Joining.join`, without a socket."""
        self.unheard()
        paired = self.seats.pair(Pair("", outbox.identity(ledger), name, has_no_game(ledger)), goes_on=self.intake.keeps_all)
        first = remade(ledger, self, paired.token, paired.ledger) if paired.ledger else None
        member = Membership("http://127.0.0.1", paired.token, "", paired.name, first or ledger.newest() or 1)
        return Exchange(ledger, Plain(ledger), member, self)


def entries() -> tuple[Event, list[Entry]]:
    """The game line of an evening that a camera saw, and what was reported of it."""
    _, record = decode(STREAM.read_bytes(), find_game)
    return record.game, list(record.entries)


def half(ledger: Ledger) -> EveningRecorder:
    """The evening up to the middle of a hand."""
    first, reported = entries()
    recorder = EveningRecorder.begin(ledger, first, camera="/dev/video0")
    for entry in reported[: len(reported) // 2]:
        recorder.report(entry)
    return recorder


def kept(ledger: Ledger) -> tuple[object, ...]:
    """All of the newest game that another machine needs."""
    game = ledger.newest()
    assert game is not None
    return game, outbox.identity(ledger), outbox.rows(ledger, game, 0, 10**6), ledger.reported(game), ledger.notes(game)


@pytest.mark.parametrize("fault", ["", "lost", "twice", "late"])
def test_a_table_whose_machine_was_lost_goes_on_in_mid_hand_as_if_nothing_had_been(database: Database, fault: str) -> None:
    way = KeepingWay(database)
    with Ledger.in_memory(log_format) as lost, Ledger.in_memory(log_format) as new, Ledger.in_memory(log_format) as spared:
        old = half(lost)
        sends = way.joined(lost)
        if fault:
            setattr(way, fault, True)
            for _ in range(4):
                try:
                    sends.step()
                except Away:
                    sends.forget()
            setattr(way, fault, False)
        drained(sends)
        again = way.joined(new)
        assert kept(new) == kept(lost)
        with pytest.raises(HallRefused):
            sends.step()  # the old machine, if it comes back
        here, there = EveningRecorder.resume(new, old.game_id), half(spared)
        assert here.state == old.state
        assert here.state.hand is not None  # type: ignore[attr-defined]
        for entry in entries()[1][len(entries()[1]) // 2 :]:
            here.report(entry)
            there.report(entry)
        drained(again)
        assert [line.event for line in new.lines(1)] == [line.event for line in spared.lines(1)]
    with database.taking() as connection:  # one game, one branch: nothing new in it for the hall
        assert connection.execute("SELECT number, branch FROM game").fetchall() == [(old.game_id, 0)]


@pytest.mark.parametrize("why", ["the hall keeps logs alone", "games of its own", "another name"])
def test_in_any_other_case_the_table_begins_a_new_game(database: Database, why: str) -> None:
    way = KeepingWay(database, keeps_all=why != "the hall keeps logs alone")
    with Ledger.in_memory(log_format) as lost, Ledger.in_memory(log_format) as new:
        half(lost)
        drained(way.joined(lost))
        if why == "games of its own":
            half(new)
        name, before = outbox.identity(new), new.newest()
        drained(way.joined(new, "Cantina" if why == "another name" else "Portico"))
        assert (outbox.identity(new), new.newest()) == (name, before)
    with database.taking() as connection:
        (count,), = connection.execute("SELECT count(*) FROM report").fetchall()
        assert bool(count) == way.intake.keeps_all


def test_names_forgotten_at_the_table_are_forgotten_in_what_the_hall_keeps(database: Database) -> None:
    way = KeepingWay(database)
    with Ledger.in_memory(log_format) as ledger:
        game = half(ledger).game_id
        sends = way.joined(ledger)
        drained(sends)
        ledger.rewrite(game, Rewrite(str, lambda text: text.replace("Appeared", "appeared"), str, lambda _, text: text, str))
        drained(sends)
        new = Ledger.in_memory(log_format)
        sends = way.joined(new)
        assert kept(new) == kept(ledger)
        assert outbox.outgoing(new) == outbox.outgoing(ledger)
        new.erase(game)
        drained(sends)
        new.close()
    with database.taking() as connection:
        for secret in ("report", "note", "version"):
            assert connection.execute(f"SELECT count(*) FROM {secret}".encode()).fetchone() == (0,), secret


def test_who_serves_spectators_may_not_read_what_is_kept(database: Database) -> None:
    for secret in ("note", "report"):
        for role in (database.viewing, database.organiser):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), role() as connection:
                connection.execute(f"SELECT * FROM {secret}".encode())


def test_a_new_machine_joins_by_the_halls_code_and_its_tv_shows_the_old_game(database: Database) -> None:
    with running(database, keep_all=True) as hall:
        lost, new = Table(), Table()
        game = half(lost.ledger).game_id
        lost.join(hall, "Portico")
        until(lambda: hall.has_all_of(lost.ledger))
        until(lambda: reported(database) == len(lost.ledger.reports(game)))
        shown = lost.says()
        lost.close()
        Way(database).unheard()
        new.join(hall, "Portico")
        until(lambda: new.says()["hand"] == shown["hand"])
        assert new.says()["seats"] == shown["seats"]
        assert [told["name"] for told in hall.tables()] == ["Portico"]
        new.close()


def reported(database: Database) -> int:
    """How many reports the hall has."""
    with database.taking() as connection:
        return int(connection.execute("SELECT count(*) FROM report").fetchall()[0][0])

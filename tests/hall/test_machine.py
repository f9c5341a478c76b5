"""What must always hold: a hall is a prefix of every ledger, in order, once."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule, run_state_machine_as_test
from tables import PLAYERS
from ways import Plain, Way, drained, member

from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.hall.database import Database
from companion.hall.intake import rows_of
from companion.hall.table.exchange import Exchange
from companion.hall.table.link import Away, HallRefused
from companion.ledger import Ledger, outbox
from companion.ledger.outbox import EMPTY_CHAIN, Row
from companion.ledger.statements import Rewrite
from companion.table.log import Line

EVERY = 10**6
Said = tuple[tuple[int, int, int, str], ...]


def said(rows: tuple[Row, ...]) -> Said:
    """What rows say, without when: a copy that goes on in the same words is no other game, and the hall keeps the first times."""
    return tuple((row.number, row.head, row.tail, row.lines) for row in rows)


class Machine(RuleBasedStateMachine):
    """Tables that record, are cut off, killed and copied; a hall that is restored; ways on which all arrives twice or late."""

    database: Database
    sending = Bundle("sending")

    def __init__(self) -> None:
        super().__init__()
        with self.database.owner() as connection:
            connection.execute("TRUNCATE seat_at, game, version, shown, question, command RESTART IDENTITY CASCADE")
        self.ways: list[Way] = []
        self.ledgers: list[Ledger] = []
        self.runs: dict[int, Exchange] = {}
        self.members: list = []
        self.names = itertools.count(2)
        self.seen: dict[tuple[str, int], set[Said]] = {}
        self.written: set[Row] = set()
        self.copies: Counter[tuple[int, int]] = Counter()

    def teardown(self) -> None:
        for number in range(len(self.ledgers)):
            way = self.ways[number]
            way.cut = way.lost = way.twice = way.late = False
            self.kill(number)
            drained(self.runs[number])
            for told in outbox.outgoing(self.ledgers[number]):
                kept, rows = self.kept(number, told.game)[-1], outbox.rows(self.ledgers[number], told.game, 0, EVERY)
                assert said(kept) == said(rows)
                assert kept == rows or self.copies[number, told.game]
        for ledger in self.ledgers:
            ledger.close()

    @rule(target=sending)
    def joins(self) -> int:
        if len(self.ledgers) >= 2:
            return multiple()
        self.ledgers.append(Ledger.in_memory(log_format))
        self.ways.append(Way(self.database))
        self.members.append(member(self.ways[-1], self.ledgers[-1]))
        self.kill(len(self.ledgers) - 1)
        return len(self.ledgers) - 1

    @rule(number=sending, pots=st.lists(st.integers(1, 5), min_size=1, max_size=4), new=st.booleans(), times=st.integers(0, 2))
    def records(self, number: int, pots: list[int], new: bool, times: int) -> None:
        ledger = self.ledgers[number]
        for pot in pots:
            lines = [Line(new_game(PLAYERS, pot, "Carla"))]
            if new or ledger.newest() is None:
                ledger.begin(lines)
                new = False
            else:
                ledger.record(ledger.newest() or 1, lines)
        self.note(number)
        self.sends(number, times)

    @rule(number=sending, faults=st.sets(st.sampled_from(["cut", "lost", "twice", "late"])))
    def fails(self, number: int, faults: set[str]) -> None:
        for fault in ("cut", "lost", "twice", "late"):
            setattr(self.ways[number], fault, fault in faults)

    @rule(number=sending, times=st.integers(1, 3))
    def sends(self, number: int, times: int) -> None:
        for _ in range(times):
            try:
                self.runs[number].step()
            except Away:
                self.runs[number].forget()
            except HallRefused as refused:
                if not self.runs[number].greets_again(refused.error):
                    raise

    @rule(number=sending)
    def kill(self, number: int) -> None:
        ledger = self.ledgers[number]
        name = f"run {next(self.names)}"
        self.runs[number] = Exchange(ledger, Plain(ledger), self.members[number], self.ways[number], name)

    @rule(number=sending, back=st.integers(1, 3), pots=st.lists(st.integers(6, 9), max_size=4))
    def goes_on_with_a_copy(self, number: int, back: int, pots: list[int]) -> None:
        """The ledger is again as it was some versions ago, and another game may come out of it."""
        ledger = self.ledgers[number]
        game = ledger.newest()
        if game is None:
            return
        with ledger.writing() as writing:
            writing.execute("DELETE FROM version WHERE game = ? AND number > ?", (game, max(1, ledger.version(game) - back)))
        ledger._versions.drop(game)
        self.copies[number, game] += 1
        self.kill(number)
        self.note(number)
        self.records(number, pots, new=False, times=2)

    @rule(number=sending, name=st.sampled_from(["Anna", "Bruno"]))
    def forgets(self, number: int, name: str) -> None:
        ledger, game = self.ledgers[number], self.ledgers[number].newest()
        if game is not None:
            ledger.rewrite(game, Rewrite(lambda line: line.replace(name, "Qualcuno"), str, str, lambda name, text: text, str))
            self.note(number)

    @rule(number=sending, back=st.integers(1, 3))
    def the_hall_is_restored(self, number: int, back: int) -> None:
        with self.database.owner() as connection:
            for game, last in connection.execute("SELECT id, last FROM game").fetchall():
                connection.execute("DELETE FROM version WHERE game = %s AND number > %s", (game, last - back))
                rows = rows_of(connection, game)
                connection.execute("UPDATE game SET last = %s, chain = %s WHERE id = %s",
                                   (len(rows), outbox.chained(EMPTY_CHAIN, rows), game))
            connection.execute("UPDATE hall SET epoch = epoch + 1")
            connection.execute("UPDATE seat_at SET sender = ''")

    def note(self, number: int) -> None:
        """What a ledger has ever been."""
        for told in outbox.outgoing(self.ledgers[number]):
            every = self.seen.setdefault((outbox.identity(self.ledgers[number]), told.game), set())
            rows = outbox.rows(self.ledgers[number], told.game, 0, EVERY)
            every.add(said(rows))
            self.written.update(rows)

    def kept(self, number: int, game: int) -> list[tuple[Row, ...]]:
        with self.database.taking() as connection:
            found = connection.execute("SELECT id FROM game WHERE ledger = %s AND number = %s ORDER BY branch",
                                       (outbox.identity(self.ledgers[number]), game)).fetchall()
            return [rows_of(connection, row[0]) for row in found]

    @invariant()
    def the_hall_is_a_prefix_of_every_ledger(self) -> None:
        for number, ledger in enumerate(self.ledgers):
            for told in outbox.outgoing(ledger):
                branches = self.kept(number, told.game)
                assert len(branches) <= 1 + self.copies[number, told.game]
                for rows in branches:
                    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
                    ever = self.seen[outbox.identity(ledger), told.game]
                    assert any(one[: len(rows)] == said(rows) for one in ever), (rows, ever)
                    assert self.written.issuperset(rows)


@pytest.fixture
def machine(database: Database) -> type[Machine]:
    return type("Machine", (Machine,), {"database": database})


def test_a_copy_that_goes_on_in_the_same_words_is_no_branch(machine: type[Machine]) -> None:
    one = machine()
    table = one.joins()
    one.records(table, [1], new=False, times=0)
    one.goes_on_with_a_copy(table, 1, [6])
    one.goes_on_with_a_copy(table, 1, [6, 7])
    one.the_hall_is_a_prefix_of_every_ledger()
    assert [len(rows) for rows in one.kept(table, 1)] == [3]
    one.teardown()


def test_a_hello_of_a_killed_run_that_comes_late_stops_nobody(machine: type[Machine]) -> None:
    one = machine()
    table = one.joins()
    one.records(table, [1], new=False, times=0)
    one.fails(table, {"lost"})
    one.sends(table, 1)
    one.kill(table)
    one.fails(table, {"late"})
    one.sends(table, 2)
    one.fails(table, set())
    one.sends(table, 1)
    assert [len(rows) for rows in one.kept(table, 1)] == [1]
    one.teardown()


@pytest.mark.processor(60)
def test_a_hall_is_a_prefix_of_every_ledger_in_order_once(machine: type[Machine]) -> None:
    run_state_machine_as_test(machine, settings=settings(max_examples=25, stateful_step_count=25, deadline=None))



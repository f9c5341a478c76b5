"""Two live machines with one table's name: the second is refused and told why, and what each has recorded is never mixed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from serving import until
from tables import PLAYERS, Organiser, Running, Table, table
from ways import Plain, Way

from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.hall.database import Database
from companion.hall.intake import rows_of
from companion.hall.messages import Pair
from companion.hall.seats import NotLetIn
from companion.hall.table.exchange import Exchange
from companion.hall.table.link import HallRefused
from companion.hall.table.membership import HallError, Membership
from companion.ledger import Ledger, outbox
from companion.table.log import Line


def test_a_second_machine_is_refused_while_the_first_plays_and_the_first_goes_on(hall: Running) -> None:
    with table(hall, name="Portico") as first:
        first.play(seed=1)
        first.is_sent(hall)
        second = Table()
        second.play(seed=2)
        with pytest.raises(HallError, match="plays in the hall now: choose another name"):
            second.join(hall, "Portico")
        first.play(seed=3)
        first.is_sent(hall)
        second.join(hall, "Piazza")
        second.is_sent(hall)
        assert [one["name"] for one in hall.tables()] == ["Portico", "Piazza"]
        second.close()


def test_a_name_that_another_machine_spells_otherwise_is_the_same_tables(hall: Running) -> None:
    with table(hall, name="Caffè Portico") as first:
        second = Table()
        with pytest.raises(HallError, match="plays in the hall now: choose another name"):
            second.join(hall, "caffe portico")
        first.joining.close()
        Way(hall.hall.database).unheard()
        second.join(hall, "caffe portico")
        assert second.joining.standing.name == "Caffè Portico"
        assert [one["name"] for one in hall.tables()] == ["Caffè Portico"]
        second.join(hall, "Caffè PORTICO")
        assert [one["name"] for one in hall.tables()] == ["Caffè PORTICO"]
        second.close()


@pytest.mark.parametrize("freed", ["it was not heard for a while", "it was removed"])
def test_a_second_machine_takes_the_place_of_one_that_is_gone_and_that_one_is_told(hall: Running, freed: str) -> None:
    with table(hall, name="Portico") as first:
        game = first.play(seed=1)
        first.is_sent(hall)
        first.joining.close()
        if freed == "it was removed":
            Organiser(hall).post("withdraw", {"table": 1})
        else:
            Way(hall.hall.database).unheard()
        with table(hall, name="Portico") as second:
            second.play(seed=2)
            first.joining.resume()  # its network is back
            until(lambda: first.joining.standing.state == "refused")
            assert "Another machine has joined the hall as this table" in first.joining.notices("en")[0]
            assert "Un’altra macchina è entrata nella sala" in first.joining.notices("it")[0]
            second.is_sent(hall)
            assert hall.has_all_of(first.ledger)
            assert first.ledger.record(game, first.ledger.lines(game)[:1])  # the table plays on
        assert [one["name"] for one in hall.tables()] == ["Portico"]


def test_a_copy_of_a_live_tables_ledger_is_refused_under_another_name_and_the_table_itself_may_take_one(
    hall: Running, tmp_path: Path
) -> None:
    with table(hall, Ledger.open(tmp_path / "a.ledger", log_format), "Portico") as one:
        one.play()
        one.is_sent(hall)
        with closing(sqlite3.connect(tmp_path / "a.ledger")) as connection:
            connection.execute(f"VACUUM INTO '{tmp_path / 'b.ledger'}'")
        with Ledger.open(tmp_path / "b.ledger", log_format) as copy:
            copied = Table(copy)
            copied.joining.leave()
            with pytest.raises(HallError, match="begin with a ledger of its own"):
                copied.join(hall, "Piazza")
            copied.joining.close()
        one.join(hall, "Piazza")
        until(lambda: one.joining.standing.state == "joined")
        assert one.joining.standing.name == "Piazza"
        assert [there["name"] for there in hall.tables()] == ["Piazza"]


@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("name", ["Piazza", "Portico"])
def test_a_table_that_joins_by_another_name_is_shown_once(hall: Running, left: bool, name: str) -> None:
    """Else a tile with the name of before would stay, with the same game, as a table that is silent."""
    with table(hall, name="Portico") as other, table(hall) as one:
        one.play()
        one.is_sent(hall)
        other.joining.close()
        if left:
            one.joining.leave()
        Way(hall.hall.database).unheard()
        one.join(hall, name)
        one.is_sent(hall)
        until(lambda: [there["game"] for there in hall.tables() if there["name"] == name] == [1])
        assert [there["name"] for there in hall.tables()] == (["Portico"] if name == "Portico" else ["Portico", "Piazza"])


@pytest.mark.parametrize("name", ["Piazza", "Portico"])
def test_a_table_that_has_left_frees_its_name_and_its_ledger_at_once_and_asks_nothing_more(hall: Running, name: str) -> None:
    with table(hall, name="Portico") as one:
        one.play()
        one.joining.call_referee(True)
        one.is_sent(hall)
        until(lambda: Organiser(hall).look()["calls"])
        until(lambda: one.joining.standing.state == "joined")
        one.joining.leave()
        told = Organiser(hall).look()
        assert (told["calls"], told["questions"], told["tables"][0]["state"] != "live") == ([], [], True)
        if name == "Piazza":  # by another name, with the same ledger
            one.join(hall, name)
            until(lambda: one.joining.standing.state == "joined")
        else:
            with table(hall, name=name) as another:
                until(lambda: another.joining.standing.state == "joined")
        assert [there["name"] for there in hall.tables()] == [name]


def test_what_two_machines_have_recorded_is_never_mixed(database: Database) -> None:
    @settings(max_examples=20, deadline=None)
    @given(acts=st.lists(st.tuples(st.integers(0, 1), st.sampled_from(["join", "record", "send", "wait"])), max_size=25))
    def never_mixed(acts: list[tuple[int, str]]) -> None:
        with_two_machines(database, acts)

    never_mixed()


def with_two_machines(database: Database, acts: list[tuple[int, str]]) -> None:
    """Two machines do this in turn, both as the table Portico; then what the hall has of each is the beginning of its ledger."""
    with database.owner() as connection:
        connection.execute("TRUNCATE seat_at, game, version, shown, question, command RESTART IDENTITY CASCADE")
    way = Way(database)
    ledgers = [Ledger.in_memory(log_format) for _ in range(2)]
    runs: list[Exchange | None] = [None, None]
    said = set[str]()
    for number, ledger in enumerate(ledgers):
        ledger.begin([Line(new_game(PLAYERS, number + 1, "Carla"))])
    for place, (number, act) in enumerate(acts):
        ledger, run = ledgers[number], runs[number]
        if act == "record":
            ledger.record(1, [Line(new_game(PLAYERS, 10 * place + number, "Carla"))])
        elif act == "wait":
            way.unheard()
        elif act == "join":
            try:
                paired = way.seats.pair(Pair("", outbox.identity(ledger), "Portico"))
                member = Membership("http://127.0.0.1", paired.token, "", paired.name, 1)
                runs[number] = Exchange(ledger, Plain(ledger), member, way)
            except NotLetIn as refused:
                said.add(refused.code)
        elif run is not None:
            try:
                run.step()
            except HallRefused as refused:
                said.add(refused.error)
    assert said <= {"name_taken", "taken_over", "replaced"}
    with database.taking() as connection:
        for ledger in ledgers:
            for (game,) in connection.execute("SELECT id FROM game WHERE ledger = %s", (outbox.identity(ledger),)).fetchall():
                rows = rows_of(connection, game)
                assert rows == outbox.rows(ledger, 1, 0, 10**6)[: len(rows)]
    for ledger in ledgers:
        ledger.close()

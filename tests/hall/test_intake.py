"""What a hall takes in: every row once and in order, whatever is sent again, torn or late."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from tables import PLAYERS
from ways import Plain, Way, drained, exchange, member

from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.hall.cluster import Cluster
from companion.hall.database import Database
from companion.hall.intake import rows_of
from companion.hall.messages import Done, GameRows, Hello, OpenChoice, OpenQuestion, Send, SentRow
from companion.hall.table.exchange import Exchange
from companion.hall.table.link import Away, HallRefused
from companion.hall.table.membership import HallError
from companion.ledger import Ledger, outbox
from companion.ledger.outbox import EMPTY_CHAIN, Row
from companion.ledger.statements import Rewrite
from companion.table.log import Line

DAY = 86400.0


def line(pot: int) -> Line:
    return Line(new_game(PLAYERS, pot, "Carla"))


@pytest.fixture
def way(database: Database) -> Way:
    return Way(database)


@pytest.fixture
def one(ledger: Ledger) -> Ledger:
    """A ledger with a game of three versions."""
    game = ledger.begin([line(100)])
    for pot in (200, 300):
        ledger.record(game, [line(pot)])
    return ledger


def kept(database: Database, ledger: Ledger, game: int = 1) -> dict[int, tuple[Row, ...]]:
    """Branch → the rows that the hall has of it."""
    with database.taking() as connection:
        found = connection.execute("SELECT branch, id FROM game WHERE ledger = %s AND number = %s ORDER BY branch",
                                   (outbox.identity(ledger), game)).fetchall()
        return {branch: rows_of(connection, id) for branch, id in found}


def whole(ledger: Ledger, game: int = 1) -> tuple[Row, ...]:
    return outbox.rows(ledger, game, 0, 10**6)


def test_rows_are_taken_in_as_they_are_kept(database: Database, way: Way, one: Ledger) -> None:
    sends = exchange(way, one)
    drained(sends)
    assert kept(database, one) == {0: whole(one)}
    one.record(1, [line(400)])
    other = one.begin([line(7)])
    drained(sends)
    assert kept(database, one) == {0: whole(one)}
    assert kept(database, one, other) == {0: whole(one, other)}


@pytest.mark.parametrize("fault", ["lost", "twice", "late"])
def test_what_is_sent_again_changes_nothing(database: Database, way: Way, one: Ledger, fault: str) -> None:
    sends = exchange(way, one)
    setattr(way, fault, True)
    for pot in (400, 500):
        for _ in range(3):
            try:
                sends.step()
            except Away:
                sends.forget()
        one.record(1, [line(pot)])
    setattr(way, fault, False)
    with database.taking() as connection:
        before = connection.execute("SELECT game, number, came, xmin::text FROM version ORDER BY 1, 2").fetchall()
    drained(sends)
    for body, token in way.sent:
        way._again(body, token)
    assert kept(database, one) == {0: whole(one)}
    with database.taking() as connection:
        after = connection.execute("SELECT game, number, came, xmin::text FROM version ORDER BY 1, 2").fetchall()
    assert after[: len(before)] == before


def test_a_backlog_comes_in_order_over_many_messages(database: Database, way: Way, ledger: Ledger) -> None:
    game = ledger.begin([line(1)])
    for pot in range(2, 1300):
        ledger.record(game, [line(pot)])
    drained(exchange(way, ledger))
    assert kept(database, ledger) == {0: whole(ledger)}
    assert sum(isinstance(body, Send) for body, _ in way.sent) == 3


@pytest.mark.parametrize(("after", "numbers"), [(0, [2]), (0, [1, 3]), (1, [1]), (5, [6])])
def test_rows_with_a_hole_are_not_taken(database: Database, way: Way, ledger: Ledger, after: int, numbers: list[int]) -> None:
    member_of = member(way, ledger)
    way.ask("", Hello(1, outbox.identity(ledger), "s", time.time()), msgspec.Raw, member_of.token)
    rows = tuple(SentRow(number, 0.0, 0, 0, "x\n") for number in numbers)
    told = GameRows(1, 0.0, 0, False, "", after, EMPTY_CHAIN if not after else "0" * 32, rows)
    way.ask("", Send("s", 1, (told,)), msgspec.Raw, member_of.token)
    assert kept(database, ledger) == {0: ()}


def test_rows_behind_others_than_those_that_are_there_are_not_taken(database: Database, way: Way, one: Ledger) -> None:
    sends = exchange(way, one, sender="s")
    drained(sends)
    token = way.sent[-1][1]
    for chain in ("0" * 32, EMPTY_CHAIN):
        told = GameRows(1, 0.0, 0, False, "", 3, chain, (SentRow(4, 0.0, 0, 0, "x\n"),))
        way.ask("", Send("s", 1, (told,)), msgspec.Raw, token)
    assert kept(database, one) == {0: whole(one)}


def test_a_torn_text_is_refused_and_nothing_of_the_message_is_kept(database: Database, way: Way, ledger: Ledger) -> None:
    member_of = member(way, ledger)
    way.ask("", Hello(1, outbox.identity(ledger), "s", time.time()), msgspec.Raw, member_of.token)
    torn = GameRows(1, 0.0, 0, False, "", 0, EMPTY_CHAIN, (SentRow(1, 0.0, 0, 0, "fine\n"), SentRow(2, 0.0, 0, 0, "a\0b\n")))
    with pytest.raises(HallRefused, match="torn"):
        way.ask("", Send("s", 1, (torn,)), msgspec.Raw, member_of.token)
    assert kept(database, ledger) == {}


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[tuple[Ledger, Ledger]]:
    """A ledger with three versions, and a copy of it as it was after two."""
    path, copy = tmp_path / "a.ledger", tmp_path / "copy.ledger"
    with Ledger.open(path, log_format) as ledger:
        ledger.begin([line(100)])
        ledger.record(1, [line(200)])
        ledger.copy_to(tmp_path / "half.ledger")
        shutil.move(tmp_path / "half.ledger", copy)
        ledger.record(1, [line(300)])
        with Ledger.open(copy, log_format) as gone_on:
            yield ledger, gone_on


def test_a_copy_that_was_gone_on_with_is_a_branch(database: Database, way: Way, copied: tuple[Ledger, Ledger]) -> None:
    first, copy = copied
    token = member(way, first)
    drained(Exchange(first, Plain(first), token, way, "first"))
    copy.record(1, [line(999)])
    sends = Exchange(copy, Plain(copy), token, way, "copy")
    way.twice = way.late = True
    drained(sends)
    copy.record(1, [line(1000)])
    drained(sends)
    assert kept(database, copy) == {0: whole(first), 1: whole(copy)}
    with database.viewing() as connection:  # the older branch counts for nothing
        [(last,)] = connection.execute("SELECT last FROM table_seen").fetchall()
    assert last == len(whole(copy))
    with database.organiser() as connection:
        assert connection.execute("SELECT branch FROM game WHERE NOT told").fetchall() == [(1,)]


def test_the_newer_of_two_senders_wins(way: Way, one: Ledger) -> None:
    token = member(way, one)
    older, newer = (Exchange(one, Plain(one), token, way, name) for name in ("older", "newer"))
    drained(older)
    drained(newer)
    one.record(1, [line(400)])
    with pytest.raises(HallRefused) as refused:
        older.step()
    assert refused.value.error == "replaced"
    drained(newer)


def test_two_that_live_each_say_hello_once_more_and_the_newer_one_stays(way: Way, one: Ledger) -> None:
    token = member(way, one)
    live = {name: Exchange(one, Plain(one), token, way, name) for name in ("older", "newer")}
    drained(live["older"])
    stopped = []
    for step in range(20):
        one.record(1, [line(400 + step)])
        for name, run in list(live.items()):
            try:
                drained(run)
            except HallRefused as refused:
                if not run.greets_again(refused.error):
                    stopped.append(name)
                    del live[name]
    assert stopped == ["older"]
    drained(live["newer"])


def test_a_game_that_was_written_in_other_words_is_so_in_the_hall(database: Database, way: Way, one: Ledger) -> None:
    sends = exchange(way, one)
    drained(sends)
    one.rewrite(1, Rewrite(lambda text: text.replace("Anna", "Qualcuno"), str, str, lambda name, text: text, str))
    drained(sends)
    assert kept(database, one) == {0: whole(one)}
    with database.taking() as connection:
        assert connection.execute("SELECT count(*) FROM version WHERE lines LIKE '%%Anna%%'").fetchone() == (0,)
    one.erase(1)
    drained(sends)
    assert kept(database, one) == {0: ()}


def test_a_deleted_game_is_shown_no_more(database: Database, way: Way, one: Ledger) -> None:
    sends = exchange(way, one)
    drained(sends)
    one.delete(1)
    drained(sends)
    with database.viewing() as connection:
        assert connection.execute("SELECT game FROM table_seen").fetchall() == [(None,)]
    one.restore(1)
    drained(sends)
    with database.viewing() as connection:
        assert connection.execute("SELECT last FROM table_seen").fetchall() == [(3,)]


@pytest.mark.parametrize("ahead", [DAY, -DAY])
def test_a_clock_a_day_off_changes_no_order_and_is_told(database: Database, one: Ledger, ahead: float) -> None:
    way = Way(database, lambda: time.time() - ahead)
    sends = exchange(way, one)
    drained(sends)
    assert sends.skew_s == pytest.approx(ahead, abs=60)
    assert kept(database, one) == {0: whole(one)}
    with database.taking() as connection:
        came, heard = connection.execute("SELECT max(came), max(heard) FROM version, seat_at").fetchone() or (0, 0)
    assert came == pytest.approx(time.time() - ahead, abs=60)
    assert heard == pytest.approx(time.time() - ahead, abs=60)


def test_a_restored_hall_is_sent_what_is_missing(database: Database, way: Way, one: Ledger) -> None:
    sends = exchange(way, one)
    drained(sends)
    with database.owner() as connection:  # as a copy had it, taken one version ago
        connection.execute("DELETE FROM version WHERE number = 3")
        connection.execute("UPDATE game SET last = 2, chain = %s", (outbox.chained(EMPTY_CHAIN, whole(one)[:2]),))
        connection.execute("UPDATE hall SET epoch = epoch + 1")
        connection.execute("UPDATE seat_at SET sender = ''")
    one.record(1, [line(400)])
    with pytest.raises(HallRefused) as refused:
        sends.step()
    assert refused.value.error == "hello"
    sends.forget()
    drained(sends)
    assert kept(database, one) == {0: whole(one)}


def put_back(database: Database, seats: list[tuple[object, ...]]) -> None:
    """The hall's tables, and what it has of games, are again what a copy had."""
    with database.owner() as connection:
        connection.execute("TRUNCATE seat_at, game, version, shown, question, command RESTART IDENTITY CASCADE")
        for seat in seats:
            connection.execute("INSERT INTO seat_at (name, digest, ledger, joined, withdrawn) VALUES (%s, %s, %s, %s, %s)", seat)
        connection.execute("UPDATE hall SET epoch = epoch + 1")


def seats_now(database: Database) -> list[tuple[object, ...]]:
    with database.owner() as connection:
        return connection.execute("SELECT name, digest, ledger, joined, withdrawn FROM seat_at ORDER BY id").fetchall()


def goes_on(way: Way, run: Exchange) -> None:
    """The table sends by itself what a restored hall lacks: nobody has it join again."""
    way.seats.learn()  # as a hall that begins
    run.forget()
    drained(run)


def test_a_table_whose_machine_was_replaced_after_the_copy_was_made_goes_on_when_the_hall_is_restored(
    database: Database, way: Way, one: Ledger
) -> None:
    older = exchange(way, one, "Portico")
    drained(older)
    copy = seats_now(database)
    with Ledger.in_memory(log_format) as new:
        new.begin([line(5)])
        newer = exchange(way, new, "Portico")
        put_back(database, copy)
        goes_on(way, newer)
        assert kept(database, new) == {0: whole(new)}
        older.forget()
        with pytest.raises(HallRefused) as refused:
            older.step()
        assert refused.value.error == "taken_over"
        assert [seat.name for seat in way.seats.all()] == ["Portico"]


def test_where_both_machines_of_a_table_joined_after_the_copy_was_made_the_newer_one_stays_in_any_order(
    database: Database, way: Way, one: Ledger
) -> None:
    with Ledger.in_memory(log_format) as new:
        for first_is_older in (True, False):
            older, newer = exchange(way, one, "Portico"), exchange(way, new, "Portico")
            put_back(database, [])
            for run in (older, newer) if first_is_older else (newer, older):
                run.forget()
                with suppress(HallRefused):
                    drained(run)
            assert [seat.ledger for seat in way.seats.all()] == [outbox.identity(new)]
            older.forget()
            with pytest.raises(HallRefused):
                older.step()


def test_a_table_that_was_removed_before_the_copy_was_made_is_not_let_in_again_by_it(
    database: Database, way: Way, one: Ledger
) -> None:
    run = exchange(way, one, "Portico")
    way.seats.withdraw(1)
    put_back(database, seats_now(database))
    run.forget()
    with pytest.raises(HallRefused) as refused:
        run.step()
    assert refused.value.error == "unknown_table"


@pytest.mark.parametrize("change", ["said", "signature", "another hall", "no ticket"])
def test_a_token_that_the_hall_has_not_signed_lets_nobody_in(database: Database, way: Way, one: Ledger, change: str) -> None:
    token = member(way, one, "Portico").token
    put_back(database, [])
    said, signature = token.split(".")
    forged = {"said": f"{said[:-2]}AA.{signature}", "signature": f"{said}.{signature[::-1]}", "no ticket": f"é{said}",
              "another hall": token}[change]  # fmt: skip
    if change == "another hall":
        with database.owner() as connection:
            connection.execute("UPDATE secret SET value = '\\x00' WHERE name = 'tables'")
        way = Way(database)
    assert way.seats.find(forged) is None
    assert seats_now(database) == []


def command(database: Database, until: float, tap: str = "tap-tap-tap") -> None:
    with database.organiser() as connection:
        connection.execute(
            "INSERT INTO command (seat, epoch, tap, by_phone, said, until, body)"
            " SELECT id, (SELECT epoch FROM hall), %s, 'Rosa', 0, %s, '{}' FROM seat_at ON CONFLICT DO NOTHING", (tap, until),
        )


def test_a_command_is_told_until_it_is_answered(database: Database, way: Way, one: Ledger) -> None:
    desk = Plain(one)
    sends = Exchange(one, desk, member(way, one), way)
    drained(sends)
    command(database, time.time() + 30)
    command(database, time.time() + 30)  # the same tap
    way.lost = True
    with pytest.raises(Away):
        sends.step()
    way.lost = False
    sends.forget()
    drained(sends)
    assert [told.by for told in desk.obeyed] == ["Rosa"]
    assert 0 < desk.obeyed[0].left_s <= 30
    drained(sends)
    assert len(desk.obeyed) == 1
    with database.organiser() as connection:
        assert connection.execute("SELECT status FROM command").fetchall() == [(200,)]


@pytest.mark.parametrize("why", ["too old", "of before the restoring"])
def test_a_command_that_counts_no_more_is_not_told(database: Database, way: Way, one: Ledger, why: str) -> None:
    desk = Plain(one)
    sends = Exchange(one, desk, member(way, one), way)
    command(database, time.time() + (-1 if why == "too old" else 30))
    if why != "too old":
        with database.owner() as connection:
            connection.execute("UPDATE hall SET epoch = epoch + 1")
    drained(sends)
    assert desk.obeyed == []


def test_another_tables_answer_answers_nothing(database: Database, way: Way, one: Ledger, tmp_path: Path) -> None:
    drained(exchange(way, one))
    command(database, time.time() + 30)
    with database.taking() as connection:
        [(number,)] = connection.execute("SELECT id FROM command").fetchall()
    with Ledger.open(tmp_path / "b.ledger", log_format) as other:
        token = member(way, other).token
        way.ask("", Hello(1, outbox.identity(other), "s", time.time()), msgspec.Raw, token)
        way.ask("", Send("s", None, (), None, (Done(number, 200),)), msgspec.Raw, token)
    with database.organiser() as connection:
        assert connection.execute("SELECT status FROM command").fetchall() == [(None,)]


def test_questions_are_as_the_table_has_them_now(database: Database, way: Way, one: Ledger) -> None:
    desk = Plain(one)
    sends = Exchange(one, desk, member(way, one), way)
    asked = [OpenQuestion(f"{number}:x", 1, 3, 0, number, {"it": "Chi?", "en": "Who?"}, (OpenChoice(None, {"it": "Boh"}),))
             for number in (1, 2)]  # fmt: skip
    for now in (asked, asked[1:], []):
        desk.open = tuple(now)
        drained(sends)
        with database.viewing() as connection:
            assert connection.execute("SELECT questions FROM table_seen").fetchall() == [(len(now),)]


def test_a_table_of_another_name_or_machine_is_the_same_table_where_it_says_so(way: Way, one: Ledger, tmp_path: Path) -> None:
    older = exchange(way, one, "Portico")
    drained(older)
    with Ledger.open(tmp_path / "new.ledger", log_format) as new:
        new.begin([line(5)])
        drained(exchange(way, new, "Portico"))
    assert [seat.name for seat in way.seats.all()] == ["Portico"]
    with pytest.raises(HallRefused) as refused:
        older.step()
    assert refused.value.error == "taken_over"


def test_a_hall_of_before_calls_is_brought_up_to_date_and_a_newer_one_is_refused(cluster: Cluster, database: Database) -> None:
    with database.owner() as connection:
        connection.execute("DROP VIEW table_seen, evening")
        connection.execute("DROP TABLE came_to, evening_counts, link, choice, note, report")
        connection.execute("ALTER TABLE seat_at DROP COLUMN call, DROP COLUMN called, DROP COLUMN joined")
        connection.execute("ALTER TABLE game DROP COLUMN chosen, DROP COLUMN counts, DROP COLUMN goes_on_from")
        connection.execute("ALTER TABLE phone DROP COLUMN referee")
        connection.execute("CREATE VIEW table_seen AS SELECT id, name, heard, shows, id AS game, id AS last, id AS questions"
                           " FROM seat_at")
        connection.execute("UPDATE schema_version SET number = 1")
    again = Database(cluster, database.name)
    with again.organiser() as connection:
        assert connection.execute("SELECT call, called FROM seat_at").fetchall() == []
    with again.owner() as connection:
        connection.execute("UPDATE schema_version SET number = 99")
    again.close()
    with pytest.raises(HallError, match="update companion"):
        Database(cluster, database.name)

"""Strangers at a hall's door: without a token, with a wrong, a withdrawn or another table's one, with too much, too often."""

from __future__ import annotations

import socket
import time

import msgspec
import pytest
from hidden_cards import HIDDEN
from serving import until
from tables import PLAYERS, Organiser, Running, table
from ways import Way, drained, exchange, member

from companion.dashboard.answers import PAGE
from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.hall import seats
from companion.hall.messages import MAX_BODY_BYTES, MAX_NAME_LENGTH, PROTOCOL, WHY, Hello, Pair, Send
from companion.hall.table.link import Away, HallRefused, Link, joined
from companion.hall.table.membership import HallError
from companion.ledger import Ledger, outbox
from companion.table.language import catalogue
from companion.table.log import Line

ADDRESSES = ("hello", "send")


def test_every_page_answers_strangers_and_organisers(hall: Running) -> None:
    """Also one that a table's program has, too, such as the licence and where the source is."""
    rules = [one.rule for one in hall.app.url_map.iter_rules() if "GET" in (one.methods or ()) and not one.arguments]
    assert {"/", "/about", "/api/hall", "/season", "/evenings"} <= set(rules)
    for client in (hall.app.test_client(), Organiser(hall).client):
        for rule in rules:
            with client.get(rule) as answer:
                assert answer.status_code in (200, 302, 401, 403, 404), rule


@pytest.mark.parametrize("token", ["", "x", "a" * 43])
@pytest.mark.parametrize("address", ADDRESSES)
def test_without_a_token_of_ours_nothing_is_taken(hall: Running, token: str, address: str) -> None:
    link = Link(hall.url)
    with pytest.raises(HallRefused) as refused:
        link.ask(f"/api/hall/table/{address}", Hello(PROTOCOL, "x", "s", 0.0), msgspec.Raw, token)
    link.close()
    assert (refused.value.status, refused.value.error) == (401, "unknown_table")


def test_a_withdrawn_token_counts_no_more(hall: Running, ledger: Ledger) -> None:
    way = Way(hall.hall.database)
    token = member(way, ledger).token
    hall.hall.seats.withdraw(1)
    link = Link(hall.url)
    with pytest.raises(HallRefused, match="does not know"):
        link.ask("/api/hall/table/send", Send("s", None), msgspec.Raw, token)
    link.close()


@pytest.mark.parametrize(("address", "body", "why"), [
    ("pair", "no pairing", PAGE["malformed"]), ("pair", Pair("AAAAAAAA", "x"), WHY["wrong_code"]),
    ("hello", Hello(PROTOCOL, "x", "s", 0.0), WHY["unknown_table"]),
])  # fmt: skip
def test_an_italian_hall_tells_a_tables_program_why_not_in_the_language_that_its_pages_translate(
    hall: Running, address: str, body: object, why: str
) -> None:
    assert hall.hall.settings.lang == "it"
    link = Link(hall.url)
    with pytest.raises(HallRefused) as refused:
        link.ask(f"/api/hall/table/{address}", body, msgspec.Raw)
    link.close()
    assert refused.value.message == why
    assert catalogue("it").gettext(why) != why


def test_a_table_writes_its_own_ledgers_games_alone(hall: Running, ledger: Ledger, tmp_path) -> None:
    way = Way(hall.hall.database)
    game = ledger.begin([Line(new_game(PLAYERS, 200, "Carla"))])
    drained(exchange(way, ledger))
    with Ledger.open(tmp_path / "b.ledger", log_format) as other:
        token, link = member(way, other).token, Link(hall.url)
        with pytest.raises(HallRefused) as refused:
            link.ask("/api/hall/table/hello", Hello(PROTOCOL, outbox.identity(ledger), "s", 0.0), msgspec.Raw, token)
        assert refused.value.error == "other_ledger"
        link.close()
        other.begin([Line(new_game(PLAYERS, 999, "Carla"))])
        drained(exchange(way, other))
    assert hall.rows(ledger, game) == outbox.rows(ledger, game, 0, 100)


def test_a_newer_table_is_told_to_update_the_hall(hall: Running, ledger: Ledger) -> None:
    token, link = member(Way(hall.hall.database), ledger).token, Link(hall.url)
    with pytest.raises(HallRefused) as refused:
        link.ask("/api/hall/table/hello", Hello(PROTOCOL + 1, outbox.identity(ledger), "s", 0.0), msgspec.Raw, token)
    assert refused.value.error == "update"
    link.close()


@pytest.mark.parametrize("code", ["ABCD-EFGH", "2222-2222"])
def test_a_wrong_code_lets_nobody_in(hall: Running, code: str) -> None:
    hall.hall.code.text()
    with pytest.raises(HallError, match="does not count"):
        joined(hall.url, code, "5f0a4b1c-0000-4000-8000-000000000000", "", 1)
    assert hall.tables() == []


def test_a_name_that_is_too_long_lets_nobody_in_and_is_not_cut(hall: Running) -> None:
    code, ledger = hall.hall.code.text(), "5f0a4b1c-0000-4000-8000-000000000000"
    with pytest.raises(HallError, match=f"too long: at most {MAX_NAME_LENGTH} letters"):
        joined(hall.url, code, ledger, "P" * (MAX_NAME_LENGTH + 1), 1)
    assert hall.tables() == []
    assert joined(hall.url, code, ledger, "P" * MAX_NAME_LENGTH, 1).name == "P" * MAX_NAME_LENGTH


def test_what_names_no_ledger_lets_nobody_in(hall: Running) -> None:
    code = hall.hall.code.text().replace("-", "")
    answer = hall.client.post("/api/hall/table/pair", data=msgspec.json.encode(Pair(code, "../x")))
    assert (answer.status_code, answer.json["error"]) == (400, "torn")


def test_over_http_from_elsewhere_no_table_is_let_in(hall: Running) -> None:
    elsewhere = {"environ_base": {"REMOTE_ADDR": "10.0.0.9"}}
    for address in ("pair", *ADDRESSES):
        answer = hall.client.post(f"/api/hall/table/{address}", data=b"{}", **elsewhere)
        assert (answer.status_code, answer.json["error"]) == (403, "https")


@pytest.mark.parametrize("known", [False, True])
def test_a_body_that_is_too_long_is_not_read(hall: Running, ledger: Ledger, known: bool) -> None:
    token = member(Way(hall.hall.database), ledger).token if known else "x"
    with socket.create_connection(("127.0.0.1", hall.server.port)) as opened:
        opened.sendall(f"POST /api/hall/table/send HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n"
                       f"Content-Length: {50 * MAX_BODY_BYTES}\r\n\r\n".encode())  # fmt: skip
        assert opened.recv(100).startswith((b"HTTP/1.1 413", b"HTTP/1.1 401"))


def test_a_table_that_asks_without_end_is_slowed_down_and_the_others_go_on(
    hall: Running, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "MAX_A_SECOND", 0.0)  # how fast this machine asks must not matter
    token, link = member(Way(hall.hall.database), ledger).token, Link(hall.url)
    hello = Hello(PROTOCOL, outbox.identity(ledger), "s", 0.0)
    for _ in range(int(seats.MAX_AT_ONCE)):
        link.ask("/api/hall/table/hello", hello, msgspec.Raw, token)
    with pytest.raises(Away):
        link.ask("/api/hall/table/hello", hello, msgspec.Raw, token)
    link.close()
    monkeypatch.undo()
    with table(hall) as other:
        other.begin()
        until(lambda: hall.tables()[1]["version"] == 1)


def test_a_hundred_silent_visitors_keep_no_table_out(hall: Running) -> None:
    silent = [socket.create_connection(("127.0.0.1", hall.server.port)) for _ in range(100)]
    try:
        for one in silent:
            one.sendall(b"POST /api/hall/table/send HTTP/1.1\r\nHost: h\r\n")
        with table(hall) as one:
            one.begin()
            until(lambda: hall.tables()[0]["version"] == 1)
    finally:
        for one in silent:
            one.close()


# What was not shown


@pytest.mark.parametrize("name", HIDDEN)
def test_no_face_that_nobody_was_shown_reaches_a_spectator(hall: Running, ledger: Ledger, name: str) -> None:
    """The same pages come of a log in which the camera saw every card and of one in which it saw what everybody did."""
    hidden, way = HIDDEN[name], Way(hall.hall.database)
    whole = tuple(hidden.whole())
    sends, game = exchange(way, ledger), ledger.begin(whole[:1])
    for cut in sorted({len(whole) * part // 7 or 1 for part in range(1, 8)}):
        ledger.record(game, whole[:cut])
        drained(sends)
        hall.hall.showing.changed([1])
        version = ledger.version(game)
        until(lambda version=version: hall.tables()[0]["version"] == version)
        with Ledger.in_memory(log_format) as blind:
            from companion.dashboard import create_app

            blind.begin(hidden.blind(whole[:cut]))
            there = create_app(blind).test_client().get("/api/game?lang=it").json
        here = hall.client.get("/api/tables/1/game?lang=it").json
        for told in (there, here):
            for key in ("game", "revision", "corrected", "corrected_hand", "part"):
                told.pop(key)
        assert here == there, cut


def test_who_serves_spectators_may_not_read_rows(hall: Running) -> None:
    import psycopg

    for secret in ("version", "game", "seat_at", "question", "command", "phone", "secret"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), hall.hall.database.viewing() as connection:
            connection.execute(f"SELECT * FROM {secret}".encode())
    for role in (hall.hall.database.viewing, hall.hall.database.organiser):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), role() as connection:
            connection.execute("SELECT lines FROM version")


def test_a_silent_table_is_never_live(hall: Running) -> None:
    with table(hall, name="Portico") as one:
        one.begin()
        until(lambda: hall.tables()[0]["version"] == 1)
        assert hall.tables()[0]["state"] == "live"
    with hall.hall.database.owner() as connection:
        connection.execute("UPDATE seat_at SET heard = %s", (time.time() - 600,))
    [told] = hall.tables()
    assert (told["state"], told["version"]) == ("silent", 1)
    assert told["since_s"] == pytest.approx(600, abs=60)
    [tile] = hall.client.get("/api/hall/now?lang=it").json["view"]["tiles"]
    assert tile["silent"].startswith("Tavolo Portico: niente dalle ")
    beat = hall.client.get("/api/tables/1/now?lang=it").json["beat"]
    assert beat["notices"] == [tile["silent"]]

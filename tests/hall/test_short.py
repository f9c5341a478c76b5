"""Eight tables played by bots, with faults, in a hall without a database: the short form of `test_square.py`. And that whatever a
server serves has what a server expects."""

from __future__ import annotations

import json
import random
import urllib.request
from collections.abc import Callable

import pytest
from flask import Flask
from msgspec import structs
from msgspec.structs import astuple
from pure import Nothing, PureHall, PureWay
from serving import served
from tables import played
from ways import Plain, drained, member

from companion.dashboard import create_app
from companion.games import log_format
from companion.games.stu.bots.settings import NAMES
from companion.hall.app import create_hall_app, open_hall
from companion.hall.decision import continued, fate
from companion.hall.messages import GameRows, Have, SentRow
from companion.hall.table.exchange import Exchange
from companion.hall.table.link import Away, HallRefused
from companion.hall.table.membership import Membership
from companion.ledger import Ledger, outbox
from companion.ledger.outbox import Row
from companion.ledger.statements import Rewrite

TABLES = 8
EVERY = 10**6
FORGOTTEN = Rewrite(lambda line: line.replace(NAMES[0], "Qualcuno"), str, str, lambda name, text: text, str)


class Square:
    """A table with its way to the hall: what it records, and what befalls it, by ``chance``."""

    def __init__(self, hall: PureHall, number: int, log: tuple) -> None:
        self.ledger, self.way, self.chance, self.log = Ledger.in_memory(log_format), PureWay(hall), random.Random(number), log
        self.member: Membership = member(self.way, self.ledger, f"T{number}")
        self.game, self.at, self.runs = self.ledger.begin(log[:1]), 1, 0
        self.copies = 0
        self.begins()

    def begins(self) -> None:
        """Its program, again after it was killed."""
        self.runs += 1
        self.run = Exchange(self.ledger, Plain(self.ledger), self.member, self.way, f"run {self.runs}")

    def plays(self) -> bool:
        """A few lines more. Returns whether there were any."""
        for _ in range(self.chance.randint(1, 6)):
            self.at = min(self.at + 1, len(self.log))
            self.ledger.record(self.game, self.log[: self.at])
        return self.at < len(self.log)

    def fails(self) -> None:
        """One of the faults, or none."""
        for fault in ("cut", "lost", "twice", "late"):
            setattr(self.way, fault, self.chance.random() < 0.25)
        match self.chance.randrange(12):
            case 0:
                self.begins()
            case 1:
                with self.ledger.writing() as writing:  # a copy of before is gone on with
                    writing.execute("DELETE FROM version WHERE game = ? AND number > ?",
                                    (self.game, max(self.ledger.version(self.game) - 3, 1)))
                self.ledger._versions.drop(self.game)
                self.copies += 1
                self.begins()
            case 2:
                self.ledger.rewrite(self.game, FORGOTTEN)

    def sends(self) -> None:
        try:
            self.run.step()
        except Away:
            self.run.forget()
        except HallRefused as refused:
            if not self.run.greets_again(refused.error):
                raise

    def rows(self) -> tuple[Row, ...]:
        return outbox.rows(self.ledger, self.game, 0, EVERY)


def said(rows: tuple[Row, ...]) -> list[tuple[int, int, int, str]]:
    return [(row.number, row.head, row.tail, row.lines) for row in rows]


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_fails_meanwhile_the_hall_has_what_the_ledgers_have_and_shows_what_the_tables_show(seed: int) -> None:
    hall, chance = PureHall(), random.Random(seed)
    tables = [Square(hall, seed * 100 + number, played(2, seed * 100 + number)) for number in range(TABLES)]
    plays = True
    while plays:
        plays = False
        for one in tables:
            one.fails()
            plays |= one.plays()
            one.sends()
        if chance.random() < 0.05:
            hall.restored(chance.randint(1, 5))
    for one in tables:
        one.way.cut = one.way.lost = one.way.twice = one.way.late = False
        one.begins()
        drained(one.run)
        branches = hall.games[outbox.identity(one.ledger), one.game]
        assert len(branches) <= 1 + one.copies
        newest = branches[-1]
        assert said(tuple(newest.rows)) == said(one.rows())
        assert one.copies or tuple(newest.rows) == one.rows()
        here = create_app(one.ledger).test_client().get("/api/game?lang=it").json
        there = json.loads(hall.view(outbox.identity(one.ledger), one.game))
        for told in (here, there):
            for key in ("game", "revision", "corrected", "corrected_hand"):  # what the hall has missed while it was played
                told.pop(key)
            told.pop("part")  # it knows of no game before, and says so
        assert here == there
    taken = hall.taken
    for one in tables:  # everything is sent once more, and no row changes
        one.way.twice = one.way.late = True
        one.begins()
        one.sends()
        one.ledger.close()
    assert hall.taken == taken


# What becomes of rows

ROWS = tuple(SentRow(number, 0.0, 0, 0, f"{number}\n") for number in range(1, 5))
CHAINS = tuple(outbox.chained("", tuple(Row(*astuple(row)) for row in ROWS[:end])) for end in range(5))


def rows(after: int, to: int, chain: str | None = None, rewritten: int = 0, instead: Have | None = None) -> GameRows:
    before = CHAINS[after] if chain is None else chain
    return GameRows(1, 0.0, rewritten, False, "", after, before, ROWS[after:to], instead)


TWO = Have(2, CHAINS[2], 1)


@pytest.mark.parametrize(
    ("has", "sent", "found"),
    [
        (None, rows(0, 2), "first"), (None, rows(2, 3), "first"), (TWO, rows(2, 4, rewritten=1), "next"),
        (TWO, rows(0, 3, rewritten=2, instead=TWO), "other_words"), (TWO, rows(0, 3, rewritten=1, instead=TWO), "branch"),
        (TWO, rows(0, 3, rewritten=0, instead=TWO), "branch"),  # its ledger is again as it was before it was rewritten
        (TWO, rows(0, 3, rewritten=2, instead=Have(1, CHAINS[1], 1)), "said"),  # of what the hall had once
        (TWO, rows(2, 3, rewritten=2, instead=TWO), "said"), (TWO, rows(2, 3), "said"), (TWO, rows(2, 3, rewritten=2), "said"),
    ],
)  # fmt: skip
def test_what_rows_are_to_what_is_there(has: Have | None, sent: GameRows, found: str) -> None:
    assert fate(has, sent) == found


@pytest.mark.parametrize(
    ("sent", "goes_on"),
    [
        (rows(2, 4), True), (rows(2, 2), True), (rows(1, 4), False), (rows(3, 4), False), (rows(2, 4, chain=CHAINS[1]), False),
        (structs.replace(rows(2, 4), rows=ROWS[3:]), False), (structs.replace(rows(2, 4), rows=ROWS[2:] + ROWS[2:]), False),
    ],
)  # fmt: skip
def test_rows_continue_only_what_they_were_written_behind(sent: GameRows, goes_on: bool) -> None:
    last = 2 + len(sent.rows)
    assert continued(2, CHAINS[2], sent) == ((last, CHAINS[last]) if goes_on else None)


# What a server expects


def the_table(ledger: Ledger) -> Flask:
    return create_app(ledger)


def the_hall(ledger: Ledger) -> Flask:
    return create_hall_app(open_hall(Nothing()))  # type: ignore[arg-type]


def test_the_season_is_for_everybody_and_past_evenings_for_paired_phones(ledger: Ledger) -> None:
    app = the_hall(ledger)
    client = app.test_client()
    for address, status in (
        ("/season", 200), ("/api/season?season=all", 200), ("/season/settings", 302), ("/evenings", 302), ("/evenings/1", 302),
        ("/evenings/1/log", 302), ("/about", 200),
    ):  # fmt: skip
        assert client.get(address).status_code == status
    assert "Lo schermo grande" in client.get("/season?lang=it").text
    app.extensions["hall"].close()


@pytest.mark.parametrize(("make", "address", "told"), [
    (the_table, "/api/game?lang=en", "hand"), (the_hall, "/api/hall", "tables"),
])  # fmt: skip
def test_each_application_that_a_server_serves_answers_and_ends(
    ledger: Ledger, make: Callable[[Ledger], Flask], address: str, told: str
) -> None:
    app = make(ledger)
    with served(app) as server:
        with urllib.request.urlopen(f"{server.here}{address}") as answer:
            assert told in json.load(answer)
        app.extensions["ending"].close()  # as a page does that ends the program
        assert server._closed.is_set()
    if (hall := app.extensions.get("hall")) is not None:
        hall.close()

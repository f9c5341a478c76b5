"""Halls and tables that play in them, for tests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from serving import served, until

from companion.dashboard import create_app
from companion.dashboard.serve import Server
from companion.games import log_format
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Settings, seated
from companion.games.stu.rules.log import new_game
from companion.hall.app import Hall, create_hall_app, open_hall
from companion.hall.database import Database
from companion.hall.intake import rows_of
from companion.hall.table.joining import Joining
from companion.ledger import Ledger, outbox
from companion.ledger.outbox import Row
from companion.line.recorder import EveningRecorder
from companion.table.log import Line

PLAYERS = ["Anna", "Bruno", "Carla"]
PATIENCE_SECONDS = 500.0
"""Seconds that tests let a hall and its tables wait for each other: more than any machine needs."""


@dataclass
class Running:
    """A hall that is served. ``client``: a spectator."""

    hall: Hall
    app: Flask
    server: Server
    client: FlaskClient = field(init=False)

    def __post_init__(self) -> None:
        self.client = self.app.test_client()

    @property
    def url(self) -> str:
        return self.server.here

    def tables(self, lang: str = "it") -> list[dict[str, Any]]:
        """What programs are told of the tables."""
        return self.client.get(f"/api/hall?lang={lang}").json["tables"]

    def rows(self, ledger: Ledger, game: int) -> tuple[Row, ...]:
        """What the hall has of a ledger's game, on its newest branch."""
        with self.hall.database.taking() as connection:
            found = connection.execute("SELECT id FROM game WHERE ledger = %s AND number = %s ORDER BY branch DESC LIMIT 1",
                                       (outbox.identity(ledger), game)).fetchone()
            return rows_of(connection, found[0]) if found is not None else ()

    def has_all_of(self, ledger: Ledger) -> bool:
        """Whether the hall has every row of every game, byte for byte."""
        return all(self.rows(ledger, one.game) == outbox.rows(ledger, one.game, 0, 10**6) for one in outbox.outgoing(ledger))


@contextmanager
def running(database: Database, port: int = 0, *, shared: bool = False, keep_all: bool = False) -> Iterator[Running]:
    """A hall over this database, served until the end of the block. ``shared``: by others, too; ``keep_all``: as its option."""
    hall = open_hall(database, shared=shared, keep_all=keep_all)
    app = create_hall_app(hall)
    with served(app, port) as server:
        try:
            yield Running(hall, app, server)
        finally:
            hall.close()


class Table:
    """A table that joined a hall: its ledger, its program, and an evening by thumb."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self.ledger = ledger or Ledger.in_memory(log_format)
        self.app = create_app(self.ledger)
        self.joining = Joining(self.app, self.ledger)

    def join(self, hall: Running, name: str = "") -> Table:
        self.joining.join(hall.url, hall.hall.code.text(), name)
        return self

    def begin(self) -> int:
        """An evening of Lu Stù with three, by thumb."""
        return EveningRecorder.begin(self.ledger, new_game(PLAYERS, 200, "Carla")).game_id

    def play(self, hands: int = 2, seed: int = 1, every: int = 1) -> int:
        """A game played by bots, recorded line by line."""
        log = played(hands, seed)
        game = self.ledger.begin(log[:1])
        for end in range(2, len(log) + 1, every):
            self.ledger.record(game, log[:end])
        self.ledger.record(game, log)
        return game

    def says(self, lang: str = "it") -> dict[str, Any]:
        """What its own TV shows."""
        return self.app.test_client().get(f"/api/game?lang={lang}").json

    def is_sent(self, hall: Running) -> None:
        """Wait until the hall has all of it."""
        until(lambda: hall.has_all_of(self.ledger))

    def close(self) -> None:
        self.joining.close()
        self.ledger.close()


@contextmanager
def table(hall: Running, ledger: Ledger | None = None, name: str = "") -> Iterator[Table]:
    """A table that has joined this hall, until the end of the block."""
    made = Table(ledger)
    try:
        yield made.join(hall, name)
    finally:
        made.close()


def played(hands: int = 2, seed: int = 1) -> tuple[Line, ...]:
    """The log of some hands, played by bots; each card is in it as it was dealt."""
    return simulate(Settings(players=seated(3)), hands=hands, seed=seed)


class Organiser:
    """A paired phone of a hall."""

    def __init__(self, hall: Running, lang: str = "it") -> None:
        self.client, self.lang = hall.app.test_client(), lang
        assert self.client.post("/pair", data={"pin": hall.app.extensions["pairing"].pin.digits}).status_code == 302
        found = re.search(r'"csrf": ?"([^"]+)"', self.client.get("/organiser").text)
        assert found
        self.csrf = found[1]

    def look(self) -> dict[str, Any]:
        return self.client.get(f"/api/hall/organiser?lang={self.lang}").json

    def post(self, what: str, body: dict[str, Any], csrf: str | None = None) -> Any:
        return self.client.post(f"/api/hall/{what}?lang={self.lang}", data=json.dumps(body),
                                headers={"X-CSRF-Token": self.csrf if csrf is None else csrf})  # fmt: skip

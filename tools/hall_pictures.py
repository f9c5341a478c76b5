"""A hall of eight tables for the pictures of docs/hall.md: the real one, over its own PostgreSQL, at a time that stands still.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from companion.dashboard import create_app
from companion.dashboard.serve import Server
from companion.games import log_format
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import NAMES, Settings
from companion.hall.app import Hall, create_hall_app, open_hall
from companion.hall.cluster import Cluster
from companion.hall.database import Database
from companion.hall.overview import Overview
from companion.hall.table.joining import Joining
from companion.ledger import Ledger

NOW = 1795902720.0
"""Unix time, seconds, of every picture."""
TABLES = ("Portico", "Fontana", "Torre", "Chiesa", "Bar Sport", "Forno", "Belvedere", "Muro")
SILENT, CALLS = 3, 5
"""Ids of the table that was not heard for ten minutes, and of the one that calls the referee."""


@contextmanager
def square() -> Iterator[tuple[str, str]]:
    """The hall's address, and the PIN for its organisers. Raises HallError where PostgreSQL is missing."""
    folder = Path(tempfile.mkdtemp(prefix="companion-hall-", dir="/tmp"))  # nosec B108 # a random name
    folder.chmod(0o755)  # its user may enter
    cluster = Cluster(folder)
    try:
        cluster.start()
        database = Database(cluster)
        hall = open_hall(database)
        hall = replace(hall, overview=Overview(database, hall.tournament.round, lambda: NOW))
        server = Server(create_hall_app(hall), "127.0.0.1", 0)
        running = threading.Thread(target=server.run)
        running.start()
        try:
            _play(hall, server.here)
            yield server.here, server.pairing.pin.digits
        finally:
            server.close()
            running.join()
            hall.close()
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _play(hall: Hall, url: str) -> None:
    """Each table plays an evening up to somewhere, sends it, and is silent."""
    wanted = []
    with ExitStack() as opened:
        for number, name in enumerate(TABLES):
            ledger = opened.enter_context(Ledger.in_memory(log_format))
            people = [NAMES[(number * 5 + at * 3) % len(NAMES)] for at in range(8)]
            log = simulate(Settings(players=tuple(dict.fromkeys(people))), hands=3 + number % 3, seed=number)
            ledger.begin(log[: len(log) - (number % 4) * 3])
            joining = Joining(create_app(ledger), ledger)
            opened.callback(joining.close)
            joining.join(url, hall.code.text(), name)
            wanted.append((name, 1))
        waits = threading.Event()
        while [(one.name, one.version) for one in hall.overview.view("it").tables] != wanted:
            waits.wait(0.1)
    with hall.database.owner() as connection:
        connection.execute("UPDATE seat_at SET skew_s = 0, heard = %s - CASE WHEN id = %s THEN 600 ELSE 0 END", (NOW, SILENT))
        connection.execute("UPDATE seat_at SET call = 'one', called = %s WHERE id = %s", (NOW - 120, CALLS))
    hall.bell.ring()

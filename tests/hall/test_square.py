"""Eight tables in the square, played by bots, while the hall ends and begins again, and the database is killed in between."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import until
from tables import Running, Table, played, running

from companion.games import log_format
from companion.hall.cluster import Cluster
from companion.hall.database import Database, HallDown
from companion.ledger import Ledger

TABLES = 8
HANDS = 3


class Bots(threading.Thread):
    """Who play at a table: each line is recorded; now and then one is corrected."""

    def __init__(self, table: Table, seed: int, goes_on: threading.Event) -> None:
        super().__init__()
        self.table, self.log, self.chance, self.goes_on = table, played(HANDS, seed), random.Random(seed), goes_on
        self.game = table.ledger.begin(self.log[:1])

    def run(self) -> None:
        for end in range(2, len(self.log) + 1):
            if end == len(self.log) // 2:
                self.goes_on.wait()
            self.table.ledger.record(self.game, self.log[:end])
            if self.chance.random() < 0.2:
                self.table.ledger.record(self.game, self.log[: end - 1])
        self.table.ledger.record(self.game, self.log)


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[list[Table]]:
    made = [Table(Ledger.open(tmp_path / f"{number}.ledger", log_format)) for number in range(TABLES)]
    yield made
    for one in made:
        one.close()


def whole(hall: Running, tables: list[Table]) -> bool:
    try:
        return all(hall.has_all_of(one.ledger) for one in tables)
    except HallDown:
        return False


def versions(hall: Running) -> dict[str, int]:
    """The version of each table's game that the hall shows; empty while its database is down, when it answers that it is."""
    return {one["name"]: one["version"] for one in hall.client.get("/api/hall").json.get("tables", ())}


@pytest.mark.processor(90)
def test_whatever_fails_meanwhile_the_hall_is_the_ledgers_and_shows_what_the_tables_show(
    cluster: Cluster, database: Database, tables: list[Table]
) -> None:
    goes_on = threading.Event()
    bots = [Bots(one, seed, goes_on) for seed, one in enumerate(tables)]
    with running(database) as hall:
        port = hall.server.port
        for number, one in enumerate(tables):
            one.join(hall, f"T{number}")
        for one in bots:
            one.start()
        until(lambda: len([one for one in hall.tables() if one["version"]]) == TABLES)
    until(lambda: all(one.joining.standing.state == "away" for one in tables))
    goes_on.set()  # they play on while nobody listens
    for one in bots:
        one.join()
    again = Database(cluster, database.name)
    with running(again, port) as hall:
        until(lambda: hall.has_all_of(tables[0].ledger))
        os.kill(int((cluster.folder / "postgresql" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        until(lambda: whole(hall, tables))
        newest = {f"T{number}": one.ledger.version(bots[number].game) for number, one in enumerate(tables)}
        until(lambda: versions(hall) == newest)
        for told, one in zip(hall.tables("en"), tables, strict=True):
            assert (told["hand"], told["ruling"]) == (one.says("en")["hand"], one.says("en")["ruling"])

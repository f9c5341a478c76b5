"""What docs/hall.md says of a standby: a base copy, and the journal that PostgreSQL's own receiver has written, make a hall."""

from __future__ import annotations

import shutil
from pathlib import Path

from tables import PLAYERS
from ways import Way, drained, exchange

from companion.games.stu.rules.log import new_game
from companion.hall.cluster import Cluster
from companion.hall.database import Database
from companion.hall.intake import rows_of
from companion.ledger import Ledger, outbox
from companion.table.log import Line


def test_what_the_receiver_of_the_journal_has_written_makes_the_hall_again(
    cluster: Cluster, database: Database, ledger: Ledger
) -> None:
    game = ledger.begin([Line(new_game(PLAYERS, 100, "Carla"))])
    sends = exchange(Way(database), ledger)
    drained(sends)
    place = made_for(cluster, "again")
    again, journal = Cluster(place), made_for(cluster, "journal")
    cluster.run("pg_basebackup", "-D", str(place / "postgresql"), "-X", "fetch", "-c", "fast")
    ledger.record(game, [Line(new_game(PLAYERS, 200, "Carla"))])
    drained(sends)
    with database.owner() as connection:
        [(end,)] = connection.execute("SELECT pg_current_wal_flush_lsn()").fetchall()
    cluster.run("pg_receivewal", "-D", str(journal), "--no-loop", "--endpos", end)
    for partial in journal.glob("*.partial"):
        partial.rename(partial.with_suffix(""))
    (place / "postgresql" / "recovery.signal").touch()
    with (place / "postgresql" / "postgresql.auto.conf").open("a") as settings:
        settings.write(f"restore_command = 'cp {journal}/%f %p'\n")
    again.start()
    try:
        opened = Database(again, database.name)
        with opened.taking() as connection:
            assert rows_of(connection, 1) == outbox.rows(ledger, game, 0, 10)
        opened.close()
    finally:
        again.stop()


def made_for(cluster: Cluster, name: str) -> Path:
    """A folder beside the cluster's that belongs to the user of its programs."""
    folder = cluster.folder / name
    folder.mkdir(mode=0o700)
    owner = (cluster.folder / "postgresql").stat()
    shutil.chown(folder, owner.st_uid, owner.st_gid)
    return folder

"""Copy a hall into a file, and restore it from one. Tables then send by themselves what the restored hall lacks."""

from __future__ import annotations

import datetime
from contextlib import suppress
from pathlib import Path

import psycopg
from psycopg import sql

from companion.files import written_whole
from companion.hall.cluster import OWNER, SERVED, Cluster
from companion.hall.database import Database
from companion.hall.table.membership import HallError

_MARK = b"PGDMP"
"""How a copy begins: PostgreSQL's own format."""


def backed_up(folder: Path, file: Path) -> None:
    """Copy the hall in ``folder`` into ``file``, also while it runs. Raises HallError, OSError."""
    cluster = _made(folder)
    ran = cluster.runs
    cluster.start()
    try:
        copy = cluster.run("pg_dump", "-Fc", "-d", SERVED)
        with written_whole(file) as scratch:
            scratch.chmod(0o600)
            scratch.write_bytes(copy)
    finally:
        if not ran:
            _stop_unless_served(cluster)


def restored(folder: Path, file: Path) -> str:
    """Restore the hall in ``folder`` from the copy in ``file``. Returns the name under which the database that it replaces is
    kept. Tables no longer obey commands that were given before. Raises HallError, OSError."""
    with file.open("rb") as opened:
        if opened.read(len(_MARK)) != _MARK:
            raise HallError(f"{file}: is no copy of a hall: choose a file that companion hall backup has made")
    cluster = _made(folder)
    alone = cluster.owned("end companion hall first, then restore it")  # one that is begun meanwhile is refused
    aside = f"{SERVED}_{datetime.datetime.now():%Y%m%d_%H%M%S}"
    try:
        cluster.stop()  # a hall that was killed leaves it running, perhaps with connections to what is put aside
        cluster.start()
        Database(cluster).close()  # the roles, and a database to put aside
        with psycopg.connect(host=str(cluster.socket), user=OWNER, dbname="postgres", autocommit=True) as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (SERVED,)).fetchone()
            if found:
                rename = sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(SERVED), sql.Identifier(aside))
                connection.execute(rename)
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(SERVED)))
            try:
                cluster.run("pg_restore", "--exit-on-error", "-d", SERVED, given=file.read_bytes())
            except HallError:
                connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(SERVED)))
                connection.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(aside),
                                                                                    sql.Identifier(SERVED)))
                raise
        database = Database(cluster)
        with database.owner() as owner:
            owner.execute("UPDATE hall SET epoch = epoch + 1")
            owner.execute("UPDATE seat_at SET sender = ''")  # every table says hello again, and learns which rows the hall lacks
        database.close()
    finally:
        cluster.stop()
        alone.release()
    return aside


def _made(folder: Path) -> Cluster:
    """The cluster in ``folder``. Raises HallError where there is none."""
    cluster = Cluster(folder)
    if not cluster.exists:
        raise HallError(f"{folder}: there is no hall: companion hall makes one")
    return cluster


def _stop_unless_served(cluster: Cluster) -> None:
    """Stop the cluster, unless a hall was begun on it meanwhile."""
    with suppress(HallError):
        alone = cluster.owned()
        try:
            cluster.stop()
        finally:
            alone.release()

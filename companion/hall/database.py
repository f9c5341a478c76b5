"""Connections to the hall's database, a few for each role, made again when they break."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Iterator
from typing import Any, TypeAlias

import psycopg
from psycopg import sql

from companion.hall.cluster import ORGANISER, OWNER, SERVED, TAKING, VIEWING, Cluster
from companion.hall.schema import migrate
from companion.hall.table.membership import HallError
from companion.table.errors import LedgerError

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]
_KEPT = 8
"""Number of connections of each role that are kept for later use."""


class HallDown(LedgerError):
    """The hall's database cannot be reached just now, or takes nothing."""


class Database:
    """The database of a running cluster. Any thread may ask; every block is one transaction."""

    def __init__(self, cluster: Cluster, name: str = SERVED) -> None:
        """Make the database where it is missing, and bring its tables up to date. Raises HallError, HallDown."""
        self._cluster, self.name, self._closed = cluster, name, False
        self._free: dict[str, queue.LifoQueue[Connection]] = {
            role: queue.LifoQueue(_KEPT) for role in (OWNER, TAKING, VIEWING, ORGANISER)
        }
        with self._down(), self._connected(OWNER, "postgres") as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        with self._down(), self._connected(OWNER, name) as connection:
            migrate(connection)

    def owner(self) -> contextlib.AbstractContextManager[Connection]:
        """A transaction as the owner of the tables."""
        return self._transaction(OWNER)

    def taking(self) -> contextlib.AbstractContextManager[Connection]:
        """A transaction with the rights to take in what tables send. Raises HallDown."""
        return self._transaction(TAKING)

    def viewing(self) -> contextlib.AbstractContextManager[Connection]:
        """A transaction with the rights of spectators: it can read what was shown, and nothing else. Raises HallDown."""
        return self._transaction(VIEWING)

    def organiser(self) -> contextlib.AbstractContextManager[Connection]:
        """A transaction with the rights to act for organisers. Raises HallDown."""
        return self._transaction(ORGANISER)

    @contextlib.contextmanager
    def apart(self) -> Iterator[Connection]:
        """A connection outside the pool, for a thread that listens on it, with the rights of spectators. It is closed at the end
        of the block. Raises HallDown."""
        with self._down(), self._opened(VIEWING) as connection:
            yield connection

    def close(self) -> None:
        """Close the connections of the pool, and from now on each one that comes back to it."""
        self._closed = True
        for free in self._free.values():
            with contextlib.suppress(queue.Empty):
                while True:
                    free.get_nowait().close()

    @contextlib.contextmanager
    def _transaction(self, role: str) -> Iterator[Connection]:
        with self._down():
            connection = self._taken(role)
            try:
                with connection.transaction():
                    yield connection
            except BaseException:
                if connection.closed or connection.broken:
                    connection.close()
                else:
                    self._give_back(role, connection)
                raise
            self._give_back(role, connection)

    def _taken(self, role: str) -> Connection:
        """A connection that works. One from the pool may have broken when its server ended, so it is tried first."""
        with contextlib.suppress(queue.Empty):
            while True:
                kept = self._free[role].get_nowait()
                with contextlib.suppress(psycopg.OperationalError):
                    kept.execute("SELECT 1")
                    return kept
                kept.close()
        return self._opened(role)

    def _opened(self, role: str) -> Connection:
        try:
            return self._connected(role, self.name)
        except psycopg.OperationalError:
            try:
                self._cluster.revive()
            except HallError as error:
                raise HallDown(str(error)) from error
            return self._connected(role, self.name)

    def _give_back(self, role: str, connection: Connection) -> None:
        try:
            self._free[role].put_nowait(connection)
        except queue.Full:
            connection.close()
        if self._closed:
            self.close()

    def _connected(self, role: str, name: str) -> Connection:
        return psycopg.connect(host=str(self._cluster.socket), user=role, dbname=name, autocommit=True, connect_timeout=5)

    @contextlib.contextmanager
    def _down(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise HallDown(f"the hall's database does not answer: {' '.join(str(error).split())}") from error

"""A hall with a PostgreSQL of its own: one cluster for all tests, one database for each."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from tables import PATIENCE_SECONDS, Running, running

from companion.dashboard import create_app
from companion.hall import organisers, overview, seats
from companion.hall.cluster import Cluster, installed
from companion.hall.database import Database
from companion.hall.table import link
from companion.ledger import Ledger
from companion.table.language import LANGS


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs PostgreSQL is left to a part of `make test-all`."""
    for item in items:
        if "cluster" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.hall)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """PostgreSQL in a folder that the user who it runs as may enter, where it is installed."""
    if not installed():
        assert not os.environ.get("CI"), "this part of the tests needs PostgreSQL: sudo apt install postgresql"
        pytest.skip("needs PostgreSQL: sudo apt install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="companion-hall-", dir="/tmp"))
    folder.chmod(0o755)
    made = Cluster(folder)
    made.start()
    # what is written is thrown away: it need not outlive the machine
    with (folder / "postgresql" / "postgresql.auto.conf").open("a") as settings:
        settings.write("fsync = off\n")
    made.stop()
    made.start()
    yield made
    made.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the hall and its tables count in seconds they count in many more: on a machine with other work to do, a table that was
    not run for ten seconds is not silent, and no command is too old. Tests that want it silent say so (`ways.Way.unheard`)."""
    for module, name in (
        (overview, "SILENT_SECONDS"), (seats, "PLAYS_SECONDS"), (organisers, "COMMAND_SECONDS"), (organisers, "SHOWN_SECONDS"),
        (link, "TIMEOUT_SECONDS"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, PATIENCE_SECONDS)


@pytest.fixture
def database(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database of this test's own."""
    made = Database(cluster, f"test_{os.getpid()}_{abs(hash(request.node.nodeid))}")
    yield made
    made.close()


@pytest.fixture
def hall(database: Database) -> Iterator[Running]:
    """A hall, served on this machine."""
    with running(database) as made:
        yield made


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    """A table's own application."""
    return create_app(ledger)


@pytest.fixture(params=LANGS)
def lang(request: pytest.FixtureRequest) -> str:
    """Each of the languages."""
    return str(request.param)

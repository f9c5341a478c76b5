"""The hall's own PostgreSQL: what is set in it."""

from __future__ import annotations

import pytest

from companion.hall.cluster import Cluster
from companion.hall.database import Database


def test_after_a_kill_the_files_are_put_on_the_disk_by_one_call(cluster: Cluster, database: Database) -> None:
    with database.owner() as connection:
        assert connection.execute("SHOW recovery_init_sync_method").fetchone() == ("syncfs",)


@pytest.mark.parametrize(("major", "known"), [("13\n", False), ("14\n", True), ("16\n", True)])
def test_a_postgresql_that_does_not_know_the_setting_is_not_given_it(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, major: str, known: bool
) -> None:
    written: dict[str, str] = {}
    monkeypatch.setattr(cluster, "_write", written.__setitem__)
    found = cluster._data / "PG_VERSION"
    before = found.read_text()
    try:
        found.write_text(major)
        cluster._make()
    finally:
        found.write_text(before)
    assert ("syncfs" in written["postgresql.conf"]) is known

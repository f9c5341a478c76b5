"""Over the network a table speaks HTTPS, and to the machine alone whose key the hall's code tells."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import until
from tables import Running, Table

from companion.dashboard.network import certificate
from companion.dashboard.serve import Secure, Server
from companion.hall.app import create_hall_app, open_hall
from companion.hall.database import Database
from companion.hall.seats import KEY_LENGTH
from companion.hall.table.link import key_of_pem
from companion.hall.table.membership import HallError, keep, kept, key_letters


@pytest.fixture
def secure(database: Database, tmp_path: Path) -> Iterator[tuple[Running, str]]:
    """A hall over HTTPS, too, and its address there."""
    pem = certificate(tmp_path / "hall.pem", ["127.0.0.1"])
    hall = open_hall(database, key=key_of_pem(pem))
    app = create_hall_app(hall)
    server = Server(app, "127.0.0.1", 0, Secure(0, pem))
    thread = threading.Thread(target=server.run)
    thread.start()
    assert server.https is not None
    yield Running(hall, app, server), f"https://127.0.0.1:{server.https.port}"
    server.close()
    thread.join()
    hall.close()


def test_a_table_joins_over_https_and_keeps_the_halls_key(secure: tuple[Running, str]) -> None:
    hall, url = secure
    table = Table()
    try:
        member = table.joining.join(url, hall.hall.code.text(), "Portico")
        assert member.key == hall.hall.code.key
        table.begin()
        until(lambda: [one["version"] for one in hall.tables()] == [1])
    finally:
        table.close()


@pytest.mark.parametrize("letters", ["", key_letters("ab" * 32, KEY_LENGTH)])
def test_another_key_is_not_spoken_to(secure: tuple[Running, str], letters: str) -> None:
    hall, url = secure
    table = Table()
    with pytest.raises(HallError, match=r"no hall answers|not of the hall at this address"):
        table.joining.join(url, hall.hall.code.text().replace("-", "")[:8] + letters, "")
    table.close()
    assert hall.tables() == []


def test_a_hall_whose_key_has_changed_is_told_nothing_more(secure: tuple[Running, str]) -> None:
    hall, url = secure
    table = Table()
    try:
        member = table.joining.join(url, hall.hall.code.text(), "")
        until(lambda: table.joining.standing.state == "joined")
        table.joining.close()
        keep(table.ledger, type(member)(member.url, member.token, "ab" * 32, member.name, member.first))
        assert kept(table.ledger) is not None
        table.joining.resume()
        until(lambda: table.joining.standing.state == "refused")
        assert "chiave non è quella della sala" in table.joining.notices("it")[0]
    finally:
        table.close()

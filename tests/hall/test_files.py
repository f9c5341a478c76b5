"""The hall's scripts, style sheets and pages: asked for once, small, and whole while an update takes their files' place."""

from __future__ import annotations

import re

import pytest
from tables import Organiser, Running
from ways import Way, drained, exchange

from companion.assets import asset
from companion.dashboard import transfer
from companion.games import log_format
from companion.ledger import Ledger


def test_a_browser_keeps_the_halls_files_and_gets_them_compressed(hall: Running) -> None:
    """Hundreds of phones look at a final: each asks for a script once, and again only after an update."""
    page = hall.client.get("/").text
    script = re.search(r'/static/[0-9a-f]+/hall/screen\.js', page)
    assert script
    answer = hall.client.get(script[0], headers={"Accept-Encoding": "gzip"})
    assert answer.cache_control.immutable
    assert answer.headers["Content-Encoding"] == "gzip"
    assert hall.client.get("/cards/cucco.svg", headers={"Accept-Encoding": "gzip"}).headers["Content-Encoding"] == "gzip"


def test_an_update_changes_no_page_of_the_hall_that_runs(hall: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    transfer.hold(hall.app)

    def gone(*_: object) -> None:
        raise FileNotFoundError("the update has taken this file's place")

    monkeypatch.setattr(hall.app.jinja_env.loader, "load", gone)
    monkeypatch.setattr(transfer, "read", gone)
    phone = Organiser(hall)
    for path in ("/", "/draw", "/draw/sheets", "/organiser", "/organiser/tournament", "/organiser/phones", "/season"):
        assert phone.client.get(path).status_code == 200, path
    screen = asset("web") / "static" / "hall" / "screen.js"
    assert hall.client.get("/static/hall/screen.js").data == screen.read_bytes()


def test_the_halls_code_is_never_compressed_beside_names_that_anybody_may_have_given(hall: Running) -> None:
    """Else the length of the answer gives it away (BREACH, 2013)."""
    phone = Organiser(hall)
    way = Way(hall.hall.database)
    for name in ("Sotto il portico grande", "Davanti alla chiesa", "Dietro il bar"):
        with Ledger.in_memory(log_format) as ledger:
            drained(exchange(way, ledger, name))
    answer = phone.client.get("/api/hall/organiser", headers={"Accept-Encoding": "gzip"})
    assert hall.hall.code.text() in answer.text
    assert len(answer.data) > transfer.MIN_BYTES
    assert "Content-Encoding" not in answer.headers

"""Tables and a hall together: what a table records is in the hall, and on its pages, as the table has it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from serving import until
from tables import PATIENCE_SECONDS, Running, Table, played, table

from companion.games import log_format
from companion.ledger import Ledger, outbox

KEYS = ["name", "game", "hand", "version", "since_s", "state", "ruling", "questions"]


def shown(hall: Running, number: int = 0) -> dict:
    return hall.tables()[number]


def test_what_a_table_records_is_shown_as_its_own_tv_shows_it(hall: Running, lang: str) -> None:
    with table(hall) as one, table(hall) as other:
        game = one.play(hands=3, seed=4)
        one.is_sent(hall)
        until(lambda: shown(hall)["version"] == one.ledger.version(game))
        here, there = one.says(lang), hall.tables(lang)
        assert [list(told) for told in there] == [KEYS, KEYS]
        assert [told["name"] for told in there] == ["1", "2"]
        assert (there[0]["game"], there[0]["hand"], there[0]["ruling"]) == (game, here["hand"], here["ruling"])
        assert here["ruling"] is not None
        assert there[0]["state"] in ("live", "over")
        assert 0 <= there[0]["since_s"] < PATIENCE_SECONDS
        assert (there[1]["game"], there[1]["version"], there[1]["ruling"], there[1]["state"]) == (0, 0, None, "live")
        assert hall.client.get("/api/hall").json["round"] is None
        other.begin()
        until(lambda: shown(hall, 1)["version"] == 1)


def test_a_table_in_full_is_as_its_own_tv(hall: Running, lang: str) -> None:
    with table(hall) as one:
        game = one.play(hands=2, seed=7)
        until(lambda: shown(hall)["version"] == one.ledger.version(game))
        there = hall.client.get(f"/api/tables/1/game?lang={lang}").json
        here = one.says(lang)
        for told in (there, here):
            for key in ("game", "revision", "corrected", "corrected_hand"):  # what the hall has missed while it was played
                told.pop(key)
        assert there == here
        assert hall.client.get("/api/tables/1/log").data == one.app.test_client().get("/api/log").data
        for page in ("/", "/tables/1"):
            assert hall.client.get(f"{page}?lang={lang}").status_code == 200
        assert hall.client.get("/tables/2").status_code == 404


def test_evenings_before_it_joined_are_nobodys_business_there(hall: Running) -> None:
    one = Table()
    before, game = one.play(seed=1), one.play(seed=2)
    try:
        one.join(hall)
        until(lambda: shown(hall)["version"] == one.ledger.version(game))
        assert hall.rows(one.ledger, before) == ()
    finally:
        one.close()


def test_a_table_goes_on_after_a_restart_without_a_code(hall: Running, tmp_path: Path) -> None:
    path, log = tmp_path / "a.ledger", played()
    with table(hall, Ledger.open(path, log_format), "Sotto il portico") as one:
        game = one.ledger.begin(log[:3])
        one.is_sent(hall)
    again = Table(Ledger.open(path, log_format))
    try:
        member = again.joining.resume()
        assert member is not None
        assert member.name == "Sotto il portico"
        again.ledger.record(game, log)
        again.is_sent(hall)
        assert len(hall.tables()) == 1
    finally:
        again.close()


def test_a_sender_that_fails_says_so_and_goes_on(hall: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    with table(hall) as one:
        game = one.begin()
        until(lambda: shown(hall)["version"] == 1)
        with monkeypatch.context() as broken:
            broken.setattr(outbox, "outgoing", lambda ledger: 1 / 0)
            until(lambda: one.joining.standing.state == "away")
        assert one.ledger.version(game) == 1
        until(lambda: one.joining.standing.state == "joined")


@pytest.mark.parametrize("arguments", [["serve", "--help"], ["rule", "--help"]])
def test_without_a_hall_nothing_of_it_is_imported(arguments: list[str], tmp_path: Path) -> None:
    program = f"""
import sys, threading
from companion.games import log_format
from companion.ledger import Ledger, outbox
import companion.cli.evening, companion.cli.serve, companion.dashboard
from companion.ledger.outbox import belongs
with Ledger.open({str(tmp_path / "a.ledger")!r}, log_format) as ledger:
    companion.dashboard.create_app(ledger)
    assert not belongs(ledger)
found = [name for name in sys.modules if name.startswith(("companion.hall", "psycopg", "http.client"))]
assert not [name for name in found if name != "http.client"], found
from companion.cli import main
main({arguments!r})
"""
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


def test_a_hall_loads_nothing_that_looks_at_pictures() -> None:
    """Each of its processes, and a process that ended, is served again the sooner."""
    program = "import sys, companion.hall.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert not {"cv2", "onnxruntime", "companion.eyes.look", "companion.line.camera_session"} & set(loaded)

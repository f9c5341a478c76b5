"""Another program has the ledger locked, such as a database browser: who writes waits for it, who reads does not."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from phones import Phone

from companion.dashboard import create_app
from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger, opening
from companion.line.recorder import MAX_READ_WAIT_SECONDS, EveningRecorder

AN_HOUR_S = 3600.0
"""Seconds for which a writer waits here."""
FAR_LESS_S = 600.0
"""Seconds that a page may take, on a machine as busy as any."""


@pytest.mark.parametrize("followed", [False, True], ids=["nobody follows it", "a camera follows it"])
def test_a_phone_that_reads_does_not_wait_behind_one_that_writes(
    tmp_path: Path, followed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_READ_WAIT_SECONDS < 5.0 < opening.BUSY_SECONDS
    monkeypatch.setattr(opening, "BUSY_SECONDS", AN_HOUR_S)
    path = tmp_path / "evening.ledger"
    with Ledger.open(path, log_format) as ledger, ExitStack() as unlocked:
        recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
        app = create_app(ledger, recorder=(lambda: recorder) if followed else None)
        reads, writes = Phone(app), Phone(app)
        stood = reads.view
        browser = unlocked.enter_context(closing(sqlite3.connect(path, isolation_level=None)))
        browser.execute("BEGIN IMMEDIATE")
        begun = threading.Event()
        record = ledger.record

        def noted(*given: object, **more: object) -> object:
            begun.set()
            return record(*given, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(ledger, "record", noted)
        answers: list[int] = []
        events = stood["next"]["offers"][0]["events"]
        writing = threading.Thread(target=lambda: answers.append(writes.send({"what": "say", "events": events}).status_code))
        writing.start()
        assert begun.wait(FAR_LESS_S), "the tap came to no record"
        reading = threading.Thread(target=reads.look)
        reading.start()
        reading.join(FAR_LESS_S)
        assert not reading.is_alive()
        assert writing.is_alive()
        assert reads.view["version"] == stood["version"]
        browser.close()  # unlocks it
        writing.join()
        assert answers == [200]
        assert reads.look()["version"] > stood["version"]

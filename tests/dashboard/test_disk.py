"""What TV, phone and scripts are told when the ledger cannot be written or read; and a tap that arrives twice."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from phones import Phone

from companion.dashboard import Settings, create_app
from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.ledger import file as files
from companion.line.recorder import EveningRecorder
from companion.table.log import tag

FULL = "The disk is full: nothing has been saved since "


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.ledger"


@pytest.fixture
def ledger(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    """An evening that has begun, on a disk."""
    monkeypatch.setattr(files, "RETRY_SECONDS", 1e6)
    with Ledger.open(path, log_format, keep_going=True) as opened:
        EveningRecorder.begin(opened, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
        yield opened


def fill(ledger: Ledger) -> None:
    writer = ledger._file._writer
    assert writer is not None
    writer.execute(f"PRAGMA max_page_count = {writer.execute('PRAGMA page_count').fetchone()[0]}")
    ledger.note(1, deck="x" * 20_000)


def test_tv_and_phone_say_that_the_disk_is_full_and_the_game_goes_on(ledger: Ledger, path: Path) -> None:
    app = create_app(ledger, settings=Settings(heartbeat=0.1))
    phone = Phone(app)
    assert app.test_client().get("/api/notices?lang=en").json == {"notices": []}
    fill(ledger)
    phone.tap("Nuova mano: il mazzo a Carla")
    phone.tap("Anna sta")
    [said] = app.test_client().get("/api/notices?lang=en").json["notices"]
    assert said.startswith(FULL)
    assert app.test_client().get("/api/notices?lang=it").json["notices"][0].startswith("Il disco è pieno")
    stream = iter(phone.client.get("/api/organiser/stream?lang=en").response)
    assert FULL in [next(stream).decode() for _ in range(3)][-1]  # how long to wait before another try, the view, a beat
    disk = ledger._file._disk
    assert disk is not None
    disk[1].execute("PRAGMA max_page_count = 1000000")
    assert ledger._file.save()
    assert app.test_client().get("/api/notices").json == {"notices": []}
    with Ledger.look(path, log_format) as written:
        assert written.lines(1) == ledger.lines(1)
        assert len(written.lines(1)) == 3


@pytest.mark.parametrize("address", ["/api/game", "/api/organiser", "/api/games", "/api/notices", "/api/log"])
def test_scripts_are_told_in_json_what_fails_and_no_file_is_named(ledger: Ledger, address: str) -> None:
    app = create_app(ledger)
    client = Phone(app).client
    ledger.close()
    answer = client.get(f"{address}?lang=en")
    assert answer.status_code in (404, 503)
    assert set(answer.json) == {"error", "message"}
    assert "ledger" not in answer.json["message"]
    assert client.get("/api/nowhere").json["error"] == "not_found"
    assert client.delete("/api/game").json["error"] == "method_not_allowed"
    assert client.delete("/api/game").headers["Allow"]


def test_people_are_told_in_a_sentence(ledger: Ledger) -> None:
    client = create_app(ledger).test_client()
    ledger.close()
    answer = client.get("/?lang=en")
    assert (answer.status_code, answer.mimetype) == (503, "text/plain")
    assert "cannot be read or written" in answer.text
    assert "a.ledger" not in answer.text


def test_a_tap_that_arrives_twice_is_done_once_also_at_the_same_moment_and_after_a_restart(ledger: Ledger) -> None:
    app = create_app(ledger)
    phone = Phone(app)
    for label in ("Nuova mano: il mazzo a Carla", "Anna sta", "Bruno sta"):
        phone.tap(label)

    def taken(app_phone: Phone) -> list[dict]:
        body = {"game": 1, "version": phone.view["version"], "do": {"what": "undo"}, "tap": "k3x9"}
        said: list[dict] = []

        def send() -> None:
            answer = app_phone.client.post("/api/organiser/command", json=body, headers={"X-CSRF-Token": app_phone.csrf})
            said.append(answer.json | {"status": answer.status_code})

        both = [threading.Thread(target=send) for _ in range(2)]
        for one in both:
            one.start()
        for one in both:
            one.join()
        return said

    answers = taken(phone)
    assert [answer["status"] for answer in answers] == [200, 200]
    assert sorted(answer.get("already", False) for answer in answers) == [False, True]
    assert [one["already"] for one in taken(Phone(create_app(ledger)))] == [True, True]
    assert [tag(line.event) for line in ledger.lines(1)] == ["game", "hand", "sto"]


def test_what_is_only_shown_is_shown_beside_the_program_that_writes_it(ledger: Ledger, path: Path) -> None:
    with Ledger.look(path, log_format) as looked_at:
        app = create_app(looked_at, settings=Settings(game=1))
        client = app.test_client()
        assert client.get("/api/game").json["hand"] == 0
        Phone(create_app(ledger)).tap("Nuova mano: il mazzo a Carla")
        assert client.get("/api/game").json["hand"] == 1
        refused = client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits})
        assert (refused.status_code, "soltanto" in refused.text) == (409, True)

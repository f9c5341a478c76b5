"""A whole evening with the real program: set up over HTTP, followed from a clip, killed in mid-hand, gone on with."""

from __future__ import annotations

import json
import os
import re
import signal
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from serving import Program, program, until

from companion.assets import asset
from companion.games import log_format, stu
from companion.games.stu.rules.log import read_lines
from companion.ledger import Ledger

pytestmark = pytest.mark.kills

class Phone:
    """A paired phone, over HTTP."""

    def __init__(self, url: str, pin: str) -> None:
        self.url = url
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.csrf = ""
        self.post("/pair", pin=pin)
        found = re.search(r'name="csrf" value="([^"]+)"', self.get("/setup"))
        assert found
        self.csrf = found[1]

    def get(self, path: str) -> str:
        with self.browser.open(self.url + path) as answer:
            return answer.read().decode()

    def json(self, path: str) -> Any:
        return json.loads(self.get(path))

    def post(self, path: str, **form: Any) -> None:
        data = urllib.parse.urlencode({"csrf": self.csrf, **form}, doseq=True).encode()
        with self.browser.open(self.url + path, data) as answer:
            answer.read()


def stopped(running: Program, phone: Phone, number: int, ledger: Path, seen: str) -> Any:
    """The game as it stood when the program got this signal: in the middle of hand 1, once this kind of sighting is recorded."""
    until(lambda: seen in reported(ledger))
    before = phone.json("/api/game")
    os.kill(running.process.pid, number)
    assert running.process.wait(300) in (0, -number)
    return before


def goes_on(before: Any, after: Any) -> None:
    """The game is the one that was stopped."""
    assert after["hand"] == 1
    assert [seat["name"] for seat in after["seats"]] == [seat["name"] for seat in before["seats"]]
    assert after["pot"] == before["pot"]


def test_an_evening_stopped_in_mid_hand_goes_on_to_the_same_rulings(tmp_path: Path) -> None:
    """Told to stop when two have exchanged, killed later in the hand when somebody has shown a card, and followed to the end."""
    demo, ledger = asset("datasets/demo"), tmp_path / "evening.ledger"
    table = json.loads((demo / "table.json").read_text())
    true = stu.replay(read_lines((demo / "log.jsonl").read_bytes()))
    with program(ledger, "--pace", "2", "--camera", str(demo / "demo.mp4")) as started:
        phone = Phone(started.url, started.pin)
        until(lambda: phone.json("/setup/check.json")["state"] == "held")
        phone.post("/setup/table", corners=" ".join(f"{x},{y}" for x, y in table["corners"]))
        seats = table["players"]
        phone.post("/setup/players", name=[seat["name"] for seat in seats],
                   places=" ".join(f"{x},{y}" for x, y in (seat["place"] for seat in seats)))  # fmt: skip
        phone.post("/setup/stakes", stake="1", dealer=table["dealer"])
        phone.post("/setup/start")
        before = stopped(started, phone, signal.SIGTERM, ledger, "Exchanged")
    with program(ledger, "--pace", "2") as started:
        phone = Phone(started.url, started.pin)
        goes_on(before, phone.json("/api/game"))
        before = stopped(started, phone, signal.SIGKILL, ledger, "Shown")
    with program(ledger, "--pace", "0") as started:
        phone = Phone(started.url, started.pin)
        goes_on(before, phone.json("/api/game"))
        until(lambda: phone.json("/setup/check.json")["state"] == "ended", 600)
    with Ledger.open(ledger, log_format) as kept:
        followed = stu.replay(kept.lines(1))
    assert [hand.dealer for hand in followed.hands] == [hand.dealer for hand in true.hands]
    # The hand that was cut into may have lost what happened meanwhile; the next one is ruled as it was played.
    assert followed.hands[-1].payments == true.hands[-1].payments
    assert followed.hand is None


def reported(path: Path) -> set[str]:
    """The kinds of sightings that the ledger has of the evening."""
    with Ledger.look(path, log_format) as ledger:
        return {kind for report in ledger.reports(1) for kind in json.loads(report)}

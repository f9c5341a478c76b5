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
from serving import program, until

from companion.assets import asset
from companion.games import log_format, stu
from companion.games.stu.rules.log import read_lines
from companion.ledger import Ledger

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["kill -9", "SIGTERM"])
def test_an_evening_stopped_in_mid_hand_goes_on_to_the_same_rulings(tmp_path: Path, number: int) -> None:
    demo, ledger = asset("datasets/demo"), tmp_path / "evening.ledger"
    table = json.loads((demo / "table.json").read_text())
    true = stu.replay(read_lines((demo / "log.jsonl").read_bytes()))
    with program(ledger, "--camera", str(demo / "demo.mp4")) as started:
        phone = Phone(started.url, started.pin)
        until(lambda: phone.json("/setup/check.json")["state"] == "held")
        phone.post("/setup/table", corners=" ".join(f"{x},{y}" for x, y in table["corners"]))
        seats = table["players"]
        phone.post("/setup/players", name=[seat["name"] for seat in seats],
                   places=" ".join(f"{x},{y}" for x, y in (seat["place"] for seat in seats)))  # fmt: skip
        phone.post("/setup/stakes", stake="1", dealer=table["dealer"])
        phone.post("/setup/start")
        # In mid-hand: cards have been dealt to all, and the first hand is not over.
        until(lambda: phone.json("/api/game")["status"] == "hand_in_progress" and phone.json("/api/game")["hand"] == 1)
        until(lambda: ledger_reports(ledger) >= len(seats))
        before = phone.json("/api/game")
        os.kill(started.process.pid, number)
        assert started.process.wait(60) in (0, -number)
    with program(ledger, "--pace", "0") as started:
        phone = Phone(started.url, started.pin)
        after = phone.json("/api/game")
        assert after["hand"] == 1
        assert [seat["name"] for seat in after["seats"]] == [seat["name"] for seat in before["seats"]]
        assert after["pot"] == before["pot"]
        until(lambda: phone.json("/setup/check.json")["state"] == "ended", 600)
    with Ledger.open(ledger, log_format) as kept:
        followed = stu.replay(kept.lines(1))
    assert [hand.dealer for hand in followed.hands] == [hand.dealer for hand in true.hands]
    # The hand that was cut into may have lost what happened in those seconds; the next one is ruled as it was played.
    assert followed.hands[-1].payments == true.hands[-1].payments
    assert followed.hand is None


def ledger_reports(path: Path) -> int:
    with Ledger.open(path, log_format) as ledger:
        return len(ledger.reports(1))

"""An organiser's phone, for tests: paired, and able to say what happened or to set an evening up; and what was paid then."""

import json
import re

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.games.stu.rules import replay_log, report
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.table.log import write_lines

CORNERS = "330,140 1010,170 1180,610 120,560"
PLACES = "600,520 1000,400 620,190"  # anticlockwise as seen
SIZE = (1280, 720)


class Phone:
    """A paired phone that sends commands made on the view that it was shown last."""

    def __init__(self, app: Flask, lang: str = "it") -> None:
        self.client: FlaskClient = app.test_client()
        self.lang = lang
        assert self.client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits}).status_code == 302
        page = self.client.get("/organiser").text
        found = re.search(r'"csrf": ?"([^"]+)"', page)
        assert found
        self.csrf = found[1]
        self.view: dict = {}
        self.look()

    def look(self) -> dict:
        self.view = self.client.get(f"/api/organiser?lang={self.lang}").json
        return self.view

    def send(self, do: dict, *, dry: bool = False, csrf: str | None = None) -> TestResponse:
        body = {"game": self.view.get("game", 0), "version": self.view.get("version", 0), "do": do, "dry": dry}
        return self.client.post(
            f"/api/organiser/command?lang={self.lang}",
            data=json.dumps(body),
            headers={"X-CSRF-Token": self.csrf if csrf is None else csrf},
        )

    def do(self, what: str, **fields) -> dict:
        """Send a command that must be taken, and look at what it led to."""
        answer = self.send({"what": what, **fields})
        assert answer.status_code == 200, answer.text
        self.view = answer.json
        return self.view

    def say(self, *events: dict) -> dict:
        return self.do("say", events=list(events))

    def tap(self, label: str) -> dict:
        """Tap the button of the next act that says so."""
        refusals = self.view["next"].get("refusals")
        offers = [*self.view["next"]["offers"], *(refusals["offers"] if refusals else [])]
        found = [offer for offer in offers if offer["label"] == label]
        assert found, (label, [offer["label"] for offer in offers])
        return self.say(*found[0]["events"])

    def show(self, player: str, card: str) -> dict:
        """Tap a player's card in the grid."""
        assert card in next(one["kinds"] for one in self.view["next"]["covered"] if one["player"] == player)
        return self.say({"e": "reveal", "by": player, "card": card})


class Organiser:
    """A paired phone that fills in the forms."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        assert self.client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits}).status_code == 302
        found = re.search(r'name="csrf" value="([^"]+)"', self.client.get("/setup").text)
        assert found
        self.csrf = found[1]

    def get(self, path: str) -> TestResponse:
        return self.client.get(path)

    def post(self, path: str, **form) -> TestResponse:
        return self.client.post(path, data={"csrf": self.csrf, **form})

    def walk(self, path: str, onto: str, **form) -> None:
        """Send a form that must lead on."""
        answer = self.post(path, **form)
        assert answer.status_code == 302, re.findall(r'role="alert">([^<]*)', answer.text)
        assert answer.location == onto

    def refused(self, path: str, **form) -> TestResponse:
        """Send a form that must not be taken in: the page that says so."""
        answer = self.post(path, **form)
        assert answer.status_code == 303, answer.location
        return self.get(answer.location)


def seated(phone: Organiser, names: tuple[str, ...] = ("Anna", "Bruno", "Carla"), late: str = "0") -> None:
    phone.walk("/setup/new", "/setup/game", late=late)
    phone.walk("/setup/game", "/setup/camera", game="stu")
    phone.walk("/setup/camera", "/setup/camera", source="0")
    phone.walk("/setup/table", "/setup/players", corners=CORNERS)
    phone.walk("/setup/players", "/setup/stakes", name=list(names), places=PLACES)


def payments(ledger: Ledger, game: int) -> list[tuple[str, int, str]]:
    """Of the last hand of Lu Stù, as `companion rule` reads the recorded log: player, pedine, cause."""
    told = report(replay_log(write_lines(ledger.lines(game))))
    return [(paid.player, paid.delta, paid.cause) for paid in told.hands[-1].payments]


def paid(recorder: EveningRecorder) -> list[tuple[str, int]]:
    """The same without the causes."""
    return [(player, delta) for player, delta, _ in payments(recorder.ledger, recorder.game_id)]

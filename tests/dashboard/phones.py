"""An organiser's phone, for tests: paired, and able to say what happened."""

import json
import re

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse


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

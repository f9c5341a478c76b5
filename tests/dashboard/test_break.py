"""A break of the table, said on a phone: the TV says since when, the camera is told, and a restart finds it again."""

from __future__ import annotations

import json
import re
from typing import Any

from fake_camera import FakeCamera
from flask import Flask
from phones import Phone

from companion.dashboard import Settings, create_app
from companion.dashboard.settings import ShowWish
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

GAME = new_game(["Anna", "Bruno", "Carla"], 200, "Carla")


def rests(phone: Phone, pause: bool) -> str | None:
    """What the phone is shown after this wish: since when there is a break."""
    body = json.dumps({"pause": pause})
    answer = phone.client.post("/api/organiser/show?lang=it", data=body, headers={"X-CSRF-Token": phone.csrf})
    assert answer.status_code == 200, answer.text
    shown: str | None = answer.json["shows"].get("paused")
    return shown


def on_tv(app: Flask) -> str | None:
    """What the TV is told of it."""
    beat = app.test_client().get("/api/now").json["beat"]
    told: str | None = beat["shows"].get("paused")
    return told


def test_a_break_is_told_to_tv_and_camera_until_somebody_ends_it(ledger: Ledger) -> None:
    camera = FakeCamera(ledger)
    EveningRecorder.begin(ledger, GAME)
    app = create_app(ledger, camera=camera)
    phone = Phone(app)
    since = rests(phone, True)
    assert since is not None
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", since)
    assert rests(phone, True) == since  # a second phone has said so, too
    assert on_tv(app) == since
    assert on_tv(create_app(ledger, camera=FakeCamera(ledger))) == since  # the program was started again
    assert rests(phone, False) is None
    assert on_tv(app) is None
    assert camera.rested == [True, False]


def test_the_voice_says_that_there_is_a_break_for_as_long_as_there_is(ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, GAME)
    app = create_app(ledger, settings=Settings(voice=True))
    phone = Phone(app)

    def said() -> list[str]:
        calls: Any = app.test_client().get("/api/calls?lang=it").json
        return [call["text"] for call in calls["calls"]]

    assert said() == []
    rests(phone, True)
    assert said() == ["Si fa una pausa."]
    rests(phone, False)
    assert said() == []


def test_a_break_is_that_of_one_game(ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, GAME)
    app = create_app(ledger)
    phone = Phone(app)
    since = rests(phone, True)
    EveningRecorder.begin(ledger, GAME)
    assert on_tv(app) is None
    ledger.delete(2)
    assert on_tv(app) == since


def test_without_a_game_there_is_no_break(ledger: Ledger) -> None:
    app = create_app(ledger)
    app.extensions["dashboard"].shows.change(ShowWish(pause=True))
    assert on_tv(app) is None

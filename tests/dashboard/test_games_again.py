"""A game that is over is corrected; a rematch without a hand is taken back; a game that should not be is deleted."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from fake_camera import FakeCamera
from flask import Flask
from games import lines
from phones import Organiser, Phone
from test_evenings_life import TOLD, WON, asked_first, recorded, table_of

from companion.dashboard import create_app
from companion.games import read_lines
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.line.recorder import PEOPLE, REMATCH

pytestmark = pytest.mark.usefixtures("camera")

OTHERS = {
    "stoppa": (
        ('{"e":"game","v":1,"game":"stoppa","players":["Anna","Bruno","Carla","Dino"],"misera":600,"small":100,'
         '"currency":"EUR","dealer":"Dino"}'),
        '{"e":"hand"}', '{"e":"piccolo"}', '{"e":"punto","by":"Anna","to":50}', '{"e":"vedo","by":"Bruno"}',
        '{"e":"show","by":"Anna","cards":["coppe-5"]}', '{"e":"show","by":"Bruno","cards":["coppe-4"]}', *['{"e":"piccolo"}'] * 3,
        '{"e":"grosso"}', '{"e":"annul"}', '{"e":"close"}',
    ),
    "stoper": (
        ('{"e":"game","v":1,"game":"stoper","players":["Anna","Bruno","Carla","Dino"],"mode":"cash","stacks":5000,'
         '"currency":"EUR","dealer":"Dino"}'),
        '{"e":"hand","cip":50,"invito":50}', '{"e":"apro","by":"Anna","to":200}', '{"e":"passo","by":"Bruno"}',
        '{"e":"passo","by":"Carla"}', '{"e":"passo","by":"Dino"}', '{"e":"end"}', '{"e":"close"}',
    ),
}  # fmt: skip
MISREAD = {
    "stu": ("reveal", {"card": "10"}, 1), "stoppa": ("show", {"cards": ["coppe-7"]}, 2), "stoper": ("apro", {"to": 300}, 1),
}  # fmt: skip
"""Which line of the last hand was different: its kind, how it was, and the first or second of its kind."""


def over(ledger: Ledger, name: str) -> int:
    if name == "stu":
        return recorded(ledger, WON)
    game = ledger.new_game(source="by hand")
    ledger.record(game, read_lines("\n".join(OTHERS[name]).encode()))
    return game


def correct_last_hand(app: Flask, name: str) -> list[str]:
    """Correct on the phone the line that was misread; what the hand came to before and after."""
    kind, was, which = MISREAD[name]
    phone = Phone(app)
    id = phone.view["hands"][0]["id"]
    hand = phone.client.get(f"/api/organiser/hand/{id}").json
    line = [one for one in hand["lines"] if one["event"]["e"] == kind][which - 1]
    change = {"what": "change", "hand": id, "start": line["index"], "stop": line["index"] + 1, "mend": True,
              "events": [{**line["event"], **was}], "shown": [one["event"] for one in hand["lines"]]}  # fmt: skip
    answer = phone.send(change)
    assert answer.status_code == 200, answer.text
    return [hand["ruling"], phone.client.get(f"/api/organiser/hand/{id}").json["ruling"]]


@pytest.mark.parametrize("name", ["stu", "stoppa", "stoper"])
@pytest.mark.parametrize("later", [False, True], ids=["the last game", "an earlier one"])
def test_the_last_ruling_of_a_game_that_is_over_is_corrected(
    app: Flask, phone: Organiser, ledger: Ledger, name: str, later: bool
) -> None:
    game = over(ledger, name)
    if later:
        recorded(ledger, TOLD)
        on = asked_first(phone.post("/setup/correct", game=game))
        phone.walk("/setup/correct", "/organiser", game=game, instead_of=on)
    phone.walk("/setup/correct", "/organiser", game=game)  # tapped twice, or the one that is shown
    assert ledger.newest() == game
    before, after = correct_last_hand(app, name)
    assert before != after
    assert Phone(app).view["undo"]


def test_a_game_that_is_not_over_is_gone_on_with_and_not_corrected(phone: Organiser, ledger: Ledger) -> None:
    game = recorded(ledger, TOLD)
    recorded(ledger, WON)
    assert phone.post("/setup/correct", game=game).status_code == 404
    assert phone.get("/setup/games").text.count('action="/setup/correct"') == 1


def test_a_corrected_game_has_its_rematch_at_its_places(phone: Organiser, camera: FakeCamera, ledger: Ledger) -> None:
    """To be corrected it needs no camera; the next evening does."""
    game = recorded(ledger, WON, table=table_of(WON), camera="2")
    recorded(ledger, WON)
    phone.walk("/setup/correct", "/organiser", game=game)
    phone.walk("/setup/rematch", "/organiser", game=game)
    assert camera.begun is not None
    assert camera.begun[1] is not None


def test_a_rematch_is_taken_back_while_no_hand_of_it_was_told(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    game = recorded(ledger, WON)
    phone.walk("/setup/rematch", "/organiser", game=game)
    rematch = ledger.newest()
    assert Phone(app).view["takes_back"]
    assert 'action="/setup/take-back"' in phone.get("/organiser").text
    for _ in range(2):  # a second tap does nothing
        phone.walk("/setup/take-back", "/organiser", game=rematch)
    view = Phone(app).view
    assert (view["game"], view["phase"], view["takes_back"]) == (game, "won", False)
    assert [entry.id for entry in ledger.games()] == [game]
    assert phone.get("/api/game").json["winner"] == "Bruno"
    phone.walk("/setup/rematch", "/organiser", game=game)
    assert ledger.newest() not in (game, rematch)


def test_a_game_that_takes_anothers_place_says_so_from_its_first_moment(
    app: Flask, phone: Organiser, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page asks as soon as there is a game, and is not told again before the game goes on."""
    begin, known = ledger.begin, list[set[str]]()

    def beginning(*arguments: Any, **more: Any) -> int:
        game = begin(*arguments, **more)
        known.append(set(ledger.notes(game)))
        return game

    game = recorded(ledger, WON)
    monkeypatch.setattr(ledger, "begin", beginning)
    phone.walk("/setup/rematch", "/organiser", game=game)
    assert REMATCH in known[-1]
    phone.walk("/setup/people", "/setup/players", game=ledger.newest())
    phone.walk("/setup/players", "/organiser", places="", name=["Anna", "Bruno", "Carla", "Dino"])
    assert PEOPLE in known[-1]


def test_a_rematch_with_a_hand_is_not_taken_back(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    phone.walk("/setup/rematch", "/organiser", game=recorded(ledger, WON))
    rematch = ledger.newest()
    Phone(app).say({"e": "hand"})
    assert not Phone(app).view["takes_back"]
    assert phone.post("/setup/take-back", game=rematch).location == "/setup"
    assert "Ha già una mano" in phone.get("/setup").text
    assert ledger.newest() == rematch


def test_an_evening_that_is_no_rematch_is_not_taken_back(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    recorded(ledger, WON)
    game = recorded(ledger, WON[:1])
    assert not Phone(app).view["takes_back"]
    phone.post("/setup/take-back", game=game)
    assert ledger.newest() == game


def test_a_game_is_deleted_once_somebody_is_sure_and_can_be_restored(phone: Organiser, ledger: Ledger) -> None:
    kept, mistaken = recorded(ledger, WON), recorded(ledger, TOLD)
    asked = phone.post("/setup/delete", game=mistaken)
    assert asked.status_code == 409
    assert "Anna, Bruno, Carla" in asked.text
    assert "È la partita in corso" in asked.text
    assert ledger.newest() == mistaken
    phone.walk("/setup/delete", "/setup/games", game=mistaken, sure=mistaken)
    assert ledger.newest() == kept
    assert [entry["id"] for entry in phone.get("/api/games").json] == [kept]
    for gone in ("/api/games/2/view", "/api/games/2/log", "/setup/games/2", "/organiser/games/2/sheet", "/setup/games/2/log"):
        assert phone.get(gone).status_code == 404, gone
    assert phone.get("/api/season").json["hands"] == 1
    assert phone.post("/setup/go-on", game=mistaken).status_code == 404
    assert 'action="/setup/restore"' in phone.get("/setup/games").text
    phone.walk("/setup/restore", "/setup/games", game=mistaken)
    assert ledger.newest() == mistaken
    assert len(ledger.lines(mistaken)) == len(lines(*TOLD))


def test_a_game_of_after_midnight_is_called_by_its_night_wherever_it_stands(phone: Organiser, ledger: Ledger) -> None:
    late = ledger.new_game(started=datetime.datetime(2026, 11, 29, 0, 40).timestamp())
    ledger.record(late, lines(*WON))
    other = recorded(ledger, TOLD)
    pages = [phone.get("/setup/games"), phone.post("/setup/delete", game=late), phone.get(f"/setup/rename?game={late}")]
    phone.walk("/setup/delete", "/setup/games", game=late, sure=late)
    for page in [*pages, phone.get("/setup/games")]:
        assert "28 nov 2026, 00:40" in page.text
        assert "29 nov 2026, 00:40" not in page.text
    assert ledger.newest() == other


@pytest.mark.parametrize("path", ["/setup/correct", "/setup/delete", "/setup/restore"])
@pytest.mark.parametrize("game", ["", "99", "x", "9" * 30])
def test_what_is_not_there_is_not_found(phone: Organiser, path: str, game: str) -> None:
    assert phone.post(path, game=game).status_code == 404


def test_the_camera_leaves_a_game_that_is_deleted(ledger: Ledger) -> None:
    with CameraSession(ledger, lambda: lambda picture: (), find_cameras=lambda *_: ()) as camera_session:
        app = create_app(ledger, camera=camera_session, recorder=lambda: camera_session.recorder)
        phone = Organiser(app)
        first = recorded(ledger, WON)
        phone.walk("/setup/rematch", "/organiser", game=first)
        assert camera_session.recorder is not None
        phone.walk("/setup/take-back", "/organiser", game=ledger.newest())
        assert camera_session.recorder is None
        assert Phone(app).view["phase"] == "won"

"""A game of a hundred lines goes through log, ledger, phone and TV, and no room but the dict of games knows that it is there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_camera import FakeCamera
from flask import Flask
from flask.testing import FlaskClient
from phones import Phone
from toy import HIGH_CARD

from companion.cli import main
from companion.dashboard import Settings, create_app
from companion.games import GAMES, replay_log
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.pages.moments import follow
from companion.pages.view import ViewSettings
from companion.table.game import Turn
from companion.table.log import write_lines

GAME = '{"e":"game","v":1,"game":"highcard","players":["Anna","Bruno","Carla"]}'


@pytest.fixture(autouse=True)
def in_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, HIGH_CARD.id, HIGH_CARD)


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    EveningRecorder.begin(ledger, HIGH_CARD.rules.LOG.decode_line(GAME.encode()).event)
    return create_app(ledger, camera=FakeCamera(ledger))


@pytest.fixture
def phone(app: Flask) -> Phone:
    return Phone(app, "en")


@pytest.fixture
def tv(app: Flask) -> FlaskClient:
    return app.test_client()


def shown(**numbers: int) -> list[dict]:
    return [{"e": "show", "by": name, "number": number} for name, number in numbers.items()]


def hand(phone: Phone, **numbers: int) -> dict:
    """A hand by thumb, a tap for each act."""
    phone.tap("The hand")
    for name, number in numbers.items():
        phone.tap(f"{name} shows {number}")
    return phone.view


def payers(ledger: Ledger) -> list[str]:
    lines = ledger.lines(ledger.newest() or 0)
    return list(replay_log(write_lines(lines))[1].paid)


def test_a_log_is_ruled_on(tmp_path: Path) -> None:
    log = tmp_path / "high.jsonl"
    events = [{"e": "hand"}, *shown(Anna=4, Bruno=9, Carla=2), {"e": "end"}]
    log.write_text("\n".join([GAME, *map(json.dumps, events)]))
    told = CliRunner().invoke(main, ["rule", "--json", str(log)])
    assert told.exit_code == 0, told.output
    assert json.loads(told.output)["paid"] == ["Carla"]
    said = CliRunner().invoke(main, ["rule", "--lang", "en", str(log)])
    assert "Carla showed the lowest number" in said.output
    log.write_text("\n".join([GAME, '{"e":"end"}']))
    refused = CliRunner().invoke(main, ["rule", str(log)])
    assert refused.exit_code != 0
    assert "line 2: end is not possible now" in str(refused.output) + str(refused.exception)


def test_it_is_run_by_thumb_and_the_last_card_ends_the_hand(phone: Phone, ledger: Ledger) -> None:
    assert phone.view["status"] == "Between hands"
    view = hand(phone, Anna=4, Bruno=9, Carla=2)
    assert payers(ledger) == ["Carla"]
    assert [player["has"] for player in view["players"]] == ["3 tokens", "3 tokens", "2 tokens"]
    assert [(link["n"], link["text"]) for link in view["hands"]] == [(1, "Carla −1")]
    assert view["hand"]["ruling"] == ["Carla showed the lowest number"]
    for _ in range(2):
        view = hand(phone, Anna=3, Bruno=8, Carla=1)
    assert (view["phase"], view["status"], view["next"]["offers"]) == ("won", "Anna has won", [])


def test_everybody_sees_it_on_the_tv(phone: Phone, tv: FlaskClient) -> None:
    hand(phone, Anna=4, Bruno=9, Carla=2)
    view = tv.get("/api/game?lang=en").json
    assert (view["wing"], view["hand"], view["status"]) == ("highcard", 1, "in_play")
    assert [(paid["player"], paid["delta"]) for paid in view["ruling"]["payments"]] == [("Carla", -1)]
    assert [(seat["name"], seat["has"], seat["change"]) for seat in view["seats"]] == [
        ("Anna", "3 tokens", None), ("Bruno", "3 tokens", None), ("Carla", "2 tokens", -1)
    ]  # fmt: skip
    assert view["happened"][-2:] == ["Carla shows 2", "The end"]
    page = tv.get("/").text
    assert "<h1>High card</h1>" in page
    assert "games/stu" not in page
    assert "in senso orario" in page
    data = json.loads(re.search(r'id="page">(.*?)</script>', page)[1])  # type: ignore[index]
    assert (data["wing"], data["clockwise"], data["moviola"], data["chances"]) == ("highcard", True, None, None)
    assert tv.get("/overlay").status_code == 200
    assert tv.get("/charts").status_code == 404
    assert (tv.get("/api/moviola").json, tv.get("/api/charts").json) == (None, None)
    assert tv.get("/api/log").data.count(b"\n") == 6
    assert 'filename="highcard-1.jsonl"' in tv.get("/api/log").headers["Content-Disposition"]


def test_the_streams_follow_it(ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, HIGH_CARD.rules.LOG.decode_line(GAME.encode()).event)
    app = create_app(ledger, settings=Settings(heartbeat=0.01, patience=1, odds=True))
    phone, tv = Phone(app, "en"), app.test_client()
    stream = iter(tv.get("/api/stream?lang=en").response)
    assert b"High card" not in next(stream)
    assert b'"wing":"highcard"' in next(stream)
    phone.tap("The hand")
    while b"hand_in_progress" not in (heard := next(stream)):
        assert b"error" not in heard
    assert tv.get("/api/chances").json["chances"] == {}


def test_a_hand_is_corrected_undone_and_done_again(phone: Phone, ledger: Ledger) -> None:
    view = hand(phone, Anna=4, Bruno=9, Carla=2)
    lines = view["hand"]["lines"]
    assert [line["text"] for line in lines] == ["The hand", "Anna shows 4", "Bruno shows 9", "Carla shows 2", "The end"]
    query = {"hand": view["hand"]["id"], "start": 3, "stop": 4, "lang": "en"}
    found = phone.client.get("/api/organiser/suggestions", query_string=query).json
    assert {"Carla shows 5", "Carla shows 8"} <= {one["text"] for one in found}
    change = {"what": "change", "hand": view["hand"]["id"], "start": 3, "stop": 4, "events": shown(Carla=5)}
    effect = phone.send(change, dry=True).json
    (paid,) = effect["hands"]
    assert (paid["now"], paid["then"]) == ("Carla showed the lowest number", "Anna showed the lowest number")
    assert {one["what"]: one["then"] for one in effect["rest"]} == {"Anna": "2 tokens", "Carla": "3 tokens"}
    phone.do(**change)
    assert payers(ledger) == ["Anna"]
    phone.do("undo")
    assert payers(ledger) == ["Carla"]
    phone.do("redo")
    assert payers(ledger) == ["Anna"]


def test_what_cannot_be_is_refused(phone: Phone, ledger: Ledger) -> None:
    of_another_game = {"e": "reveal", "by": "Anna", "card": "3"}
    for event, status in (({"e": "end"}, 422), (of_another_game, 400), ({"e": "show", "by": "Anna"}, 400)):
        assert phone.send({"what": "say", "events": [event]}).status_code == status
    assert payers(ledger) == []


def test_a_hand_that_was_missed_is_told_afterwards(phone: Phone, ledger: Ledger) -> None:
    view = hand(phone, Anna=4, Bruno=9, Carla=2)
    body = {"game": view["game"], "version": view["version"], "before": view["hands"][-1]["id"]}
    ask = {"headers": {"X-CSRF-Token": phone.csrf}}
    told = phone.client.post("/api/organiser/missed?lang=en", json={**body, "events": []}, **ask).json
    assert told["lines"] == ["The hand"]
    events = told["events"] + shown(Anna=1, Bruno=2, Carla=3)
    told = phone.client.post("/api/organiser/missed?lang=en", json={**body, "events": events}, **ask).json
    assert told["over"]
    phone.do("insert", hand=view["hands"][-1]["id"], events=told["events"])
    assert payers(ledger) == ["Anna", "Carla"]
    assert phone.say({"e": "hand"}, {"e": "void"})["hands"][0]["text"] == "nobody pays"


def test_it_goes_on_after_a_restart(phone: Phone, ledger: Ledger) -> None:
    phone.tap("The hand")
    phone.tap("Anna shows 4")
    again = Phone(create_app(ledger), "en")
    assert again.view["hand"] == phone.view["hand"]
    assert EveningRecorder.resume(ledger, ledger.newest() or 0).evening.log == ledger.lines(ledger.newest() or 0)
    for name, number in (("Bruno", 9), ("Carla", 2)):
        again.tap(f"{name} shows {number}")
    assert payers(ledger) == ["Carla"]


def test_it_is_set_up_on_the_phone_where_the_house_has_several_games(ledger: Ledger) -> None:
    camera = FakeCamera(ledger)
    app = create_app(ledger, camera=camera)
    client = app.test_client()
    assert client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits}).status_code == 302
    csrf = re.search(r'name="csrf" value="([^"]+)"', client.get("/setup").text)[1]  # type: ignore[index]

    def walk(path: str, onto: str, **form: object) -> None:
        answer = client.post(path, data={"csrf": csrf, **form})
        assert (answer.status_code, answer.location) == (302, onto), answer.text

    walk("/setup/new", "/setup/game")
    assert all(title in client.get("/setup/game").text for title in ("Lu Stù", "High card"))
    walk("/setup/game", "/setup/camera", game="stu")
    walk("/setup/game", "/setup/players", game="highcard")  # a game without eyes needs no camera
    assert "orario" in client.get("/setup/players").text
    assert client.post("/setup/players", data={"csrf": csrf, "name": [*"ABCDEFG"]}).status_code == 303
    walk("/setup/players", "/setup/ready", name=["Anna", "Bruno"])
    page = client.get("/setup/ready").text
    assert "High card" in page
    assert "disabled" not in page
    assert client.get("/setup/stakes").status_code == 404
    walk("/setup/start", "/organiser")
    assert camera.begun is not None
    assert camera.begun == (HIGH_CARD.rules.LOG.decode_line(GAME.replace(',"Carla"', "").encode()).event, None)
    assert client.get("/api/game").json["wing"] == "highcard"


def test_the_archive_has_games_of_every_kind(phone: Phone, tv: FlaskClient, ledger: Ledger) -> None:
    hand(phone, Anna=4, Bruno=9, Carla=2)
    old = ledger.new_game()
    ledger.record(old, [*EveningRecorder.begin(ledger, new_game(["Dino", "Elsa"], 200, "Dino")).evening.log])
    log = phone.client.get("/api/games/1/log").data
    answer = phone.client.post("/api/games", data=log, headers={"X-CSRF-Token": phone.csrf})
    assert answer.status_code == 200, answer.text
    entries = {entry["id"]: entry for entry in phone.client.get("/api/games").json}
    assert [(entries[game]["wing"], entries[game]["hands"]) for game in (1, old, answer.json["id"])] == [
        ("highcard", 1), ("stu", 0), ("highcard", 1)
    ]  # fmt: skip
    assert phone.client.get("/api/games/1/view?step=3").json["seats"][0]["has"] == "3 tokens"
    assert "Anna shows 4" in phone.client.get("/setup/games/1?step=3").text
    broken = phone.client.post("/api/games", data=GAME + '\n{"e":"deal"}', headers={"X-CSRF-Token": phone.csrf})
    assert (broken.status_code, broken.json["line"]) == (400, 2)


def test_a_page_goes_from_one_game_to_the_next(phone: Phone, tv: FlaskClient, ledger: Ledger) -> None:
    """Pages load their game's scripts: they see in the view that it is another, and are loaded again."""
    assert tv.get("/api/game").json["wing"] == phone.view["wing"] == "highcard"
    EveningRecorder.begin(ledger, new_game(["Dino", "Elsa"], 200, "Dino"))
    assert tv.get("/api/game").json["wing"] == phone.look()["wing"] == "stu"
    assert "games/stu/tv.js" in tv.get("/").text
    assert "games/stu/organiser.js" in phone.client.get("/organiser").text


STEPS = [
    ("answer", "Anna", "Anna to answer", "Deve rispondere Anna", "asked"),
    ("bet", "Bruno", "Bruno to bet", "Tocca a Bruno puntare", "bets"),
    ("decide", "Bruno", "Bruno to decide", "Tocca a Bruno", "decides"),
    ("draw", "Anna", "Anna to draw a card", "Anna deve pescare", "draws"),
    ("lay", "Bruno", "Bruno to lay a card", "Tocca a Bruno calare una carta", "lays"),
    ("show", "Anna", "Anna to show", "Mostra Anna", "shows"),
    ("speak", "Bruno", "Bruno to speak", "Parola a Bruno", "bets"),
    ("cut", "Bruno", "Bruno’s turn", "È il turno di Bruno", None),
    ("show", None, "Show the cards", "Scoprite le carte", None),
    ("cut", None, "Everybody’s turn", "Tocca a tutti", None),
]
"""Per step: its name, its player, what both pages say in English and in Italian, and what stands on the plate."""


@pytest.mark.parametrize(("step", "who", "english", "italian", "role"), STEPS)
def test_tv_and_phone_say_what_is_to_be_done_and_by_whom(
    monkeypatch: pytest.MonkeyPatch, step: str, who: str | None, english: str, italian: str, role: str | None
) -> None:
    rules, pages = HIGH_CARD.rules, HIGH_CARD.pages
    lines = rules.LOG.read_lines(f'{GAME}\n{{"e":"hand"}}\n'.encode())
    moments = list(follow(rules, pages, lines))
    monkeypatch.setattr(rules, "waiting", lambda state: Turn(step, who))
    for lang, said in {"en": english, "it": italian}.items():
        view = pages.view(moments, lang, ViewSettings(sure_from=0.95, happened=6))
        assert (view.message, pages.offers(moments[-1].known, lang).title) == (said, said)
        assert [(seat.name, seat.role) for seat in view.seats if seat.role] == ([(who, role)] if role else [])

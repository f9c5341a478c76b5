"""Past games: listed, replayed step by step, downloaded, taken in from a file."""

import io
import json
from importlib import import_module

import pytest
from fake_camera import FakeCamera
from flask import Flask
from games import GNAFFATA, lines
from phones import Organiser, Phone

from companion.dashboard import archive, create_app
from companion.dashboard.past_games import Archive
from companion.games import GAMES
from companion.games.stu.rules import replay_log, report
from companion.ledger import Ledger, SeasonBook
from companion.table.log import Line, tag, write_lines

pytestmark = pytest.mark.usefixtures("camera")

DEALT = [*GNAFFATA[:2], '{"e":"deal","to":"Bruno","card":"gnao"}', *GNAFFATA[2:4]]
"""A hand in progress in which the camera has caught a face that nobody has shown."""


def upload(phone: Organiser, data: bytes, name: str = "sera.jsonl"):
    return phone.client.post("/setup/games", data={"csrf": phone.csrf, "log": (io.BytesIO(data), name)})


def test_a_game_goes_out_and_comes_in_and_is_the_same(phone: Organiser, ledger: Ledger) -> None:
    game = ledger.new_game(source="camera 0")
    ledger.record(game, lines(*GNAFFATA))
    file = phone.get(f"/setup/games/{game}/log")
    assert "attachment" in file.headers["Content-Disposition"]
    answer = upload(phone, file.data)
    assert answer.status_code == 302
    again = int(answer.location.rsplit("/", 1)[1])
    assert ledger.lines(again) == ledger.lines(game)
    assert ledger.newest() == game  # the TV goes on showing what is played
    entries = phone.get("/api/games").json
    assert [(entry["id"], entry["hands"], entry["players"]) for entry in entries] == [
        (again, 1, ["Anna", "Bruno", "Carla"]),
        (game, 1, ["Anna", "Bruno", "Carla"]),
    ]
    assert "nell’archivio" in phone.get(answer.location).text
    assert "sera.jsonl" in phone.get("/setup/games").text


@pytest.mark.parametrize(
    ("data", "told"),
    [
        pytest.param(b"", "line 1", id="empty"),
        pytest.param(b"\x89PNG\r\n", "line 1", id="a picture"),
        pytest.param("\n".join(GNAFFATA).replace('"passo"', '"pass"', 1).encode(), "line 4", id="no such event"),
        pytest.param("\n".join(GNAFFATA).replace('"by":"Bruno"', '"by":"Carla"').encode(), "line 6", id="cannot have happened"),
        pytest.param("\n".join(["", *GNAFFATA]).replace('"Anna"', '" "').encode(), "line 2", id="nobody"),
    ],
)
def test_a_file_that_cannot_have_happened_is_refused_with_its_line(
    phone: Organiser, ledger: Ledger, data: bytes, told: str
) -> None:
    answer = upload(phone, data)
    assert answer.status_code == 400
    assert told.replace("line", "riga") in answer.text
    assert ledger.games() == ()
    posted = phone.client.post("/api/games", data=data, headers={"X-CSRF-Token": phone.csrf})
    assert posted.status_code == 400
    assert told in posted.json["error"] or not data
    assert ledger.games() == ()


def test_a_log_with_more_lines_than_an_evening_is_refused_before_it_is_read(phone: Organiser, ledger: Ledger) -> None:
    voids = b'{"e":"hand"}\n{"e":"void"}\n' * (archive.MAX_LOG_LINES // 2)
    answer = upload(phone, GNAFFATA[0].encode() + b"\n" + voids)
    assert answer.status_code == 400
    assert f"riga {archive.MAX_LOG_LINES + 1}" in answer.text
    assert f"{archive.MAX_LOG_LINES + 1} righe" in answer.text
    assert ledger.games() == ()


def test_the_list_is_made_of_what_is_kept_also_after_a_restart(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [ledger.new_game() for _ in range(3)]
    for game in games:
        ledger.record(game, lines(*GNAFFATA))
    told = Archive(ledger).public_json()
    read: list[int] = []
    really = ledger.glance
    monkeypatch.setattr(ledger, "glance", lambda game: read.append(game) or really(game))
    assert Archive(ledger).public_json() == told
    assert read == games[-1:]  # the one that is on changes all the time
    ledger.record(games[0], lines(*GNAFFATA, '{"e":"hand"}'))
    assert json.loads(Archive(ledger).public_json())[-1]["hands"] == 2
    assert read == [games[-1], games[-1], games[0]]


def test_no_file_and_too_large_a_file_are_said(phone: Organiser, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.dashboard.archive.MAX_LOG_BYTES", 100)
    assert phone.post("/setup/games").status_code == 400
    assert upload(phone, "\n".join(GNAFFATA).encode()).status_code == 400
    assert phone.client.post("/api/games", data="\n".join(GNAFFATA), headers={"X-CSRF-Token": phone.csrf}).status_code == 400
    assert ledger.games() == ()


def test_a_game_comes_in_by_the_api(phone: Organiser, ledger: Ledger) -> None:
    log = "\n".join(GNAFFATA).encode()
    answer = phone.client.post("/api/games", data=log, headers={"X-CSRF-Token": phone.csrf})
    assert report(replay_log(write_lines(ledger.lines(answer.json["id"])))) == report(replay_log(log))


def test_spectators_take_nothing_in_and_get_no_full_log(app: Flask, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    spectator = app.test_client()
    assert spectator.post("/api/games", data="\n".join(GNAFFATA)).status_code == 401
    for path in ("/setup/games/1/log", "/setup/games/1", "/setup/games"):
        assert spectator.get(path).location.startswith("/pair")


def test_past_games_are_for_phones_until_an_organiser_opens_them(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    spectator = app.test_client()
    past = ("/api/games", "/api/games/1/log", "/api/games/1/view", "/api/games/9/view")
    shown = ("/api/log", "/api/game", "/api/now", "/")
    assert [spectator.get(path).status_code for path in past] == [401] * 4
    assert [spectator.get(path).status_code for path in shown] == [200] * 4
    assert [phone.get(path).status_code for path in past] == [200, 200, 200, 404]
    assert "solo per i telefoni" in phone.get("/setup/games").text
    assert spectator.post("/setup/games/open", data={"open": "1"}).status_code == 302
    assert spectator.get("/api/games").status_code == 401
    phone.walk("/setup/games/open", "/setup/games", open="1")
    assert [spectator.get(path).status_code for path in past] == [200, 200, 200, 404]
    assert create_app(ledger, camera=FakeCamera(ledger)).test_client().get("/api/games").status_code == 200  # after a restart
    phone.walk("/setup/games/open", "/setup/games", open="0")
    assert spectator.get("/api/games").status_code == 401


def test_the_public_log_and_view_hold_no_face_that_nobody_has_shown(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*DEALT))
    SeasonBook(ledger).open_past(to_all=True)
    spectator = app.test_client()
    for path in ("/api/games", "/api/games/1/log", "/api/games/1/view", "/api/games/1/view?step=3"):
        answer = spectator.get(path)
        assert answer.status_code == 200
        assert b"gnao" not in answer.data
    assert b"gnao" in phone.get("/setup/games/1/log").data


def test_a_game_is_replayed_step_by_step(phone: Organiser, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    steps = [phone.get(f"/api/games/1/view?step={step}").json for step in range(1, len(GNAFFATA) + 1)]
    assert steps[0]["status"] == "in_play"
    assert steps[3]["seats"][1]["role"] == "asked"
    assert [paid["player"] for paid in steps[-1]["ruling"]["payments"]] == ["Anna", "Anna"]
    assert phone.get("/api/games/1/view").json == steps[-1]
    assert phone.get("/api/games/1/view?step=999").json == steps[-1]
    first, last = phone.get("/setup/games/1?step=1").text, phone.get("/setup/games/1").text
    assert "La partita comincia" in first
    assert "regola 14" in last
    assert f"Passo {len(GNAFFATA)} di {len(GNAFFATA)}" in last


def test_what_is_not_there_is_not_found(phone: Organiser, ledger: Ledger) -> None:
    empty = ledger.new_game()
    for game in (empty, 99):
        for path in (f"/api/games/{game}/log", f"/api/games/{game}/view", f"/setup/games/{game}", f"/setup/games/{game}/log"):
            assert phone.get(path).status_code == 404
    assert json.loads(phone.get("/api/games").text) == []


@pytest.mark.parametrize("confidence", [0.5, 0.97])
@pytest.mark.parametrize("game_id", ["stu", "stoppa", "stoper"])
def test_a_log_that_is_served_is_as_sure_on_the_phone_as_on_the_tv(ledger: Ledger, game_id: str, confidence: float) -> None:
    """Also once somebody has gone on with it, until the hand is confirmed."""
    bots, rules = import_module(f"companion.games.{game_id}.bots"), GAMES[game_id].rules
    log = bots.simulate(bots.Settings(players=bots.seated(4), event_probabilities=bots.PLAIN), hands=3, seed=5)
    states = [rules.begin(log[0].event)]
    for line in log[1:]:
        states.append(rules.apply(states[-1], line.event))
    over = next(at for at, state in enumerate(states) if rules.hands(state) == 2)
    told = [Line(line.event, confidence=0.99) for line in log[1 : over + 1]]
    if tag(told[-1].event) != "end":
        told.append(Line(rules.LOG.event({"e": "end"})))
    ledger.begin((log[0], *told[:-1], Line(told[-1].event, confidence=confidence)))
    app = create_app(ledger)
    phone, client = Phone(app), app.test_client()

    def sure() -> tuple[bool, bool]:
        """Whether the last ruling is sure on the TV, and its hand on the phone."""
        return client.get("/api/game").json["ruling"]["sure"], not Phone(app).view["hands"][0]["unsure"]

    assert sure() == (confidence > 0.95,) * 2
    hand = phone.view["hands"][0]["id"]
    phone.say({"e": "giro", "by": rules.names(states[0])[0]} if game_id == "stoppa" else {"e": "close"})
    *before, said = [line.confidence for line in ledger.lines(1)]
    assert (set(before), said) == ({None, 0.99, confidence}, 1.0)
    assert sure() == (confidence > 0.95,) * 2
    phone.do("confirm", hand=hand)
    assert sure() == (True, True)


def test_a_log_that_is_gone_on_with_keeps_what_stands_for_an_outcome(ledger: Ledger) -> None:
    outcome = [line.replace('"confidence":0.98', '"confidence":1.0') for line in GNAFFATA]
    told = lines(*outcome)
    ledger.begin((*told[:2], *(Line(line.event, line.t, 0.0) for line in told[2:-1]), told[-1]))
    app = create_app(ledger)
    phone = Phone(app)
    assert [line["stand_in"] for line in phone.view["hand"]["lines"]] == [False, True, False]
    phone.say({"e": "hand"})
    assert [line.confidence for line in ledger.lines(1)[2 : len(told) - 1]] == [0.0] * (len(told) - 3)
    sheet = phone.client.get("/organiser/games/1/sheet?lang=it").get_data(as_text=True)
    assert "gnaffata" not in sheet
    assert "Si sa solo l’esito" in sheet

"""What somebody who is not of the house gets, and what they cannot spoil."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
from pathlib import Path

import pytest
from fake_camera import FakeCamera
from flask import Flask
from flask.testing import FlaskClient
from games import GAME, GNAFFATA, lines
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from serving import served

from companion.dashboard import create_app, past_games
from companion.dashboard.limits import PLAIN
from companion.dashboard.organiser.pairing import MAX_WRONG_IN_ALL
from companion.dashboard.setup.draft import Draft, with_players
from companion.games import log_format
from companion.ledger import Ledger, SeasonBook
from companion.line.teaching.shelf import as_name
from companion.table.text import plain_name

INVISIBLE = "\u200b\u200d\u202e\u2066\ufeff\u00ad\u0000\u001b\u0085\u2028\u3164"


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "192.168.1.9"}, {"Forwarded": "for=192.168.1.9"}, {"Via": "1.1 nginx"}, {"X-Real-IP": "192.168.1.9"},
        {"X-Forwarded-Proto": "https"}, {"Connection": "close"},
    ],
    ids=lambda headers: next(iter(headers)),
)  # fmt: skip
def test_the_pin_is_not_shown_through_a_proxy_on_this_machine(app: Flask, headers: dict[str, str]) -> None:
    with served(app) as server:
        assert (shown(server.port, headers), shown(server.port, {})) == (403, 200)


def shown(port: int, headers: dict[str, str]) -> int:
    """The status of the PIN's page, through the real server, over a connection that is kept as a browser keeps it."""
    line = http.client.HTTPConnection("127.0.0.1", port)
    line.request("GET", "/pair/show", headers=headers)
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer.status


def test_an_old_proxys_http_is_no_browser_on_this_machine(client: FlaskClient) -> None:
    assert client.get("/pair/show", environ_overrides={"SERVER_PROTOCOL": "HTTP/1.0"}).status_code == 403


def test_a_guesser_of_the_pin_does_not_lock_out_who_has_the_code(app: Flask) -> None:
    pin = app.extensions["pairing"].pin
    guesser = app.test_client()
    for number in range(MAX_WRONG_IN_ALL):
        guesser.post("/pair", data={"pin": "x"}, environ_base={"REMOTE_ADDR": f"10.0.0.{number}"})
    assert guesser.post("/pair", data={"pin": pin.digits}).status_code == 429
    assert guesser.post("/pair", data={"code": pin.digits}).status_code == 429
    scanned = app.test_client()
    assert scanned.post("/pair", data={"code": pin.code}).status_code == 302
    assert scanned.get("/organiser/phones").status_code == 200
    before = pin.code
    pin.renew()
    assert app.test_client().post("/pair", data={"code": before}).status_code == 403
    assert app.test_client().post("/pair", data={"code": ""}).status_code == 403


def test_phones_stay_paired_when_the_clock_jumps(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    client = app.test_client()
    client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits})
    now = time.time()
    for years in (-3, 0, 1):
        shifted = now + years * 365 * 86400
        monkeypatch.setattr(time, "time", lambda shifted=shifted: shifted)
        cookie = client.get_cookie("organiser")
        assert cookie is not None
        assert cookie.value
        page = app.test_client()
        page.set_cookie("organiser", cookie.value)
        assert page.get("/organiser/phones").status_code == 200, years


@pytest.mark.parametrize("number", [2**63, 2**64, 10**40])
def test_numbers_that_no_ledger_gives_are_no_page(ledger: Ledger, number: int) -> None:
    ledger.record(ledger.new_game(), lines(GAME))
    app = create_app(ledger, camera=FakeCamera(ledger))
    client = app.test_client()
    client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits})
    addresses = [rule.rule for rule in app.url_map.iter_rules() if "<int:" in rule.rule and "GET" in (rule.methods or ())]
    assert len(addresses) > 8
    for address in addresses:
        assert client.get(re.sub(r"<int:\w+>", str(number), address)).status_code == 404, address
    token = client.get("/setup/games").text.partition('name="csrf" value="')[2].partition('"')[0]
    for path in ("/setup/again", "/setup/go-on", "/setup/rematch"):
        assert client.post(path, data={"csrf": token, "game": str(number)}).status_code < 500, path


def test_no_answer_for_everybody_says_how_a_file_is_called(tmp_path: Path) -> None:
    where = tmp_path / "rinas-laptop.ledger"
    with Ledger.open(where, log_format) as ledger:
        for source in ("/home/rina/clip.mp4", "rtsp://rina:secret@10.0.0.7/1", "serata.jsonl", "0"):
            ledger.record(ledger.new_game(source=source), lines(GAME))
        SeasonBook(ledger).open_past(to_all=True)
        client = create_app(ledger, camera=FakeCamera(ledger)).test_client()
        assert [game["source"] for game in client.get("/api/games").json] == ["0", "file", "network", "file"]
        pages = [client.get(f"/api/games/{number}/log") for number in (1, 9)]
    pages += [client.get(path) for path in ("/api/game", "/api/games", "/api/log", "/", "/api/stream", "/api/now")]
    assert [page.status_code for page in pages] == [200, 404, 503, 503, 503, 503, 200, 503]  # the stream ends at once
    for page in pages:
        assert not any(told in page.text for told in ("rinas-laptop", str(tmp_path), "secret", "clip.mp4", "serata.jsonl"))
        page.close()


def test_the_list_of_games_is_made_once_a_version(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    really = ledger.glance
    monkeypatch.setattr(ledger, "glance", lambda game: read.append(game) or really(game))
    SeasonBook(ledger).open_past(to_all=True)
    client = create_app(ledger, camera=FakeCamera(ledger)).test_client()
    first, second = (ledger.new_game() for _ in range(2))
    ledger.record(first, lines(*GNAFFATA))
    ledger.record(second, lines(GAME))
    assert [client.get("/api/games").json for _ in range(5)][-1] == client.get("/api/games").json
    assert sorted(read) == [first, second]
    ledger.record(second, lines(*GNAFFATA))
    assert [game["hands"] for game in client.get("/api/games").json] == [1, 1]
    assert sorted(read) == [first, second, second]
    monkeypatch.setattr(past_games, "MAX_LISTED", 1)
    assert [game["id"] for game in client.get("/api/games").json] == [second]


@given(st.text(max_size=40))
def test_a_plain_name_has_nothing_that_nobody_sees(typed: str) -> None:
    plain = plain_name(typed)
    assert plain_name(plain) == plain
    assert plain == plain.strip()
    assert "  " not in plain
    joined = plain.replace("\u200d", "")
    assert joined.isprintable()
    assert not set(joined) & set(INVISIBLE)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467 Rossi", "\U0001f468\u200d\U0001f469\u200d\U0001f467 Rossi"),
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
        ("An\u200dna", "Anna"),
        ("\U0001f468\u200d", "\U0001f468"),
        ("\u200d\U0001f468\u200d\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
        ("\U0001f468\u200d\u2800", "\U0001f468"),
    ],
    ids=["a family", "a burning heart", "letters", "the last", "twice", "nothing to be seen"],
)
def test_what_joins_two_signs_of_a_name_stays_and_nothing_else_without_width(typed: str, kept: str) -> None:
    assert plain_name(typed) == kept


def test_names_are_kept_without_control_zero_width_and_direction_characters(app: Flask) -> None:
    spoilt = INVISIBLE.join(" Anna")
    app.test_client().post("/pair", data={"pin": app.extensions["pairing"].pin.digits, "name": spoilt})
    phone = app.extensions["phones"].all()[0].name
    draft = with_players(replace(Draft.fresh(), thumb=True), (spoilt, "Bruno"), ())
    for name in (phone, draft.names[0], as_name(spoilt)):
        assert "".join(name.replace("-", " ").split()) == "Anna"
        assert name.isprintable()


def test_every_answer_has_the_security_headers(app: Flask) -> None:
    wanted = {"content-security-policy", *(name.lower() for name in PLAIN)}
    client = app.test_client()
    for path in ("/", "/api/game", "/nowhere", "/static/tv.js", "/pair", "/organiser", "/pair/show", "/cards/back.svg"):
        with client.get(path) as answer:
            assert wanted <= {name.lower() for name, _ in answer.headers}, path
            assert "form-action 'self'" in answer.headers["Content-Security-Policy"]
    with served(app) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(b"nonsense\r\n\r\n")
            told = line.makefile("rb").read().decode().lower()
        assert told.startswith("http/1.1 400")
        assert all(name in told for name in wanted)


def test_json_with_numbers_beyond_the_ledgers_is_answered(app: Flask, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(GAME))
    client = app.test_client()
    client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits})
    page = client.get("/organiser").text
    csrf = page.partition('"csrf": "')[2].partition('"')[0] or page.partition('"csrf":"')[2].partition('"')[0]
    for what in ({"what": "undo", "entry": 2**70}, {"what": "confirm", "hand": 2**70, "shown": []}):
        told = json.dumps({"game": 2**70, "version": 2**70, "do": what})
        answer = client.post("/api/organiser/command", data=told, headers={"X-CSRF-Token": csrf})
        assert 400 <= answer.status_code < 500

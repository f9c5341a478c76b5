"""The voice: what it says of a game, and that it says nothing that nobody switched on, knows or has shown."""

from __future__ import annotations

import io
import json
import re
import wave
from typing import Any

import pytest
from evenings import evenings
from flask import Flask
from games import GAME, GNAFFATA, lines
from hypothesis import given, settings
from msgspec.structs import replace
from phones import Phone
from toy import HIGH_CARD
from werkzeug.test import TestResponse
from wild_games import any_log, seeds

from companion.dashboard import Settings, create_app, voice
from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES
from companion.games.stu import rules
from companion.games.stu.pages import PAGES
from companion.ledger import Ledger
from companion.pages.moments import Moment, follow
from companion.table.language import LANGS, Lang
from companion.table.log import Line

needs_voice = pytest.mark.skipif(not voice.installed(), reason="needs espeak-ng: apt-get install espeak-ng")


def played(log: tuple[Line, ...]) -> list[Moment]:
    return list(follow(rules, PAGES, log))


def said(log: tuple[Line, ...], lang: Lang = "it") -> list[str]:
    """What is new of what can be said, line after line."""
    moments, before, heard = played(log), tuple[str, ...](), list[str]()
    for length in range(1, len(moments) + 1):
        now = PAGES.calls(moments[:length], PAGES.view(moments[:length], lang, DEFAULTS.view), lang)
        heard += [call for call in now if call not in before]
        before = now
    return heard


def test_who_pays_is_called_in_the_language_of_the_page() -> None:
    assert said(lines(*GNAFFATA)) == ["Paga Anna: una pedina.", "Paga Anna: 2 pedine in tutto."]
    assert said(lines(*GNAFFATA), "en") == ["Anna pays: one pedina.", "Anna pays: 2 pedine in all."]


def test_what_somebody_pays_besides_is_called_as_a_part_of_all() -> None:
    """A listener who has heard "una pedina" adds up nothing: a penalty after the hand, too."""
    game = GAME.replace('"dealer"', '"edition":"piazza-2010","dealer"')
    shown = (f'{{"e":"reveal","by":"{name}","card":"{card}"}}' for name, card in (("Anna", "2"), ("Bruno", "5"), ("Carla", "7")))
    log = (game, '{"e":"hand"}', *shown, '{"e":"end"}', '{"e":"penalty","player":"Anna"}', '{"e":"penalty","player":"Bruno"}')
    assert said(lines(*log)) == ["Paga Anna: una pedina.", "Paga Anna: 2 pedine in tutto.", "Paga Bruno: una pedina."]


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_a_listener_who_adds_up_what_is_called_has_what_everybody_pays(seed: int) -> None:
    log = tuple(Line(line.event) for line in any_log("stu", seed, 60))
    moments, before, sums = played(log), tuple[str, ...](), dict[str, int]()
    for length in range(1, len(moments) + 1):
        view = PAGES.view(moments[:length], "it", DEFAULTS.view)
        now = PAGES.calls(moments[:length], view, "it")
        if moments[length - 1].begins:
            sums = {}
        for call in now:
            found = re.fullmatch(r"Paga (\w+): (una|\d+) pedin[ae]( in tutto)?\.", call)
            if found and call not in before:
                many = 1 if found[2] == "una" else int(found[2])
                sums[found[1]] = many if found[3] else sums.get(found[1], 0) + many
        before = now
        for payer in view.ruling.sums if view.ruling is not None and not view.ruling.void else ():
            if payer.delta < 0:
                assert sums[payer.player] == -payer.delta, (now, payer)


def test_what_is_not_sure_is_not_called() -> None:
    unsure = [line.replace('"confidence":0.9', '"confidence":0.6') for line in GNAFFATA]
    assert said(lines(*unsure)) == ["Non sicuro: controllate voi."]


def test_out_back_and_won_are_called() -> None:
    two = GAME.replace('"Anna","Bruno","Carla"', '"Anna","Bruno"').replace('"dealer":"Carla"', '"dealer":"Bruno"')
    shown = '{"e":"reveal","by":"Anna","card":"2"}', '{"e":"reveal","by":"Bruno","card":"9"}', '{"e":"end"}'
    low, other = (('{"e":"hand"}', f'{{"e":"sto","by":"{first}"}}', *shown) for first in ("Anna", "Bruno"))
    heard = said(lines(two, *low, *other, *low, '{"e":"rebuy","by":"Anna"}', *other))
    assert heard[:5] == ["Paga Anna: una pedina.", "Paga Anna: una pedina.", "Paga Anna: una pedina.", "Anna va su saupr.",
                         "Anna torna in gioco: ricompera."]  # fmt: skip
    assert said(lines(*GNAFFATA, '{"e":"hand"}', '{"e":"void"}'))[-1] == "Mano nulla: si ridanno le carte."


@settings(max_examples=30, deadline=None)
@given(evenings())
def test_a_winner_is_called_and_the_player_who_pays_is_named(log: tuple[Line, ...]) -> None:
    moments = played(log)
    for lang in LANGS:
        for length in range(1, len(moments) + 1, 5):
            view = PAGES.view(moments[:length], lang, DEFAULTS.view)
            calls = PAGES.calls(moments[:length], view, lang)
            assert len(set(calls)) == len(calls)
            told = " ".join(calls)
            payers = {seat.name for seat in view.seats if seat.change} if view.ruling is not None else set()
            assert not view.ruling or not view.ruling.sure or all(name in told for name in payers)
            assert view.status != "won" or (view.winner or "") in told


@pytest.mark.parametrize("game_id", GAMES)
@settings(max_examples=15, deadline=None)
@given(seeds)
def test_whatever_fills_the_screen_is_called_too(game_id: str, seed: int) -> None:
    """Who is out or back, who has won, the last virgin, an agreement, what is rare; and what no longer counts."""
    game, moments, calls = GAMES[game_id], list[Moment](), ""
    for line in any_log(game_id, seed, 60):
        told_by = follow(game.rules, game.pages, [replace(line, confidence=None)], moments[-1] if moments else None)
        moments += told_by
        if len(moments) < 2:
            continue
        calls = " ".join((calls, *game.pages.calls(moments, game.pages.view(moments, "it", DEFAULTS.view), "it")))
        now = moments[-1]
        for said in game.pages.announcements(moments[-2].seen, now.event, now.seen, "it"):
            if said.kind == "restart":
                assert [gone for gone in said.beneath[1:] if gone not in calls] == []
            elif said.kind != "card":
                named = said.names if said.kind != "split" else [name.split(" ")[0] for name in said.names]
                assert [name for name in named if name not in calls] == [], (said, calls)
        calls = "" if now.begins else calls  # a line that begins a hand may be what ended the one before it


def test_what_was_agreed_and_no_longer_counts_is_called() -> None:
    alone = GAME.replace('"dealer"', '"standing":{"Anna":{"pedine":0,"virgin":false},"Bruno":{"pedine":1,"virgin":false},'
                         '"Carla":{"pedine":3,"virgin":true}},"dealer"')  # fmt: skip
    back = '{"e":"rebuy","by":"Anna","partners":[{"name":"Gino","share":0.5}]}'
    heard = said(lines(alone, back))
    assert heard == ["Anna torna in gioco: ricompera."]
    split = [f'{{"e":"split","shares":{{"Bruno":{one},"Carla":{other}}}}}' for one, other in ((0.5, 0.5), (0.25, 0.75))]
    assert said(lines(alone, *split)) == [
        "Si accordano sul montepremi: Bruno 50\u00a0%, Carla 50\u00a0%.",
        "Si accordano sul montepremi: Bruno 25\u00a0%, Carla 75\u00a0%.",
        "Non vale più: Bruno 50\u00a0%, Carla 50\u00a0%.",
    ]


def test_a_penalty_is_called(ledger: Ledger) -> None:
    piazza = GAME.replace('"dealer"', '"edition":"piazza-2010","dealer"')
    shown = [f'{{"e":"reveal","by":"{name}","card":"{card}"}}' for name, card in (("Anna", "2"), ("Bruno", "5"), ("Carla", "9"))]
    heard = said(lines(piazza, '{"e":"hand"}', *shown, '{"e":"end"}', '{"e":"penalty","player":"Bruno"}'))
    assert heard[-2:] == ["Paga Anna: una pedina.", "Paga Bruno: una pedina."]


def test_what_was_not_sure_is_called_once_it_is() -> None:
    unsure = lines(*(line.replace('"confidence":0.9', '"confidence":0.6') for line in GNAFFATA))
    calls = [PAGES.calls(played(log), PAGES.view(played(log), "it", DEFAULTS.view), "it") for log in (unsure, lines(*GNAFFATA))]
    assert calls == [("Non sicuro: controllate voi.",), ("Paga Anna: 2 pedine in tutto.",)]


def test_a_game_that_says_nothing_of_its_own_is_called_by_its_payments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, HIGH_CARD.id, HIGH_CARD)
    log = HIGH_CARD.rules.LOG.read_lines(
        b'{"e":"game","v":1,"game":"highcard","players":["Ida","Leo"]}\n{"e":"hand"}\n'
        b'{"e":"show","by":"Ida","number":3}\n{"e":"show","by":"Leo","number":7}\n{"e":"end"}\n'
    )
    moments = list(follow(HIGH_CARD.rules, HIGH_CARD.pages, log))
    view = HIGH_CARD.pages.view(moments, "en", DEFAULTS.view)
    assert HIGH_CARD.pages.calls(moments, view, "en") == ("Ida showed the lowest number",)


def wish(phone: Phone, **wished: object) -> TestResponse:
    return phone.client.post("/api/organiser/show?lang=it", json=wished, headers={"X-CSRF-Token": phone.csrf})


def test_without_a_voice_the_switch_says_what_to_install(app: Flask, ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    monkeypatch.setattr(voice, "PROGRAM", "no-such-voice")
    answer = wish(Phone(app), voice=True)
    assert (answer.status_code, answer.json["error"]) == (409, "no_voice")
    assert "apt install espeak-ng" in answer.json["message"]
    assert app.test_client().get("/api/calls").status_code == 404
    assert wish(Phone(app), voice=False).status_code == 200


def test_a_voice_that_is_gone_again_is_silent_and_nothing_else_fails(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    client = create_app(ledger, settings=Settings(voice=True)).test_client()
    key = client.get("/api/calls").json["calls"][0]["key"]
    voice.spoken.cache_clear()
    monkeypatch.setattr(voice, "PROGRAM", "no-such-voice")
    assert client.get(f"/api/calls/{key}.wav").status_code == 404
    monkeypatch.setattr(voice, "PROGRAM", "false")
    assert client.get(f"/api/calls/{key}.wav").status_code == 404
    monkeypatch.setattr(voice, "PROGRAM", "true")
    assert client.get(f"/api/calls/{key}.wav").status_code == 404


@needs_voice
def test_a_sentence_becomes_a_sound_that_lasts_as_long_as_it_says(ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    app = create_app(ledger)
    client, phone = app.test_client(), Phone(app)
    assert client.get("/api/calls").status_code == 404, "off by default"
    assert wish(phone, voice=True).json["shows"]["voice"] is True
    told = client.get("/api/calls?lang=it").json
    assert [call["text"] for call in told["calls"]] == ["Paga Anna: 2 pedine in tutto."]
    answer = client.get(f"/api/calls/{told['calls'][0]['key']}.wav")
    assert answer.mimetype == "audio/wav"
    with wave.open(io.BytesIO(answer.data)) as sound:
        assert 0.8 < sound.getnframes() / sound.getframerate() < 6
    assert client.get("/api/calls/0123456789abcdef.wav").status_code == 404, "it says nothing that anybody likes"
    assert "voice" not in wish(phone, voice=False).json["shows"]
    assert client.get(f"/api/calls/{told['calls'][0]['key']}.wav").status_code == 404


@needs_voice
@pytest.mark.parametrize("name", ["-w /tmp/x", "--help", "<speak>", "[[a]]", "\x00", "名前", "=1", "a" * 5000])
def test_whatever_somebody_is_called_is_only_said(name: str) -> None:
    with wave.open(io.BytesIO(voice.spoken(f"{name} paga: una pedina.", "it"))) as sound:
        assert sound.getnframes() > 0


@needs_voice
def test_what_a_phone_has_chosen_outlives_a_restart(ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))
    wish(Phone(create_app(ledger)), voice=True)
    assert create_app(ledger).test_client().get("/api/calls").status_code == 200


STANDING = {name: {"pedine": pedine, "virgin": False} for name, pedine in (("Anna", 1), ("Bruno", 3), ("Carla", 1))}
STU_LOG = [
    {"e": "game", "v": 1, "game": "stu", "players": ["Anna", "Bruno", "Carla"], "stake": 200, "currency": "EUR",
     "dealer": "Carla", "standing": STANDING},
    {"e": "hand"}, *({"e": "reveal", "by": name, "card": card} for name, card in (("Anna", "2"), ("Bruno", "5"), ("Carla", "6"))),
    {"e": "end", "confidence": 0.6},
    {"e": "hand"}, *({"e": "reveal", "by": name, "card": card} for name, card in (("Bruno", "9"), ("Carla", "1"))), {"e": "end"},
]  # fmt: skip
STOPER_GAME = {
    "e": "game", "v": 1, "game": "stoper", "players": ["Ada", "Bice", "Ciro", "Dora"], "mode": "cash", "stacks": 1000,
    "currency": "EUR", "dealer": "Dora",
}  # fmt: skip


def called(game_id: str, events: list[dict[str, Any]], lang: Lang = "it") -> tuple[str, ...]:
    """What can be said of a game once all these lines are there."""
    game = GAMES[game_id]
    log = game.rules.LOG.read_lines(b"".join(json.dumps(event).encode() + b"\n" for event in events))
    moments = list(follow(game.rules, game.pages, log))
    return game.pages.calls(moments, game.pages.view(moments, lang, DEFAULTS.view), lang)


def test_nobody_is_called_out_or_the_winner_by_what_is_only_believed() -> None:
    """The hand before was not sure: whether Anna is out by it nobody knows, nor whether Bruno has won by the next one."""
    told = called("stu", STU_LOG)
    assert told == ("Paga Carla: una pedina.", "Carla va su saupr.")
    sure = [{key: value for key, value in event.items() if key != "confidence"} for event in STU_LOG]
    assert called("stu", [*sure, {"e": "close"}])[-1] == "Ha vinto Bruno!"


@pytest.mark.parametrize("confidence", [1.0, 0.6])
def test_no_hand_is_called_that_may_be_another(confidence: float) -> None:
    opened = [
        STOPER_GAME, {"e": "hand", "cip": 50, "invito": 50}, {"e": "apro", "by": "Ada", "to": 100}, {"e": "vedo", "by": "Bice"},
        {"e": "passo", "by": "Ciro"}, {"e": "passo", "by": "Dora"}, {"e": "cambio", "by": "Ada", "n": 0},
        {"e": "cambio", "by": "Bice", "n": 0}, {"e": "busso", "by": "Ada"}, {"e": "busso", "by": "Bice"},
    ]  # fmt: skip
    shown = {"e": "show", "by": "Ada", "cards": ["coppe-1", "denari-1", "spade-1"], "confidence": confidence}
    told = " ".join(called("stoper", [*opened, shown]))
    assert ("33" in told) == (confidence == 1.0)

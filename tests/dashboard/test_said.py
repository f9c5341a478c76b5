"""An undo and the history name the lines that a tap has added, though the same was said before in the same hand."""

from __future__ import annotations

import random

import pytest
from flask import Flask
from hypothesis import given, settings
from phones import Phone
from wild_games import any_act, first_line, seeds

from companion.dashboard.organiser.said import history, to_undo
from companion.editing.commands import Say
from companion.editing.edit import obey
from companion.games import GAMES
from companion.games.stoper.rules.log import new_game as new_stoper
from companion.games.stoppa.rules.log import new_game as new_stoppa
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.referee import Evening
from companion.table.errors import Illegal
from companion.table.log import tag


def test_each_punto_piccolo_is_named_by_its_number(app: Flask, ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, new_stoppa(["Anna", "Bruno", "Carla", "Dino"], 600, 100, "Dino"))
    phone = Phone(app)
    phone.say({"e": "hand"}, {"e": "piccolo"})
    for number in (2, 3, 4):
        phone.say({"e": "piccolo"})
        assert phone.view["undoes"]["text"] == f"Si dà il punto piccolo {number}"
    told = [one["text"] for one in phone.client.get("/api/organiser/history?lang=it").json]
    assert told[:3] == [f"Si dà il punto piccolo {number}" for number in (4, 3, 2)]


def test_a_word_is_told_of_the_phase_in_which_it_was_said(app: Flask, ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, new_stoper(["Ada", "Bice", "Ciro", "Dora"], 9000, "Dora"))
    phone = Phone(app)
    phone.say({"e": "hand", "cip": 50, "invito": 50}, {"e": "apro", "by": "Ada", "to": 200}, {"e": "vedo", "by": "Bice"})
    phone.say({"e": "passo", "by": "Ciro"}, {"e": "passo", "by": "Dora"})
    phone.say({"e": "cambio", "by": "Ada", "n": 0}, {"e": "cambio", "by": "Bice", "n": 0})
    phone.say({"e": "punto", "by": "Ada", "to": 8700})
    phone.say({"e": "vedo", "by": "Bice"})
    assert phone.view["undoes"]["text"] == "Bice vede, all-in"  # not that they saw the opening


def test_of_several_lines_that_one_tap_adds_two_are_quoted(app: Flask, ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, new_stoper(["Ada", "Bice", "Ciro", "Dora"], 9000, "Dora"))
    phone = Phone(app)
    phone.say({"e": "hand", "cip": 50, "invito": 50}, {"e": "apro", "by": "Ada", "to": 200})
    phone.say({"e": "passo", "by": "Bice"}, {"e": "passo", "by": "Ciro"})
    assert phone.view["undoes"]["text"] == "Bice passa; Ciro passa"
    phone.do("undo")
    phone.say(*({"e": "passo", "by": name} for name in ("Bice", "Ciro", "Dora")))
    assert phone.view["undoes"]["text"] == "Bice passa; Ciro passa…"


def test_what_is_taken_back_and_said_again_is_told_as_often_as_it_is(app: Flask, ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, new_stoppa(["Anna", "Bruno", "Carla", "Dino"], 600, 100, "Dino"))
    phone = Phone(app)
    phone.say({"e": "hand"}, {"e": "piccolo"})
    phone.say({"e": "piccolo"})
    for do in ("undo", "redo", "undo", "redo", "undo"):
        phone.do(do)
    for lang, back, again in (("it", "«Si dà il punto piccolo 2» annullato", "«Si dà il punto piccolo 2» ripetuto"),
                              ("en", "“Punto piccolo 2 is dealt” taken back", "“Punto piccolo 2 is dealt” said again")):
        told = [one["text"] for one in phone.client.get(f"/api/organiser/history?lang={lang}").json]
        assert told[:5] == [back, again, back, again, back]


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=8)
@given(seeds)
def test_an_undo_names_what_it_takes_back(name: str, seed: int) -> None:
    chance = random.Random(seed)
    pages, evening = GAMES[name].pages, Evening.of(GAMES[name], first_line(name, chance))
    for _ in range(40):
        state = evening.current.after
        event = any_act(GAMES[name], state, chance)
        if event is None:
            return
        try:
            after = obey(evening, Say((event,)))
        except Illegal:
            continue
        if tag(event) not in ("end", "void"):
            said = pages.line_text(state, event, evening.game.rules.apply(state, event), "it")
            undoes = to_undo(after, "it")
            assert undoes is not None
            assert (undoes.text, history(after, [], "it")[0].text) == (said, said)
        evening = after

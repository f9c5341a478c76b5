"""What a change adds to a hand is said before it is done: the lines without which the later ones could not have happened."""

from __future__ import annotations

from typing import Any

import pytest
from phones import Phone

from companion.dashboard import create_app
from companion.games import stoper, stoppa
from companion.games.stu.rules import log as stu
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

BETS = (
    {"e": "hand"}, {"e": "piccolo"}, {"e": "punto", "by": "Anna", "to": 50}, {"e": "vedo", "by": "Bruno"},
    {"e": "passo", "by": "Carla"}, {"e": "passo", "by": "Dino"}, {"e": "show", "by": "Anna", "cards": ["denari-7"]},
    {"e": "muck", "by": "Bruno"}, {"e": "piccolo"},
)  # fmt: skip
SEEN = (
    {"e": "hand", "cip": 100, "invito": 0}, {"e": "apro", "by": "Ada", "to": 300}, {"e": "passo", "by": "Bice"},
    {"e": "vedo", "by": "Ciro"}, {"e": "passo", "by": "Dora"}, {"e": "cambio", "by": "Ada", "n": 1},
    {"e": "cambio", "by": "Ciro", "n": 0}, {"e": "busso", "by": "Ada"}, {"e": "busso", "by": "Ciro"},
)  # fmt: skip
CHANGES: dict[str, tuple[Any, tuple[dict, ...], int, dict, list[str], list[str]]] = {
    "stu": (
        stu.new_game(["Anna", "Bruno", "Carla"], 200, "Carla"),
        ({"e": "hand"}, {"e": "sto", "by": "Anna"}, {"e": "sto", "by": "Bruno"}), 1, {"e": "passo", "by": "Anna"},
        ["Anna e Bruno si scambiano la carta"],
        ["Anna passa a Bruno", "Anna e Bruno si scambiano la carta", "Bruno sta"],
    ),
    "stoppa": (
        stoppa.new_game(("Anna", "Bruno", "Carla", "Dino"), 600, 100, "Dino"), BETS, 4, {"e": "vedo", "by": "Carla"},
        ["Carla cede senza mostrare"],
        ["Carla vede", "Dino passa", "Anna mostra Sette di denari", "Bruno cede senza mostrare",
         "Carla cede senza mostrare",
         "Si dà il punto piccolo 2"],
    ),
    "stoper": (
        stoper.new_game(("Ada", "Bice", "Ciro", "Dora"), 5000, "Dora"), SEEN, 2, {"e": "vedo", "by": "Bice"},
        ["Bice dice servito", "Bice bussa"],
        ["Bice vede", "Ciro vede", "Dora passa", "Ada cambia 1 carta", "Bice dice servito", "Ciro dice servito", "Ada bussa",
         "Bice bussa", "Ciro bussa"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("game", CHANGES)
def test_the_lines_that_a_change_adds_are_those_that_it_was_said_to(ledger: Ledger, game: str) -> None:
    first, told, at, instead, adds, lines = CHANGES[game]
    recorder = EveningRecorder.begin(ledger, first)
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    for event in told:
        phone.say(event)
    hand = phone.view["hand"]
    do = {"what": "change", "hand": hand["id"], "start": at, "stop": at + 1, "events": [instead], "shown": hand["events"]}
    do["mend"] = True
    effect = phone.send(do, dry=True).json
    assert effect["adds"] == adds
    assert effect["without"] == []
    before = [line["text"] for line in hand["lines"]]
    phone.do(**do)
    after = [line["text"] for line in phone.view["hand"]["lines"]]
    assert after == [*before[:at], *lines]
    undoes = phone.view["undoes"]
    assert all(text in undoes["text"] for text in [lines[0], *adds[:1]]), undoes
    history = phone.client.get("/api/organiser/history?lang=it").json
    assert history[0]["text"] == undoes["text"]
    phone.do("undo", entry=undoes["entry"])
    assert [line["text"] for line in phone.view["hand"]["lines"]] == before

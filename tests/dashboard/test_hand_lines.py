"""A hand of Stoppa or of Stoper, line by line on the phone: which lines can be changed, and what is offered in place of one."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from phones import Phone

from companion.games import stoper, stoppa
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

NAMES = ("Ada", "Bice", "Ciro", "Dora")
GAMES = {
    "stoppa": stoppa.log.new_game(NAMES, 100, 20, "Dora"),
    "stoper": stoper.log.new_game(NAMES, 5000, "Ada", usual=stoper.log.Usual(50, 50)),
}
NOBODY_BETS = [event for round in ["piccolo"] * 4 + ["grosso"] for event in ({"e": round}, {"e": "passo", "by": "Ciro"})]
LAYS = [{"e": "lay", "by": "Ada", "cards": [f"denari-{number}"]} for number in range(1, 11)]
OPENED = [{"e": "apro", "by": "Bice", "to": 200}, *({"e": "passo", "by": name} for name in ("Ciro", "Dora", "Ada"))]
HANDS: dict[str, tuple[dict[str, Any], ...]] = {
    "stoppa": ({"e": "hand"}, *NOBODY_BETS, *LAYS),
    "stoper": ({"e": "hand", "cip": 50, "invito": 50}, *OPENED),
}


@pytest.fixture
def phone(app: Flask, ledger: Ledger, game_id: str) -> Phone:
    """After a hand that its last act has ended."""
    EveningRecorder.begin(ledger, GAMES[game_id])
    phone = Phone(app)
    for event in HANDS[game_id]:
        phone.say(event)
    assert phone.view["hand"]["over"]
    return phone


def place(phone: Phone, hand: dict[str, Any], index: int) -> Any:
    """What the phone is told of a line that is tapped."""
    shown = [line["event"] for line in hand["lines"]]
    body = {"game": phone.view["game"], "version": phone.view["version"], "hand": hand["id"],
            "start": index, "stop": index + 1, "shown": shown}  # fmt: skip
    return phone.client.post("/api/organiser/place?lang=it", json=body, headers={"X-CSRF-Token": phone.csrf}).json


def refused(phone: Phone, hand: dict[str, Any], index: int) -> list[str]:
    """What is offered in place of a line, and is then refused, also with later lines left out."""
    found = place(phone, hand, index)
    offered = [({"start": one["start"], "stop": one["stop"], "mend": True}, one) for one in found["acts"]]
    offered += [({"start": index, "stop": index + 1}, one) for one in found["suggestions"]]
    wrong = []
    for where, one in offered:
        do = {"what": "change", "hand": hand["id"], "events": one["events"], "shown": found["shown"], **where}
        answer = phone.send(do, dry=True)
        if answer.status_code != 200 and "instead" not in answer.json:
            wrong.append(one["text"])
    return wrong


@pytest.mark.parametrize("game_id", HANDS)
def test_only_the_beginning_and_the_end_of_a_hand_are_its_frame(phone: Phone, game_id: str) -> None:
    lines = phone.view["hand"]["lines"]
    assert [line["event"]["e"] for line in lines if line["frame"]] == ["hand", "end"]
    assert lines[-2]["event"] == HANDS[game_id][-1]  # the act that ended it


@pytest.mark.parametrize(
    ("game_id", "instead"),
    [("stoppa", {"e": "lay", "by": "Bice", "cards": ["denari-10"]}), ("stoper", {"e": "rilancio", "by": "Ada", "to": 400})],
)
def test_the_act_that_ended_a_hand_gives_way_to_another(phone: Phone, instead: dict[str, Any]) -> None:
    hand = phone.view["hand"]
    last = len(hand["lines"]) - 2
    phone.do("change", hand=hand["id"], start=last, stop=last + 1, events=[instead], mend=True)
    assert instead in [line["event"] for line in phone.view["hand"]["lines"]]


@pytest.mark.parametrize("game_id", ["stoper"])
def test_what_is_told_between_two_hands_is_nobodys_frame(phone: Phone) -> None:
    phone.say({"e": "chips", "by": "Ciro", "amount": 1000})
    (line,) = phone.view["hand"]["lines"]
    assert not line["frame"]
    phone.do("change", hand=phone.view["hand"]["id"], start=0, stop=1)
    assert "Ciro compra" not in str(phone.view["hand"])


def said(words: str) -> list[dict[str, Any]]:
    """What players say, one after the other: "Bice apro 200, Ciro passo"."""
    keys = {"apro": "to", "rilancio": "to", "cambio": "n"}
    found = []
    for act in words.split(", "):
        by, event, *number = act.split()
        found.append({"e": event, "by": by, **({keys[event]: int(number[0])} if number else {})})
    return found


KNOCKED = [
    *said("Bice apro 200, Ciro passo, Dora vedo, Ada passo, Bice cambio 2, Dora cambio 1, Bice parola, Dora busso"),
    {"e": "show", "by": "Bice", "cards": ["coppe-9", "spade-9", "bastoni-8"]},
    {"e": "show", "by": "Dora", "cards": ["denari-8", "denari-9", "coppe-5"]},
]
"""Had Dora said parola too, the next hand would have been between her and Bice alone."""
ALL_IN = [
    {"e": "hand"},
    *said("Ciro apro 400, Dora vedo, Ada vedo, Bice rilancio 800, Ciro passo, Dora vedo, Ada rilancio 4800, Bice vedo"),
    *said("Dora vedo, Dora cambio 1, Ada cambio 0"), {"e": "show", "by": "Ada", "cards": ["coppe-1", "coppe-9", "bastoni-1"]},
    *said("Bice cambio 0"), {"e": "show", "by": "Bice", "cards": ["denari-6", "denari-8", "denari-9"]},
    {"e": "show", "by": "Dora", "cards": ["coppe-8", "coppe-10", "spade-8"]},
]  # fmt: skip


@pytest.mark.parametrize("game_id", ["stoper"])
def test_nothing_is_offered_that_a_later_hand_does_not_allow(app: Flask, ledger: Ledger, game_id: str) -> None:
    EveningRecorder.begin(ledger, GAMES[game_id])
    phone = Phone(app)
    for event in (HANDS[game_id][0], *KNOCKED, *ALL_IN, {"e": "hand"}):
        phone.say(event)
    hand = phone.client.get(f"/api/organiser/hand/{phone.view['hands'][-1]['id']}").json
    wrong = {line["text"]: refused(phone, hand, line["index"]) for line in hand["lines"] if not line["frame"]}
    assert {text: offers for text, offers in wrong.items() if offers} == {}


def told_again(phone: Phone, events: list[dict[str, Any]]) -> Any:
    """How the first hand goes on after these events, as the phone is told."""
    view = phone.view
    body = {"game": view["game"], "version": view["version"], "before": view["hands"][-1]["id"], "events": events}
    return phone.client.post("/api/organiser/missed?lang=it", json=body, headers={"X-CSRF-Token": phone.csrf}).json


@pytest.mark.parametrize("game_id", ["stoper"])
def test_a_hand_that_others_follow_is_told_again_from_a_wrong_passo_on(phone: Phone, ledger: Ledger, game_id: str) -> None:
    for event in ({"e": "hand"}, *said("Ciro apro 100, Dora passo, Ada passo, Bice passo"), {"e": "hand"}):
        phone.say(event)
    hand = phone.client.get(f"/api/organiser/hand/{phone.view['hands'][-1]['id']}").json
    assert [line["event"] for line in hand["lines"][:3]] == [HANDS[game_id][0], *OPENED[:2]]
    events = [HANDS[game_id][0], OPENED[0]]
    assert told_again(phone, events)["next"]["void"]
    for event in (*said("Ciro vedo, Dora passo, Ada passo, Bice cambio 0, Ciro cambio 0, Bice busso, Ciro busso"),
                  {"e": "show", "by": "Ciro", "cards": ["spade-10", "spade-9", "spade-7"]}):  # fmt: skip
        told = told_again(phone, events)
        assert not told["over"]
        events.append(event)
    told = told_again(phone, [*events, {"e": "muck", "by": "Bice"}])
    assert told["over"]
    stop = len(hand["lines"])
    phone.do("change", hand=hand["id"], start=2, stop=stop, events=told["events"][2:], mend=True)
    state = stoper.replay(ledger.lines(ledger.newest() or 0))
    assert [pot.winner for found in state.hands for pot in found.pots] == ["Ciro", "Ciro"]

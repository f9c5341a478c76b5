"""A hand of Stoppa or of Stoper, line by line on the phone: which lines can be changed, and what is offered in place of one."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from phones import Phone

from companion.games import stoper, stoppa
from companion.ledger import Ledger
from companion.line.scribe import Scribe

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
def phone(app: Flask, ledger: Ledger, wing: str) -> Phone:
    """After a hand that its last act has ended."""
    Scribe.begin(ledger, GAMES[wing])
    phone = Phone(app)
    for event in HANDS[wing]:
        phone.say(event)
    assert phone.view["hand"]["over"]
    return phone


def place(phone: Phone, hand: dict[str, Any], index: int) -> Any:
    """What the phone is told of a line that is tapped."""
    shown = [line["event"] for line in hand["lines"]]
    body = {"game": phone.view["game"], "version": phone.view["version"], "hand": hand["id"],
            "start": index, "stop": index + 1, "shown": shown}  # fmt: skip
    return phone.client.post("/api/organiser/place?lang=it", json=body, headers={"X-CSRF-Token": phone.csrf}).json


@pytest.mark.parametrize("wing", HANDS)
def test_only_the_beginning_and_the_end_of_a_hand_are_its_frame(phone: Phone, wing: str) -> None:
    lines = phone.view["hand"]["lines"]
    assert [line["event"]["e"] for line in lines if line["frame"]] == ["hand", "end"]
    assert lines[-2]["event"] == HANDS[wing][-1]  # the act that ended it


@pytest.mark.parametrize(
    ("wing", "instead"),
    [("stoppa", {"e": "lay", "by": "Bice", "cards": ["denari-10"]}), ("stoper", {"e": "rilancio", "by": "Ada", "to": 400})],
)
def test_the_act_that_ended_a_hand_gives_way_to_another(phone: Phone, instead: dict[str, Any]) -> None:
    hand = phone.view["hand"]
    last = len(hand["lines"]) - 2
    phone.do("change", hand=hand["id"], start=last, stop=last + 1, events=[instead], mend=True)
    assert instead in [line["event"] for line in phone.view["hand"]["lines"]]


@pytest.mark.parametrize("wing", ["stoper"])
def test_what_is_told_between_two_hands_is_nobodys_frame(phone: Phone) -> None:
    phone.say({"e": "chips", "by": "Ciro", "amount": 1000})
    (line,) = phone.view["hand"]["lines"]
    assert not line["frame"]
    phone.do("change", hand=phone.view["hand"]["id"], start=0, stop=1)
    assert "Ciro compra" not in str(phone.view["hand"])

"""A lay that the rules force follows the one before it by itself, says so, and is taken back with it, or alone."""

from __future__ import annotations

import pytest
from flask import Flask
from phones import Phone

from companion.games import stoppa
from companion.games.stoppa import log
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

NAMES = ("Anna", "Bruno", "Carla", "Dino")
SHOWN = (
    {"e": "hand"}, {"e": "piccolo"}, {"e": "punto", "by": "Anna", "to": 20}, {"e": "vedo", "by": "Bruno"},
    {"e": "vedo", "by": "Carla"}, {"e": "passo", "by": "Dino"}, {"e": "muck", "by": "Anna"},
    {"e": "show", "by": "Bruno", "cards": ["denari-7", "coppe-2", "coppe-3"]},
    {"e": "show", "by": "Carla", "cards": ["coppe-7", "spade-7", "bastoni-7"]}, *[{"e": "piccolo"}] * 3, {"e": "grosso"},
    {"e": "passo", "by": "Carla"},
)  # fmt: skip
"""Everybody has seen that Bruno has one seven, and Carla the three others."""


@pytest.fixture
def phone(app: Flask, ledger: Ledger) -> Phone:
    """Before the stoppata of a hand in which no camera looks."""
    EveningRecorder.begin(ledger, log.new_game(NAMES, 100, 20, "Dino"))
    phone = Phone(app)
    phone.say(*SHOWN)
    return phone


def laid(ledger: Ledger) -> list[tuple[str, ...]]:
    told = [line.event for line in ledger.lines(ledger.newest() or 0)]
    return [event.cards for event in told if isinstance(event, log.Lay)]


def lines(phone: Phone) -> list[str]:
    return [line["text"] for line in phone.view["hand"]["lines"]]


def test_it_follows_and_its_line_says_why(phone: Phone, ledger: Ledger) -> None:
    phone.say({"e": "lay", "by": "Anna", "cards": ["denari-6"]})
    assert lines(phone)[-2:] == ["Anna cala Sei di denari", "Bruno deve calare Sette di denari (regola 10)"]
    told = [line.event for line in ledger.lines(ledger.newest() or 0)]
    assert [event.forced for event in told if isinstance(event, log.Lay)] == [False, True]
    seen = phone.client.get("/api/game").json
    assert "deve calare" in str(seen)  # spectators read the same


def test_one_undo_takes_back_both(phone: Phone, ledger: Ledger) -> None:
    phone.say({"e": "lay", "by": "Anna", "cards": ["denari-6"]})
    phone.do("undo")
    assert laid(ledger) == []


def test_who_forgot_it_has_not_laid_it_once_the_line_is_deleted(phone: Phone, ledger: Ledger) -> None:
    phone.say({"e": "lay", "by": "Anna", "cards": ["denari-6"]})
    hand = phone.view["hand"]
    last = len(hand["lines"])
    phone.do("change", hand=hand["id"], start=last - 1, stop=last, events=[])
    assert laid(ledger) == [("denari-6",)]
    phone.say({"e": "lay", "by": "Carla", "cards": ["coppe-7"]})
    assert laid(ledger) == [("denari-6",), ("coppe-7",)]
    game = stoppa.replay(ledger.lines(ledger.newest() or 0)).hand
    assert game is not None
    assert [(one.kind, one.player, one.card) for one in game.irregularities] == [("omitted", "Bruno", "denari-7")]


def test_where_what_it_rests_on_is_corrected_it_has_to_go(phone: Phone, ledger: Ledger) -> None:
    phone.say({"e": "lay", "by": "Anna", "cards": ["denari-6"]})
    hand = phone.view["hand"]
    show = next(at for at, text in enumerate(lines(phone)) if text.startswith("Carla mostra"))
    events = [{"e": "show", "by": "Carla", "cards": ["coppe-7", "spade-7", "bastoni-6"]}]
    answer = phone.send({"what": "change", "hand": hand["id"], "start": show, "stop": show + 1, "events": events})
    assert answer.status_code == 422, answer.text
    phone.do("change", hand=hand["id"], start=show, stop=show + 1, events=events, mend=True)
    assert laid(ledger) == [("denari-6",)]


def test_a_lay_that_is_told_although_it_had_followed_is_told_now(phone: Phone, ledger: Ledger) -> None:
    phone.say({"e": "lay", "by": "Anna", "cards": ["denari-6"]})
    phone.say({"e": "lay", "by": "Bruno", "cards": ["denari-7"]})
    told = [line.event for line in ledger.lines(ledger.newest() or 0)]
    assert [(event.cards, event.forced) for event in told if isinstance(event, log.Lay)] == [
        (("denari-6",), False), (("denari-7",), False)]  # fmt: skip
    for by, card in (("Bruno", "denari-7"), ("Carla", "coppe-7"), ("Anna", "denari-6")):
        again = phone.send({"what": "say", "events": [{"e": "lay", "by": by, "cards": [card]}]})
        assert again.status_code == 422, "it is told already, or is not what followed"
    assert laid(ledger) == [("denari-6",), ("denari-7",)]


SIX = {
    "Anna": ["bastoni-4", "bastoni-6", "bastoni-9", "coppe-5", "coppe-8", "spade-7"],
    "Bruno": ["bastoni-7", "coppe-9", "denari-1", "denari-3", "denari-4", "spade-3"],
    "Carla": ["bastoni-3", "bastoni-5", "bastoni-8", "coppe-4", "coppe-7", "denari-8"],
    "Dino": ["bastoni-2", "coppe-1", "coppe-2", "denari-9", "spade-1", "spade-8"],
    "Enzo": ["coppe-3", "coppe-6", "denari-2", "denari-6", "spade-2", "spade-4"],
    "Fina": ["bastoni-1", "denari-5", "denari-7", "spade-5", "spade-6", "spade-9"],
}
"""All have shown everything: once Anna has opened with the four, she has to lay one card after the other, up to the stop."""


def test_the_stop_is_never_said_before_somebody_has_told_of_the_last_card(app: Flask, ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, log.new_game(list(SIX), 100, 20, "Fina"))
    phone = Phone(app)
    sees = [{"e": "vedo", "by": name} for name in list(SIX)[1:]]
    shows = [{"e": "show", "by": name, "cards": cards} for name, cards in SIX.items()]
    phone.say({"e": "hand"}, *[{"e": "piccolo"}] * 2, {"e": "grosso"}, {"e": "punto", "by": "Anna", "to": 20}, *sees, *shows)
    phone.say({"e": "lay", "by": "Anna", "cards": ["bastoni-4"]})
    chain = [("bastoni-4",), ("coppe-5",), ("bastoni-6",), ("spade-7",), ("coppe-8",)]
    assert laid(ledger) == chain
    seen = str(phone.client.get("/api/game?lang=it").json)
    assert "Anna stoppa" not in seen
    assert "paga ad Anna" not in seen
    phone.say({"e": "lay", "by": "Anna", "cards": ["bastoni-9"]})
    told = [line.event for line in ledger.lines(ledger.newest() or 0)]
    assert [event.forced for event in told if isinstance(event, log.Lay)] == [False, *[True] * 4, False]
    assert "Anna stoppa e incassa 15,00 €" in str(phone.client.get("/api/game?lang=it").json)
    phone.do("undo")
    assert laid(ledger) == chain
    phone.do("undo")
    assert laid(ledger) == []

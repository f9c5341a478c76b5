"""The hands that are over, for spectators' phones: what each came to and its lines, as everybody saw them."""

from __future__ import annotations

from collections import Counter

import pytest
from flask import Flask
from flask.testing import FlaskClient
from games import GAME, GNAFFATA, lines
from hypothesis import given, settings
from phones import Phone
from wild_games import any_log, seeds

from companion.dashboard import create_app
from companion.dashboard.organiser.effects import summary
from companion.games import GAMES
from companion.ledger import Ledger
from companion.line.recorder import evening_of
from companion.pages.earlier import earlier_hands
from companion.pages.moments import follow
from companion.table.log import Line
from companion.table.text import signed

SECOND = ('{"e":"hand"}', '{"e":"deal","to":"Bruno","card":"cucco"}', '{"e":"passo","by":"Bruno"}')


def hands(client: FlaskClient, lang: str = "it") -> list[dict]:
    answer = client.get(f"/api/hands?lang={lang}")
    assert answer.status_code == 200
    return answer.json["hands"]


def record(ledger: Ledger, *text: str) -> int:
    game = ledger.new_game()
    ledger.record(game, lines(*text))
    return game


def test_a_hand_that_is_over_says_who_paid_and_why_and_what_happened(client: FlaskClient, ledger: Ledger) -> None:
    record(ledger, *GNAFFATA)
    (only,) = hands(client)
    assert (only["n"], only["payers"], only["sure"]) == (1, "Anna −2", True)
    assert len(only["paid"]) == 2
    assert only["lines"][:3] == ["Mano 1: il mazzo a Carla", "Anna riceve una carta", "Anna passa a Bruno"]
    assert only["lines"][-1] == "Mano finita"
    assert hands(client, "en")[0]["lines"][0] != only["lines"][0]


def test_nothing_is_told_of_the_hand_in_progress_and_the_newest_comes_first(client: FlaskClient, ledger: Ledger) -> None:
    assert hands(client) == []
    game = record(ledger, *GNAFFATA[:6])
    assert hands(client) == []
    ledger.record(game, lines(*GNAFFATA, *SECOND))
    (first,) = hands(client)
    assert "Cucco" not in str(first)
    ledger.record(game, lines(*GNAFFATA, *SECOND[:1], '{"e":"void"}'))
    assert [one["n"] for one in hands(client)] == [2, 1]


def test_what_is_not_sure_says_so(client: FlaskClient, ledger: Ledger) -> None:
    doubtful = GNAFFATA[4].replace("0.99", "0.6")
    record(ledger, *GNAFFATA[:4], doubtful, *GNAFFATA[5:-1], '{"e":"end","confidence":0.6}')
    (only,) = hands(client)
    assert not only["sure"]
    assert [one for one in only["lines"] if one.endswith("?")] == ["Bruno mostra lo Gnao?"]


def test_a_hand_told_by_its_outcome_shows_that_alone(app: Flask, game: int, client: FlaskClient) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Bruno": 2})
    (only,) = hands(client)
    assert only["payers"] == "Bruno −2"
    assert only["lines"] == ["Mano 1: il mazzo a Carla", "Mano finita"]
    assert "mostra" not in str(only)
    assert "Si sa solo l’esito: l’ha detto il tavolo" in only["notes"]


def test_a_correction_changes_the_list(app: Flask, game: int, client: FlaskClient) -> None:
    phone = Phone(app)
    for payer in ("Anna", "Bruno"):
        phone.say({"e": "hand"})
        hand = phone.view["hand"]["id"]
        phone.do("outcome", hand=hand, paid={payer: 1})
    assert [one["payers"] for one in hands(client)] == ["Bruno −1", "Anna −1"]
    phone.do("outcome", hand=hand, paid={"Carla": 1})
    assert [one["payers"] for one in hands(client)] == ["Carla −1", "Anna −1"]


def test_what_is_told_between_two_hands_stands_with_the_one_before(client: FlaskClient, ledger: Ledger) -> None:
    record(ledger, *GNAFFATA, '{"e":"hand"}', '{"e":"reveal","by":"Anna","card":"matto"}',
           '{"e":"reveal","by":"Bruno","card":"5"}', '{"e":"reveal","by":"Carla","card":"6"}', '{"e":"end"}',
           '{"e":"rebuy","by":"Anna"}', '{"e":"hand"}')  # fmt: skip
    assert hands(client)[0]["lines"][-1].startswith("Anna rientra con una ricompera")


def test_only_the_game_that_is_shown_is_told(ledger: Ledger) -> None:
    first = record(ledger, *GNAFFATA)
    second = record(ledger, *GNAFFATA[:1])
    answer = create_app(ledger).test_client().get("/api/hands")
    assert answer.json == {"game": second, "hands": []}
    assert first != second


def test_a_penalty_behind_a_void_hand_is_in_the_list_with_the_hand_that_it_is_of(app: Flask, ledger: Ledger) -> None:
    """As in the rulings. On the TV's list and on the phone's."""
    penalty = '{"e":"penalty","player":"Bruno"}'
    again = ('{"e":"hand"}', '{"e":"void"}', penalty)
    record(ledger, GAME.replace('"dealer"', '"edition":"piazza-2010","dealer"'), *GNAFFATA[1:], *again, *again, '{"e":"hand"}')
    phone = Phone(app)
    told = hands(phone.client)
    assert [one["payers"] for one in told] == ["mano nulla", "mano nulla", "Anna −2, Bruno −2"]
    assert [one["text"] for one in phone.view["hands"]] == ["in corso", *(one["payers"] for one in told)]
    paid = [said for said in told[-1]["paid"] if said.startswith("Bruno")]
    assert paid == ["Bruno paga una pedina di penalità (regola 24)"] * 2


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=60, deadline=None)
@given(seeds)
def test_the_lists_of_tv_and_phone_say_of_every_hand_what_the_rulings_say(name: str, seed: int) -> None:
    game, log = GAMES[name], tuple(Line(line.event) for line in any_log(name, seed, 70))
    evening = evening_of(log)
    moments = tuple(follow(game.rules, game.pages, [Line(line.event) for line in evening.log]))
    logged = tuple(follow(game.rules, game.pages, log))[-1].seen
    if not game.rules.in_hand(logged):  # else the cards may have ended a hand, and nobody has said so
        served, as_logged = (game.rules.report(state) for state in (moments[-1].seen, logged))
        assert served.players == as_logged.players
        assert [hand.payments for hand in served.hands] == [hand.payments for hand in as_logged.hands]
    told = {one.n: one for one in earlier_hands(game.rules, game.pages, moments, "it", 0.9)}
    phone = [summary(chapter, "it", 0.9, evening.told_later(chapter)) for chapter in evening.chapters if chapter.over]
    assert [(one.n, one.payers, one.paid) for one in phone if one is not None] == [
        (n, told[n].payers, told[n].paid) for n in sorted(told)
    ]
    rulings = game.rules.report(moments[-1].seen).hands
    for n, one in told.items():
        hand = rulings[n - 1]
        if name == "stu" and not hand.void:
            paid = Counter[str]()
            for payment in hand.payments:
                paid[payment.player] += payment.delta
            assert one.payers == (", ".join(f"{who} {signed(many)}" for who, many in paid.items()) or "nessuno paga"), n

"""A game goes on with other people once more, before a hand was played: what stood still stands."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from phones import Organiser, Phone
from test_people import HAND, STOPER, STOPPA, STU, comes, money, of

from companion.ledger import Ledger

pytestmark = pytest.mark.usefixtures("camera")

NEW = ("Elsa", "Fabio", "Gina")

STANDS = {
    "stu after a hand": STU + HAND,
    "stu, a player is out": STU + HAND * 3,
    "stu, a void hand": [*STU, '{"e":"hand"}', '{"e":"void"}'],
    "stu, nothing yet": STU,
    "stu taken over": [STU[0][:-1] + ',"standing":{"Bruno":{"pedine":2,"virgin":false},"Carla":{"pedine":0,"virgin":false}}}'],
    "stu taken over with ricompere": [STU[0][:-1] + ',"standing":{"Bruno":{"pedine":2,"virgin":false}},"ricompere":2}'],
    "stoper after a hand": STOPER,
    "stoper, chips bought": [STOPER[0], '{"e":"chips","by":"Anna","amount":1000}'],
    "stoper set by hand": [STOPER[0], '{"e":"set","stacks":{"Anna":100}}'],
    "stoper taken over": [STOPER[0].replace("5000", '{"Anna":100,"Bruno":700,"Carla":5000,"Dino":0}')],
    "stoppa after a hand": STOPPA,
    "stoppa set by hand": [STOPPA[0], '{"e":"set","standing":{"Anna":100,"Bruno":-100}}'],
    "stoppa taken over": [STOPPA[0][:-1] + ',"standing":{"Anna":100,"Bruno":-100,"Carla":0,"Dino":0},"hands_before":3}'],
}  # fmt: skip


def has(app: Flask) -> dict[str, tuple[Any, ...]]:
    """Name → what they have: pedine, or chips, or the balance, and how many pedine a virgin has."""
    return {one["name"]: (one["has"], one.get("pedine"), one.get("virgin")) for one in Phone(app).view["players"]}


def figures(app: Flask) -> dict[str, str]:
    return {one["label"]: one["text"] for one in app.test_client().get("/api/game?lang=it").json["figures"]}


@pytest.mark.parametrize("log", STANDS.values(), ids=STANDS)
def test_what_stands_goes_along_however_often_people_come(
    app: Flask, phone: Organiser, ledger: Ledger, log: list[str]
) -> None:
    game = of(ledger, log)
    kind, stood, price = Phone(app).view["wing"], has(app), figures(app).get("Ricompera")
    pot, kept = figures(app).get("Montepremi", ""), list(stood)
    for number, new in enumerate(NEW if kind == "stu" else NEW[:2], start=1):
        comes(phone, game, *kept, new)
        game = ledger.newest() or 0
        kept.append(new)
        now = has(app)
        if kind == "stoppa":  # what was won before is settled in the end
            assert {name: text for name, (text, *_) in now.items()} == dict.fromkeys(kept, "0,00 €")
            continue
        assert {name: now[name] for name in stood} == stood
        stood = now
        if kind == "stu":
            assert figures(app)["Ricompera"] == price
            assert euros(figures(app)["Montepremi"]) == euros(pot) + 200 * number
            assert now[new][0] == "3 pedine, vergine"


def euros(text: str) -> int:
    """Cents of "6,00 €"."""
    return int(text.removesuffix("€").strip().replace(",", ""))


@pytest.mark.parametrize("after", [[], HAND], ids=["before the first hand", "after one"])
def test_at_stu_what_was_set_by_hand_is_not_forgotten(phone: Organiser, ledger: Ledger, after: list[str]) -> None:
    game = of(ledger, [*STU, *after, '{"e":"set","standing":{"Bruno":{"pedine":2,"virgin":false}},"ricompere":1}'])
    phone.walk("/setup/people", "/setup", game=game)
    assert "ci sono già ricompere" in phone.get("/setup").text
    assert ledger.newest() == game


def test_at_stu_a_stake_stays_in_the_pot_also_before_a_hand(phone: Organiser, ledger: Ledger) -> None:
    game = of(ledger, STU + HAND)
    comes(phone, game, "Anna", "Bruno", "Carla", "Dino")
    phone.walk("/setup/people", "/setup/players", game=ledger.newest())
    assert "La posta di Carla è nel montepremi" in phone.refused("/setup/players", places="", name=["Anna", "Bruno", "Dino"]).text


def test_at_stoppa_what_was_set_before_a_hand_is_settled_with_the_rest(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    game = of(ledger, STANDS["stoppa set by hand"])
    comes(phone, game, "Anna", "Bruno", "Elsa", "Dino")
    comes(phone, ledger.newest() or 0, "Anna", "Bruno", "Fabio", "Dino")
    told = Phone(app)
    told.say({"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"}, {"e": "annul"})
    told.say({"e": "close"})
    whole = {one["name"]: one["net"]["minor"] for one in phone.get("/api/game?lang=it").json["whole"]}
    assert (whole["Anna"] - whole["Fabio"], whole["Bruno"] - whole["Fabio"]) == (100, -100)
    assert {name: sum for name, sum in whole.items() if sum} == {
        name: sum for name, sum in money(phone, "stoppa").items() if sum
    }

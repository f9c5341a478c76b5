"""Somebody comes or goes between two hands: another game takes the place of the one that is on, and the money of both adds up."""

from __future__ import annotations

import json

import pytest
from fake_camera import FakeCamera
from flask import Flask
from phones import PLACES, Organiser, Phone
from test_evenings_life import table_of

from companion.games import read_lines
from companion.ledger import Ledger
from companion.line.recorder import PEOPLE
from companion.table.log import write_lines

pytestmark = pytest.mark.usefixtures("camera")

STU = ['{"e":"game","v":1,"game":"stu","players":["Anna","Bruno","Carla"],"stake":200,"currency":"EUR","dealer":"Carla"}']
HAND = ['{"e":"hand"}', '{"e":"reveal","by":"Anna","card":"7"}', '{"e":"reveal","by":"Bruno","card":"3"}',
        '{"e":"reveal","by":"Carla","card":"2"}', '{"e":"end"}']  # fmt: skip
STOPPA = [
    ('{"e":"game","v":1,"game":"stoppa","players":["Anna","Bruno","Carla","Dino"],"misera":600,"small":100,'
     '"currency":"EUR","dealer":"Dino"}'),
    '{"e":"hand"}', '{"e":"piccolo"}', '{"e":"punto","by":"Anna","to":50}', '{"e":"vedo","by":"Bruno"}',
    '{"e":"show","by":"Anna","cards":["coppe-5"]}', '{"e":"show","by":"Bruno","cards":["coppe-4"]}', *['{"e":"piccolo"}'] * 3,
    '{"e":"grosso"}', '{"e":"annul"}', '{"e":"end"}',
]  # fmt: skip
STOPER = [
    ('{"e":"game","v":1,"game":"stoper","players":["Anna","Bruno","Carla","Dino"],"mode":"cash","stacks":5000,'
     '"currency":"EUR","dealer":"Dino"}'),
    '{"e":"hand","cip":50,"invito":50}', '{"e":"apro","by":"Anna","to":200}',
    *(f'{{"e":"passo","by":"{name}"}}' for name in ("Bruno", "Carla", "Dino")),
]  # fmt: skip
PAROLA = [*STOPER[:2], *(f'{{"e":"parola","by":"{name}"}}' for name in ("Anna", "Bruno", "Carla", "Dino"))]


def comes(phone: Organiser, game: int, *names: str, places: str = "") -> None:
    """Now these people play."""
    phone.walk("/setup/people", "/setup/players", game=game)
    phone.walk("/setup/players", "/organiser", places=places, name=list(names))


def begun(ledger: Ledger) -> dict:
    """The first line of the game that is on."""
    game = ledger.newest()
    assert game is not None
    found: dict = json.loads(write_lines(ledger.lines(game)[:1]))
    return found


def of(ledger: Ledger, log: list[str], **notes: str) -> int:
    """A game with this log, which is on."""
    game = ledger.new_game(source="by hand")
    ledger.record(game, read_lines("\n".join(log).encode()))
    ledger.note(game, **notes)
    return game


def money(phone: Organiser, game: str) -> dict[str, int]:
    """What everybody has won or lost in all evenings of a game that count."""
    told = phone.get(f"/api/season?season=all&game={game}").json
    nets = {row["name"]: row["figures"].get("net") for row in told["rows"]}
    return {name: net["minor"] for name, net in nets.items() if net is not None}


def played_out(app: Flask, *acts: dict) -> None:
    """A hand told on the phone."""
    told = Phone(app)
    for act in acts:
        told.say(act)


@pytest.mark.parametrize(("log", "stays"), [
    (STU, "restano posti e pedine"), (STOPPA, "i saldi ripartono da 0"), (STOPER, "restano posti e fiches"),
])  # fmt: skip
def test_a_phone_says_of_each_game_what_stays(phone: Organiser, ledger: Ledger, log: list[str], stays: str) -> None:
    of(ledger, log)
    assert stays in phone.get("/organiser").text


def test_at_stoper_everybody_keeps_their_chips_and_who_goes_takes_them_home(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    game = of(ledger, STOPER)
    comes(phone, game, "Anna", "Bruno", "Carla", "Elsa", "Fabio")
    first = begun(ledger)
    assert first["stacks"] == {"Anna": 5300, "Bruno": 4900, "Carla": 4900, "Elsa": 5000, "Fabio": 5000}
    assert first["dealer"] == "Anna"
    assert phone.get("/api/game?lang=it").json["happened"] == ["Elsa e Fabio si siedono al tavolo", "Dino va via"]
    played_out(app, {"e": "hand", "cip": 50, "invito": 50}, {"e": "apro", "by": "Bruno", "to": 200},
               *({"e": "passo", "by": name} for name in ("Carla", "Elsa", "Fabio", "Anna")), {"e": "close"})  # fmt: skip
    assert money(phone, "stoper") == {"Anna": 200, "Bruno": 300, "Carla": -200, "Dino": -100, "Elsa": -100, "Fabio": -100}


def test_at_stoppa_balances_begin_from_zero_and_both_games_count(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    game = of(ledger, STOPPA)
    comes(phone, game, "Anna", "Bruno", "Carla", "Elsa")
    assert "standing" not in begun(ledger)
    assert money(phone, "stoppa") == {"Anna": -450, "Bruno": -650, "Carla": -600, "Dino": 1700}
    assert [one["has"] for one in Phone(app).view["players"]] == ["0,00 €"] * 4


def test_at_stu_one_more_puts_in_a_stake_and_the_others_keep_their_pedine(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    game = of(ledger, STU + HAND)
    comes(phone, game, "Anna", "Dino", "Bruno", "Carla")
    view = Phone(app).view
    assert view["pot"] == "8,00 €"
    assert phone.get("/api/game?lang=it").json["happened"] == ["Dino si siede al tavolo"]
    assert {one["name"]: one["pedine"] for one in view["players"]} == {"Anna": 3, "Dino": 3, "Bruno": 3, "Carla": 2}
    assert begun(ledger)["dealer"] == "Anna"


CANNOT = {
    "in a hand": ([*STU, '{"e":"hand"}'], "Si sta giocando una mano"),
    "after a ricompera": ([*STU, *(HAND * 3), '{"e":"rebuy","by":"Carla"}'], "ci sono già ricompere"),
    "with a pot that is carried": (PAROLA, "C’è un piatto"),
}  # fmt: skip


@pytest.mark.parametrize(("log", "why"), CANNOT.values(), ids=CANNOT)
def test_where_the_money_would_not_add_up_it_is_refused_and_says_why(
    phone: Organiser, ledger: Ledger, log: list[str], why: str
) -> None:
    game = of(ledger, log)
    phone.walk("/setup/people", "/organiser", game=game)
    assert why in phone.get("/organiser").text
    assert why not in phone.get("/organiser").text, "it is said once"
    assert ledger.newest() == game


def test_who_has_a_stake_in_the_pot_stays_in_the_game(phone: Organiser, ledger: Ledger) -> None:
    game = of(ledger, STU + HAND)
    phone.walk("/setup/people", "/setup/players", game=game)
    assert "La posta di Carla è nel montepremi" in phone.refused("/setup/players", places="", name=["Anna", "Bruno", "Dino"]).text
    assert ledger.newest() == game


def test_what_is_played_meanwhile_is_not_lost(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    game = of(ledger, STOPER)
    phone.walk("/setup/people", "/setup/players", game=game)
    played_out(app, {"e": "chips", "by": "Dino", "amount": 1000})
    answer = phone.refused("/setup/players", places="", name=["Anna", "Bruno", "Carla", "Dino", "Elsa"])
    assert "Intanto si è giocato" in answer.text
    assert ledger.newest() == game


def test_places_stay_and_taking_it_back_goes_on_with_the_game_before(
    app: Flask, phone: Organiser, camera: FakeCamera, ledger: Ledger
) -> None:
    table = table_of(tuple(STU))
    game = of(ledger, STU + HAND, table=table, camera="0")
    camera.choose("0")
    comes(phone, game, "Anna", "Dino", "Bruno", "Carla", places=PLACES.replace(" ", " 900,480 ", 1))
    assert camera.begun is not None
    assert camera.begun[1] is not None
    seats = {seat["name"]: seat["place"] for seat in json.loads(camera.begun[1])["players"]}
    assert seats == {"Anna": [600, 520], "Dino": [900, 480], "Bruno": [1000, 400], "Carla": [620, 190]}
    later = ledger.newest()
    assert later is not None
    assert ledger.notes(later)[PEOPLE] == str(game)
    assert Phone(app).view["takes_back"]
    phone.walk("/setup/take-back", "/organiser", game=later)
    assert ledger.newest() == game
    assert camera.gone_on == (game, table.encode())
    assert Phone(app).view["pot"] == "6,00 €"
    assert "Dino si siede al tavolo" not in phone.get("/api/game?lang=it").json["happened"]

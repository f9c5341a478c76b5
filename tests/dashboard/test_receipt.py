"""The accounts of a game that is over as a picture to send round."""

from __future__ import annotations

import struct
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from games import GNAFFATA, lines
from msgspec.structs import replace

from companion.dashboard import Settings, create_app
from companion.games.stoper import bots as stoper
from companion.games.stu import bots as stu
from companion.ledger import Ledger
from companion.table.log import Line, tag


def won(confidence: float | None = None, which: int = -1) -> tuple[Line, ...]:
    """A game that somebody wins with its last hand; ``which`` of its hands is so sure."""
    log = stu.simulate(stu.Settings(players=stu.seated(4)), hands=12, seed=5)
    at = [at for at, line in enumerate(log) if tag(line.event) == "end"][which]
    return tuple(replace(line, confidence=confidence) if number == at else line for number, line in enumerate(log))


def words(client: FlaskClient, address: str = "/receipt.svg?lang=it") -> list[str]:
    drawing = ElementTree.fromstring(client.get(address).data)
    return [one.text or "" for one in drawing.iter("{http://www.w3.org/2000/svg}text")]


def test_it_says_what_everybody_put_in_and_takes_and_who_pays_whom(client: FlaskClient, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), won())
    view = client.get("/api/game?lang=it").json
    assert view["status"] == "won"
    said = words(client)
    for one in view["accounts"]:
        at = said.index(one["name"])
        assert {one["paid"]["text"], one["takes"]["text"], one["net"]["text"]} <= set(said[at : at + 5])
    assert [one for one in said if " dà " in one] == view["settling"] != []
    assert words(client, "/receipt.svg?lang=en") != said
    assert b'fill="#f3ede2"' in client.get("/receipt.svg?theme=light").data


def test_in_pixels_it_is_as_large_as_the_drawing(client: FlaskClient, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), won())
    drawing = ElementTree.fromstring(client.get("/receipt.svg").data)
    picture = client.get("/receipt.png?download=1")
    assert picture.headers["Content-Disposition"] == 'attachment; filename="accounts-1.png"'
    assert struct.unpack(">II", picture.data[16:24]) == (int(drawing.attrib["width"]), int(drawing.attrib["height"]))


def test_a_game_that_is_not_surely_over_has_none(client: FlaskClient, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), won(0.5))
    assert [client.get(f"/receipt.{kind}").status_code for kind in ("svg", "png")] == [404, 404]


def test_a_hand_of_before_that_nobody_is_sure_of_is_named(client: FlaskClient, ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), won(0.5, which=0))
    assert "1 mano non era sicura, e nessuno l’ha confermata" in words(client)


@pytest.mark.parametrize("log", [(), GNAFFATA[:1], GNAFFATA], ids=["no game", "no hand", "not over"])
def test_before_a_game_is_over_there_is_none(client: FlaskClient, ledger: Ledger, log: tuple[str, ...]) -> None:
    if log:
        ledger.record(ledger.new_game(), lines(*log))
    assert [client.get(f"/receipt.{kind}").status_code for kind in ("svg", "png")] == [404, 404]


def test_a_game_without_a_pot_to_divide_has_balances_alone(client: FlaskClient, ledger: Ledger) -> None:
    table = stoper.Settings(players=stoper.seated(5))
    ledger.record(ledger.new_game(), stoper.simulate(table, hands=6, seed=5))
    said = words(client)
    assert "Saldo" in said
    assert not {"Messi", "Prende"} & set(said)


def test_it_needs_no_season(ledger: Ledger) -> None:
    ledger.record(ledger.new_game(), won())
    app: Flask = create_app(ledger, settings=Settings(season=False))
    assert app.test_client().get("/receipt.png").status_code == 200

"""A name that is put right in a game which went on with other people is put right in each part of it: nobody becomes two."""

from __future__ import annotations

import random

import pytest
from flask import Flask
from phones import Organiser, Phone
from test_people import STOPER, comes, of
from test_went_on import evening_sums, gone_on, minor, one_hand, paid_by

from companion.ledger import Ledger
from companion.line.renaming import names_in

pytestmark = pytest.mark.usefixtures("camera")


def names_of(phone: Organiser, game: int) -> list[str]:
    """Who is called how, as the form of a game has it."""
    return [str(one["name"]) for one in phone.get(f"/api/games/{game}/view?lang=it").json["seats"]]


def put_right(phone: Organiser, game: int, was: str, name: str) -> int:
    """Say on the page of a game how somebody is called. The answer's status."""
    names = names_of(phone, game)
    new = [name if one == was else one for one in names]
    status: int = phone.post("/setup/rename", game=game, was=names, name=new).status_code
    return status


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize("kind", ["stoper", "stoppa"])
def test_a_name_is_put_right_in_each_part_and_back_again(
    app: Flask, phone: Organiser, ledger: Ledger, kind: str, at: int
) -> None:
    ids = gone_on(app, phone, ledger, kind, 3, 4)
    before, view = [names_in(ledger, game) for game in ids], phone.get("/api/game?lang=it").json
    sums, name = evening_sums(phone, kind), sorted(before[at])[0]
    assert put_right(phone, ids[at], name, "Zoë") in (302, 303)
    assert [names_in(ledger, game) for game in ids] == [{"Zoë" if one == name else one for one in names} for names in before]
    now = phone.get("/api/game?lang=it").json
    assert {one["name"]: one["net"]["text"] for one in now["whole"]} == {
        "Zoë" if one["name"] == name else one["name"]: one["net"]["text"] for one in view["whole"]
    }
    assert evening_sums(phone, kind) == {"Zoë" if one == name else one: text for one, text in sums.items()}
    assert paid_by(now["settling"]) == {one: minor(text) for one, text in evening_sums(phone, kind).items() if minor(text)}
    assert put_right(phone, ids[at], "Zoë", name) in (302, 303)
    assert [names_in(ledger, game) for game in ids] == before
    assert evening_sums(phone, kind) == sums


def test_a_part_that_is_deleted_has_the_new_name_once_it_is_back(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    ids = gone_on(app, phone, ledger, "stoper", 3, 5)
    name = next(iter(names_in(ledger, ids[0]) & names_in(ledger, ids[1]) & names_in(ledger, ids[2])))
    phone.walk("/setup/delete", "/setup/games", game=ids[0], sure=ids[0])
    assert put_right(phone, ids[2], name, "Zoë") in (302, 303)
    phone.walk("/setup/restore", "/setup/games", game=ids[0])
    assert all("Zoë" in names_in(ledger, game) and name not in names_in(ledger, game) for game in ids)


def test_a_name_that_somebody_else_has_in_another_part_is_refused_and_nothing_changes(
    app: Flask, phone: Organiser, ledger: Ledger
) -> None:
    ids = [of(ledger, STOPER)]
    one_hand(app, random.Random(1))
    seats = Phone(app).view["players"]
    deals = next(one["name"] for one in seats if one["dealer"])
    stay = [one["name"] for one in seats if one["name"] != deals][:2]
    comes(phone, ids[0], deals, *stay, "Elsa")
    ids.append(ledger.newest() or 0)
    before = [names_in(ledger, game) for game in ids]
    answer = phone.post("/setup/rename", game=ids[0], was=(names := names_of(phone, ids[0])), lang="it",
                        name=["ELSA" if one == stay[0] else one for one in names])  # fmt: skip
    assert answer.status_code == 400
    assert "In un’altra parte della partita" in answer.text
    assert [names_in(ledger, game) for game in ids] == before
    assert "in ogni sua parte" in phone.get(f"/setup/rename?game={ids[0]}&lang=it").text
    gone = next(one for one in names if one not in (deals, *stay))
    assert put_right(phone, ids[0], gone, "Elsa") in (302, 303), "it is the same person, who was called wrongly"
    assert {row["name"] for row in phone.get("/api/season?season=all&game=stoper").json["rows"]} == {deals, *stay, "Elsa"}


def test_another_game_keeps_its_names(app: Flask, phone: Organiser, ledger: Ledger) -> None:
    other, (game, *_) = of(ledger, STOPER), gone_on(app, phone, ledger, "stoper", 2, 6)
    before = names_in(ledger, other)
    assert put_right(phone, game, sorted(names_in(ledger, game))[0], "Zoë") in (302, 303)
    assert names_in(ledger, other) == before

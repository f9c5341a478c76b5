"""The page on a table's phone that joins a hall, says how that stands, and leaves it."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from phones import Phone
from serving import until
from tables import PLAYERS, Organiser, Running, table

from companion.cli.evening import HallDoor, Joined
from companion.dashboard import create_app
from companion.games.stu.rules.log import new_game
from companion.hall.table.membership import HallError
from companion.ledger import Ledger
from companion.ledger.outbox import belongs
from companion.line.recorder import EveningRecorder


def said(client: FlaskClient, csrf: str, **form: str) -> tuple[int, str]:
    answer = client.post("/organiser/hall?lang=en", data={"csrf": csrf, **form})
    return answer.status_code, answer.text


def test_where_no_evening_is_followed_no_hall_can_be_joined(ledger: Ledger) -> None:
    phone = Phone(create_app(ledger))
    assert 'name="code"' in phone.client.get("/organiser/hall").text
    status, text = said(phone.client, phone.csrf, url="http://127.0.0.1:9", code="ABCD-EFGH", name="")
    assert (status, "no hall can be joined here" in text) == (422, True)


@pytest.mark.parametrize(
    ("url", "code", "why"),
    [
        ("http://192.168.1.10", "ABCD-EFGH", "take the https address"),
        ("http://127.0.0.1:9", "ABCD", "no code of a hall"),
        ("http://127.0.0.1:9", "ABCD-EFGH", "no hall answers"),
        ("", "", "no address of a hall"),
    ],
)
def test_what_is_no_hall_is_refused_and_says_why(app: Flask, ledger: Ledger, url: str, code: str, why: str) -> None:
    door, phone = HallDoor(app, ledger), Phone(app)
    status, text = said(phone.client, phone.csrf, url=url, code=code, name="Portico")
    assert (status, why in text) == (422, True)
    assert 'value="Portico"' in text
    italian = phone.client.post("/organiser/hall?lang=it", data={"csrf": phone.csrf, "url": url, "code": code}).text
    assert why not in italian
    assert not belongs(ledger)
    door.close()


def test_a_table_name_that_is_too_long_is_refused_whole(app: Flask, ledger: Ledger) -> None:
    door, phone = HallDoor(app, ledger), Phone(app)
    name = "Il tavolo sotto il portico vicino alla fontana, con la gamba che balla"
    status, text = said(phone.client, phone.csrf, url="http://127.0.0.1:9", code="ABCD-EFGH", name=name)
    assert (status, f"“{name[:30]}…” is too long: at most 30 letters." in text, f'value="{name}"' in text) == (422, True, True)
    door.close()


def test_a_table_joins_and_leaves_by_its_phone(hall: Running, ledger: Ledger) -> None:
    app = create_app(ledger)
    door, phone = HallDoor(app, ledger), Phone(app)
    code = hall.hall.code.text().lower()
    assert said(phone.client, phone.csrf, url=hall.url, code=code, name="Portico")[0] == 302
    until(lambda: "The hall has everything" in phone.client.get("/organiser/hall?lang=en").text)
    assert [one["name"] for one in hall.tables()] == ["Portico"]
    assert f"Tavolo Portico della sala {hall.url}" in phone.client.get("/organiser/hall?lang=it").text
    assert said(phone.client, "wrong", leave="1")[0] == 403
    assert said(phone.client, phone.csrf, leave="1")[0] == 302
    assert 'name="code"' in phone.client.get("/organiser/hall").text
    assert not belongs(ledger)
    assert hall.tables()[0]["state"] == "silent"
    door.close()


@pytest.mark.parametrize(("code", "why"), [
    ("AAAA-AAAA", {"en": "This code does not count (any more)", "it": "Questo codice non vale (più)"}),
    ("", {"en": "give the code that the hall shows", "it": "serve il codice che la sala mostra"}),
])  # fmt: skip
def test_a_table_that_is_begun_with_an_old_code_plays_without_the_hall_and_its_phone_takes_a_new_one(
    hall: Running, ledger: Ledger, capsys: pytest.CaptureFixture[str], code: str, why: dict[str, str]
) -> None:
    app = create_app(ledger)
    EveningRecorder.begin(ledger, new_game(PLAYERS, 200, "Carla"))
    door, phone = HallDoor(app, ledger), Phone(app)
    door.begin(Joined(hall.url, code, "Portico"))
    terminal = capsys.readouterr().out
    assert "The table plays without the hall: " in terminal
    assert why["en"] in terminal
    for lang, said_then in why.items():
        page = phone.client.get(f"/organiser/hall?lang={lang}").text
        assert all(part in page for part in (said_then, f'value="{hall.url}"', 'value="Portico"'))
        [told] = app.extensions["more_notices"](lang)  # on the phone of the game, too
        assert said_then in told
    assert said(phone.client, phone.csrf, url=hall.url, code="AAAA-AAAA", name="Portico")[0] == 422
    assert said(phone.client, phone.csrf, url=hall.url, code=hall.hall.code.text(), name="Portico")[0] == 302
    until(lambda: "The hall has everything" in phone.client.get("/organiser/hall?lang=en").text)
    assert app.extensions["more_notices"]("en") == []
    assert 'name="code"' not in phone.client.get("/organiser/hall").text
    door.close()


@pytest.mark.parametrize(("url", "code", "why"), [
    ("http://192.168.1.10", "ABCD-EFGH", "take the https address"), ("http://127.0.0.1:9", "ABCD", "no code of a hall"),
])  # fmt: skip
def test_what_is_no_address_or_no_code_is_refused_before_the_evening_begins(
    app: Flask, ledger: Ledger, url: str, code: str, why: str
) -> None:
    with pytest.raises(HallError, match=why):
        HallDoor(app, ledger).begin(Joined(url, code, ""))


def test_a_table_that_a_hall_has_removed_joins_again_on_the_same_page(hall: Running, ledger: Ledger) -> None:
    app = create_app(ledger)
    door, phone = HallDoor(app, ledger), Phone(app)
    door.begin(Joined(hall.url, hall.hall.code.text(), "Portico"))
    until(lambda: "The hall has everything" in phone.client.get("/organiser/hall?lang=en").text)
    hall.hall.seats.withdraw(1)
    until(lambda: "The hall does not know this table" in phone.client.get("/organiser/hall?lang=en").text)
    page = phone.client.get("/organiser/hall?lang=en").text
    assert all(part in page for part in ('name="code"', f'value="{hall.url}"', 'value="Portico"'))
    assert said(phone.client, phone.csrf, url=hall.url, code=hall.hall.code.text(), name="Portico")[0] == 302
    until(lambda: "The hall has everything" in phone.client.get("/organiser/hall?lang=en").text)
    door.close()


def test_the_page_is_for_paired_phones(hall: Running) -> None:
    with table(hall) as one:
        assert one.app.test_client().get("/organiser/hall").status_code == 302


def test_a_table_calls_the_referee_who_deals_with_it(hall: Running, ledger: Ledger) -> None:
    app = create_app(ledger)
    EveningRecorder.begin(ledger, new_game(PLAYERS, 200, "Carla"))
    door, table_phone, phone = HallDoor(app, ledger), Phone(app), Organiser(hall, "en")
    assert said(table_phone.client, table_phone.csrf, url=hall.url, code=hall.hall.code.text(), name="Portico")[0] == 302

    def page() -> str:
        return table_phone.client.get("/organiser/hall?lang=en").text

    assert "Call the referee" in page()
    for _ in range(2):  # tapped twice
        assert said(table_phone.client, table_phone.csrf, referee="call")[0] == 302
    until(lambda: "The referee is called" in page())
    assert page().count("The referee is called") == 1
    assert app.extensions["more_notices"]("it") == ["L’arbitro è chiamato"]  # on the phone of the game, too
    [call] = phone.look()["calls"]
    assert call["text"].startswith("Table Portico calls the referee, since ")
    assert phone.post("dealt", {"table": call["table"], "call": "another"}).json["calls"] == [call]
    assert phone.post("dealt", {"table": call["table"], "call": call["call"]}, csrf="x").status_code == 403
    assert phone.post("dealt", {"table": call["table"], "call": call["call"]}).json["calls"] == []
    until(lambda: "Call the referee" in page())
    assert said(table_phone.client, table_phone.csrf, referee="call")[0] == 302
    until(lambda: phone.look()["calls"])
    assert said(table_phone.client, table_phone.csrf, referee="withdraw")[0] == 302
    until(lambda: not phone.look()["calls"])
    door.close()


@pytest.mark.parametrize("name", ["", "Portico"])
def test_the_line_that_the_hall_shows_can_be_pasted_whole_as_its_address(hall: Running, ledger: Ledger, name: str) -> None:
    app = create_app(ledger)
    door, phone = HallDoor(app, ledger), Phone(app)
    line = f"companion serve --hall {hall.url} --code {hall.hall.code.text()}"
    assert said(phone.client, phone.csrf, url=line, code="", name=name)[0] == 302
    assert [one["name"] for one in hall.tables()] == [name or "1"]
    door.close()

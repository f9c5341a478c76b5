"""It was so, on every page: a phone sets how it stands between two hands, everybody sees that it was set, and an undo works."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from flask import Flask
from phones import Phone

from companion.games import GAMES
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.table.log import tag

STU = {"e": "game", "v": 1, "game": "stu", "players": ["Anna", "Bruno", "Carla"], "stake": 200, "currency": "EUR",
       "dealer": "Carla"}  # fmt: skip
STOPPA = {"e": "game", "v": 1, "game": "stoppa", "players": ["Anna", "Bruno", "Carla", "Dino"], "misera": 600, "small": 100,
          "currency": "EUR", "dealer": "Dino"}  # fmt: skip
STOPER = {"e": "game", "v": 1, "game": "stoper", "players": ["Ada", "Bice", "Ciro", "Dora"], "mode": "cash", "stacks": 500,
          "currency": "EUR", "dealer": "Dora"}  # fmt: skip

STU_HAND = ({"e": "hand"}, *({"e": "reveal", "by": name, "card": card}
                             for name, card in (("Anna", "2"), ("Bruno", "5"), ("Carla", "7"))))  # fmt: skip
STOPPA_HAND = ({"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"}, {"e": "annul"})
STOPER_HAND = ({"e": "hand", "cip": 10, "invito": 0}, {"e": "apro", "by": "Ada", "to": 20},
               *({"e": "passo", "by": name} for name in ("Bice", "Ciro", "Dora")))  # fmt: skip

CASES: dict[str, tuple[dict[str, Any], tuple[dict[str, Any], ...], dict[str, Any], dict[str, str], dict[str, str]]] = {
    "stu": (
        STU, STU_HAND,
        {"e": "set", "ricompere": 1,
         "standing": {"Anna": {"pedine": 3, "virgin": True}, "Carla": {"pedine": 0, "virgin": False}}},
        {"Anna": "3 pedine, vergine", "Bruno": "3 pedine, vergine", "Carla": "fuori"},
        {"Anna": "2 pedine → 3 pedine, vergine", "Carla": "3 pedine, vergine → fuori", "Montepremi": "6,00 € → 10,00 €",
         "Ricompera": "4,00 € → 8,00 €"},
    ),
    "stoppa": (
        STOPPA, STOPPA_HAND,
        {"e": "set", "standing": {"Anna": 100, "Bruno": -40, "Carla": -60, "Dino": 0}},
        {"Anna": "+1,00 €", "Bruno": "−0,40 €", "Carla": "−0,60 €", "Dino": "0,00 €"},
        {"Anna": "−6,00 € → +1,00 €", "Bruno": "−6,00 € → −0,40 €", "Carla": "−6,00 € → −0,60 €", "Dino": "+18,00 € → 0,00 €"},
    ),
    "stoper": (
        STOPER, STOPER_HAND,
        {"e": "set", "stacks": {"Ada": 400}, "pot": 130, "level": "cavallo"},
        {"Ada": "4,00 €", "Bice": "4,90 €", "Ciro": "4,90 €", "Dora": "4,90 €"},
        {"Ada": "5,30 € → 4,00 €", "Nel piatto": "0,00 € → 1,30 €", "Per aprire": "un fante → un cavallo"},
    ),
}  # fmt: skip
"""By game: the first line, a hand, what is set, what everybody then has, and what the phone shows before."""

every_game = pytest.mark.parametrize("case", CASES)


def plain(text: str) -> str:
    return text.replace("\xa0", " ")


def begun(ledger: Ledger, first: dict[str, Any]) -> EveningRecorder:
    return EveningRecorder.begin(ledger, GAMES[first["game"]].rules.LOG.event(first))


def played(app: Flask, ledger: Ledger, case: str) -> Phone:
    """A phone at a table that has played a hand."""
    first, hand, *_ = CASES[case]
    begun(ledger, first)
    phone = Phone(app)
    for event in hand:
        phone.say(event)
    return phone


def stands(view: dict[str, Any], whose: str = "players") -> dict[str, str]:
    return {one["name"]: plain(one["has"]) for one in view[whose]}


def tv(app: Flask) -> dict[str, Any]:
    found: dict[str, Any] = app.test_client().get("/api/game?lang=it").json  # type: ignore[assignment]
    return found


TWICE: dict[str, dict[str, Any]] = {
    "stu": {"e": "set", "standing": {"Anna": {"pedine": 3, "virgin": True}, "anna ": {"pedine": 1, "virgin": False}}},
    "stoppa": {"e": "set", "standing": {"Anna": 100, "ANNA": -100}},
    "stoper": {"e": "set", "stacks": {"ada": 400, "Ada": 100}},
}


@every_game
def test_who_is_set_twice_in_two_spellings_is_refused_and_another_spelling_alone_is_not(
    app: Flask, ledger: Ledger, case: str
) -> None:  # fmt: skip
    phone = played(app, ledger, case)
    for dry in (True, False):
        refused = phone.send({"what": "say", "events": [TWICE[case]]}, dry=dry)
        assert refused.status_code == 422
        assert refused.json["message"].endswith("c’è due volte: scrivi ogni nome una volta sola")
    line = CASES[case][2]
    key = "stacks" if case == "stoper" else "standing"
    phone.say({**line, key: {f" {name.upper()} ": value for name, value in line[key].items()}})
    event = ledger.lines(ledger.newest())[-1].event
    assert set(getattr(event, key)) == set(line[key])


def form_of(phone: Phone) -> dict[str, Any] | None:
    return next((one["form"] for one in phone.view["next"]["more"] if one["key"] == "set"), None)


@every_game
@pytest.mark.parametrize("hands", [0, 2, 3])
def test_after_any_number_of_hands_it_is_taken_and_all_that_comes_then(app: Flask, ledger: Ledger, case: str, hands: int) -> None:
    first, hand, line, *_ = CASES[case]
    begun(ledger, first)
    phone = Phone(app)
    for _ in range(hands):
        phone.say(hand[0])
        phone.say({"e": "void"})
    void = (hand[0], {"e": "void"})
    for event in (line, line, *void, line, *void, line, {"e": "close"}):
        phone.say(event)
    assert [tag(one.event) for one in ledger.lines(ledger.newest() or 0)].count("set") == 4


@every_game
def test_it_is_shown_before_it_is_done_marked_afterwards_and_undone(app: Flask, ledger: Ledger, case: str) -> None:
    _, _, line, after, changes = CASES[case]
    phone = played(app, ledger, case)
    before, on_tv = stands(phone.view), tv(app)
    form = form_of(phone)
    assert form is not None
    assert form["event"]["e"] == "set"
    would = phone.send({"what": "say", "events": [line]}, dry=True).json
    assert {one["what"]: plain(f"{one['now']} → {one['then']}") for one in would["rest"]} == changes
    assert would["hands"] == [], "no hand comes to anything else"
    assert stands(phone.look()) == before
    phone.say(line)
    assert stands(phone.view) == after
    assert phone.view["sets"] == list(line.get("standing", line.get("stacks")))
    assert [one["text"] for one in phone.view["hand"]["lines"]][-1].startswith("Il tavolo dice come si sta: ")
    shown = tv(app)
    assert stands(shown, "seats") == after
    assert [(one["after"], one["players"]) for one in shown["sets"]] == [(1, phone.view["sets"])]
    assert shown["happened"][-1] == shown["sets"][0]["text"] or len(shown["sets"][0]["text"]) > 80
    assert {**shown["ruling"], "confidence": None} == {**on_tv["ruling"], "confidence": None}, "the hand stays as it was told"
    phone.do("undo")
    assert stands(phone.view) == before
    assert (phone.view["sets"], tv(app)["sets"]) == ([], [])
    phone.do("redo")
    assert stands(phone.view) == after


@every_game
def test_after_the_next_hand_what_was_set_is_no_longer_marked_on_the_plates_but_still_told(
    app: Flask, ledger: Ledger, case: str
) -> None:
    line = CASES[case][2]
    phone = played(app, ledger, case)
    phone.say(line)
    assert form_of(phone) is not None
    phone.say({"e": "hand"})
    assert (form_of(phone), phone.view["sets"]) == (None, list(line.get("standing", line.get("stacks"))))
    phone.say({"e": "void"})
    if phone.view["phase"] == "won":  # in Stù one is left, who was no virgin
        return
    phone.say({"e": "hand"})
    assert phone.view["sets"] == []
    assert [one["after"] for one in tv(app)["sets"]] == [1]


REFUSED = {
    "stu": ({"e": "set", "standing": {"Anna": {"pedine": 2, "virgin": True}}},
            "Anna non può essere vergine con 2 pedine (regola 9)"),
    "stoppa": ({"e": "set", "standing": {"Anna": 0}},
               "I saldi farebbero 6,00 € in tutto, ma quel che vincono gli uni lo perdono gli altri: devono fare 0,00 €"),
    "stoper": ({"e": "set", "stacks": {"Ugo": 5}}, "A questo tavolo non siede nessuno di nome Ugo"),
}


@every_game
def test_what_cannot_be_is_refused_with_a_sentence_and_nothing_is_lost(app: Flask, ledger: Ledger, case: str) -> None:
    phone = played(app, ledger, case)
    line, why = REFUSED[case]
    before = phone.look()
    for dry in (True, False):
        answer = phone.send({"what": "say", "events": [line]}, dry=dry)
        assert (answer.status_code, answer.json["message"]) == (422, why)
    assert phone.look() == before
    phone.say({"e": "hand"})
    answer = phone.send({"what": "say", "events": [CASES[case][2]]})
    assert (answer.status_code, answer.json["message"]) == (422, "C’è una mano in corso")


@every_game
def test_set_by_two_phones_at_once_it_is_set_as_the_first_has_said(app: Flask, ledger: Ledger, case: str) -> None:
    _, _, line, after, _ = CASES[case]
    one, other = played(app, ledger, case), Phone(app)
    one.say(line)
    again = other.send({"what": "say", "events": [line]})
    assert (again.status_code, again.json["already"]) == (200, True)
    names = "stacks" if case == "stoper" else "standing"
    nothing = {"e": "set", names: {}, "reason": "un altro"}
    late = other.send({"what": "say", "events": [nothing]})
    assert late.status_code == 409
    assert stands(one.look()) == after


@every_game
def test_it_stands_so_after_a_restart_and_in_the_evenings_own_log(app: Flask, ledger: Ledger, case: str) -> None:
    _, _, line, after, _ = CASES[case]
    phone = played(app, ledger, case)
    phone.say(line)
    game = phone.view["game"]
    again = EveningRecorder.resume(ledger, game)
    pages = GAMES[case].pages
    assert {one.name: plain(one.has) for one in pages.score(again.evening.current.after, "it").players} == after
    assert json.loads(app.test_client().get("/api/log").text.splitlines()[-1]) == {**line, "confidence": 1.0}


def rows(phone: Phone, name: str) -> list[dict[str, str]]:
    data = phone.client.get(f"/organiser/games/{phone.view['game']}/{name}.csv?lang=it").data.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(data, newline=""), delimiter=";"))


@every_game
def test_sheet_and_spreadsheet_say_that_it_was_set(app: Flask, ledger: Ledger, case: str) -> None:
    line = CASES[case][2]
    phone = played(app, ledger, case)
    phone.say({**line, "reason": "contati due volte"})
    said = {row["Giocatore"]: row for row in rows(phone, "hands") if row["Come si sa"] == "messo a mano"}
    assert set(said) == set(line.get("standing", line.get("stacks")))
    assert all(row["Mano"] == "1" and "contati due volte" in row["Perché"] for row in said.values())
    if case == "stu":
        assert [(row["Pedine prima"], row["Differenza"], row["Pedine dopo"]) for row in said.values()] == [
            ("2", "1", "3"), ("3", "-3", "0"),
        ]  # fmt: skip
    money = rows(phone, "money")
    column = {"stu": "Versa", "stoppa": "Importo", "stoper": "Importo"}[case]
    set_by_hand = [row for row in money if "mano" in row["Che cosa"]]
    assert {(row.get("Giocatore", row.get("A")), row[column]) for row in set_by_hand} == {
        "stu": {("", "4,00")},
        "stoppa": {("Anna", "7,00"), ("Bruno", "5,60"), ("Carla", "5,40"), ("Dino", "-18,00")},
        "stoper": {("Ada", "-1,30"), ("", "1,30")},
    }[case]
    sheet = phone.client.get(f"/organiser/games/{phone.view['game']}/sheet?lang=it").text
    assert "Dopo la mano 1" in sheet
    assert "contati due volte" in sheet


def test_what_the_table_has_said_is_no_longer_only_believed(app: Flask, ledger: Ledger) -> None:
    log = [STU, *STU_HAND, {"e": "end", "confidence": 0.6}]
    read = GAMES["stu"].rules.LOG.read_lines
    ledger.record(game := ledger.new_game(), read("\n".join(map(json.dumps, log)).encode()))
    assert [seat["believed"] for seat in tv(app)["seats"]] == [True, False, False]
    log.append({"e": "set", "standing": {"Anna": {"pedine": 2, "virgin": False}}})
    ledger.record(game, read("\n".join(map(json.dumps, log)).encode()))
    shown = tv(app)
    assert [seat["believed"] for seat in shown["seats"]] == [False, False, False]
    assert not shown["ruling"]["sure"], "of the ruling nothing is said"


@every_game
def test_a_log_alone_is_shown_by_every_page(app: Flask, ledger: Ledger, case: str) -> None:
    first, hand, line, *_ = CASES[case]
    log = [first, line, *hand, {"e": "end"}, line, {"e": "close"}]
    if case == "stu":
        log.insert(2, {"e": "set", "standing": {"Carla": {"pedine": 3, "virgin": True}}})
        log.insert(-1, {"e": "set", "standing": {"Bruno": {"pedine": 0, "virgin": False}}})
    read = GAMES[case].rules.LOG.read_lines
    ledger.record(game := ledger.new_game(), read("\n".join(map(json.dumps, log)).encode()))
    phone = Phone(app)
    told = tv(app)
    assert [one["after"] for one in told["sets"]] == ([0, 0, 1, 1] if case == "stu" else [0, 1])
    assert told["status"] == "won"
    if case == "stu":
        assert all(one["paid"] is one["net"] is None for one in told["accounts"]), "nobody has told who paid the ricompera"
    if case == "stoppa":
        assert sum(one["net"]["minor"] for one in told["accounts"]) == 0
    season = f"/season/evening/{game}"
    for path in ("/", "/overlay", "/charts", "/api/charts", "/api/moviola", "/api/log", "/season", season,
                 f"{season}.svg", f"/organiser/games/{game}/sheet"):  # fmt: skip
        assert phone.client.get(f"{path}?lang=it").status_code == 200, path
    assert "✎" in phone.client.get(f"/season?game={case}&lang=it").text
    assert "messo a mano" in phone.client.get(f"{season}?lang=it").text


def test_who_has_more_chips_than_were_brought_is_not_said_to_have_won_them(app: Flask, ledger: Ledger) -> None:
    log = [STOPER, *STOPER_HAND, {"e": "set", "stacks": {"Ada": 900}}, {"e": "close"}]
    read = GAMES["stoper"].rules.LOG.read_lines
    ledger.record(ledger.new_game(), read("\n".join(map(json.dumps, log)).encode()))
    told = tv(app)
    assert told["winner"] is None
    assert [one["net"] for one in told["accounts"]] == [None] * 4
    log[-2] = {"e": "set", "stacks": {"Ada": 430, "Bice": 590}}
    ledger.record(ledger.new_game(), read("\n".join(map(json.dumps, log)).encode()))
    told = tv(app)
    assert (told["winner"], sum(one["net"]["minor"] for one in told["accounts"])) == ("Bice", 0)


def test_a_hand_corrected_later_leaves_what_was_set(app: Flask, ledger: Ledger) -> None:
    phone = played(app, ledger, "stu")
    phone.say({"e": "set", "standing": {"Carla": {"pedine": 1, "virgin": False}}})
    hand = phone.view["hands"][0]["id"]
    lines = phone.client.get(f"/api/organiser/hand/{hand}?lang=it").json["lines"]
    at = next(line["index"] for line in lines if line["event"].get("card") == "2")
    phone.do("change", hand=hand, start=at, stop=at + 1, events=[{"e": "reveal", "by": "Anna", "card": "9"}])
    assert stands(phone.view) == {"Anna": "3 pedine, vergine", "Bruno": "2 pedine", "Carla": "1 pedina"}


def test_the_voice_says_it_once(app: Flask, ledger: Ledger) -> None:
    from companion.dashboard.voice import Caller

    phone = played(app, ledger, "stu")
    caller = Caller(app.extensions["dashboard"])
    before = {call.text for call in caller.calls("it").calls}
    phone.say(CASES["stu"][2])
    said = [call.text for call in caller.calls("it").calls if call.text not in before]
    assert said == ["Il tavolo dice come si sta: Anna: 3 pedine, vergine; Carla: fuori; 1 ricompera pagata"]
    phone.say({"e": "hand"})
    assert not {call.text for call in caller.calls("it").calls} & set(said)

"""The phone asks about a hand of Stoppa: only what decides who pays, once, and spectators learn nothing by it but the ruling."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from flask import Flask
from phones import Phone
from stoppa_table import DENARI, FIRST, Table, doubtful_group, doubtful_place, gathered_before_the_stop

from companion.dashboard import create_app
from companion.games.stoppa import log
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.table.sure import SURE_FROM


@pytest.fixture
def recorder(ledger: Ledger) -> EveningRecorder:
    return EveningRecorder.begin(ledger, FIRST)


@pytest.fixture
def app(ledger: Ledger, recorder: EveningRecorder) -> Flask:
    return create_app(ledger, recorder=lambda: recorder)


def sat(recorder: EveningRecorder, table: Table) -> None:
    """The evening as it was told and seen at this table."""
    recorder.change(lambda _: table.evening)


def watched(app: Flask) -> dict[str, Any]:
    found: dict[str, Any] = app.test_client().get("/api/game?lang=it").json
    return found


def test_a_doubtful_hand_is_asked_about_and_shown_as_doubtful_until_somebody_answers(app: Flask,
                                                                                     recorder: EveningRecorder) -> None:
    sat(recorder, doubtful_group())
    phone, view = Phone(app), watched(app)
    assert not view["ruling"]["sure"]
    assert {seat["name"] for seat in view["seats"] if seat["believed"]} >= {"Anna", "Bruno"}
    assert [link["unsure"] for link in phone.view["hands"]] == [True]
    asked = phone.view["question"]
    assert asked["text"] == "Chi ha preso il punto piccolo 1?"
    assert [choice["text"] for choice in asked["choices"]][-1] == "Non so"
    phone.do("answer", question=asked["id"], choice="1")
    assert phone.view["question"] is None
    view = watched(app)
    assert view["ruling"]["sure"]
    assert not any(seat["believed"] for seat in view["seats"])
    assert view["won"][0]["winner"] == "Bruno"
    phone.do("undo", entry=phone.view["undoes"]["entry"])
    assert phone.view["question"]["id"] == asked["id"]


def test_dont_know_leaves_it_doubtful_and_asks_no_more(app: Flask, recorder: EveningRecorder) -> None:
    sat(recorder, doubtful_group())
    phone = Phone(app)
    while (asked := phone.view["question"]) is not None:
        phone.do("answer", question=asked["id"], choice=None)
    assert not watched(app)["ruling"]["sure"]


def test_a_question_that_a_correction_has_settled_is_taken_away(app: Flask, recorder: EveningRecorder) -> None:
    sat(recorder, doubtful_group())
    phone = Phone(app)
    asked, hand = phone.view["question"], phone.view["hands"][0]
    lines = phone.client.get(f"/api/organiser/hand/{hand['id']}").json["lines"]
    phone.do("confirm", hand=hand["id"], shown=[line["event"] for line in lines])
    assert phone.view["question"] is None
    late = phone.send({"what": "answer", "question": asked["id"], "choice": "1"})
    assert late.status_code in (409, 422)


def test_of_two_answers_the_second_phone_hears_what_the_first_has_said(app: Flask, recorder: EveningRecorder) -> None:
    sat(recorder, doubtful_group())
    one, other = Phone(app), Phone(app)
    asked, before = one.view["question"], other.view
    other_choice = next(choice["id"] for choice in asked["choices"] if choice["id"] not in ("1", None))
    one.do("answer", question=asked["id"], choice="1")
    body = {"game": before["game"], "version": before["version"], "said": before["said"],
            "do": {"what": "answer", "question": asked["id"], "choice": other_choice}}  # fmt: skip
    answer = other.client.post("/api/organiser/command?lang=it", json=body, headers={"X-CSRF-Token": other.csrf})
    assert (answer.status_code, answer.json["error"]) == (409, "not_asked")
    assert answer.json["message"] == f"Intanto Telefono ha detto: {one.view['undoes']['text']}. Guarda di nuovo"
    assert asked["text"] in answer.json["message"]


def test_an_answer_that_cannot_be_says_so(app: Flask, recorder: EveningRecorder) -> None:
    sat(recorder, doubtful_group())
    phone = Phone(app)
    answer = phone.send({"what": "answer", "question": phone.view["question"]["id"], "choice": "3"})
    assert (answer.status_code, answer.json["error"]) == (422, "contradicted")


@pytest.mark.parametrize("told", [doubtful_group, doubtful_place, gathered_before_the_stop])
def test_a_question_names_no_card_that_nobody_has_laid_open(app: Flask, recorder: EveningRecorder, told: Any) -> None:
    """The phone goes round the table; and what spectators get says nothing of the question."""
    table: Table = told()
    sat(recorder, table)
    asked = Phone(app).view["question"]
    assert asked is not None
    view = watched(app)
    assert not {"question", "choices"} & set(view)
    assert asked["text"] not in msgspec.json.encode(view).decode()


def test_a_hand_that_has_just_ended_can_be_void_with_what_that_moves_shown_before(app: Flask, recorder: EveningRecorder) -> None:
    phone = Phone(app)
    lays = [{"e": "lay", "by": "Anna", "cards": [kind]} for kind in DENARI]
    phone.say({"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"}, *lays)
    assert phone.view["next"]["void"]
    void = {"what": "say", "events": [{"e": "void"}]}
    effect = phone.send(void, dry=True).json
    assert {one["what"]: (one["now"], one["then"]) for one in effect["rest"]}["Bruno"] == ("−36,00 €", "0,00 €")
    phone.do(**void)
    assert phone.view["hands"][0]["text"] == "mano nulla"
    assert [line["event"]["e"] for line in phone.view["hand"]["lines"]][-2:] == ["lay", "void"]
    assert not phone.view["next"]["void"]
    assert phone.view["next"]["offers"][0]["label"] == "Nuova mano: il mazzo a Dino"  # who dealt, deals again


def test_a_hand_that_was_gathered_can_be_void_by_its_lines(app: Flask, recorder: EveningRecorder) -> None:
    sat(recorder, Table().dealt().lays(0, *DENARI).cleared())
    phone = Phone(app)
    (hand,) = phone.view["hands"]
    lines = phone.client.get(f"/api/organiser/hand/{hand['id']}").json["lines"]
    last = max(line["index"] for line in lines if line["event"]["e"] == "lay")
    change = {"what": "change", "hand": hand["id"], "start": last, "stop": len(lines), "events": [{"e": "void"}]}
    effect = phone.send(change, dry=True).json
    assert {one["what"]: one["then"] for one in effect["rest"]}["Anna"] == "0,00 €"
    phone.do(**change)
    assert phone.view["hands"][0]["text"] == "mano nulla"
    assert {player["has"] for player in phone.view["players"]} == {"0,00 €"}
    phone.do("undo", entry=phone.view["undoes"]["entry"])
    assert phone.view["hands"][0]["text"] != "mano nulla"


def test_a_line_of_a_hand_that_is_over_can_be_put_right_with_its_effect_on_money_shown_before(app: Flask,
                                                                                              recorder: EveningRecorder) -> None:
    """Who laid it, where the eyes took one for another: the later lines stay."""
    table = Table().dealt().lays(0, *DENARI[:4]).lays(1, "coppe-5").lays(0, *DENARI[5:], "spade-1").lays(0, "spade-2").cleared()
    sat(recorder, table)
    phone = Phone(app)
    (hand,) = phone.view["hands"]
    lines = phone.client.get(f"/api/organiser/hand/{hand['id']}").json["lines"]
    at = next(line["index"] for line in lines if line["event"].get("cards") == ["coppe-5"])
    change = {"what": "change", "hand": hand["id"], "start": at, "stop": at + 1,
              "events": [{"e": "lay", "by": "Carla", "cards": ["coppe-5"]}], "mend": True}  # fmt: skip
    effect = phone.send(change, dry=True).json
    assert effect["hands"] or effect["rest"] or not effect["already"]
    phone.do(**change)
    assert phone.client.get(f"/api/organiser/hand/{hand['id']}").json["lines"][at]["event"]["by"] == "Carla"


def test_money_that_nobody_told_of_is_noticed_on_the_phone(app: Flask, recorder: EveningRecorder) -> None:
    table = Table().dealt(1).shows(0, "coppe-3", "coppe-8", "coppe-10").shows(1, "denari-7", "denari-6", "denari-1")
    sat(recorder, table)
    phone = Phone(app)
    assert phone.view["notices"] == ["Carte scoperte: 55 Bruno, 33 Anna"]
    sat(recorder, table.dealt(3).lays(0, "denari-5"))
    (said,) = phone.look()["notices"]
    assert said.startswith("Al punto piccolo 1 si sono scoperte le carte")


def test_the_stoppata_that_waits_for_a_comparison_says_so(app: Flask, recorder: EveningRecorder) -> None:
    bets = (log.Punto(by="Anna", to=50), log.Vedo(by="Bruno"), log.Passo(by="Carla"), log.Passo(by="Dino"))
    sat(recorder, Table().dealt(1).tell(*bets).dealt(3).lays(0, "denari-5").lays(1, "coppe-6"))
    (said,) = Phone(app).view["notices"]
    assert "la stoppata lo aspetta" in said


def test_a_line_that_is_not_sure_is_marked_on_the_phone_and_on_the_tv(app: Flask, recorder: EveningRecorder) -> None:
    table = Table().dealt().lays(0, "denari-5").doubtful((("coppe-6", 1.0),), ((1, 0.5), (2, 0.5)))
    sat(recorder, table)
    doubted = [line["event"]["cards"] for line in Phone(app).view["hand"]["lines"] if line["unsure"]]
    assert ["coppe-6"] in doubted
    pile = watched(app)["centre"]["pile"]
    assert [(card["card"]["face"], card["sure"]) for card in pile] == [("denari-5", True), ("coppe-6", False)]
    assert (recorder.evening.log[-1].confidence or 0.0) < SURE_FROM


def test_a_card_that_was_laid_unseen_is_never_shown_as_sure(app: Flask, recorder: EveningRecorder) -> None:
    """Its number follows from the rules; its suit nobody has seen. Once somebody has confirmed it, it is sure."""
    sat(recorder, Table().dealt().lays(0, "denari-5").lays(1, "coppe-7"))
    six = watched(app)["centre"]["pile"][1]
    assert six["card"]["face"].endswith("-6")
    assert not six["sure"]
    phone = Phone(app)
    line = next(line for line in phone.view["hand"]["lines"] if line["event"].get("cards") == [six["card"]["face"]])
    assert line["unsure"]
    phone.do("confirm", hand=phone.view["hand"]["id"])
    assert all(card["sure"] for card in watched(app)["centre"]["pile"])

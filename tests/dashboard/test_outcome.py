"""Only the outcome of a hand: who paid, when nobody can tell the rest."""

from __future__ import annotations

import html
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import stoper_cases
from click.testing import CliRunner
from fake_camera import FakeCamera
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from phones import Phone, paid

from companion.cli.rule import command as rule
from companion.dashboard import create_app
from companion.games import GAMES, stoper, stoppa
from companion.games.stoppa.sightings import Cleared as PileCleared
from companion.games.stoppa.sightings import Dealt, Laid
from companion.games.stu.pages.outcome import comes_to, stated
from companion.games.stu.rules import apply, begin
from companion.games.stu.rules.log import Hand, Standing, new_game
from companion.games.stu.sightings import Appeared, Cleared, Shown
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.referee.evening import replay
from companion.referee.record import Saw
from companion.table.errors import Illegal
from companion.table.log import tag, write_lines

NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 6), st.lists(st.integers(0, 3), min_size=6, max_size=6), st.sampled_from(["2", "9", "cucco", None]))
def test_the_hand_that_is_found_comes_to_just_this(players: int, paid: list[int], face: str | None) -> None:
    before = begin(new_game(NAMES[:players], 200, NAMES[players - 1]))
    wanted = {name: many for name, many in zip(NAMES[:players], paid, strict=False) if many}
    found = None
    with suppress(Illegal):  # it says why
        found = stated(before, (Hand(),), wanted, {"Anna": face} if face else {})
    if found is None:
        return
    state = before
    for event in found:
        state = apply(state, event)
    assert state.hand is None
    assert comes_to(before, state) == wanted


@pytest.mark.parametrize(
    "paid",
    [{"Anna": 1}, {"Dino": 1}, {"Anna": 2}, {"Carla": 2}, {"Anna": 1, "Bruno": 1}, {"Anna": 1, "Dino": 1},
     {"Bruno": 2, "Dino": 1}, {"Anna": 1, "Bruno": 1, "Carla": 1}, {"Bruno": 3}],
    ids=str,
)  # fmt: skip
def test_what_can_happen_at_a_table_is_found(paid: dict[str, int]) -> None:
    assert stated(begin(new_game(NAMES[:4], 200, "Dino")), (Hand(),), paid, {}) is not None


@pytest.mark.parametrize(
    ("paid", "why"),
    [({}, "at least the lowest card pays"), ({"Dino": 2}, "asks nobody"),
     ({"Anna": 1, "Bruno": 1, "Carla": 1, "Dino": 3}, "asks nobody"), ({"Anna": 2}, "had 1 pedina before this hand"),
     ({"Bruno": 1}, "had 0 pedine before this hand")],
    ids=str,
)  # fmt: skip
def test_what_no_hand_can_come_to_is_not_found_and_says_why(paid: dict[str, int], why: str) -> None:
    """Somebody always pays, and nobody more than they have; the dealer asks nobody."""
    standing = {"Anna": Standing(1, False), "Bruno": Standing(0, False)} if len(paid) == 1 and "Dino" not in paid else {}
    with pytest.raises(Illegal, match=why):
        stated(begin(new_game(NAMES[:4], 200, "Dino", standing=standing)), (Hand(),), paid, {})


def test_a_card_that_was_seen_is_used_where_that_can_be() -> None:
    before = begin(new_game(NAMES[:3], 200, "Carla"))
    found = stated(before, (Hand(),), {"Anna": 1}, {"Anna": "7", "Bruno": "9"})
    assert found is not None
    shown = {event.by: event.card for event in found if hasattr(event, "card")}
    assert (shown["Anna"], shown["Bruno"]) == ("7", "9")
    assert stated(before, (Hand(),), {"Anna": 1}, {"Anna": "9", "Bruno": "7"}) is not None  # somebody is mistaken


@pytest.fixture
def recorder(ledger: Ledger) -> EveningRecorder:
    return EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))


@pytest.fixture
def app(ledger: Ledger, recorder: EveningRecorder) -> Flask:
    return create_app(ledger, recorder=lambda: recorder)


def test_what_is_corrected_beside_an_outcome_is_named_and_not_the_outcome(app: Flask) -> None:
    phone = Phone(app)
    for _ in range(3):
        phone.say({"e": "hand"})
        phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Anna": 1})
    phone.say({"e": "rebuy", "by": "Anna"})
    phone.say({"e": "hand"})
    hand = phone.view["hand"]["id"]
    phone.do("outcome", hand=hand, paid={"Carla": 1})
    back = {"e": "rebuy", "by": "Anna", "partners": [{"name": "Gina", "share": 0.5}]}
    phone.do("change", hand=hand, start=0, stop=1, events=[back])
    assert phone.view["undoes"]["text"] == "Anna rientra con una ricompera con Gina (50\u00a0%, mette 2,00 €)"
    phone.do("outcome", hand=hand, paid={"Bruno": 1})
    assert phone.view["undoes"]["text"] == "solo l’esito della mano 4"


def test_the_log_gives_just_this_outcome_and_marks_what_nobody_has_seen(app: Flask, recorder: EveningRecorder) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    do = {"what": "outcome", "hand": phone.view["hand"]["id"], "paid": {"Bruno": 2}}
    effect = phone.send(do, dry=True).json
    assert effect["hands"][0]["then"] == "Bruno −2: si sa solo l’esito"
    phone.view = phone.send({**do}).json
    assert sum(delta for _, delta in paid(recorder)) == -2
    assert {player for player, _ in paid(recorder)} == {"Bruno"}
    lines = phone.view["hand"]["lines"]
    assert [line["text"] for line in lines] == ["Mano 1: il mazzo a Carla", "Solo l’esito: Bruno −2", "Mano finita"]
    assert [line["stand_in"] for line in lines] == [False, True, False]
    log = recorder.ledger.lines(recorder.game_id)
    assert [line.confidence for line in log[1:]] == [1.0, *[0.0] * (len(log) - 3), 1.0]
    assert phone.view["undoes"]["text"] == "solo l’esito della mano 1"
    phone.do("undo", entry=phone.view["undoes"]["entry"])
    assert paid(recorder) == []


def test_spectators_see_who_pays_and_no_card_that_nobody_has_seen(app: Flask, client: FlaskClient,
                                                                  recorder: EveningRecorder) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Anna": 1, "Bruno": 2})
    view = client.get("/api/game?lang=it").json
    paid = {(paid["player"], paid["delta"], paid["cause"], paid["card"]) for paid in view["ruling"]["payments"]}
    assert paid == {("Anna", -1, "stated", None), ("Bruno", -2, "stated", None)}
    assert view["ruling"]["notes"] == ["Si sa solo l’esito: l’ha detto il tavolo"]
    assert [seat["card"]["face"] for seat in view["seats"]] == [None] * 3
    assert not any("mostra" in said for said in view["happened"])
    assert client.get("/api/moviola").json is None
    phone.tap(phone.view["next"]["offers"][0]["label"])
    assert client.get("/api/game?lang=it").json["ruling"] is None


PAGES = ("/organiser/games/1/sheet", "/organiser/games/1/hands.csv", "/organiser/games/1/money.csv", "/api/charts", "/charts",
         "/api/game", "/api/organiser/hand/0", "/season/evening/1", "/season/evening/1.svg",
         "/api/season?season=all", "/season.csv?season=all")  # fmt: skip


def everywhere(app: Flask, phone: Phone, steps: int) -> dict[str, str]:
    """What stands on every page about the first game, by its address, in Italian."""
    addresses = [*PAGES, *(f"/api/games/1/view?step={step}" for step in range(1, steps + 1))]
    found = {}
    for address in addresses:
        answer = phone.client.get(f"{address}{'&' if '?' in address else '?'}lang=it")
        assert answer.status_code == 200, address
        found[address] = answer.get_data(as_text=True)
    hand = json.loads(found["/api/organiser/hand/0"])
    found["/api/organiser/hand/0"] = json.dumps({key: hand[key] for key in ("lines", "ruling")}, ensure_ascii=False)
    return found


def test_no_page_tells_what_nobody_has_told(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    app = create_app(ledger, recorder=lambda: recorder, camera=FakeCamera(ledger))
    phone = Phone(app)
    phone.say({"e": "hand"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Anna": 1, "Bruno": 2})
    assert phone.view["hands"][0]["text"] == "Anna −1, Bruno −2"
    log = ledger.lines(1)
    assert {"gnao", "bragon"} & {getattr(line.event, "card", None) for line in log}  # what stands for it in the log
    told = re.compile(r"gnaffat|bbummat|bragon|gnao|salta|matto|più bassa|mostra|regola \d|non (era )?sicur", re.IGNORECASE)
    kept = {"/api/charts", "/charts", "/season/evening/1", "/api/season?season=all", "/season.csv?season=all"}
    for address, text in everywhere(app, phone, len(log)).items():
        if address in kept:  # the heads of columns name what is counted
            continue
        assert told.search(text) is None, (address, told.search(text))
    rows = phone.client.get("/organiser/games/1/hands.csv?lang=it").get_data(as_text=True).splitlines()
    assert rows[1:] == [
        '1;"Carla";"Anna";3;-1;2;"come ha detto il tavolo";"";"segnata a mano"',
        '1;"Carla";"Bruno";3;-2;1;"come ha detto il tavolo";"";"segnata a mano"',
        '1;"Carla";"Carla";3;0;3;"";"";"segnata a mano"',
    ]
    assert [row["gnaffate"] for row in phone.client.get("/api/charts?lang=it").json["rows"]] == [0, 0, 0]
    (one, other, _) = sorted(phone.client.get("/api/season?season=all").json["rows"], key=lambda row: row["name"])
    assert [(row["figures"]["lost"], row["figures"]["took"], row["unsure"]) for row in (one, other)] == [(1, 0, 0), (2, 0, 0)]
    assert "Bruno: 2 pedine in una mano sola" in phone.client.get("/season/evening/1.svg?lang=it").get_data(as_text=True)


@pytest.mark.parametrize("more", [[], ["--story"]])
def test_companion_rule_tells_no_reason_either(recorder: EveningRecorder, app: Flask, tmp_path: Path, more: list[str]) -> None:
    """What a program reads says of which hands only the outcome is known, and nothing else of them, in mid-hand either."""
    phone = Phone(app)
    phone.say({"e": "hand"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Anna": 1, "Bruno": 2})
    log = tmp_path / "log.jsonl"
    log.write_bytes(write_lines(recorder.evening.log))
    said = CliRunner().invoke(rule, [str(log), *more]).output.splitlines()
    assert said[:4] == ["Mano 1, mazziere Carla", "  Anna −1: come ha detto il tavolo", "  Bruno −2: come ha detto il tavolo",
                        "  Si sa solo l’esito: l’ha detto il tavolo"]  # fmt: skip
    told = json.loads(CliRunner().invoke(rule, [str(log), "--json", *more]).output)
    (hand,) = told["hands"]
    assert hand["stated"] is True
    assert [(paid["player"], paid["delta"], paid["cause"], paid["rule"]) for paid in hand["payments"]] == [
        ("Anna", -1, "stated", 0), ("Bruno", -2, "stated", 0)]  # fmt: skip
    assert not any(paid.get("by") or paid.get("card") for paid in hand["payments"])
    assert told.get("story", []) == []
    log.write_bytes(write_lines(recorder.evening.log[:-1]))
    told = json.loads(CliRunner().invoke(rule, [str(log), "--json", *more]).output)
    assert [(one["payments"], one["irregularities"]) for one in told["hands"]] == [([], [])]
    assert [player["pedine"] for player in told["players"]] == [3, 3, 3]


def test_a_hand_that_ends_the_game_is_as_sure_as_any_other_that_was_told(app: Flask, client: FlaskClient, ledger: Ledger) -> None:
    """A final that is won outright has no `end`: its last line stands in."""
    standing = {"Anna": Standing(1, False), "Bruno": Standing(1, False)}
    first = new_game(["Anna", "Bruno"], 200, "Bruno", standing=standing)
    final = EveningRecorder.begin(ledger, first)
    app = create_app(ledger, recorder=lambda: final)
    phone = Phone(app)
    phone.say({"e": "hand"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Anna": 1})
    view = app.test_client().get("/api/game?lang=it").json
    assert (view["status"], view["winner"], view["ruling"]["sure"]) == ("won", "Bruno", True)
    assert [paid["cause"] for paid in view["ruling"]["payments"]] == ["stated"]
    assert not any(seat["believed"] for seat in view["seats"])


def test_a_penalty_has_its_reason_before_in_and_after_a_hand_told_by_its_outcome(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla", edition="piazza-2010"))
    app = create_app(ledger, recorder=lambda: recorder)
    phone, client = Phone(app), app.test_client()
    phone.say({"e": "hand"}, {"e": "penalty", "player": "Carla"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Anna": 1, "Carla": 1})
    causes = [(paid["player"], paid["cause"], paid["rule"]) for paid in client.get("/api/game").json["ruling"]["payments"]]
    assert causes == [("Carla", "penalty", 24), ("Anna", "stated", 0)]
    phone.say({"e": "penalty", "player": "Anna"})
    causes = [(paid["player"], paid["cause"], paid["rule"]) for paid in client.get("/api/game").json["ruling"]["payments"]]
    assert causes == [("Carla", "penalty", 24), ("Anna", "stated", 0), ("Anna", "penalty", 24)]
    said = [paid["text"] for paid in client.get("/api/game?lang=it").json["ruling"]["payments"]]
    assert said[1:] == ["Anna −1: come ha detto il tavolo", "Anna paga una pedina di penalità (regola 24)"]


def test_a_hand_remembered_after_all_is_told_again(app: Flask, client: FlaskClient, recorder: EveningRecorder) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Bruno": 1})
    hand = phone.view["hand"]
    row = next(line for line in hand["lines"] if line["stand_in"])
    told = [{"e": "reveal", "by": by, "card": card} for by, card in (("Anna", "4"), ("Bruno", "2"), ("Carla", "9"))]
    phone.do("change", hand=hand["id"], start=row["together"][0], stop=row["together"][1], events=told, shown=hand["events"])
    assert not any(line["stand_in"] for line in phone.view["hand"]["lines"])
    assert [paid["cause"] for paid in client.get("/api/game").json["ruling"]["payments"]] == ["lowest"]


def test_what_was_said_once_vouches_for_one_line(app: Flask, recorder: EveningRecorder) -> None:
    """A passo that stands in is no other passo that somebody has told."""
    phone = Phone(app)
    phone.say({"e": "hand"}, {"e": "passo", "by": "Anna"}, {"e": "swap", "with": "Bruno"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Anna": 2})
    chapter = recorder.evening.chapters[0]
    passi = [index for index, line in enumerate(chapter.lines) if tag(line.event) == "passo"]
    assert passi
    assert [index in chapter.standing_in for index in passi] == [False, *[True] * (len(passi) - 1)]


def test_what_the_camera_thought_possible_comes_before_what_is_made_up(app: Flask, recorder: EveningRecorder) -> None:
    for sighting in (*(Appeared(1.0 + place, place) for place in range(3)), Shown(15.0, 0, 1, (("2", 0.6), ("8", 0.4))),
                     Shown(15.5, 1, 2, (("5", 1.0),)), Shown(16.0, 2, 3, (("9", 1.0),)), Cleared(20.0)):  # fmt: skip
        recorder.report(Saw(sighting))
    phone = Phone(app)
    assert paid(recorder) == [("Anna", -1)]
    phone.do("outcome", hand=phone.view["hands"][0]["id"], paid={"Bruno": 1})
    assert paid(recorder) == [("Bruno", -1)]
    cards = {line["by"]: line["card"] for line in phone.view["hand"]["events"] if line["e"] == "reveal"}
    assert cards == {"Anna": "8", "Bruno": "5", "Carla": "9"}


def test_a_restart_keeps_the_marks(app: Flask, recorder: EveningRecorder) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    phone.do("outcome", hand=phone.view["hand"]["id"], paid={"Bruno": 1})
    again = EveningRecorder.resume(recorder.ledger, recorder.game_id)
    assert again.evening.log == recorder.evening.log
    assert again.evening.chapters[0].standing_in == recorder.evening.chapters[0].standing_in
    assert replay(GAMES["stu"], again.evening.record).log == recorder.evening.log


@pytest.mark.parametrize(("paid", "status"), [({}, 422), ({"Zeno": 1}, 422), ({"Anna": -1}, 400), ({"Anna": 1.5}, 400)])
def test_an_outcome_that_cannot_be_says_so(app: Flask, recorder: EveningRecorder, paid: dict, status: int) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    answer = phone.send({"what": "outcome", "hand": phone.view["hand"]["id"], "paid": paid})
    assert answer.status_code == status
    assert answer.json["message"]


def test_an_outcome_that_no_hand_comes_to_says_what_one_can_come_to(app: Flask) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"})
    answer = phone.send({"what": "outcome", "hand": phone.view["hand"]["id"], "paid": {"Anna": 1, "Bruno": 1, "Carla": 1}})
    assert answer.status_code == 422
    assert "uno paga per la carta più bassa e uno per il Matto" in answer.json["message"]


STOPPA = stoppa.new_game(("Anna", "Bruno", "Carla", "Dino"), 600, 100, "Dino")
BETS = (
    {"e": "hand"}, {"e": "piccolo"}, {"e": "punto", "by": "Anna", "to": 50}, {"e": "vedo", "by": "Bruno"},
    {"e": "passo", "by": "Dino"}, {"e": "muck", "by": "Bruno"}, {"e": "show", "by": "Anna", "cards": ["denari-7", "denari-6"]},
    *[{"e": "piccolo"}] * 3, {"e": "grosso"}, {"e": "lay", "by": "Anna", "cards": ["coppe-5"]},
)  # fmt: skip
NOBODY_BETS = {"e": "passo", "by": "Carla"}
LEFT = {"Anna": 3, "Bruno": 5, "Dino": 1}


@pytest.fixture
def at_stoppa(ledger: Ledger) -> EveningRecorder:
    return EveningRecorder.begin(ledger, STOPPA)


@pytest.fixture
def stoppa_app(ledger: Ledger, at_stoppa: EveningRecorder) -> Flask:
    return create_app(ledger, recorder=lambda: at_stoppa)


def test_of_a_stoppata_the_cards_left_are_told_and_what_they_cost_is_shown_first(stoppa_app: Flask,
                                                                                 at_stoppa: EveningRecorder) -> None:
    phone = Phone(stoppa_app)
    phone.say(*BETS)
    hand = phone.view["hand"]
    assert (hand["most"], hand["comes_to"]) == (10, {"Anna": 9, "Bruno": 10, "Carla": 10, "Dino": 10})
    do = {"what": "outcome", "hand": hand["id"], "paid": LEFT}
    effect = phone.send(do, dry=True).json
    assert effect["hands"][0]["then"] == "Anna −10,50 €, Bruno −18,50 €, Carla +12,00 €, Dino +17,00 €: si sa solo l’esito"
    phone.do(**do)
    told = stoppa.report(stoppa.replay_log(write_lines(at_stoppa.ledger.lines(at_stoppa.game_id)))).hands[-1]
    assert {(paid.payer, paid.to, paid.amount, paid.cards) for paid in told.payments} == {
        ("Anna", "Carla", 600, 3), ("Bruno", "Carla", 1200, 5)
    }  # fmt: skip
    assert told.pots[0].winner == "Anna"
    assert told.irregularities == ()
    (row,) = (line for line in phone.view["hand"]["lines"] if line["stand_in"])
    assert row["text"] == "Solo l’esito: Anna −10,50 €, Bruno −18,50 €, Carla +12,00 €, Dino +17,00 €"
    assert {event["e"] for event in phone.view["hand"]["events"][slice(*row["together"])]} == {"lay"}
    phone.do("undo", entry=phone.view["undoes"]["entry"])
    assert phone.view["hand"]["comes_to"]["Anna"] == 9


def test_spectators_see_what_a_stoppata_costs_and_no_card_that_stands_for_it(stoppa_app: Flask) -> None:
    phone = Phone(stoppa_app)
    phone.say(*BETS)
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=LEFT)
    stoppa_client = stoppa_app.test_client()
    view = stoppa_client.get("/api/game?lang=it").json
    assert view["ruling"]["sure"]
    assert "Si sa solo l’esito: l’ha detto il tavolo" in view["ruling"]["notes"]
    assert [seat["cards"] for seat in view["seats"]] == [[]] * 4
    assert not any(seat["believed"] for seat in view["seats"])
    told = "Anna cala Cinque di coppe"
    assert [said for said in view["happened"] if "mette" in said or "cala" in said] == [told]
    assert stoppa_client.get("/api/moviola").json is None
    phone.say({"e": "hand"}, {"e": "piccolo"})
    assert stoppa_client.get("/api/moviola").json is None


LAYS = tuple(
    {"e": "lay", "by": by, "cards": [card]}
    for by, card in (("Anna", "coppe-5"), ("Bruno", "coppe-6"), ("Carla", "spade-7"), ("Anna", "bastoni-8"), ("Carla", "coppe-9"))
)


@pytest.mark.parametrize("many", range(len(LAYS) + 1))
def test_what_was_told_of_a_stoppata_stands_before_its_outcome_as_it_was_told(stoppa_app: Flask, at_stoppa: EveningRecorder,
                                                                              many: int) -> None:
    """The lays already told, in their order, then one line; no plain line that nobody told, or told elsewhere."""
    phone = Phone(stoppa_app)
    phone.say(*BETS[:-1], NOBODY_BETS)
    for lay in LAYS[:many]:
        phone.say(lay)
    before = [line["text"] for line in phone.view["hand"]["lines"]]
    do = {"what": "outcome", "hand": phone.view["hand"]["id"], "paid": {"Anna": 3, "Bruno": 5, "Dino": 1}}
    assert phone.send(do, dry=True).json["without"] == []
    phone.do(**do)
    lines = [line for line in phone.view["hand"]["lines"] if not line["frame"] or line["stand_in"]]
    assert [line["stand_in"] for line in lines] == [False] * (len(lines) - 1) + [True]
    assert [line["text"] for line in lines[:-1]] == before[1:]
    laid = [(event["by"], event["cards"]) for event in phone.view["hand"]["events"] if event["e"] == "lay"]
    assert laid[:many] == [(lay["by"], lay["cards"]) for lay in LAYS[:many]]


def test_of_a_punto_that_nobody_told_a_bet_of_just_that_is_said(stoppa_app: Flask) -> None:
    """Dino has all punti but the first as he deals, and the table has said nothing of them: that is said before it is
    agreed to, and wherever the hand is told."""
    phone = Phone(stoppa_app)
    phone.say(*BETS[:7])
    do = {"what": "outcome", "hand": phone.view["hand"]["id"], "paid": LEFT}
    given = "Dino prende 23,00 € di punti: nessuno ha detto puntate"
    assert phone.send(do, dry=True).json["hands"][0]["then"].split("\n")[1:] == [given]
    phone.do(**do)
    assert given in phone.view["hand"]["ruling"]
    view = phone.client.get("/api/game?lang=it").json
    assert given in view["ruling"]["notes"]
    sheet = phone.client.get("/organiser/games/1/sheet?lang=it").text
    assert "Nessuno ha detto puntate sul punto grosso: va al mazziere, Dino: 20,00 €" in sheet
    rows = phone.client.get("/organiser/games/1/hands.csv?lang=it").text
    assert "nessuno ha detto puntate" in rows
    assert not any("come ha detto il tavolo" in said for said in (*view["ruling"]["notes"], sheet, rows))


OPEN = {
    "grosso": ({"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"}),
    "piccolo 1": ({"e": "hand"}, {"e": "piccolo"}),
}
"""Punto → the lines before its bets."""


@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("punto", OPEN)
def test_whose_a_punto_is_is_asked_where_nobody_has_told_a_bet(stoppa_app: Flask, punto: str, silent: bool) -> None:
    """The dealer has it only where the table says that nobody bets: the dealer was named by nobody."""
    phone = Phone(stoppa_app)
    phone.say(*OPEN[punto], *([] if silent else [{"e": "passo", "by": "Bruno"}]))
    do = {"what": "outcome", "hand": phone.view["hand"]["id"], "paid": LEFT}
    for dry in (True, False):
        answer = phone.send(do, dry=dry)
        assert answer.status_code == 422
        assert answer.json["message"] == (
            f"Non è detto di chi è il punto {punto}: di’ prima chi lo prende o che nessuno punta, poi solo l’esito"
        )
    phone.say(NOBODY_BETS)
    phone.do(**do)
    told = phone.client.get("/api/hands?lang=it").json["hands"][0]["paid"]
    assert any(said.startswith(f"Nessuno punta sul punto {punto}: va al mazziere, Dino") for said in told), told
    given = [said for said in phone.view["hand"]["ruling"] if "nessuno ha detto puntate" in said]
    assert given == ([] if punto == "grosso" else ["Dino prende 23,00 € di punti: nessuno ha detto puntate"])


@pytest.mark.parametrize("many", range(1, 6))
@pytest.mark.parametrize("punto", OPEN)
def test_who_takes_a_punto_with_a_bet_on_it_is_asked_and_not_made_up(stoppa_app: Flask, punto: str, many: int) -> None:
    """Neither for the one player who has shown nor for the one who has bet; the preview refuses, too, and nothing
    is recorded. Then the outcome is taken with the punto as it was told."""
    phone = Phone(stoppa_app)
    bets = (*BETS[2:4], {"e": "passo", "by": "Carla"}, {"e": "passo", "by": "Dino"}, BETS[6])
    phone.say(*OPEN[punto], *bets[:many])
    before = phone.view["hand"]["events"]
    do = {"what": "outcome", "hand": phone.view["hand"]["id"], "paid": LEFT}
    for dry in (True, False):
        answer = phone.send(do, dry=dry)
        assert answer.status_code == 422
        assert answer.json["message"] == f"Qualcuno ha puntato sul punto {punto}: di’ prima chi lo prende, poi solo l’esito"
    assert phone.look()["hand"]["events"] == before
    phone.say(*bets[many:], {"e": "muck", "by": "Bruno"})
    phone.do(**do)
    words = ("punto", "vedo", "passo", "show", "muck")
    assert [event for event in phone.view["hand"]["events"] if event["e"] in words] == [*bets, {"e": "muck", "by": "Bruno"}]
    paid = phone.client.get("/api/hands?lang=it").json["hands"][0]["paid"]
    assert any(said.startswith(f"Anna prende il punto {punto} con 2 carte") for said in paid), paid
    assert not any("come ha detto il tavolo" in said for said in paid)


IMPOSSIBLE = [
    ({}, "Con questo esito Anna e Bruno non hanno più carte: la stoppa la può aver fatta uno solo (regola 15)"),
    ({"Bruno": 2}, "Con questo esito Anna e Carla non hanno più carte"),
    ({**LEFT, "Carla": 1}, "Con questo esito restano carte a tutti: uno deve aver fatto stoppa, senza carte (regola 15)"),
    ({**LEFT, "Bruno": 11}, "11 è troppo per Bruno"), ({"Bruno": 2, "Carla": 1, "Zeno": 3}, "A questo tavolo non siede nessuno"),
]  # fmt: skip


@pytest.mark.parametrize(("paid", "why"), IMPOSSIBLE)
def test_a_stoppata_that_nobody_can_have_won_is_refused_and_says_why(stoppa_app: Flask, paid: dict, why: str) -> None:
    phone = Phone(stoppa_app)
    phone.say(*BETS)
    answer = phone.send({"what": "outcome", "hand": phone.view["hand"]["id"], "paid": paid})
    assert answer.status_code == 422
    assert answer.json["message"].startswith(why)


def test_a_hand_that_the_camera_could_not_follow_is_told_by_its_outcome(stoppa_app: Flask, at_stoppa: EveningRecorder) -> None:
    """Cleared in mid-stoppata it ends void, and nobody pays; then somebody says how many cards were left."""
    for t, place in enumerate((0, 1, 2, 3) * 4):
        at_stoppa.report(Saw(Dealt(10.0 * (1 + t // 4) + 0.8 * place, place, 1 if t >= 12 else 3)))
    at_stoppa.report(Saw(Laid(60.0, 1, (("coppe-5", 1.0),), ((0, 1.0),), 1)))
    at_stoppa.report(Saw(PileCleared(80.0)))
    phone = Phone(stoppa_app)
    assert phone.view["hands"][0]["text"] == "mano nulla?"
    phone.do("outcome", hand=phone.view["hands"][0]["id"], paid=LEFT)
    told = stoppa.report(stoppa.replay_log(write_lines(at_stoppa.ledger.lines(at_stoppa.game_id)))).hands[0]
    assert not told.void
    assert {(paid.payer, paid.amount) for paid in told.payments} == {("Anna", 600), ("Bruno", 1200)}


STOPER = stoper.new_game(("Ada", "Bice", "Ciro", "Dora"), 5000, "Dora")
OPENED = (
    {"e": "hand", "cip": 100, "invito": 0}, {"e": "apro", "by": "Ada", "to": 300}, {"e": "vedo", "by": "Bice"},
    {"e": "passo", "by": "Ciro"}, {"e": "passo", "by": "Dora"},
)  # fmt: skip
HAS = {"Ada": 4600, "Bice": 5600, "Ciro": 4900, "Dora": 4900}


@pytest.fixture
def stoper_scribe(ledger: Ledger) -> EveningRecorder:
    return EveningRecorder.begin(ledger, STOPER)


@pytest.fixture
def stoper_app(ledger: Ledger, stoper_scribe: EveningRecorder) -> Flask:
    return create_app(ledger, recorder=lambda: stoper_scribe, camera=FakeCamera(ledger))


def test_of_a_hand_of_stoper_everybodys_chips_are_told(stoper_app: Flask, stoper_scribe: EveningRecorder) -> None:
    phone = Phone(stoper_app)
    phone.say(*OPENED)
    hand = phone.view["hand"]
    assert (hand["most"], hand["in_money"]) == (20000, True)
    assert hand["comes_to"] == {"Ada": 4600, "Bice": 4600, "Ciro": 4900, "Dora": 4900}  # 10,00 € lie on the table
    do = {"what": "outcome", "hand": hand["id"], "paid": HAS}
    effect = phone.send(do, dry=True).json
    assert effect["hands"][0]["then"] == "Ada −4,00 €, Bice +6,00 €, Ciro −1,00 €, Dora −1,00 €: si sa solo l’esito"
    phone.do(**do)
    assert stoper_scribe.evening.current.before.stacks == (4600, 5600, 4900, 4900)
    (row,) = (line for line in phone.view["hand"]["lines"] if line["stand_in"])
    assert row["text"] == "Solo l’esito: Ada −4,00 €, Bice +6,00 €, Ciro −1,00 €, Dora −1,00 €"
    texts = [line["text"] for line in phone.view["hand"]["lines"]]
    assert texts[1:5] == ["Ada apre con 3,00 €", "Bice vede", "Ciro passa", "Dora passa"]  # what was told stays
    log = stoper_scribe.ledger.lines(stoper_scribe.game_id)
    assert [line.confidence for line in log[1:]] == [*[1.0] * 5, *[0.0] * (len(log) - 7), 1.0]
    assert not any(hasattr(line.event, "cards") for line in log)
    phone.do("undo", entry=phone.view["undoes"]["entry"])
    assert phone.view["hand"]["comes_to"]["Bice"] == 4600


def test_no_page_tells_of_a_hand_of_stoper_what_nobody_has_told(stoper_app: Flask, stoper_scribe: EveningRecorder) -> None:
    phone = Phone(stoper_app)
    phone.say(OPENED[0])
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=HAS)
    log = stoper_scribe.ledger.lines(stoper_scribe.game_id)
    assert {"apro", "vedo", "muck"} <= {tag(line.event) for line in log}  # what stands for it in the log
    told = re.compile(r"\bapr[ei]\b|vede|passa|servito|bussa|non mostra|concess|regola \d|non (era )?sicur", re.IGNORECASE)
    kept = {"/api/charts", "/charts", "/season/evening/1", "/api/season?season=all", "/season.csv?season=all"}
    for address, text in everywhere(stoper_app, phone, len(log)).items():
        text = re.sub(r"Il mazzo passa|Per aprire|Si apre da Fante", "", text)
        if address in kept or address == "/api/game":  # the heads of columns; the TV's legend
            continue
        assert told.search(text) is None, (address, text[max(0, told.search(text).start() - 80) :][:160])
    view = stoper_app.test_client().get("/api/game?lang=it").json
    paid = [(paid["player"], paid["delta"], paid["cause"], paid["rule"]) for paid in view["ruling"]["payments"]]
    assert paid == [("Ada", -400, "stated", 0), ("Bice", 600, "stated", 0), ("Ciro", -100, "stated", 0),
                    ("Dora", -100, "stated", 0)]  # fmt: skip
    assert view["ruling"]["sure"]
    assert view["ruling"]["notes"] == ["Si sa solo l’esito: l’ha detto il tavolo"]
    assert view["ruling"]["headline"] == ["Bice +6,00 €"]
    assert len(view["happened"]) == 1  # that the hand began
    assert stoper_app.test_client().get("/api/moviola").json is None
    rows = phone.client.get("/organiser/games/1/hands.csv?lang=it").get_data(as_text=True).splitlines()
    moved = '"non si sa";"un piatto, non si sa di quanto";"non si sa"'
    assert rows[2] == f'1;"Dora";"Bice";50,00;{moved};56,00;;"come ha detto il tavolo";"";"segnata a mano"'
    money = phone.client.get("/organiser/games/1/money.csv?lang=it").get_data(as_text=True).splitlines()
    assert [row for row in money if "come ha detto" in row] == [
        f'1;"come ha detto il tavolo";"{name}";{sum}'
        for name, sum in (("Ada", "-4,00"), ("Bice", "6,00"), ("Ciro", "-1,00"), ("Dora", "-1,00"))
    ]  # fmt: skip
    (season,) = [row for row in phone.client.get("/api/season?season=all").json["rows"] if row["name"] == "Bice"]
    assert (season["figures"].get("pots"), season["figures"].get("showdowns"), season["unsure"]) == (1, 0, 0), "it is told"


@pytest.mark.parametrize(("paid", "status", "says"), [
    ({**HAS, "Bice": 5700}, 422, "con questo esito i giocatori hanno insieme"),
    ({**HAS, "Zeno": 1}, 422, "non siede nessuno di nome zeno"),
    ({"Bice": 20001}, 422, "200,01 € è troppo per bice: al massimo 200,00 €"),
    ({"Ada": 5000, "Bice": 5000, "Ciro": 5000, "Dora": 5000}, 422, "chi gioca paga cip e invito, e uno solo prende"),
    ({**HAS, "Bice": 4600}, 422, "parola"), ({**HAS, "Bice": 10**16}, 400, ""), ({**HAS, "Bice": -1}, 400, ""),
])  # fmt: skip
def test_chips_that_no_hand_of_stoper_can_leave_are_refused(stoper_app: Flask, paid: dict, status: int, says: str) -> None:
    phone = Phone(stoper_app)
    phone.say(*OPENED)
    answer = phone.send({"what": "outcome", "hand": phone.view["hand"]["id"], "paid": paid})
    assert answer.status_code == status
    assert says in answer.json["message"].lower()


def test_companion_rule_says_of_such_a_hand_only_by_how_much_the_stacks_have_changed(stoper_app: Flask,
                                                                                     stoper_scribe: EveningRecorder,
                                                                                    tmp_path: Path) -> None:  # fmt: skip
    phone = Phone(stoper_app)
    phone.say(OPENED[0])
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=HAS)
    log = tmp_path / "log.jsonl"
    log.write_bytes(write_lines(stoper_scribe.evening.log))
    said = CliRunner().invoke(rule, [str(log)]).output.splitlines()
    assert said[1:3] == ["  Ada −4,00 €, Bice +6,00 €, Ciro −1,00 €, Dora −1,00 €", "  Si sa solo l’esito: l’ha detto il tavolo"]
    assert json.loads(CliRunner().invoke(rule, [str(log), "--json"]).output)["hands"][0]["stated"] is True


@pytest.mark.parametrize(
    ("said", "more"),
    [({"e": "chips", "by": "Ciro", "amount": 500}, {"Ciro": 500}),
     ({"e": "set", "stacks": {"Ada": 4900, "Bice": 5100}, "pot": 700, "level": "cavallo"}, {"Ada": -100, "Bice": 100})],
    ids=["chips bought", "set"],
)  # fmt: skip
def test_what_was_told_before_a_hand_counts_in_its_outcome(stoper_app: Flask, stoper_scribe: EveningRecorder, said: dict,
                                                           more: dict[str, int]) -> None:  # fmt: skip
    phone, pot = Phone(stoper_app), said.get("pot", 0)
    phone.say(said)
    phone.say(*OPENED)
    hand, total = phone.view["hand"], 20000 + sum(more.values()) + pot
    assert hand["most"] == total
    assert sum(hand["comes_to"].values()) == total - 1000 - pot, "10,00 € of this hand lie on the table, and what was carried"
    has = {name: stack + more.get(name, 0) for name, stack in HAS.items()}
    has["Bice"] += pot
    phone.do("outcome", hand=hand["id"], paid=has)
    assert stoper_scribe.evening.current.before.stacks == tuple(has.values())
    assert phone.view["hand"]["comes_to"] == has
    assert phone.do("outcome", hand=hand["id"], paid=has)["hand"]["comes_to"] == has


def test_cards_shown_after_such_a_hand_are_shown(stoper_app: Flask) -> None:
    """Of who takes the pot, and need not have shown."""
    phone = Phone(stoper_app)
    phone.say(*OPENED)
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=HAS)
    phone.say({"e": "show", "by": "Bice", "cards": ["denari-1", "coppe-1", "spade-10"]})
    view = stoper_app.test_client().get("/api/game?lang=it").json
    assert [len(seat["cards"]) for seat in view["seats"]] == [0, 3, 0, 0]
    assert view["ruling"]["sure"]


def test_any_cards_can_be_shown_as_left_after_a_stoppata_told_by_its_outcome(stoppa_app: Flask,
                                                                             at_stoppa: EveningRecorder) -> None:
    """Whatever the lines that stand for it have laid: others stand for it then, and what is paid stays the same."""
    phone = Phone(stoppa_app)
    phone.say(*BETS)
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=LEFT)
    log = at_stoppa.ledger.lines(at_stoppa.game_id)
    made_up = [line.event for line in log if line.confidence == 0 and tag(line.event) == "lay"]
    balances = at_stoppa.evening.current.before.balances
    by_others = [event.cards[0] for event in made_up if event.by != "Bruno"]
    won_with = {"denari-7", "denari-6"}  # Anna showed these
    cards = [kind for kind in by_others if kind not in won_with and not kind.endswith(("-8", "-9", "-10"))][:2]
    (left,) = (more for more in phone.view["next"]["more"] if more["key"] == "left")
    pick = next(pick for pick in left["picks"] if pick["event"]["by"] == "Bruno")
    assert {*cards, "denari-10"} <= set(pick["kinds"])
    assert not won_with & set(pick["kinds"])
    assert (pick["most"], pick["room"]) == (5, 5)
    assert {pick["event"]["by"] for pick in left["picks"]} == set(LEFT)  # Carla has stopped
    phone.say({"e": "show", "by": "Bruno", "cards": cards})
    phone.say({"e": "show", "by": "Dino", "cards": ["denari-10"]})
    assert at_stoppa.evening.current.before.balances == balances
    log = at_stoppa.ledger.lines(at_stoppa.game_id)
    laid = {kind for line in log if tag(line.event) == "lay" for kind in line.event.cards}
    assert not {*cards, "denari-10"} & laid
    assert [(line.event.by, line.confidence) for line in log if tag(line.event) == "show"][1:] == [("Bruno", 1.0), ("Dino", 1.0)]
    assert [line.event.by for line in log if tag(line.event) == "show"] == ["Anna", "Bruno", "Dino"]
    view = stoppa_app.test_client().get("/api/game?lang=it").json
    assert view["ruling"]["sure"]
    assert not any("saltat" in note or "non ha messo" in note for note in view["ruling"]["notes"]), "nobody has missed a turn"
    assert phone.view["undoes"]["text"].startswith("Dino mostra")
    phone.do("undo", entry=phone.view["undoes"]["entry"])
    phone.do("undo", entry=phone.view["undoes"]["entry"])
    assert phone.view["hands"][0]["text"] == "Anna −10,50 €, Bruno −18,50 €, Carla +12,00 €, Dino +17,00 €"
    assert phone.view["undoes"]["text"] == "solo l’esito della mano 1"


@pytest.mark.parametrize("many", range(1, len(LAYS) + 1))
def test_cards_shown_after_an_outcome_leave_what_was_told_as_it_was(stoppa_app: Flask, at_stoppa: EveningRecorder,
                                                                   many: int) -> None:
    """Others may stand for the outcome; a card that somebody was told to have laid cannot be shown as left."""
    phone = Phone(stoppa_app)
    phone.say(*BETS[:-1], *LAYS[:many])
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=LEFT)

    def told() -> list[Any]:
        log = at_stoppa.ledger.lines(at_stoppa.game_id)
        return [line.event for line in log if tag(line.event) == "lay" and line.confidence != 0]

    laid = told()
    assert [(lay.by, list(lay.cards)) for lay in laid] == [(lay["by"], lay["cards"]) for lay in LAYS[:many]]
    answer = phone.send({"what": "say", "events": [{"e": "show", "by": "Dino", "cards": ["coppe-5"]}]})
    assert (answer.status_code, answer.json["error"]) == (422, "illegal")
    assert "raccontata" in answer.json["message"]
    log = at_stoppa.ledger.lines(at_stoppa.game_id)
    made_up = [line.event for line in log if line.confidence == 0 and tag(line.event) == "lay"]
    card = next(lay.cards[0] for lay in made_up if lay.by != "Bruno" and lay.cards[0] not in ("denari-7", "denari-6"))
    phone.say({"e": "show", "by": "Bruno", "cards": [card]})
    assert told() == laid


def test_an_outcome_told_again_leaves_shown_cards_to_those_who_showed_them(stoppa_app: Flask, at_stoppa: EveningRecorder) -> None:
    phone = Phone(stoppa_app)
    phone.say(*BETS)
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=LEFT)
    log = at_stoppa.ledger.lines(at_stoppa.game_id)
    card = next(line.event.cards[0] for line in log if line.confidence == 0 and line.event.by == "Carla")
    phone.say({"e": "show", "by": "Bruno", "cards": [card]})
    phone.do("outcome", hand=phone.view["hands"][0]["id"], paid={**LEFT, "Dino": 2})
    log = at_stoppa.ledger.lines(at_stoppa.game_id)
    assert card not in {kind for line in log if tag(line.event) == "lay" for kind in line.event.cards}
    assert [line.event.cards for line in log if tag(line.event) == "show" and line.event.by == "Bruno"] == [(card,)]


def test_more_cards_than_were_left_cannot_be_shown(stoppa_app: Flask, at_stoppa: EveningRecorder) -> None:
    phone = Phone(stoppa_app)
    phone.say(*BETS)
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=LEFT)
    log = at_stoppa.ledger.lines(at_stoppa.game_id)
    cards = [line.event.cards[0] for line in log if line.confidence == 0 and line.event.by == "Carla"][:2]
    answer = phone.send({"what": "say", "events": [{"e": "show", "by": "Dino", "cards": cards}]})
    assert answer.status_code == 422
    assert "Carla" not in answer.json["message"], "a card that stands in for what nobody told"


def test_who_is_not_told_to_have_conceded_is_not_said_to_have(stoper_app: Flask) -> None:
    phone = Phone(stoper_app)
    phone.say(*OPENED)
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=HAS)
    answer = phone.send({"what": "say", "events": [{"e": "show", "by": "Ada", "cards": ["denari-1", "coppe-1", "spade-10"]}]})
    assert answer.status_code == 422
    assert answer.json["message"].startswith("Queste carte non vanno con l’esito detto per questa mano")
    (shown,) = (more for more in phone.view["next"]["more"] if more["key"] == "shown")
    assert [pick["event"]["by"] for pick in shown["picks"]] == ["Bice"]


def test_a_hand_of_stoper_told_by_its_outcome_counts_as_a_pot_won(ledger: Ledger) -> None:
    """Who has taken what lay on the table was told: that is a pot, though nobody knows with which cards."""
    EveningRecorder.begin(ledger, GAMES["stoper"].rules.LOG.event(stoper_cases.first_line("")))
    app = create_app(ledger)
    phone = Phone(app)
    phone.say({"e": "hand", "cip": 50, "invito": 50}, {"e": "apro", "by": "Bice", "to": 100})
    hand = phone.look()["hand"]
    has = dict(hand["comes_to"])
    phone.do("outcome", hand=hand["id"], paid={**has, "Bice": has.get("Bice", 0) + hand["most"] - sum(has.values())})
    rows = app.test_client().get("/api/charts?lang=it").json["rows"]
    assert {row["name"]: row["pots"] for row in rows} == {row["name"]: int(row["name"] == "Bice") for row in rows}


AGAINST: dict[str, tuple[Any, tuple[dict, ...], dict[str, int], list[str]]] = {
    "stu": (
        new_game(NAMES[:3], 200, "Carla"),
        ({"e": "hand"}, {"e": "passo", "by": "Anna"}, {"e": "swap", "with": "Bruno"},
         *({"e": "reveal", "by": by, "card": card} for by, card in (("Anna", "2"), ("Bruno", "5"), ("Carla", "9")))),
        {"Bruno": 1}, ["Anna mostra il 2", "Bruno mostra il 5", "Carla mostra il 9"],
    ),
    "stoppa": (STOPPA, (*BETS[:-1], *LAYS), {**LEFT, "Bruno": 10},
               ["Bruno cala Sei di coppe", "Carla cala Sette di spade", "Anna cala Fante di bastoni",
                "Carla cala Cavallo di coppe"]),
    "stoper": (STOPER, OPENED, {"Ada": 5300, "Bice": 4900, "Ciro": 4900, "Dora": 4900},
               ["Bice vede", "Ciro passa", "Dora passa"]),
}  # fmt: skip
"""Game → its first line, what was told, an outcome that not all of it allows, and what goes."""


@pytest.mark.parametrize("game", AGAINST)
def test_rivedi_goes_through_what_was_told_and_shows_nothing_twice(ledger: Ledger, game: str) -> None:
    """The lines that stand in for the rest are no steps, forwards or backwards."""
    first, told, paid, _ = AGAINST[game]
    recorder = EveningRecorder.begin(ledger, first)
    phone = Phone(create_app(ledger, recorder=lambda: recorder, camera=FakeCamera(ledger)))
    phone.say(*told)
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=paid)
    address, seen = "/setup/games/1?step=1", list[str]()
    while address:
        page = phone.client.get(address, headers={"Accept-Language": "it"}).text
        assert f"Passo {len(seen) + 1} di " in page
        seen.append(page)
        (after,) = re.findall(r'<a class="button" href="([^"]+)" accesskey="d"', page) or [""]
        address = html.unescape(after)
    assert f"Passo {len(seen)} di {len(seen)}<" in seen[-1]
    shown = [re.sub(r"Passo \d+ di \d+|<nav.*?</nav>", "", page, flags=re.DOTALL) for page in seen]
    assert len({*shown[:-1]}) == len(shown) - 1, "the `end` of a hand that was over already shows nothing new"
    log = recorder.evening.log
    made_up = sum(line.confidence == 0.0 for line in log)
    assert made_up
    assert len(seen) <= len(log) - made_up
    told_before = next(at for at, line in enumerate(log) if line.confidence == 0.0)
    assert len(seen) > told_before, "all that was told before is a step"
    (before,) = re.findall(r'<a class="button" href="([^"]+)" accesskey="s"', seen[-1])
    assert phone.client.get(html.unescape(before), headers={"Accept-Language": "it"}).text == seen[-2]


@pytest.mark.parametrize("game", AGAINST)
def test_what_was_told_and_the_outcome_does_not_allow_is_named_before_it_goes(ledger: Ledger, game: str) -> None:
    """The other lines stay, in the order in which they were told, before the line that tells the outcome; what came after one
    that goes rested on it."""
    first, told, paid, gone = AGAINST[game]
    recorder = EveningRecorder.begin(ledger, first)
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    phone.say(*told)
    lines = [line["text"] for line in phone.view["hand"]["lines"] if not line["frame"]]
    do = {"what": "outcome", "hand": phone.view["hand"]["id"], "paid": paid}
    assert [said.removeprefix("Mano 1: ") for said in phone.send(do, dry=True).json["without"]] == gone
    phone.do(**do)
    shown = phone.view["hand"]["lines"]
    kept = [line["text"] for line in shown if not line["frame"]]
    assert [line["stand_in"] for line in shown[-2:]] == [True, False], "then only the end of the hand"
    assert kept == [text for text in lines if text not in gone]


def tell(app: Flask, *events: dict) -> tuple[Phone, Phone, int]:
    """Two phones that have seen the same, and the id of the hand that is on."""
    one, other = Phone(app), Phone(app)
    one.say({"e": "hand"}, *events)
    other.look()
    return one, other, one.view["hand"]["id"]


def test_two_outcomes_of_two_phones_do_not_replace_each_other(app: Flask, recorder: EveningRecorder) -> None:
    """The second has not seen the first: it is asked to look again. Having looked, it may say another."""
    one, other, hand = tell(app)
    one.do("outcome", hand=hand, paid={"Anna": 1})
    for dry in (True, False):
        refused = other.send({"what": "outcome", "hand": hand, "paid": {"Bruno": 2}}, dry=dry)
        assert (refused.status_code, refused.json["error"]) == (409, "stale")
        assert refused.json["view"]["hands"][0]["text"] == "Anna −1"
    assert other.send({"what": "outcome", "hand": hand, "paid": {"Anna": 1}}).status_code == 200, "it says the same"
    assert paid(recorder) == [("Anna", -1)]
    other.look()
    other.do("outcome", hand=hand, paid={"Bruno": 2})
    assert {player for player, _ in paid(recorder)} == {"Bruno"}


def test_an_outcome_leaves_out_nothing_that_another_phone_has_told_since(app: Flask, recorder: EveningRecorder) -> None:
    one, other, hand = tell(app, {"e": "passo", "by": "Anna"})
    one.say({"e": "reveal", "by": "Bruno", "card": "bragon"})
    do = {"what": "outcome", "hand": hand, "paid": {"Carla": 1}}
    refused = other.send(do)
    assert (refused.status_code, refused.json["error"]) == (409, "stale")
    assert paid(recorder) == [("Anna", -1)]
    other.look()
    assert other.send(do, dry=True).json["without"] != []
    other.do(**do)
    assert paid(recorder) == [("Carla", -1)]


@pytest.mark.parametrize(("said", "message"), [
    ({"anna ": 1, "ANNA": 2}, "Anna c’è due volte: scrivi ogni nome una volta sola"),
    ({"Zeno": 1}, "A questo tavolo non siede nessuno di nome Zeno"), ({" ": 1}, "Manca un nome"),
    ({"Anna": 4}, "4 è troppo per Anna: al massimo 3 in questa mano"),
])  # fmt: skip
def test_an_outcome_names_players_and_each_once(app: Flask, said: dict, message: str) -> None:
    phone, _, hand = tell(app)
    refused = phone.send({"what": "outcome", "hand": hand, "paid": said})
    assert refused.status_code == 422
    assert refused.json["message"].startswith(message)


def test_an_outcome_may_spell_a_player_as_anybody_does(app: Flask, recorder: EveningRecorder) -> None:
    phone, _, hand = tell(app)
    phone.do("outcome", hand=hand, paid={" ÀNNA": 1, "bruno": 0})
    assert paid(recorder) == [("Anna", -1)]


PENALISED = {
    "another pays": (1, {"Anna": 1}, "Una penalità in questa mano è già costata 1 pedina a Carla: contala nell’esito, Carla 1"),
    "two penalties": (2, {"Anna": 1, "Carla": 1}, "Le penalità in questa mano sono già costate 2 pedine a Carla: contale"),
    "nobody pays": (1, {"Carla": 1}, "Con questo esito, penalità di Carla a parte, non ha pagato nessuno: di’ chi ha pagato"),
}  # fmt: skip


@pytest.mark.parametrize("what", PENALISED)
def test_an_outcome_that_leaves_out_a_penalty_is_refused_with_the_reason(ledger: Ledger, what: str) -> None:
    many, said, message = PENALISED[what]
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla", edition="piazza-2010"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    phone.say({"e": "hand"}, *[{"e": "penalty", "player": "Carla"}] * many)
    do = {"what": "outcome", "hand": phone.view["hand"]["id"], "paid": said}
    for dry in (True, False):
        refused = phone.send(do, dry=dry)
        assert refused.status_code == 422
        assert refused.json["message"].startswith(message)
        assert refused.json["message"].endswith("(regola 24)")
    phone.do("outcome", hand=do["hand"], paid={"Anna": 1, "Carla": many})
    assert sorted(paid(recorder)) == [("Anna", -1), *[("Carla", -1)] * many]


@pytest.mark.parametrize("events", [[{"e": "passo", "by": "Ciro"}], [{"e": "busso", "by": "Ada"}], []], ids=str)
def test_nothing_is_put_among_the_lines_that_stand_for_an_outcome(stoper_app: Flask, stoper_scribe: EveningRecorder,
                                                                  events: list[dict]) -> None:
    """Nor behind them, before the end of the hand: it would rest on words that nobody has said."""
    phone = Phone(stoper_app)
    phone.say(OPENED[0])
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=HAS)
    hand, log = phone.view["hand"], stoper_scribe.evening.log
    end = len(hand["events"]) - 1
    for at in range(2, end + bool(events)):
        stop = at + (not events)
        change = {"what": "change", "hand": hand["id"], "start": at, "stop": stop, "events": events, "shown": hand["events"]}
        for mend in (False, True):
            refused = phone.send({**change, "mend": mend})
            assert refused.status_code == 422, (at, refused.text)
            assert refused.json["message"].startswith("Di questa mano si sa solo l’esito: di’ un altro esito, o racconta la mano")
    assert stoper_scribe.evening.log == log


def test_what_is_told_before_an_outcome_does_not_change_it(stoper_app: Flask, stoper_scribe: EveningRecorder) -> None:
    phone = Phone(stoper_app)
    phone.say(*OPENED)
    phone.do("outcome", hand=phone.view["hand"]["id"], paid=HAS)
    hand = phone.view["hand"]
    change = {"what": "change", "hand": hand["id"], "start": 1, "stop": 2, "shown": hand["events"], "mend": True}
    refused = phone.send({**change, "events": [{"e": "apro", "by": "Ada", "to": 200}]})
    assert refused.status_code == 422
    assert refused.json["message"].startswith("Di questa mano si sa solo l’esito")
    assert stoper_scribe.evening.current.before.stacks == (4600, 5600, 4900, 4900)


def test_a_preview_has_what_was_told_of_a_hand_once_it_was_over(ledger: Ledger) -> None:
    """As the list of hands has it: a penalty told since is one of its payments, and deleting it changes that hand."""
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla", edition="piazza-2010"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    cards = {"Anna": "2", "Bruno": "5", "Carla": "9"}
    phone.say({"e": "hand"}, *[{"e": "reveal", "by": by, "card": card} for by, card in cards.items()])
    hand, lowest = phone.view["hands"][0]["id"], "Anna ha la carta più bassa, il 2: una pedina (regola 8)"
    penalty = "Carla paga una pedina di penalità (regola 24)"
    told = phone.send({"what": "say", "events": [{"e": "penalty", "player": "Carla"}]}, dry=True).json["hands"]
    assert told == [{"what": "Mano 1", "now": lowest, "then": f"{lowest}\n{penalty}"}]
    phone.say({"e": "penalty", "player": "Carla"})
    shown = phone.send({"what": "outcome", "hand": hand, "paid": {"Bruno": 1}}, dry=True).json["hands"]
    assert shown == [{"what": "Mano 1", "now": f"{lowest}\n{penalty}", "then": f"Bruno −1: si sa solo l’esito\n{penalty}"}]

"""An evening on the organiser's phone, from the first deal to the last correction, as its page asks the server."""

import json
import threading
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from games import GAME, GNAFFATA, lines
from phones import Phone, payments

from companion.dashboard import create_app
from companion.games.stu.rules import replay_log, report
from companion.games.stu.rules.log import new_game
from companion.games.stu.sightings import Appeared, Cleared, Exchanged, Shown
from companion.ledger import Ledger, Phones
from companion.line.recorder import EveningRecorder
from companion.referee.record import Saw
from companion.table.log import write_lines


def test_a_hand_by_thumb_a_tap_for_each_act(app: Flask, ledger: Ledger, game: int) -> None:
    phone = Phone(app)
    assert phone.view["next"]["offers"][0]["label"] == "Nuova mano: il mazzo a Carla"
    phone.tap("Nuova mano: il mazzo a Carla")
    assert phone.view["next"]["title"] == "Tocca ad Anna"
    phone.tap("Lo Gnao")
    assert payments(ledger, game) == [("Anna", -1, "gnaffata")]
    assert phone.view["next"]["title"] == "Tocca a Carla, che ha il mazzo"
    phone.tap("Carla cambia col mazzo")
    assert phone.view["next"]["showdown"]
    assert [one["player"] for one in phone.view["next"]["covered"]] == ["Anna", "Carla"]
    phone.show("Anna", "3")
    phone.show("Carla", "7")
    assert payments(ledger, game) == [("Anna", -1, "gnaffata"), ("Anna", -1, "lowest")]
    assert phone.view["hands"][0]["text"] == "Anna −2"
    assert phone.view["next"]["offers"][0]["label"] == "Nuova mano: il mazzo ad Anna"
    assert "regola 8" in " ".join(phone.view["hand"]["ruling"])


def test_what_a_phone_is_shown_is_of_one_moment(ledger: Ledger, game: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that follows the ledger hears of a sighting before the evening that it leads to stands."""
    for reader in ("line.recorder", "dashboard.organiser.editor"):  # however long a busy machine takes to record it
        monkeypatch.setattr(f"companion.{reader}.MAX_READ_WAIT_SECONDS", 600.0)
    recorder = EveningRecorder.resume(ledger, game)
    phone, record = Phone(create_app(ledger, recorder=lambda: recorder)), ledger.record
    looking = threading.Thread(target=phone.look)

    def heard(*told: Any, **more: Any) -> int:
        version = record(*told, **more)
        looking.start()
        looking.join(0.3)  # time enough to be shown what was, if that is possible
        return version

    monkeypatch.setattr(ledger, "record", heard)
    recorder.saw([Appeared(1.0, 0)])
    looking.join()
    assert phone.view["version"] == ledger.version(game)
    assert phone.view["hand"]["lines"] != []


@pytest.mark.parametrize(
    ("taps", "paid"),
    [
        pytest.param(["Anna sta", "Bruno sta", "Carla sta"], [], id="all stay, one after the other"),
        pytest.param(["Stanno tutti: si scopre"], [], id="all stay at once"),
        pytest.param(["Anna passa e scambia con Bruno", "Bruno passa e scambia con Carla"], [], id="exchanged down the table"),
        pytest.param(["Anna passa (risposta dopo)", "Anna e Bruno scambiano"], [], id="passo, and the answer later"),
        pytest.param(["Il Bragon"], [("Anna", -1, "bbummata")], id="BBum"),
        pytest.param(["Il Salta", "Anna e Carla scambiano"], [], id="Salta, then the next"),
        pytest.param(["Il Salta", "Il Cucco"], [], id="Salta, then the Cucco"),
        pytest.param(["Taverna ceduta"], [], id="Taverna ceded"),
        pytest.param(["La Taverna"], [], id="Taverna refuses"),
        pytest.param(["Anna sta", "Lo Gnao", "Bruno e Anna scambiano"], [("Bruno", -1, "gnaffata")], id="Gnaff, cart'arrit"),
        pytest.param(["Anna sta", "Bruno sta", "Carla cambia col mazzo"], [], id="the dealer draws"),
    ],
)
def test_every_act_is_one_tap(app: Flask, ledger: Ledger, game: int, taps: list[str], paid: list[tuple[str, int, str]]) -> None:
    phone = Phone(app)
    phone.tap("Nuova mano: il mazzo a Carla")
    for label in taps:
        phone.tap(label)
    assert payments(ledger, game) == paid


def test_what_is_not_shown_yet_does_not_reach_spectators(app: Flask, client: FlaskClient, game: int) -> None:
    phone = Phone(app)
    phone.tap("Nuova mano: il mazzo a Carla")
    phone.say({"e": "deal", "to": "Anna", "card": "cucco"})
    assert "cucco" in phone.client.get("/api/organiser").text
    for url in ("/", "/api/game", "/api/log"):
        assert "cucco" not in client.get(url).text.lower()


def test_a_change_says_what_it_would_do_before_it_is_done(app: Flask, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA))
    phone = Phone(app)
    before = ledger.lines(game)
    index = next(line["index"] for line in phone.view["hand"]["lines"] if line["event"].get("card") == "gnao")
    do = {"what": "change", "hand": phone.view["hand"]["id"], "start": index, "stop": index + 1,
          "events": [{"e": "reveal", "by": "Bruno", "card": "cucco"}]}  # fmt: skip
    effect = phone.send(do, dry=True).json
    (hand,) = effect["hands"]
    assert "gnaffat" in hand["now"]
    assert "gnaffat" not in hand["then"]
    assert {one["what"]: (one["now"], one["then"]) for one in effect["rest"]} == {"Anna": ("1 pedina", "2 pedine")}
    assert ledger.lines(game) == before
    phone.view = phone.send(do).json
    assert payments(ledger, game) == [("Anna", -1, "lowest")]


def test_undo_and_redo(app: Flask, ledger: Ledger, game: int) -> None:
    phone = Phone(app)
    logs = [ledger.lines(game)]
    for label in ("Nuova mano: il mazzo a Carla", "Anna sta", "Il Bragon"):
        phone.tap(label)
        logs.append(ledger.lines(game))
    for log in reversed(logs[:-1]):
        phone.do("undo")
        assert ledger.lines(game) == log
    assert not phone.view["undo"]
    assert phone.send({"what": "undo"}).status_code == 422
    for log in logs[1:]:
        phone.do("redo")
        assert ledger.lines(game) == log
    assert not phone.view["redo"]


def test_a_stale_change_is_refused_and_shown_again_on_the_new_state(app: Flask, ledger: Ledger, game: int) -> None:
    one, other = Phone(app), Phone(app)
    one.tap("Nuova mano: il mazzo a Carla")
    other.look()
    one.tap("Anna sta")
    answer = other.send({"what": "say", "events": [{"e": "passo", "by": "Anna"}]})
    assert answer.status_code == 409
    assert answer.json["error"] == "stale"
    assert answer.json["view"] == one.look()
    assert [line.event.__struct_config__.tag for line in ledger.lines(game)] == ["game", "hand", "sto"]
    other.view = answer.json["view"]
    other.tap("Bruno sta")


def test_what_the_camera_only_became_surer_of_makes_no_change_stale(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno"], 200, "Bruno"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    for seen in (Appeared(1.0, 0), Appeared(1.5, 1), Shown(9.0, 0, 1, (("3", 0.9), ("8", 0.1)))):
        recorder.report(Saw(seen))
    phone.look()
    version = ledger.version(recorder.game_id)
    recorder.report(Saw(Shown(9.0, 0, 1, (("3", 0.99), ("8", 0.01)))))
    assert ledger.version(recorder.game_id) > version
    phone.show("Bruno", "7")


def test_a_camera_that_comes_back_takes_over_from_there(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    phone.tap("Nuova mano: il mazzo a Carla")
    phone.tap("Anna passa e scambia con Bruno")
    seen = [Exchanged(60.0, 61.0, (1, 2), 0.95), *(Shown(70.0 + place, place, place, ((card, 1.0),))
            for place, card in enumerate(("9", "2", "5"))), Cleared(90.0)]  # fmt: skip
    for sighting in seen:
        recorder.report(Saw(sighting))
    assert payments(ledger, recorder.game_id) == [("Bruno", -1, "lowest")]
    said = [line.event.__struct_config__.tag for line in ledger.lines(recorder.game_id)]
    assert said == ["game", "hand", "passo", "swap", "passo", "swap", "reveal", "reveal", "reveal", "end"]
    for sighting in (Appeared(100.0, 1), Appeared(100.5, 2), Appeared(101.0, 0)):
        recorder.report(Saw(sighting))
    assert phone.look()["next"]["title"] == "Tocca a Bruno"


def test_the_next_hand_can_be_begun_by_thumb_while_the_last_cards_still_lie_there(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno"], 200, "Bruno"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    for sighting in (Appeared(1.0, 0), Appeared(1.5, 1), Shown(9.0, 0, 1, (("3", 1.0),)), Shown(9.5, 1, 2, (("8", 1.0),))):
        recorder.report(Saw(sighting))
    phone.look()
    phone.tap("Nuova mano: il mazzo ad Anna")
    recorder.report(Saw(Cleared(20.0)))
    assert len(report(replay_log(write_lines(ledger.lines(recorder.game_id)))).hands) == 2
    assert payments(ledger, recorder.game_id) == []


def test_the_open_question_comes_first_and_an_answer_settles_it(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    asked: list[tuple[float, tuple[int, ...]]] = []

    def moment(t: float, places: tuple[int, ...]) -> bytes:
        asked.append((t, places))
        return b"jpeg"

    phone = Phone(create_app(ledger, recorder=lambda: recorder, moment=moment))
    assert phone.view["question"] is None
    for sighting in (*(Appeared(1.0 + place, place) for place in range(3)), Shown(15.0, 0, 1, (("2", 0.6), ("8", 0.4))),
                     Shown(15.5, 1, 2, (("5", 1.0),)), Shown(16.0, 2, 3, (("9", 1.0),)), Cleared(20.0)):  # fmt: skip
        recorder.report(Saw(sighting))
    question = phone.look()["question"]
    assert question["text"] == "Che carta ha scoperto Anna?"
    assert [choice["id"] for choice in question["choices"]] == ["2", "8", "other:2:8", None]
    assert question["picture"]
    picture = phone.client.get("/api/organiser/picture", query_string={"question": question["id"]})
    assert (picture.data, picture.mimetype, asked[-1]) == (b"jpeg", "image/jpeg", (15.0, (0,)))
    effect = phone.send({"what": "answer", "question": question["id"], "choice": "8"}, dry=True).json
    assert "Bruno" in effect["hands"][0]["then"]
    phone.do("answer", question=question["id"], choice="8")
    assert phone.view["question"] is None
    assert payments(ledger, recorder.game_id) == [("Bruno", -1, "lowest")]
    phone.do("undo")
    assert phone.view["question"] == question


def test_between_hands(app: Flask, ledger: Ledger) -> None:
    game = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla", edition="piazza-2010")).game_id
    phone = Phone(app)
    phone.tap("Nuova mano: il mazzo a Carla")
    phone.say({"e": "void", "reason": "caduta una carta"})
    assert phone.view["next"]["offers"][0]["label"] == "Nuova mano: il mazzo a Carla"
    assert phone.view["next"]["matti"] == 2
    phone.say({"e": "matto", "in_deck": 1})
    assert phone.view["next"]["matti"] == 1
    for card in ("2", "3", "4"):
        phone.tap(phone.view["next"]["offers"][0]["label"])
        phone.tap("Stanno tutti: si scopre")
        for covered in phone.view["next"]["covered"]:
            phone.show(covered["player"], card if covered["player"] == "Anna" else "9")
    assert phone.view["next"]["rebuy"] == {"players": ["Anna"], "price": 400, "text": "4,00 €"}
    assert phone.view["next"]["split"] == ["Bruno", "Carla"]
    due = {one["label"]: one["offers"][0]["events"] for one in phone.view["next"]["more"] if one["due"]}
    assert due == {
        "Anna rientra · 4,00 €": [{"e": "rebuy", "by": "Anna"}],
        "Accordo: 6,00 € a metà": [{"e": "split", "shares": {"Bruno": "0.5", "Carla": "0.5"}}],
    }
    assert [phone.send({"what": "say", "events": events}, dry=True).status_code for events in due.values()] == [200, 200]
    assert phone.view["next"]["likely"]
    phone.say({"e": "rebuy", "by": "Anna", "partners": [{"name": "Zio", "share": 0.25}]})
    assert phone.view["pot"] == "10,00 €"
    phone.say({"e": "penalty", "player": "Bruno", "reason": "parlava"})
    assert [player["pedine"] for player in phone.view["players"]] == [3, 2, 3]
    phone.say({"e": "close"})
    assert phone.view["ricompera"] == ""
    log = ledger.lines(game)
    assert report(replay_log(write_lines(log))).pot == 1000


def test_where_the_game_hangs_on_a_ricompera_that_is_the_likely_act(app: Flask, ledger: Ledger) -> None:
    EveningRecorder.begin(ledger, new_game(["Anna", "Bruno"], 200, "Bruno"))
    phone = Phone(app)
    for _ in range(3):
        phone.tap(phone.view["next"]["offers"][0]["label"])
        phone.tap("Stanno tutti: si scopre")
        for covered in phone.view["next"]["covered"]:
            phone.show(covered["player"], "2" if covered["player"] == "Anna" else "9")
    waits = phone.view["next"]
    assert not waits["likely"]
    assert [offer["label"] for offer in waits["offers"]] == ["Nessuno rientra: ha vinto Bruno"]
    assert [one["label"] for one in waits["more"] if one["due"]] == ["Anna rientra · 4,00 €"]


@pytest.mark.parametrize(("gone", "shown", "others"), [(4, 4, 0), (5, 3, 2)])
def test_everybody_who_is_out_can_come_back_from_the_first_page(
    app: Flask, ledger: Ledger, gone: int, shown: int, others: int
) -> None:
    names = [f"Ciro {number}" for number in range(gone + 2)]
    EveningRecorder.begin(ledger, new_game(names, 200, names[0]))
    phone = Phone(app)
    phone.say({"e": "set", "standing": {name: {"pedine": 0, "virgin": False} for name in names[2:]}})
    due = [one for one in phone.view["next"]["more"] if one["due"] and one["key"] != "halves"]
    assert [len(one["offers"]) for one in due] == [1] * shown + [others] * (others > 0)
    back = [event["by"] for one in due for offer in one["offers"] for event in offer["events"]]
    assert sorted(back) == names[2:]
    assert phone.send({"what": "say", "events": due[-1]["offers"][-1]["events"]}, dry=True).status_code == 200
    assert [one["label"] for one in due if len(one["offers"]) > 1] == ["Rientra qualcun altro"] * (others > 0)


def test_a_hand_that_has_just_ended_can_still_be_void(app: Flask, ledger: Ledger, game: int) -> None:
    scribe_app = app
    phone = Phone(scribe_app)
    phone.tap("Nuova mano: il mazzo a Carla")
    phone.say({"e": "void"})
    assert payments(ledger, game) == []
    assert phone.view["hands"][0]["text"] == "mano nulla"


@pytest.mark.parametrize(
    ("events", "why"),
    [
        pytest.param([{"e": "sto", "by": "Anna"}, {"e": "sto", "by": "Anna"}], "Non tocca ad Anna (regola 11)", id="twice"),
        pytest.param([{"e": "swap", "with": "Bruno"}], "A Bruno nessuno ha passato (regola 11)", id="nobody asked"),
        pytest.param([{"e": "end"}], "La carta di Anna non si è vista (regola 8)", id="a card unseen"),
        pytest.param([{"e": "hand"}], "C’è una mano in corso", id="a hand in a hand"),
        pytest.param([{"e": "rebuy", "by": "Anna"}], "C’è una mano in corso", id="ricompera in mid-hand"),
        pytest.param([{"e": "penalty", "player": "Anna"}], "In questa edizione non ci sono penalità (regola 24)", id="penalty"),
        pytest.param([{"e": "void", "reason": "x" * 201}], "Un testo di più di 200 caratteri", id="a text too long"),
    ],
)
def test_what_is_not_legal_says_why(app: Flask, ledger: Ledger, game: int, events: list[dict], why: str) -> None:
    phone = Phone(app)
    phone.tap("Nuova mano: il mazzo a Carla")
    before = ledger.lines(game)
    for dry in (True, False):
        answer = phone.send({"what": "say", "events": events}, dry=dry)
        assert (answer.status_code, answer.json["message"]) == (422, why)
    assert ledger.lines(game) == before


def test_suggestions_are_legal_and_the_likely_come_first(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno"], 200, "Bruno"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    for sighting in (Appeared(1.0, 0), Appeared(1.5, 1), Shown(9.0, 0, 1, (("3", 0.6), ("8", 0.4))),
                     Shown(9.5, 1, 2, (("7", 1.0),)), Cleared(20.0)):  # fmt: skip
        recorder.report(Saw(sighting))
    hand = phone.look()["hand"]
    index = next(line["index"] for line in hand["lines"] if line["event"].get("by") == "Anna" and line["event"]["e"] == "reveal")
    query = {"hand": hand["id"], "start": index, "stop": index + 1, "lang": "it"}
    found = phone.client.get("/api/organiser/suggestions", query_string=query).json
    assert found[0]["text"] == "Anna mostra l’8"
    assert 0 < found[0]["probability"] < 1
    for suggestion in found[:25]:
        do = {"what": "change", "hand": hand["id"], "start": index, "stop": index + 1, "events": suggestion["events"]}
        assert phone.send(do, dry=True).status_code == 200, suggestion


def test_a_line_beside_a_split_has_its_suggestions_too(app: Flask, game: int) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"}, {"e": "sto", "by": "Carla"})
    for name, card in (("Anna", "5"), ("Bruno", "gnao"), ("Carla", "8")):
        phone.say({"e": "reveal", "by": name, "card": card})
    for _ in range(2):
        phone.say({"e": "hand"}, *({"e": "reveal", "by": name, "card": card} for name, card in (
            ("Anna", "5"), ("Bruno", "7"), ("Carla", "8"))))  # fmt: skip
    phone.say({"e": "split", "shares": {"Bruno": 0.5, "Carla": 0.5}})
    hand = phone.view["hand"]
    query = {"hand": hand["id"], "start": 0, "stop": 1, "lang": "it"}
    assert phone.client.get("/api/organiser/suggestions", query_string=query).status_code == 200


NO_PLACES = ["", "hand=0&start=a&stop=1", "hand=9&start=0&stop=0", "hand=0&start=3&stop=1", "hand=0&start=0&stop=99"]


@pytest.mark.parametrize("query", NO_PLACES)
def test_suggestions_for_no_place_are_none(app: Flask, game: int, query: str) -> None:
    assert Phone(app).client.get(f"/api/organiser/suggestions?{query}").status_code in (400, 404)


def test_an_earlier_hand_is_corrected_and_the_later_ones_follow(app: Flask, ledger: Ledger, game: int) -> None:
    phone = Phone(app)
    for _ in range(2):
        phone.tap(phone.view["next"]["offers"][0]["label"])
        phone.tap("Stanno tutti: si scopre")
        for covered in phone.view["next"]["covered"]:
            phone.show(covered["player"], "2" if covered["player"] == "Anna" else "9")
    first = phone.view["hands"][-1]
    hand = phone.client.get(f"/api/organiser/hand/{first['id']}").json
    index = next(line["index"] for line in hand["lines"] if line["event"].get("card") == "2")
    swapped = [{"e": "reveal", "by": "Anna", "card": "10"}]
    do = {"what": "change", "hand": first["id"], "start": index, "stop": index + 1, "events": swapped}
    effect = phone.send(do, dry=True).json
    assert [one["what"] for one in effect["hands"]] == ["Mano 1"]
    assert {one["what"]: one["then"] for one in effect["rest"]} == {"Anna": "2 pedine", "Bruno": "2 pedine"}
    phone.do("change", **{key: value for key, value in do.items() if key != "what"})
    assert [player["pedine"] for player in phone.view["players"]] == [2, 2, 3]


def played(phone: Phone, **cards: str) -> None:
    """A hand in which all stay and show these cards."""
    phone.tap(phone.view["next"]["offers"][0]["label"])
    phone.tap("Stanno tutti: si scopre")
    for covered in phone.view["next"]["covered"]:
        phone.show(covered["player"], cards[covered["player"]])


@pytest.fixture
def after_a_ricompera(app: Flask, ledger: Ledger) -> tuple[Phone, int]:
    """Anna loses three pedine, comes back by a ricompera, and plays one hand more."""
    game = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla")).game_id
    phone = Phone(app)
    for _ in range(3):
        played(phone, Anna="2", Bruno="7", Carla="9")
    phone.say({"e": "rebuy", "by": "Anna"})
    played(phone, Anna="8", Bruno="3", Carla="9")
    return phone, game


def test_an_earlier_hand_is_corrected_after_a_ricompera_which_goes_with_it(
    after_a_ricompera: tuple[Phone, int], ledger: Ledger
) -> None:
    phone, game = after_a_ricompera
    before = ledger.lines(game)
    third = phone.client.get(f"/api/organiser/hand/{phone.view['hands'][1]['id']}").json
    index = next(line["index"] for line in third["lines"] if line["event"].get("card") == "2")
    do = {"what": "change", "hand": third["id"], "start": index, "stop": index + 1,
          "events": [{"e": "reveal", "by": "Anna", "card": "10"}]}  # fmt: skip
    refused = phone.send(do, dry=True)
    assert refused.status_code == 422
    assert refused.json["instead"]["without"] == ["Mano 4: Anna rientra con una ricompera"]
    effect = phone.send(refused.json["instead"]["do"], dry=True).json
    assert effect["without"] == ["Mano 4: Anna rientra con una ricompera"]
    assert {row["what"]: row["then"] for row in effect["rest"]}["Montepremi"] == "6,00 €"
    phone.view = phone.send(refused.json["instead"]["do"]).json
    told = report(replay_log(write_lines(ledger.lines(game))))
    assert (told.ricompera.count, [player.pedine for player in told.players]) == (0, [1, 1, 3])
    assert phone.view["undoes"]["text"] == "Anna mostra il 10"
    phone.do("undo", entry=phone.view["undoes"]["entry"])
    assert ledger.lines(game) == before
    phone.do("redo", entry=phone.view["redoes"]["entry"])
    assert EveningRecorder.resume(ledger, game).evening.log == ledger.lines(game)


def test_an_undo_says_what_it_is_of_and_from_whose_phone(app: Flask, game: int) -> None:
    one, other = Phone(app), Phone(app)
    one.tap("Nuova mano: il mazzo a Carla")
    one.tap("Stanno tutti: si scopre")
    one.show("Anna", "4")
    undoes = other.look()["undoes"]
    assert (undoes["text"], undoes["by"]) == ("Anna mostra il 4", "Telefono")
    other.do("undo", entry=undoes["entry"])
    assert (other.view["undoes"]["text"], other.view["undoes"]["by"]) == ("Carla sta", "Telefono")
    assert (other.view["redoes"]["text"], other.view["redoes"]["by"]) == ("Anna mostra il 4", "Telefono 2")


def test_the_history_says_who_said_what_and_when_and_what_was_taken_back(app: Flask, game: int) -> None:
    phone, other = Phone(app), Phone(app)
    phone.tap("Nuova mano: il mazzo a Carla")
    phone.tap("Anna sta")
    other.look()
    other.do("undo", entry=other.view["undoes"]["entry"])
    told = other.client.get("/api/organiser/history?lang=it").json
    assert [(one["entry"], one["text"], one["by"], one["taken_back"]) for one in told] == [
        (2, "«Anna sta» annullato", "Telefono 2", False),
        (1, "Anna sta", "Telefono", True),
        (0, "Mano 1: il mazzo a Carla", "Telefono", False),
    ]
    assert [one["at"] for one in told] == sorted((one["at"] for one in told), reverse=True)
    assert app.test_client().get("/api/organiser/history").status_code == 401


def test_an_undo_of_what_another_phone_has_just_said_is_refused_and_says_so(app: Flask, game: int) -> None:
    one, other = Phone(app), Phone(app)
    one.tap("Nuova mano: il mazzo a Carla")
    other.look()
    one.tap("Anna sta")
    answer = other.client.post("/api/organiser/command", headers={"X-CSRF-Token": other.csrf}, json={
        "game": other.view["game"], "version": other.view["version"], "said": other.view["said"],
        "do": {"what": "undo", "entry": other.view["undoes"]["entry"]}})  # fmt: skip
    assert (answer.status_code, answer.json["error"]) == (409, "stale")
    assert answer.json["message"] == "Intanto Telefono ha detto: Anna sta. Guarda di nuovo"


def test_a_confirmed_effect_that_is_another_by_now_is_shown_again(app: Flask, ledger: Ledger, game: int) -> None:
    one, other = Phone(app), Phone(app)
    played(one, Anna="5", Bruno="7", Carla="9")
    other.look()
    shown = [line["event"] for line in other.view["hand"]["lines"]]
    do = {"what": "change", "hand": other.view["hand"]["id"], "start": 3, "stop": 4, "shown": shown,
          "events": [{"e": "reveal", "by": "Bruno", "card": "4"}]}  # fmt: skip
    mark = other.send(do, dry=True).json["mark"]
    one.do("change", hand=one.view["hand"]["id"], start=2, stop=3, events=[{"e": "reveal", "by": "Anna", "card": "3"}])
    body = {"game": game, "version": other.view["version"], "do": do, "expects": mark}
    send = {"headers": {"X-CSRF-Token": other.csrf}}
    refused = other.client.post("/api/organiser/command", json=body, **send)
    assert (refused.status_code, refused.json["error"]) == (409, "changed")
    assert payments(ledger, game) == [("Anna", -1, "lowest")]
    again = other.client.post("/api/organiser/command", json={**body, "dry": True, "expects": None}, **send).json
    done = other.client.post("/api/organiser/command", json={**body, "expects": again["mark"]}, **send)
    assert done.status_code == 200
    assert [line["event"]["card"] for line in done.json["hand"]["lines"] if "card" in line["event"]] == ["3", "4", "9"]


@pytest.mark.parametrize(
    ("act", "without", "paid"),
    [
        pytest.param("Anna sta", [], [("Carla", -1, "lowest")], id="she stayed"),
        pytest.param("Bruno rifiuta con lo Gnao", ["Mano 1: Bruno passa a Carla", "Mano 1: Bruno e Carla si scambiano la carta",
                     "Mano 1: Bruno mostra l’8"], [("Anna", -1, "gnaffata"), ("Carla", -1, "lowest")], id="he refused"),
        pytest.param("Bruno rifiuta con il Salta", ["Mano 1: Bruno passa a Carla", "Mano 1: Bruno e Carla si scambiano la carta",
                     "Mano 1: Bruno mostra l’8"], [("Carla", -1, "lowest")], id="a jump goes on to the next"),
    ],
)  # fmt: skip
def test_a_passo_line_gives_way_to_a_whole_act_and_what_follows_is_adapted(
    app: Flask, ledger: Ledger, game: int, act: str, without: list[str], paid: list[tuple[str, int, str]]
) -> None:
    phone = Phone(app)
    phone.tap("Nuova mano: il mazzo a Carla")
    phone.tap("Anna passa e scambia con Bruno")
    phone.tap("Bruno passa e scambia con Carla")
    phone.tap("Carla sta")
    for name, card in (("Anna", "5"), ("Bruno", "8"), ("Carla", "2")):
        phone.show(name, card)
    hand = phone.view["hand"]
    shown = [line["event"] for line in hand["lines"]]
    where = {"game": game, "version": phone.view["version"], "hand": hand["id"], "start": 1, "stop": 2, "shown": shown}
    found = phone.client.post("/api/organiser/place?lang=it", json=where, headers={"X-CSRF-Token": phone.csrf}).json
    acts = {one["text"]: one for one in found["acts"]}
    assert "Anna passa e scambia con Bruno" not in acts  # that is what stands there
    chosen = acts[act]
    do = {"what": "change", "hand": hand["id"], "start": chosen["start"], "stop": chosen["stop"], "events": chosen["events"],
          "shown": shown, "mend": True}  # fmt: skip
    assert phone.send(do, dry=True).json["without"] == without
    phone.view = phone.send(do).json
    assert payments(ledger, game) == paid


def test_the_acts_are_those_of_the_player_who_acted_also_where_others_have_stayed_unsaid(app: Flask, game: int) -> None:
    phone = Phone(app)
    phone.say({"e": "hand"}, {"e": "passo", "by": "Bruno"}, {"e": "swap", "with": "Carla"})
    where = {"game": game, "version": phone.view["version"], "hand": phone.view["hand"]["id"], "start": 1, "stop": 2,
             "shown": [line["event"] for line in phone.view["hand"]["lines"]]}  # fmt: skip
    found = phone.client.post("/api/organiser/place?lang=it", json=where, headers={"X-CSRF-Token": phone.csrf}).json
    assert [one["text"] for one in found["acts"]][:2] == ["Bruno sta", "Carla rifiuta con la Taverna"]


def test_of_the_acts_what_the_camera_finds_likely_comes_first(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    for sighting in (*(Appeared(1.0 + place, place) for place in range(3)), Exchanged(6.0, 7.5, (0, 1), 0.7)):
        recorder.report(Saw(sighting))
    hand = phone.look()["hand"]
    index = next(line["index"] for line in hand["lines"] if line["event"]["e"] in ("passo", "sto"))
    where = {"game": recorder.game_id, "version": phone.view["version"], "hand": hand["id"], "start": index, "stop": index + 1,
             "shown": [line["event"] for line in hand["lines"]]}  # fmt: skip
    acts = phone.client.post("/api/organiser/place", json=where, headers={"X-CSRF-Token": phone.csrf}).json["acts"]
    odds = [one["probability"] for one in acts]
    assert odds == sorted(odds, reverse=True)


def test_a_hand_can_be_confirmed(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno"], 200, "Bruno"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    for sighting in (Appeared(1.0, 0), Appeared(1.5, 1), Shown(9.0, 0, 1, (("3", 0.6), ("8", 0.4))),
                     Shown(9.5, 1, 2, (("7", 1.0),)), Cleared(20.0)):  # fmt: skip
        recorder.report(Saw(sighting))
    assert phone.look()["hands"][0]["unsure"]
    phone.do("confirm", hand=phone.view["hands"][0]["id"])
    assert not phone.view["hands"][0]["unsure"]
    assert phone.view["question"] is None


def test_spectators_change_nothing_and_see_nothing_of_it(app: Flask, client: FlaskClient, ledger: Ledger, game: int) -> None:
    body = json.dumps({"game": game, "version": ledger.version(game), "do": {"what": "say", "events": [{"e": "hand"}]}})
    assert client.post("/api/organiser/command", data=body).status_code == 401
    for url in ("/api/organiser", "/api/organiser/stream", "/api/organiser/hand/0", "/api/organiser/suggestions"):
        assert client.get(url).status_code == 401
    assert client.get("/organiser").headers["Location"] == "/pair?next=/organiser"
    assert len(ledger.lines(game)) == 1


@pytest.mark.parametrize("csrf", ["", "wrong"])
def test_a_command_without_the_pages_token_is_refused(app: Flask, ledger: Ledger, game: int, csrf: str) -> None:
    answer = Phone(app).send({"what": "say", "events": [{"e": "hand"}]}, csrf=csrf)
    assert (answer.status_code, answer.json["error"]) == (403, "csrf")
    assert len(ledger.lines(game)) == 1


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"game":1}', b'{"game":1,"version":1,"do":{"what":"dance"}}', b"\xff", b"[" * 100_000,
     b'{"game":1,"version":1,"do":{"what":"say","events":[]}}',
     b'{"game":1,"version":1,"do":{"what":"say","events":[{"e":"x"}]}}',
     b'{"game":1,"version":1,"do":{"what":"change","hand":0,"start":-1,"stop":0}}'],
    ids=lambda body: body[:50].decode(errors="replace"),
)  # fmt: skip
def test_what_is_no_command_is_said_to_be_none(app: Flask, game: int, body: bytes) -> None:
    phone = Phone(app)
    answer = phone.client.post("/api/organiser/command", data=body, headers={"X-CSRF-Token": phone.csrf})
    assert answer.status_code in (400, 413)
    assert answer.json["error"] == "malformed"


@pytest.mark.parametrize(
    ("do", "status"),
    [
        pytest.param({"what": "change", "hand": 9, "start": 0, "stop": 0}, 404, id="a hand that is not"),
        pytest.param({"what": "change", "hand": 0, "start": 5, "stop": 9}, 409, id="lines that are not"),
        pytest.param({"what": "confirm", "hand": 9}, 404, id="confirm a hand that is not"),
        pytest.param({"what": "answer", "question": "0:card:0", "choice": "x"}, 422, id="an answer to nothing"),
        pytest.param({"what": "answer", "question": "elephant"}, 409, id="no question"),
        pytest.param({"what": "redo"}, 422, id="nothing to redo"),
        pytest.param({"what": "say", "events": [{"e": "game", "v": 1, "game": "stu", "players": ["A", "B"], "stake": 1,
                                                 "currency": "EUR", "dealer": "A"}]}, 422, id="a second game"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_in_a_sentence(app: Flask, ledger: Ledger, game: int, do: dict, status: int) -> None:
    before = ledger.lines(game)
    answer = Phone(app).send(do)
    assert answer.status_code == status
    assert answer.json["message"]
    assert ledger.lines(game) == before


def test_without_a_game_the_phone_is_told_where_one_begins(app: Flask, ledger: Ledger) -> None:
    phone = Phone(app)
    assert phone.view["error"] == "no_game"
    assert "/setup" in phone.view["message"]
    assert phone.send({"what": "undo"}).status_code == 404


def test_a_log_from_elsewhere_is_looked_at_untouched_and_changed_when_asked(app: Flask, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA))
    phone = Phone(app)
    phone.look()
    assert (ledger.version(game), ledger.reports(game)) == (1, ())
    phone.tap("Nuova mano: il mazzo ad Anna")
    again = Phone(create_app(ledger))
    assert again.view["hand"] == phone.view["hand"]
    again.do("undo")
    assert payments(ledger, game) == [("Anna", -1, "gnaffata"), ("Anna", -1, "lowest")]


def test_a_game_that_another_program_goes_on_writing_is_not_gone_on_with(app: Flask, ledger: Ledger) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA[:5]))
    phone = Phone(app)
    phone.say({"e": "passo", "by": "Carla"})
    ledger.record(game, lines(*GNAFFATA))
    assert phone.send({"what": "undo"}).status_code == 409
    assert ledger.lines(game) == lines(*GNAFFATA)


def test_the_phones_stream_follows_the_game_and_ends_for_a_withdrawn_phone(ledger: Ledger, game: int) -> None:
    phone = Phone(create_app(ledger))
    other = Phone(phone.client.application)
    response = phone.client.get("/api/organiser/stream")
    events = (block.decode() for block in response.response)
    assert next(events).startswith("retry")
    assert '"Nuova mano: il mazzo a Carla"' in next(events)
    other.tap("Nuova mano: il mazzo a Carla")
    assert '"Anna sta"' in next(events)
    for paired in Phones(ledger).all():
        Phones(ledger).withdraw(paired.id)
    ledger.new_game()
    assert "unpaired" in list(events)[-1]


@pytest.mark.parametrize("lang", ["it", "en"])
def test_everything_is_said_in_both_languages(app: Flask, ledger: Ledger, lang: str) -> None:
    game = ledger.new_game()
    ledger.record(game, lines(*GNAFFATA))
    view = Phone(app, lang).view
    assert view["lang"] == lang
    assert ("regola" in str(view["hand"]["ruling"])) == (lang == "it")
    assert GAME


def test_where_nobody_can_come_or_go_the_phone_says_why(app: Flask, game: int) -> None:
    """A game that was opened from a file has no setup, and so no people to choose."""
    page = Phone(app).client.get("/organiser?lang=it").text
    assert 'action="/setup/people"' not in page
    assert "Chi arriva e chi va via, o un nome sbagliato, qui non si può dire" in page

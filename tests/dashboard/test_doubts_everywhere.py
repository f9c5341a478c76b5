"""A card that may be another is told as that wherever a hand is told, and one tap makes it sure everywhere."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import stoper_cases
import stoppa_cases
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from phones import Phone
from test_corrected import STU_GAME, stoper, stoppa, stu

from companion.cli import main
from companion.dashboard import create_app
from companion.games import GAMES
from companion.ledger import Ledger
from companion.pages.season import told_of
from companion.pages.view import ViewSettings
from companion.table.log import write_lines
from companion.table.sure import SURE_FROM

LOGS: dict[str, list[dict[str, Any]]] = {
    "stu": [STU_GAME, *stu("hand\nsto Anna\nsto Bruno\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6")],
    "stoppa": [
        stoppa_cases.first_line(""),
        *stoppa("hand\npiccolo\npunto Anna 30\nvedo Bruno\npasso Carla\npasso Dino\nshow Anna c1 c6\nshow Bruno b7 b3\n"
                "piccolo\npiccolo\npiccolo\ngrosso\nannul"),
    ],
    "stoper": [
        stoper_cases.first_line(""),
        *stoper("hand\napro Bice 100\nvedo Ciro\npasso Dora Elsa Fabio Ada\nserviti Bice Ciro\nbusso Bice Ciro\n"
                "show Bice s10 s9 s7\nshow Ciro b10 b9 b7"),
    ],
}  # fmt: skip
SHOWS = {"stu": ("reveal", "Anna"), "stoppa": ("show", "Anna"), "stoper": ("show", "Ciro")}
"""The line whose card is in doubt: what it is, and whose."""
CARDS_IN_THE_SEASON = {"stu": False, "stoppa": True, "stoper": True}
"""Whether a figure of the season tells a card."""


def begun(ledger: Ledger, game_id: str, *, sure: bool) -> int:
    """A game of one hand: it is sure who pays, and all else but, where not ``sure``, one card."""
    log = [dict(event) for event in LOGS[game_id]]
    e, by = SHOWS[game_id]
    for event in log:
        doubtful = not sure and (event["e"], event.get("by")) == (e, by)
        event["confidence"] = 0.6 if doubtful else 0.99
    text = "\n".join(map(json.dumps, [*log, {"e": "end", "confidence": 0.99}]))
    return ledger.begin(GAMES[game_id].rules.LOG.read_lines(text.encode()))


def doubted(said: Any) -> bool:
    """Whether anything in this JSON ends with a question mark, or says that it is not sure."""
    if isinstance(said, dict):
        return any(
            doubted(value) or (key in ("doubtful", "unsure") and value is True) or (key == "sure" and value is False)
            for key, value in said.items() if key != "question"
        )  # fmt: skip
    return any(map(doubted, said)) if isinstance(said, list) else isinstance(said, str) and said.endswith("?")


def ruled(ledger: Ledger, game: int, folder: Path, *options: str) -> bool:
    """Whether `companion rule` ends any line with a question mark."""
    (folder / "log.jsonl").write_bytes(write_lines(ledger.lines(game)))
    result = CliRunner().invoke(main, ["rule", *options, str(folder / "log.jsonl")])
    assert result.exit_code == 0, result.output
    return any(line.endswith("?") for line in result.output.splitlines())


def preview(phone: Phone) -> bool:
    """Whether what a change would do has a question mark at what the hand comes to now."""
    hand = phone.look()["hand"]
    many = len(hand["lines"])
    answer = phone.send(
        {"what": "change", "hand": hand["id"], "start": many - 2, "stop": many, "events": [{"e": "void"}]}, dry=True
    )
    assert answer.status_code == 200, answer.json
    (change,) = answer.json["hands"]
    return any(line.endswith("?") for line in change["now"].splitlines())


def in_csv(phone: Phone, game: int) -> bool:
    rows = csv.DictReader(io.StringIO(phone.client.get(f"/organiser/games/{game}/hands.csv?lang=it").data.decode("utf-8-sig")),
                          delimiter=";")
    return [row["Giocatore"] for row in rows if "carte non sicure" in row["Come si sa"]] != []


def of_season(ledger: Ledger, game_id: str, game: int) -> bool:
    told = told_of(GAMES[game_id].rules, GAMES[game_id].pages, ledger.lines(game), ended=True)
    assert told is not None
    return told.unsure(SURE_FROM) > 0


def everywhere(app: Flask, ledger: Ledger, game_id: str, game: int, folder: Path) -> dict[str, bool]:
    """View → whether it says that something of the hand is not sure."""
    phone, client = Phone(app), app.test_client()
    hand = phone.view["hand"]
    views: dict[str, Callable[[], bool]] = {
        "tv and spectators": lambda: doubted(client.get("/api/game?lang=it").json),
        "moviola": lambda: doubted(client.get("/api/moviola?lang=it").json),
        "phone's ruling": lambda: any(said.endswith("?") for said in hand["ruling"]),
        "phone's hand": lambda: hand["unsure"],
        "phone's lines": lambda: any(line["unsure"] for line in hand["lines"]),
        "phone's list": lambda: phone.view["hands"][-1]["unsure"],
        "preview": lambda: preview(phone),
        "sheet": lambda: "?</p>" in phone.client.get(f"/organiser/games/{game}/sheet?lang=it").text,
        "csv": lambda: in_csv(phone, game),
        "rule": lambda: ruled(ledger, game, folder),
        "story": lambda: ruled(ledger, game, folder, "--story"),
        "season": lambda: of_season(ledger, game_id, game),
        "charts": lambda: "<dd>1?</dd>" in client.get("/charts?lang=it").text,
        "picture": lambda: "non era sicura" in client.get(f"/season/evening/{game}.svg?lang=it").text,
    }
    return {where: view() for where, view in views.items()}


@pytest.mark.parametrize("game_id", LOGS)
def test_a_doubtful_card_is_marked_wherever_its_hand_is_told(ledger: Ledger, tmp_path: Path, game_id: str) -> None:
    game, app = begun(ledger, game_id, sure=False), create_app(ledger)
    assert app.test_client().get("/api/game").json["ruling"]["sure"]
    told = everywhere(app, ledger, game_id, game, tmp_path)
    assert told == dict.fromkeys(told, True) | dict.fromkeys(("season", "picture", "charts"), CARDS_IN_THE_SEASON[game_id])
    phone = Phone(app)
    phone.do("confirm", hand=phone.view["hand"]["id"], shown=phone.view["hand"]["events"])
    assert everywhere(app, ledger, game_id, game, tmp_path) == dict.fromkeys(told, False)


@pytest.mark.parametrize("game_id", LOGS)
def test_nothing_is_marked_where_all_is_sure(ledger: Ledger, tmp_path: Path, game_id: str) -> None:
    game = begun(ledger, game_id, sure=True)
    told = everywhere(create_app(ledger), ledger, game_id, game, tmp_path)
    assert told == dict.fromkeys(told, False)


@pytest.mark.parametrize("game_id", LOGS)
def test_a_hand_of_before_stays_marked_until_somebody_says_that_it_was_so(ledger: Ledger, game_id: str) -> None:
    begun(ledger, game_id, sure=False)
    app = create_app(ledger)
    phone = Phone(app)
    phone.say({"e": "hand"})
    newest, old = phone.look()["hands"]
    assert (newest["unsure"], old["unsure"]) == (False, True)
    assert doubted(phone.client.get("/api/hands?lang=it").json), "spectators' phones list the hands that are over"
    shown = phone.client.get(f"/api/organiser/hand/{old['id']}?lang=it").json
    assert shown["unsure"]
    assert any(said.endswith("?") for said in shown["ruling"])
    phone.do("confirm", hand=old["id"])
    assert not phone.look()["hands"][1]["unsure"]
    assert not doubted(phone.client.get("/api/hands?lang=it").json)
    assert not any(said.endswith("?") for said in phone.client.get(f"/api/organiser/hand/{old['id']}").json["ruling"])


PUNTO = "hand\npiccolo\npunto Anna 30\nvedo Bruno\npasso Carla\npasso Dino\nshow Anna {cards}\nshow Bruno b7 b3"


def told(ledger: Ledger, first: dict[str, Any], events: list[dict[str, Any]], doubtful: tuple[str, str]) -> dict[str, Any]:
    """What the TV is told at the end of these lines, all of them sure but one."""
    log = [first, *({**one, "confidence": 0.6 if (one["e"], one.get("by")) == doubtful else 0.99} for one in events)]
    ledger.begin(GAMES[first["game"]].rules.LOG.read_lines("\n".join(map(json.dumps, log)).encode()))
    view: dict[str, Any] = create_app(ledger).test_client().get("/api/game?lang=it").json
    return view


@pytest.mark.parametrize(("doubtful", "said"), [("Anna", "Forse Anna prende"), ("", "Anna prende il punto piccolo 1 con")])
def test_the_voice_says_perhaps_of_a_punto_whose_cards_are_not_sure(ledger: Ledger, doubtful: str, said: str) -> None:
    first, events = stoppa_cases.first_line(""), stoppa(PUNTO.format(cards="c1 c6") + "\npiccolo")
    view = told(ledger, first, events, ("show", doubtful))
    pages = GAMES["stoppa"].pages
    moments = create_app(ledger).extensions["dashboard"].snapshot().settled
    assert view["ruling"] is None
    assert [call for call in pages.calls(moments, pages.view(moments, "it", ViewSettings(SURE_FROM, 2)), "it") if said in call]


@pytest.mark.parametrize(("doubtful", "said"), [("Ciro", "Forse Ciro è all-in."), ("", "Ciro è all-in.")])
def test_the_voice_says_perhaps_of_who_may_be_all_in(ledger: Ledger, doubtful: str, said: str) -> None:
    first = stoper_cases.first_line("stacks=[10000,10000,200,10000,10000,10000]")
    told(ledger, first, stoper("hand\napro Bice 100\nvedo Ciro"), ("vedo", doubtful))
    pages, moments = GAMES["stoper"].pages, create_app(ledger).extensions["dashboard"].snapshot().settled
    assert said in pages.calls(moments, pages.view(moments, "it", ViewSettings(SURE_FROM, 2)), "it")


@pytest.mark.parametrize("doubtful", ["", "Anna"])
def test_a_rare_hand_that_may_be_another_is_not_announced(ledger: Ledger, doubtful: str) -> None:
    rounds = "\npiccolo\npiccolo\npiccolo\ngrosso\nannul\nend"
    events = stoppa(PUNTO.format(cards="c7 c6 c1") + rounds)
    view = told(ledger, stoppa_cases.first_line(""), events, ("show", doubtful))
    assert view["ruling"]["sure"]
    assert [one["kind"] for one in view["announced"]] == ([] if doubtful else ["rare"])


TWO_LEFT = {**STU_GAME, "players": ["Anna", "Bruno"], "dealer": "Bruno", "ricompere": 0, "standing": {
    "Anna": {"pedine": 1, "virgin": False}, "Bruno": {"pedine": 1, "virgin": False},
}}  # fmt: skip
ENDS = {"won": "3", "restarted": "matto"}
"""What the game comes to → Anna's card of its last hand."""


def ended(ledger: Ledger, card: str, *, sure: bool) -> FlaskClient:
    """A game that one hand of two players ends, or begins again (rule 21)."""
    events = stu(f"hand\nsto Anna\nsto Bruno\nreveal Anna {card}\nreveal Bruno 5\nend")
    doubtful = ("end", "reveal") if not sure else ()
    log = [TWO_LEFT, *({**one, "confidence": 0.6 if one["e"] in doubtful else 0.99} for one in events)]
    ledger.begin(GAMES["stu"].rules.LOG.read_lines("\n".join(map(json.dumps, log)).encode()))
    return create_app(ledger).test_client()


@pytest.mark.parametrize("sure", [True, False])
@pytest.mark.parametrize("status", ENDS)
def test_the_end_of_a_game_is_as_sure_as_its_last_hand(ledger: Ledger, status: str, sure: bool) -> None:
    client = ended(ledger, ENDS[status], sure=sure)
    view = client.get("/api/game?lang=it").json
    assert (view["status"], view["ruling"]["sure"]) == (status, sure)
    assert view["message"].endswith("?") != sure
    money = status == "won" and sure
    assert [bool(view[key]) for key in ("accounts", "settlement", "settling", "winner")] == [money] * 4
    assert any(seat["winner"] for seat in view["seats"]) == money
    assert client.get("/receipt.svg").status_code == (200 if money else 404)
    phone = Phone(client.application)
    assert phone.view["status"].endswith("?") != sure
    sheet = phone.client.get("/organiser/games/1/sheet?lang=it").text
    assert f'<p class="status">{html.escape(phone.view["status"])}</p>' in sheet
    if status == "won":
        assert phone.view["next"]["title"].endswith("?") != sure
        assert (">Bruno?<" in client.get("/season/evening/1.svg?lang=it").text) != sure


@pytest.mark.parametrize("sure", [True, False])
def test_what_a_hand_makes_of_the_virgins_and_the_ricompera_is_as_sure_as_it(ledger: Ledger, sure: bool) -> None:
    players = ("Anna", "Bruno", "Carla")
    standing = {name: {"pedine": 3, "virgin": name == "Anna"} for name in players}
    log = [{**STU_GAME, "players": players, "dealer": "Carla", "ricompere": 0, "standing": standing},
           *stu("hand\nsto Anna\nsto Bruno\nsto Carla\nreveal Anna 3\nreveal Bruno 5\nreveal Carla 7")]
    log.append({"e": "end", "confidence": 0.99 if sure else 0.6})
    ledger.begin(GAMES["stu"].rules.LOG.read_lines("\n".join(map(json.dumps, log)).encode()))
    figures = create_app(ledger).test_client().get("/api/game?lang=it").json["figures"]
    doubt = "" if sure else "?"
    assert [(one["text"], one["tag"]) for one in figures] == [
        ("6,00 €", ""), ("4,00 €", f"chiusa{doubt}"), (f"0{doubt}", ""),
    ]  # fmt: skip


LAST_ACTS = {
    "stu": [TWO_LEFT, *stu("hand\npasso Anna\nreveal Bruno bragon")],
    "stoppa": [stoppa_cases.first_line(""), *stoppa("hand\npiccolo\npiccolo\npiccolo\npiccolo\ngrosso\nannul")],
    "stoper": LOGS["stoper"],
}
"""A hand that its last act ends, before any `end`."""


@pytest.mark.parametrize("confidence", [0.6, 0.99])
@pytest.mark.parametrize("game_id", LAST_ACTS)
def test_a_hand_of_a_log_alone_is_as_sure_on_paper_as_on_the_tv(ledger: Ledger, game_id: str, confidence: float) -> None:
    log = [LAST_ACTS[game_id][0], *({**one, "confidence": 0.99} for one in LAST_ACTS[game_id][1:])]
    log.append({"e": "end", "confidence": confidence})
    game = ledger.new_game()
    ledger.record(game, GAMES[game_id].rules.LOG.read_lines("\n".join(map(json.dumps, log)).encode()))
    phone = Phone(create_app(ledger))
    sure = phone.client.get("/api/game").json["ruling"]["sure"]
    assert sure == (confidence == 0.99)
    rows = phone.client.get(f"/organiser/games/{game}/hands.csv?lang=it").data.decode("utf-8-sig")
    known = {row["Come si sa"] for row in csv.DictReader(io.StringIO(rows), delimiter=";")}
    assert known == {"vista" if sure else "non sicuro"}
    assert f'<td class="known">{known.pop()}</td>' in phone.client.get(f"/organiser/games/{game}/sheet?lang=it").text


@pytest.mark.parametrize("options", [(), ("--story",)])
@pytest.mark.parametrize("confidence", [0.6, 0.99])
@pytest.mark.parametrize("game_id", LOGS)
def test_companion_rule_says_of_a_ruling_that_it_is_not_sure(
    ledger: Ledger, tmp_path: Path, game_id: str, confidence: float, options: tuple[str, ...]
) -> None:
    events = [*LOGS[game_id], {"e": "end", "confidence": confidence}, {"e": "hand"}]
    game = ledger.begin(GAMES[game_id].rules.LOG.read_lines("\n".join(map(json.dumps, events)).encode()))
    assert ruled(ledger, game, tmp_path, *options) == (confidence == 0.6)
    text = CliRunner().invoke(main, ["rule", *options, str(tmp_path / "log.jsonl")]).output
    events[-2] = {"e": "end"}
    (tmp_path / "sure.jsonl").write_text("\n".join(map(json.dumps, events)))
    sure = CliRunner().invoke(main, ["rule", *options, str(tmp_path / "sure.jsonl")]).output
    words = str.maketrans("", "", "?.")
    assert text.translate(words) == sure.translate(words), "no word is another"
    first, *hand = text.splitlines()[: text.splitlines().index("")]
    if not options and confidence == 0.6:
        told = hand[: next(at for at, line in enumerate(hand) if not line.startswith("  "))]
        assert {line[-1] for line in told} == {"?"}
        assert not [line for line in (first, *hand[len(told) :]) if line.endswith("?")]


@pytest.mark.parametrize("sure", [True, False])
def test_companion_rule_says_perhaps_of_a_winner(ledger: Ledger, tmp_path: Path, sure: bool) -> None:
    ended(ledger, ENDS["won"], sure=sure)
    (tmp_path / "log.jsonl").write_bytes(write_lines(ledger.lines(1)))
    text = CliRunner().invoke(main, ["rule", str(tmp_path / "log.jsonl")]).output
    doubt = "" if sure else "?"
    assert {f"Bruno ha vinto lo Stù{doubt}", f"Bruno prende 4,00 €{doubt}"} <= set(text.splitlines()), text


@pytest.mark.parametrize("doubtful", ["", "passo", "reveal"])
@pytest.mark.parametrize("card", ["bragon", "gnao", "cucco"])
def test_a_trump_is_announced_where_what_it_answers_is_sure_too(ledger: Ledger, card: str, doubtful: str) -> None:
    events = stu(f"hand\npasso Anna\nreveal Bruno {card}")
    log = [STU_GAME, *({**one, "confidence": 0.6 if one["e"] == doubtful else 0.99} for one in events)]
    ledger.begin(GAMES["stu"].rules.LOG.read_lines("\n".join(map(json.dumps, log)).encode()))
    view = create_app(ledger).test_client().get("/api/game?lang=it").json
    assert [one["kind"] for one in view["announced"]] == ([] if doubtful else ["card"])


PASSO = "hand\npasso Anna\nreveal Bruno {card}\nsto Carla\nreveal Anna {other}\nreveal Carla 4"
ALL_STAY = "hand\nsto Anna\nsto Bruno\nsto Carla\nreveal Anna {card}\nreveal Bruno {card}\nreveal Carla 4"
DECIDED = {
    "a bbummata": (PASSO.format(card="bragon", other="2"), "Bruno", "bbummata"),
    "two Matti": (ALL_STAY.format(card="matto"), "Anna", "due Matti"),
    "a tie": (ALL_STAY.format(card="3"), "Bruno", "la carta più bassa"),
    "the Taverna": (PASSO.format(card="taverna", other="nulla"), "Bruno", "Taverna"),
}
"""What is paid → the hand, who shows the card by which it is, and what its sentence holds."""


@pytest.mark.parametrize("what", DECIDED)
def test_what_is_paid_by_a_card_that_may_be_another_is_marked(ledger: Ledger, tmp_path: Path, what: str) -> None:
    acts, by, said = DECIDED[what]
    events = [*stu(acts), {"e": "end"}]
    log = [STU_GAME, *({**one, "confidence": 0.6 if (one["e"], one.get("by")) == ("reveal", by) else 0.99} for one in events)]
    game = ledger.begin(GAMES["stu"].rules.LOG.read_lines("\n".join(map(json.dumps, log)).encode()))
    phone = Phone(create_app(ledger))
    ruling = phone.client.get("/api/game?lang=it").json["ruling"]
    assert ruling["sure"], "who pays is"
    for told in ([one["text"] for one in ruling["payments"]], phone.view["hand"]["ruling"]):
        found = [one for one in told if said in one]
        assert found, told
        assert all(one.endswith("?") for one in found), told
    assert in_csv(phone, game)
    assert ruled(ledger, game, tmp_path)

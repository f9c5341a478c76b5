"""How sure it is who pays for a hand that is over: TV, spectators, phone, sheet, CSV, season and `companion rule` say the same,
of every game, whatever the lines say and whichever have no confidence."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import pytest
import stoper_cases
import stoppa_cases
from click.testing import CliRunner
from fake_camera import FakeCamera
from flask import Flask
from hypothesis import given, settings
from msgspec.structs import replace
from phones import Organiser, Phone
from test_corrected import STU_GAME, stoper, stoppa, stu
from wild_games import any_log, seeds

from companion.cli import main
from companion.cli.rule import _doubts
from companion.dashboard import create_app
from companion.dashboard.feed import Snapshot, replayed
from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES, log_format
from companion.ledger import Ledger
from companion.pages.moments import is_tagged
from companion.pages.season import told_of
from companion.table.log import Line, tag, write_lines
from companion.table.story import RULING

UNSURE, SURE = "non sicuro", {"vista", "come dice il suo registro", "segnata a mano", ""}


def doubtful_log(game_id: str, seed: int) -> tuple[Line, ...]:
    """Legal lines up to the end of a hand, with any confidence or none; no line stands in for an outcome."""
    chance, rules = random.Random(seed), GAMES[game_id].rules
    said = (None, 1.0, 0.99, chance.choice([0.99, 0.6]))
    log = [Line(line.event, line.t, chance.choice(said)) for line in any_log(game_id, seed, 50)]
    state, ends = rules.begin(log[0].event), [1]
    for at, line in enumerate(log[1:], start=2):
        state = rules.apply(state, line.event)
        if not rules.in_hand(state):
            ends.append(at)
    return tuple(log[: chance.choice(ends[len(ends) // 2 :])])


def csv_says(phone: Phone, game: int) -> dict[int, bool]:
    """Hand's number → whether the CSV calls it not sure. Cards may be in doubt where it is sure who pays."""
    text = phone.client.get(f"/organiser/games/{game}/hands.csv?lang=it").data.decode("utf-8-sig")
    found: dict[int, bool] = {}
    for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=";"):
        said = row["Come si sa"].removesuffix("carte non sicure").removesuffix(", ")
        if row.get("Mazziere", row["Come si sa"]):  # a row of a hand; not every game has a dealer
            assert said == UNSURE or said in SURE, said
            assert found.setdefault(int(row["Mano"]), said == UNSURE) == (said == UNSURE)
    return found


def sheet_says(phone: Phone, game: int) -> dict[int, bool]:
    text = phone.client.get(f"/organiser/games/{game}/sheet?lang=it").text
    rows = re.findall(r">Mano (\d+)[^<]*<.*?class=\"known\">([^<]*)<", text, re.DOTALL)
    return {int(number): said.strip() == UNSURE for number, said in rows}


def everywhere(app: Flask, ledger: Ledger, game_id: str, game: int) -> dict[str, dict[int, bool]]:
    """Page or sheet → number of a hand → whether that page calls its ruling not sure."""
    phone, client, rules, pages = Phone(app), app.test_client(), GAMES[game_id].rules, GAMES[game_id].pages
    lines = ledger.lines(game)
    hands = client.get("/api/hands?lang=it").json["hands"]
    rule = _doubts(GAMES[game_id], lines)
    told = told_of(rules, pages, lines, ended=True)
    assert told is not None
    ruling = client.get("/api/game?lang=it").json["ruling"]
    return {
        "spectators": {hand["n"]: not hand["sure"] for hand in hands},
        "tv": {ruling["hand"]: not ruling["sure"]} if ruling is not None else {},
        "csv": csv_says(phone, game),
        "sheet": sheet_says(phone, game),
        "rule": {hand["n"]: RULING in rule.get(hand["n"], ()) for hand in hands},
    }


def told_in_words(app: Flask, game: int) -> dict[str, dict[int, tuple[str, ...]]]:
    """Page or sheet → number of a hand → its sentences there: who pays, and the notes."""
    phone, client = Phone(app), app.test_client()
    sheet = phone.client.get(f"/organiser/games/{game}/sheet?lang=it").text
    rows = re.findall(r">Mano (\d+)[^<]*</th><td>(.*?)</td>", sheet, re.DOTALL)
    ruling = client.get("/api/game?lang=it").json["ruling"]
    hands = [phone.client.get(f"/api/organiser/hand/{one['id']}?lang=it").json for one in phone.view["hands"]]
    return {
        "spectators": {
            one["n"]: (*one["paid"], *one["notes"], one["payers"]) for one in client.get("/api/hands?lang=it").json["hands"]
        },
        "sheet": {int(n): tuple(re.findall(r"<p[^>]*>([^<]*)</p>", told)) for n, told in rows},
        "phone": {one["n"]: tuple(one["ruling"]) for one in hands},
        "tv": {ruling["hand"]: tuple(ruling["notes"])} if ruling is not None else {},
        "phone's list": {one["n"]: (one["text"],) for one in phone.view["hands"]},
        "preview": {one["n"]: previewed(phone, one) for one in hands},
    }


def previewed(phone: Phone, hand: dict[str, Any]) -> tuple[str, ...]:
    """What a hand that is over comes to now, as a change to void says; nothing where that is refused. What players have now for
    whom it is not sure is a question."""
    void = {"what": "change", "hand": hand["id"], "start": 1, "stop": len(hand["lines"]), "events": [{"e": "void"}], "mend": True}
    answer = phone.send(void, dry=True) if hand["over"] else None
    if answer is None or answer.status_code != 200:
        return ()
    believed, rest = set(phone.view["believed"]), answer.json["rest"]
    assert {one["what"] for one in rest if one["now"].endswith("?")} >= believed & {one["what"] for one in rest}
    changed = [one["now"] for one in answer.json["hands"] if one["what"].endswith(f" {hand['n']}")]
    return tuple(line for one in changed for line in one.split("\n"))


def check_money(app: Flask, game_id: str, game: int, unsure: dict[int, bool]) -> None:
    """What rests on a ruling that is not sure is a question in the sheet's and the spreadsheet's money."""
    phone = Phone(app)
    text = phone.client.get(f"/organiser/games/{game}/money.csv?lang=it").data.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))[1:]
    sheet = phone.client.get(f"/organiser/games/{game}/sheet?lang=it").text
    believed = set(phone.view["believed"])
    in_hand = bool(phone.view["hand"]) and not phone.view["hand"]["over"]
    for player, has in re.findall(r'<th scope="row">([^<]*)</th><td>([^<]*)</td></tr>', sheet):
        assert has.endswith("?") == (player in believed), (player, has)
    for row in rows:
        if (what := row[1]).rstrip("?") in MONEY_WON.get(game_id, ()) and not in_hand:
            assert what.endswith("?") == unsure.get(int(row[0]), False), row


def check_figures(app: Flask, ledger: Ledger, game_id: str, game: int, unsure: dict[int, bool]) -> None:
    """The evening's figures and its picture count a hand that is not sure, and say that it is not."""
    played, client = GAMES[game_id], Phone(app).client
    state = replayed(played, tuple(ledger.lines(game)))[-1].known
    counted = [n for n, doubted in unsure.items() if doubted and not getattr(played.rules.ruling(state, n), "void", False)]
    if counted and played.pages.charts is not None:
        assert re.search(r"<dt>Mani non sicure</dt><dd>\d+\?</dd>", client.get("/charts?lang=it").text)
        assert re.search("mano non era sicura|mani non erano sicure", client.get(f"/season/evening/{game}.svg?lang=it").text)


MONEY_WON = {"stu": ("quota del piatto",), "stoppa": ("punto piccolo", "punto grosso"), "stoper": ("il piatto", "primo piatto")}
"""What the rows of money are called that tell what a hand has won."""


def check_words(app: Flask, game: int, unsure: dict[int, bool]) -> None:
    """All that is said of a hand whose ruling is not sure is a question."""
    for where, hands in told_in_words(app, game).items():
        for n, said in hands.items():
            if unsure.get(n):
                assert said or where in ("tv", "preview"), (where, n)
                assert [one for one in said if not one.endswith("?")] == [], (where, n)
            elif n in unsure and where == "phone's list":
                assert not said[0].endswith("?"), n


def check_replay(game_id: str, log: tuple[Line, ...]) -> int:
    """At each step of a replay whose ruling is not sure, all that rests on it is a question; how many such steps there are."""
    game, found = GAMES[game_id], 0
    moments = replayed(game, log)
    for step in range(1, len(log) + 1):
        view = Snapshot(1, step, game, moments[:step], DEFAULTS).view("it")
        if view.ruling is None or view.ruling.sure:
            continue
        found += 1
        why = [text for paid in view.ruling.payments for text in (paid.text, paid.brief) if text]
        after = [view.message, *(one.tag for one in view.figures if one.tag)] if view.ruling.final else []
        below = [text for one in view.announced if one.kind in ("out", "back") for text in one.beneath[-1:]]
        back = is_tagged(moments[step - 1], "rebuy")
        assert [said for said in (*why, *after, *(below[-1:] if back else ())) if not said.endswith("?")] == [], step
    return found


def check(game_id: str, log: tuple[Line, ...], *, taken_on: bool) -> dict[int, bool]:
    with Ledger.in_memory(log_format) as ledger:
        if taken_on:
            game = ledger.begin(log)
        else:
            ledger.record(game := ledger.new_game(), log)
        app = create_app(ledger)
        told = everywhere(app, ledger, game_id, game)
        expected = told.pop("spectators")
        for where, said in told.items():
            assert {n: said[n] for n in said if n in expected} == {n: expected[n] for n in said if n in expected}, where
        assert set(told["csv"]) >= {n for n, unsure in expected.items() if unsure}
        if taken_on:
            phone = {hand["n"]: hand["unsure"] for hand in Phone(app).view["hands"]}
            assert [n for n, unsure in expected.items() if unsure and not phone[n]] == []
            check_words(app, game, expected)
        check_money(app, game_id, game, expected)
        check_figures(app, ledger, game_id, game, expected)
    return expected


@pytest.mark.parametrize("taken_on", [False, True], ids=["a log alone", "taken on"])
@pytest.mark.parametrize("game_id", GAMES)
@settings(max_examples=6, deadline=None)
@given(seeds)
def test_every_page_says_the_same_of_how_sure_a_ruling_is(game_id: str, taken_on: bool, seed: int) -> None:
    if taken_on:
        check_replay(game_id, doubtful_log(game_id, seed))
    check(game_id, doubtful_log(game_id, seed), taken_on=taken_on)


@pytest.mark.parametrize("game_id", GAMES)
def test_replays_of_rulings_that_are_not_sure_are_among_those_tried(game_id: str) -> None:
    assert sum(check_replay(game_id, doubtful_log(game_id, seed)) for seed in range(8)) > 3


HANDS = {
    "stu": ([STU_GAME, *stu("hand\nsto Anna\nsto Bruno\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6")], "reveal"),
    "stoppa": (
        [stoppa_cases.first_line(""),
         *stoppa("hand\npiccolo\npunto Anna 30\nvedo Bruno\npasso Carla\npasso Dino\nshow Anna c1 c6\nshow Bruno b7 b3\npiccolo\n"
                 "piccolo\npiccolo\ngrosso\nannul")],
        "show",
    ),
    "stoper": (
        [stoper_cases.first_line(""),
         *stoper("hand\napro Bice 100\nvedo Ciro\npasso Dora Elsa Fabio Ada\nserviti Bice Ciro\nbusso Bice Ciro\n"
                 "show Bice s10 s9 s7\nshow Ciro b10 b9 b7")],
        "show",
    ),
}  # fmt: skip
"""A hand of each game, and the kind of line that says who pays in it: the first of them is in doubt."""


@pytest.mark.parametrize("end", ["without a confidence", "that is sure", "left out"])
@pytest.mark.parametrize("card", [None, 0.99, 0.6])
@pytest.mark.parametrize("game_id", HANDS)
def test_an_end_without_a_confidence_makes_no_card_surer_than_it_was(game_id: str, card: float | None, end: str) -> None:
    """It says that the hand is over. The log of a program that writes no confidence at all is believed."""
    told, decides = HANDS[game_id]
    first = next(at for at, one in enumerate(told) if one["e"] == decides)
    said = [0.99 if card is not None and at else None for at in range(len(told))]
    said[first] = card
    events = [one if sure is None else {**one, "confidence": sure} for one, sure in zip(told, said, strict=True)]
    if end != "left out":
        events.append({"e": "end"} if end == "without a confidence" else {"e": "end", "confidence": 0.99})
    elif game_id == "stu":
        return  # there the `end` is what ends it
    log = GAMES[game_id].rules.LOG.read_lines("\n".join(map(json.dumps, events)).encode())
    for taken_on in (False, True):
        assert check(game_id, log, taken_on=taken_on) == {1: card == 0.6 and end != "that is sure"}


@pytest.mark.parametrize(
    ("unsure", "end", "believed"),
    [
        ({"Anna"}, 0.6, {"Anna", "Bruno"}),  # by another card of Anna's Bruno pays
        ({"Carla"}, 0.6, {"Anna", "Carla"}),  # Carla's may be lower
        ({"Anna", "Bruno"}, 0.6, {"Anna", "Bruno", "Carla"}),
        ({"Anna", "Bruno", "Carla", "Dino"}, 0.6, {"Anna", "Bruno", "Carla", "Dino"}),
        (set(), 0.6, {"Anna"}),  # which other history there is no line says
        ({"Carla"}, 0.99, set()),  # it is sure who pays
    ],
)
@pytest.mark.parametrize("more", ["", "hand\nreveal Anna 8\nreveal Bruno 7\nreveal Carla 6\nreveal Dino 9\nend"])
def test_at_stu_who_may_have_paid_instead_is_marked_as_much_as_who_pays(
    ledger: Ledger, unsure: set[str], end: float, believed: set[str], more: str
) -> None:
    """In the hand itself and in those after it, until the table says how it stands."""
    first = {**STU_GAME, "players": ["Anna", "Bruno", "Carla", "Dino"], "dealer": "Dino"}
    shown = stu("hand\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 7\nreveal Dino 9")
    told = [{**one, "confidence": 0.6 if one.get("by") in unsure else 0.99} for one in shown]
    then = [{**one, "confidence": 0.99} for one in stu(more)]
    events = [first, *told, {"e": "end", "confidence": end}, *then]
    ledger.begin(GAMES["stu"].rules.LOG.read_lines("\n".join(map(json.dumps, events)).encode()))
    seats = create_app(ledger).test_client().get("/api/game?lang=it").json["seats"]
    assert {seat["name"] for seat in seats if seat["believed"]} == believed


WON = {"stu": 2, "stoppa": 83, "stoper": 45}
"""Game → a seed of `any_log` with which somebody wins it; of another game one is looked for."""


def seeds_of(game_id: str) -> Iterable[int]:
    return [WON[game_id]] if game_id in WON else range(200)


def winner_of(log: Sequence[Line], game_id: str) -> str | None:
    game = GAMES[game_id]
    return game.pages.score(replayed(game, tuple(log))[-1].known, "it").winner


def won(game_id: str, *, sure: bool) -> tuple[Line, ...]:
    """A game that somebody has won; where not ``sure``, by a last hand without a line that is sure."""
    log = next((log for seed in seeds_of(game_id) if winner_of(log := any_log(game_id, seed, 80), game_id)), None)
    if log is None:
        pytest.skip(f"nobody wins a game of {game_id} by random acts")
    begun = max(at for at, line in enumerate(log) if tag(line.event) == "hand")
    return tuple(Line(line.event, line.t, 0.99 if sure or at <= begun else 0.6) for at, line in enumerate(log))


CLOSED = {
    "stoppa": stoppa("end\nhand\npiccolo\npiccolo\npiccolo\npiccolo\ngrosso\nannul\nclose"),
    "stoper": stoper("end\nhand\napro Ciro 100\npasso Dora Elsa Fabio Ada Bice\nclose"),
}
"""Game → a sure hand after the one of `HANDS`, and the end of the game."""


def view_names(view: dict[str, Any]) -> list[str]:
    return [seat["name"] for seat in view["seats"]]


def won_by_an_earlier_doubt(game_id: str) -> tuple[Line, ...]:
    """A game that somebody has won, its last hand sure, with a hand before it by which it is not sure what somebody has."""
    if game_id in CLOSED:
        told, decides = HANDS[game_id]
        first = next(at for at, one in enumerate(told) if one["e"] == decides)
        events = [{**one, "confidence": 0.6} if at == first else one for at, one in enumerate(told)]
        return GAMES[game_id].rules.LOG.read_lines("\n".join(map(json.dumps, [*events, *CLOSED[game_id]])).encode())
    log, game = won(game_id, sure=True), GAMES[game_id]
    hands = [at for at, line in enumerate(log) if tag(line.event) == "hand"]
    for begun, end in pairwise(hands):
        doubted = tuple(replace(line, confidence=0.6) if begun < at < end else line for at, line in enumerate(log))
        view = game.pages.view(replayed(game, doubted), "it", DEFAULTS.view)
        if any(seat.believed for seat in view.seats) and view.ruling is not None and view.ruling.sure:
            return doubted
    pytest.skip(f"what somebody has hangs on no hand before the last in this game of {game_id}")


@pytest.mark.parametrize("game_id", GAMES)
def test_who_has_won_what_is_as_sure_as_the_hands_that_it_hangs_on(ledger: Ledger, game_id: str) -> None:
    """A game whose last hand is sure was told as sure, whatever the hands before it were."""
    log = won_by_an_earlier_doubt(game_id)
    game = ledger.begin(log)
    app = create_app(ledger, camera=FakeCamera(ledger))
    phone, winner = Organiser(app), winner_of(log, game_id)
    view = phone.client.get("/api/game?lang=it").json
    believed = {seat["name"] for seat in view["seats"] if seat["believed"]}
    assert (view["status"], view["winner"], view["message"][-1]) == ("won", None, "?")
    assert believed >= ({"Anna", "Bruno"} if game_id == "stoppa" else set())  # who has won the punto, and who may have
    assert believed
    pot = any(one["paid"] is not None or one["takes"]["minor"] for one in view["accounts"])
    for one in view["accounts"]:
        asked = pot or one["name"] in believed
        assert one["net"] is None or one["net"]["text"].endswith("?") == asked, one
    assert all(said.endswith("?") for said in view["settling"])
    assert not view["accounts"] or any(one["net"] is None or one["net"]["text"].endswith("?") for one in view["accounts"])
    (listed,) = phone.client.get("/api/games").json
    assert (listed["winner"], listed["perhaps"]) == (None, winner)
    assert f"Vincitore: {winner}?<" in phone.get("/setup/games?lang=it").text
    assert f"<span>{winner}?</span>" in phone.client.get("/season?lang=it").text
    assert f"<b>{winner}?</b>" in phone.client.get(f"/season/evening/{game}?lang=it").text
    sheet = phone.client.get(f"/organiser/games/{game}/sheet?lang=it").text
    assert re.findall(r'<p class="status">([^<]*)</p>', sheet)[0].endswith("?")
    if view["accounts"]:
        assert "?" in phone.client.get("/receipt.svg?lang=it").text
    for more in ((), ("--story",)):  # and in the terminal
        text = CliRunner().invoke(main, ["rule", *more, "-"], input=write_lines(log)).output
        totals = {name: said for said in text.splitlines() for name in view_names(view) if said.startswith(f"{name}: ")}
        assert {name for name, said in totals.items() if said.endswith("?")} == believed, text


@pytest.mark.parametrize("sure", [False, True], ids=["not sure", "sure"])
@pytest.mark.parametrize("game_id", GAMES)
def test_who_has_won_is_as_sure_as_the_last_hand_in_every_list(ledger: Ledger, game_id: str, sure: bool) -> None:
    game, ask = ledger.begin(won(game_id, sure=sure)), "" if sure else "?"
    app = create_app(ledger, camera=FakeCamera(ledger))
    phone = Organiser(app)
    winner = winner_of(ledger.lines(game), game_id)
    assert winner is not None
    (listed,) = phone.client.get("/api/games").json
    assert (listed["winner"], listed["perhaps"]) == ((winner, None) if sure else (None, winner))
    asked = phone.post("/setup/delete", game=game)
    assert asked.status_code == 409
    for text in (phone.get("/setup/games?lang=it").text, asked.text):
        assert f"Vincitore: {winner}{ask}<" in text
    assert f"<span>{winner}{ask}</span>" in phone.client.get("/season?lang=it").text
    evening = phone.client.get(f"/season/evening/{game}?lang=it").text
    assert f"<b>{winner}{ask}</b>" in evening
    assert re.findall(r"★</abbr>(\??)", evening) == [ask]
    assert f">{winner}{ask}</text>" in phone.client.get(f"/season/evening/{game}.svg?lang=it").text
    money = phone.client.get(f"/organiser/games/{game}/money.csv?lang=it").data.decode("utf-8-sig")
    assert ("?" in money) is not sure
